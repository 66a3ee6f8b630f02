"""An unmodified table with a panel tap and a keypad box is one table: refereed hands at count fidelity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from protocols.vocabulary import Lamp
from sim.timebase import run_virtual
from tablectl.daemon.record import read_records, verify
from tablectl.daemon.restore import input_of
from tablectl.game import step as game
from tablectl.game.inputs import AnyInput, BoardEvent
from tablectl.game.invariants import violations
from tablectl.game.state import State
from tablectl.rehearsal.referee import Report
from tablectl.rehearsal.room import DEVICE, Room, Setting
from tablectl.rehearsal.tapped import KEYPAD, TappedRoom
from tablectl.rehearsal.virtual import play
from tablectl.rules.book import load_book

BOOK = load_book()
PATIENCE_S = 3600.0  # of virtual time, a hand
OVERTIME = "irregular.overtime"
Trouble = Callable[[Room, State, int, AnyInput], None]


@dataclass
class Played:
    """What came of it."""

    report: Report
    room: Room
    journal: bytes
    broken: list[str] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)  # of the text events seen
    held: list[str] = field(default_factory=list)


def played(
    setting: Setting, hands: int = 1, *, kind: type[Room] = TappedRoom, trouble: Trouble | None = None
) -> Played:
    """Hands of the international rules in a room."""
    seen: list[tuple[str, dict[str, Any]]] = []
    broken: list[str] = []

    async def main() -> Played:
        def watch(state: State, n: int, item: AnyInput) -> None:
            broken.extend(f"record {n}: {one}" for one in violations(state))
            if trouble is not None:
                trouble(room, state, n, item)

        room = kind(setting, BOOK, watch)
        report = await play(room, hands, {"rules": "mcr"}, seen=lambda k, what: seen.append((k, what)))
        return Played(report, room, await room.close(), broken)

    made = run_virtual(main())
    events = [what for kind_, what in seen if kind_ == "event"]
    made.keys = {what["key"] for what in events}
    made.held = [what["data"]["name"] for what in events if what["key"] == "event.held"]
    return made


def check(made: Played, hands: int = 1) -> None:
    """Nothing broken, refused or moved twice; the record replays to the same state."""
    assert made.broken == []
    assert made.report.refused == []
    assert [fact for fact in made.report.irregular if fact["what"] != OVERTIME] == []
    assert not made.room.log.moved_twice()
    assert [hand["result"] in ("win", "draw") for hand in made.report.hands] == [True] * hands
    lines = made.journal.splitlines(keepends=True)
    assert verify(lines).ok
    state = game.new_state()
    for record in read_records(lines):
        if record.has_input:
            game.step(state, record.n, record.at, record.unc, input_of(record), BOOK)
    assert game.digest(state) == game.digest(made.room.core.state)


@pytest.mark.parametrize("seed", [1, 4])
def test_a_hand_is_played_at_a_tapped_table(seed: int) -> None:
    made = played(Setting(seed=seed))
    check(made)
    assert made.report.hands[0]["turns"] > 10
    assert set(made.room.core.state.devices) == {DEVICE, KEYPAD}
    assert made.report.released == []


def test_hands_follow_each_other_and_the_dealers_lamp_goes_round() -> None:
    made = played(Setting(seed=4), hands=2)
    check(made, hands=2)
    assert isinstance(made.room, TappedRoom)
    # the first build, then for each hand its raise; the set pushed in is built by the table itself
    assert made.room.tapped.controller.presses == ["lift_a", "lift_a", "dealer", "lift_a"]


def test_capabilities_are_the_union_and_no_more() -> None:
    made = played(Setting(seed=1))
    devices = made.room.core.state.devices
    assert sorted(devices[DEVICE].capabilities) == ["dice", "pause_insert"]
    assert "seat_keys" in devices[KEYPAD].capabilities
    assert made.room.core.state.table.device == DEVICE


def test_the_lamps_are_those_of_the_keypads() -> None:
    made = played(Setting(seed=1))
    assert isinstance(made.room, TappedRoom)
    assert made.room.tapped.machine.lamp in (Lamp.PLAY, Lamp.WIN, Lamp.CLOSED)


def test_a_seed_gives_its_record_byte_for_byte() -> None:
    assert played(Setting(seed=3)).journal == played(Setting(seed=3)).journal


def once(fact: Callable[[State, AnyInput], bool], act: Callable[[TappedRoom], None]) -> Trouble:
    """Do something at the first input of a kind."""
    done: list[bool] = []

    def trouble(room: Room, state: State, n: int, item: AnyInput) -> None:
        assert isinstance(room, TappedRoom)
        if not done and fact(state, item):
            done.append(True)
            act(room)

    return trouble


def in_play(state: State, item: AnyInput) -> bool:
    return isinstance(item, BoardEvent) and state.hand is not None and state.hand.turns == 20


def test_keypads_pulled_out_in_mid_hand_hold_it_and_let_go_when_they_are_back() -> None:
    def pull(room: TappedRoom) -> None:
        room.keys.unplug()
        room.loop.call_later(5.0, room.keys.replug)

    made = played(Setting(seed=1), trouble=once(in_play, pull))
    assert f"link {KEYPAD}" in made.held
    assert made.broken == []
    assert [hand["result"] for hand in made.report.hands] in (["win"], ["draw"])


def test_a_panel_pulled_out_in_mid_hand_asks_the_referee() -> None:
    def pull(room: TappedRoom) -> None:
        room.line.unplug()
        room.loop.call_later(5.0, room.line.replug)

    made = played(Setting(seed=1), trouble=once(in_play, pull))
    assert f"link {DEVICE}" in made.held
    assert "views" in made.report.released  # nobody knows what it did meanwhile
    assert made.broken == []
    assert len(made.report.hands) == 1


def test_a_press_whose_answer_was_lost_is_a_question_to_the_referee() -> None:
    def building(state: State, item: AnyInput) -> bool:
        order = state.table.order
        return order is not None and order.operation == "build"

    def lose(room: TappedRoom) -> None:
        room.tapped.panel.troubles.lose_answers = 1

    made = played(Setting(seed=1), trouble=once(building, lose))
    assert "order" in made.held
    assert "order" in made.report.released
    assert made.broken == []
    assert [hand["result"] for hand in made.report.hands] in (["win"], ["draw"])


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_table_may_speak_lines(seed: int) -> None:
    made = played(Setting(seed=seed, driver="lines"), kind=Room)
    check(made)
