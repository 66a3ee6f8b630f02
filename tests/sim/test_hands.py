"""Whole hands: legal, tiles conserved, finished, and the same again from the same seed."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from protocols.driver import BoardEvent
from protocols.vocabulary import EventKind, Lamp, Meld, SeatKey, WallEnd
from sim.mechanism.tiles import KINDS
from sim.pace import CLAIMS_HEARD, Pace
from sim.players import Player
from sim.seats import Fidelity
from sim.timebase import run_virtual
from sim.view import Draw, Judge, OpenHand, Seen
from sim.world import SimTable
from tests.sim.ledger import Ledger
from tests.sim.rig import Host, Nobody, Shapes

US = 1_000_000
KEYS_OF_COUNT = {EventKind.SEAT_KEY, EventKind.KEY_PRESSED}
SENSED = {EventKind.TILE_DRAWN, EventKind.TILE_DISCARDED, EventKind.MELD_SHOWN}


def play(
    seed: int, fidelity: str = "identity", tiles: int = 144, judge: Judge | None = None, hands: int = 1,
    rejecting: bool = False, paces: list[Pace] | None = None,
) -> Host:  # fmt: skip
    """Play hands and return the host with all it heard."""

    async def main() -> Host:
        table = SimTable(seed, judge=judge or Shapes(), fidelity=fidelity, tiles=tiles, paces=paces)
        host = await Host(table, lambda side: not rejecting).start()
        host.on_event = lambda event: table.machine.places.assert_conserved()
        for hand in range(1, hands + 1):
            await host.play_hand(hand, hand % 4)
        host.stop()
        return host

    return run_virtual(main())


@pytest.mark.parametrize("tiles", [144, 136])
@pytest.mark.parametrize("seed", range(8))
def test_hands_are_legal_and_end(seed: int, tiles: int) -> None:
    host = play(seed, tiles=tiles)
    ledger = Ledger(tiles)
    for event in host.events:
        ledger.take(event)
    assert ledger.wins or ledger.drawn == tiles
    assert ledger.discards > 3


def test_a_hand_nobody_wins_uses_up_the_wall() -> None:
    for seed in range(3):
        host = play(seed, judge=Nobody())
        ledger = Ledger()
        for event in host.events:
            ledger.take(event)
        assert (ledger.drawn, ledger.wins) == (144, [])
        assert host.events[-1].kind is EventKind.TILE_DISCARDED


def test_most_hands_are_won_when_any_shape_wins() -> None:
    winners = [play(seed, hands=1).winner for seed in range(100, 110)]
    assert sum(winner is not None for winner in winners) >= 5


def test_kongs_of_every_kind_happen() -> None:
    kinds: Counter[Meld] = Counter()
    for seed in (22, 24, 25):  # hands in which somebody is dealt what it takes
        ledger = Ledger()
        for event in play(seed, judge=Nobody()).events:
            ledger.take(event)
        kinds += ledger.kongs
    assert set(kinds) == {Meld.KONG, Meld.CONCEALED_KONG, Meld.ADDED_KONG}


def test_the_same_seed_gives_the_same_trace() -> None:
    one, again, other = play(42, hands=2), play(42, hands=2), play(43, hands=2)
    assert one.events == again.events
    assert one.replies == again.replies
    assert one.events != other.events


def test_count_fidelity_senses_keys_only() -> None:
    host = play(5, fidelity="count")
    kinds = {event.kind for event in host.events}
    assert not kinds & SENSED
    assert kinds >= KEYS_OF_COUNT
    assert all(not event.tiles for event in host.events)
    keys = Counter(event.value for event in host.events if event.kind is EventKind.SEAT_KEY)
    assert keys[SeatKey.DISCARD] > 3
    assert keys[SeatKey.FLOWER] >= 1


def test_both_fidelities_tell_of_the_same_play() -> None:
    seen = [event for event in play(5).events if event.kind is EventKind.TILE_DISCARDED]
    pressed = [
        event
        for event in play(5, fidelity=Fidelity.COUNT).events
        if event.kind is EventKind.SEAT_KEY and event.value == SeatKey.DISCARD
    ]
    assert [event.side for event in seen] == [event.side for event in pressed]


def test_identity_presses_no_key_for_what_is_sensed() -> None:
    keys = {event.value for event in play(6).events if event.kind is EventKind.SEAT_KEY}
    assert not keys & {SeatKey.DISCARD, SeatKey.FLOWER}


@pytest.mark.rule("MCR-W4")
def test_flowers_are_shown_in_turn_order_and_replaced_from_the_tail() -> None:
    host = play(7)
    deal = [index for index, event in enumerate(host.events) if event.kind is EventKind.TILE_DRAWN][52]
    first = next(i for i, event in enumerate(host.events) if event.kind is EventKind.TILE_DISCARDED)
    opening = [event for event in host.events[deal + 1 : first] if event.kind in SENSED]
    order = [(event.side - host.dealer) % 4 for event in opening if event.kind is EventKind.MELD_SHOWN]
    assert order == sorted(order)
    assert order
    for shown, drawn in zip(opening[::2], opening[1::2], strict=True):
        assert (shown.kind, shown.value) == (EventKind.MELD_SHOWN, Meld.FLOWER)
        assert (drawn.kind, drawn.side, drawn.value) == (EventKind.TILE_DRAWN, shown.side, WallEnd.TAIL)


def test_the_pace_is_that_of_people() -> None:
    seconds = []
    for seed in range(10):
        host = play(seed)
        seconds.append((host.events[-1].board_us - host.events[0].board_us) / US)
        claims = [event for event in host.events if event.kind is EventKind.SEAT_KEY]
        for claim in claims:
            before = [e for e in host.events if e.number < claim.number]
            opened = next((e for e in reversed(before) if e.kind is EventKind.TILE_DISCARDED), None)
            if claim.value in (SeatKey.CHOW, SeatKey.PUNG) and opened is not None:
                assert claim.board_us - opened.board_us <= CLAIMS_HEARD * US
    assert 400 <= statistics.mean(seconds) <= 850


def test_a_win_that_did_not_stand_is_not_declared_again() -> None:
    host = play(11, rejecting=True)
    wins = [event.side for event in host.events if event.kind is EventKind.SEAT_KEY and event.value == 6]
    assert wins
    assert len(wins) == len(set(wins))
    ledger = Ledger()
    for event in host.events:
        ledger.take(event)
    assert ledger.drawn == 144


def test_a_dawdler_holds_up_the_table_and_a_late_claim_is_called_late() -> None:
    slow = replace(Pace(), think=(20.0, 30.0), think_mode=25.0)
    late = replace(Pace(), claim=(3.5, 4.0), draw=(6.0, 7.0))
    dawdling = play(3, paces=[slow] * 4)
    assert dawdling.events[-1].board_us > 2 * play(3).events[-1].board_us
    gaps = []
    for seed in range(2):
        opened = 0
        for event in play(seed, paces=[late] * 4).events:
            if event.kind is EventKind.TILE_DISCARDED:
                opened = event.board_us
            elif event.kind is EventKind.SEAT_KEY and event.value in (SeatKey.CHOW, SeatKey.PUNG):
                gaps.append((event.board_us - opened) / US)
    assert gaps
    assert min(gaps) >= 3.5


def test_lamps_hold_the_players_and_let_them_go_on() -> None:
    async def main() -> tuple[list[BoardEvent], list[BoardEvent]]:
        table = SimTable(9, judge=Shapes())
        host = await Host(table).start()
        await host.open_hand()
        while sum(event.kind is EventKind.TILE_DISCARDED for event in host.events) < 5:
            await host.change()
        host.lamp(Lamp.HOLD)
        seen = len(host.events)
        done = host.loop.create_future()
        host.loop.call_later(300.0, done.set_result, None)
        await done
        held = host.events[seen:]
        host.lamp(Lamp.PLAY)
        await host.finish_hand()
        host.stop()
        return held, host.events

    held, events = run_virtual(main())
    assert [event for event in held if event.kind in SENSED | {EventKind.SEAT_KEY}] == []
    ledger = Ledger()
    for event in events:
        ledger.take(event)
    assert ledger.wins or ledger.drawn == 144


def test_ten_times_the_speed_takes_a_tenth_of_the_time() -> None:
    async def main(speed: int) -> float:
        table = SimTable(4, judge=Shapes(), speed=speed)
        host = await Host(table).start()
        assert host.hello is not None
        assert host.hello.time_scale == speed
        await host.play_hand()
        host.stop()
        return host.loop.time()

    assert run_virtual(main(10)) == pytest.approx(run_virtual(main(1)) / 10, rel=0.1)


def test_a_decision_is_quick() -> None:
    rng, wall = Random(1), [name for name in KINDS for _ in range(4)]
    player = Player(Shapes(), Random(2))
    hands = [rng.sample(wall, 14) for _ in range(400)]
    for _ in range(2):  # once to warm what is remembered
        began = time.thread_time()
        for hand in hands:
            player.on_turn(Seen(0, OpenHand(1, 0, 50), hand), Draw(hand[-1]))
        spent = (time.thread_time() - began) / len(hands)
    assert spent < 400e-6  # 100 µs on an idle machine
