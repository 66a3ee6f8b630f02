"""Players who break the rules: what is sensed is what they really did, and no tile is lost by it."""

from __future__ import annotations

from collections import Counter

import pytest

from protocols.driver import BoardEvent
from protocols.vocabulary import EventKind, Meld, SeatKey
from sim.faults import FaultPlan
from sim.slips import exposable
from sim.temper import Temper
from sim.timebase import run_virtual
from sim.world import SimTable
from tests.sim.rig import Host, Nobody

US = 1_000_000
DRAWN, DISCARDED, SHOWN, KEY = (
    EventKind.TILE_DRAWN,
    EventKind.TILE_DISCARDED,
    EventKind.MELD_SHOWN,
    EventKind.SEAT_KEY,
)


def played(*lines: str, seed: int = 2, temper: Temper = Temper(), fidelity: str = "identity") -> Host:  # noqa: B008
    """One hand that nobody wins."""

    async def main() -> Host:
        plan = FaultPlan.parse(lines)
        table = SimTable(seed, judge=Nobody(), plan=plan, temper=temper, fidelity=fidelity)
        host = await Host(table).start()
        host.on_event = lambda event: table.machine.places.assert_conserved()
        await host.play_hand()
        host.stop()
        return host

    return run_virtual(main())


def after_discard(host: Host, number: int) -> tuple[BoardEvent, list[BoardEvent]]:
    """A discard, and what came after it until the next one."""
    places = [index for index, event in enumerate(host.events) if event.kind is DISCARDED]
    start, end = places[number - 1], places[number]
    return host.events[start], host.events[start + 1 : end + 1]


def net(events: list[BoardEvent], side: int) -> int:
    """Tiles of a side after these events, kongs counting as three."""
    held = 0
    for event in events:
        if event.side == side and event.kind is DRAWN:
            held += 1
        elif event.side == side and event.kind is DISCARDED:
            held -= 1
        elif event.side == side and event.kind is SHOWN:
            claimed = event.value in (Meld.CHOW, Meld.PUNG, Meld.KONG)
            held += claimed - (event.value in (Meld.KONG, Meld.CONCEALED_KONG, Meld.ADDED_KONG))
            held -= event.value == Meld.FLOWER
    return held


def test_out_of_turn() -> None:
    host = played("at discard 6: out_of_turn")
    discard, events = after_discard(host, 6)
    intruder = next(event for event in events if event.kind is DRAWN)
    assert intruder.side not in (discard.side, (discard.side + 1) % 4)
    assert not host.table.party.hand


def test_the_next_one_draws_before_anybody_can_call() -> None:
    host = played("at discard 6: draw_early")
    discard, events = after_discard(host, 6)
    drawn = next(event for event in events if event.kind is DRAWN)
    assert drawn.side == (discard.side + 1) % 4
    assert (drawn.board_us - discard.board_us) / US < 0.2


def test_all_at_once() -> None:
    discard, events = after_discard(played("at discard 6: all_at_once"), 6)
    keys = [event for event in events if event.kind is KEY]
    assert sorted(event.side for event in keys[:3]) == sorted({0, 1, 2, 3} - {discard.side})
    assert len({event.board_us for event in keys[:3]}) == 1
    assert {event.value for event in keys[:3]} == {SeatKey.CHOW, SeatKey.PUNG, SeatKey.KONG}


def test_a_late_call() -> None:
    host = played("at discard 6: call_late West, for 4 s")
    discard, _ = after_discard(host, 6)
    calls = [event for event in host.events if event.kind is KEY and event.side == 2]
    assert 4.0 in [round((event.board_us - discard.board_us) / US, 1) for event in calls]


def test_the_next_one_draws_before_the_discard_and_does_not_draw_again() -> None:
    clean, host = played(), played("at discard 6: draw_first")
    acts = [event for event in host.events if event.kind in (DRAWN, DISCARDED)]
    discard, _ = after_discard(host, 7)
    place = acts.index(discard)
    ahead = acts[place - 1]
    assert (ahead.kind, ahead.side) == (DRAWN, (discard.side + 1) % 4)
    assert (acts[place + 1].kind, acts[place + 1].side) == (DISCARDED, ahead.side)
    assert [net(host.events, side) for side in range(4)].count(13) == 4
    assert len(clean.events) > place


def test_who_dawdles_lets_all_wait_so_much_longer() -> None:
    clean, host = played(), played("at discard 6: dawdle, for 30 s")
    pairs = [[event.board_us for event in one.events if event.kind is DISCARDED] for one in (clean, host)]
    assert [round((late - right) / US) for right, late in zip(*pairs, strict=False)][4:8] == [0, 0, 30, 30]


def test_an_empty_call_is_one_without_a_pair_and_all_wait_for_it() -> None:
    host = played("at discard 6: call_empty")
    call = next(event for event in host.events if event.kind is KEY and event.value == SeatKey.PUNG)
    following = host.events[host.events.index(call) + 1]
    assert following.kind is DRAWN
    assert (following.board_us - call.board_us) / US > 3


def test_a_false_win_is_declared_by_who_has_just_drawn() -> None:
    host = played("at discard 6: false_win")
    call = next(event for event in host.events if event.kind is KEY and event.value == SeatKey.WIN)
    assert host.events[host.events.index(call) - 1].kind is DRAWN
    assert host.events[host.events.index(call) - 1].side == call.side


def test_a_tile_that_is_seen_has_the_next_player_call_the_referee() -> None:
    host = played("at discard 6: drop_tile East")
    calls = [event for event in host.events if event.kind is KEY and event.value == SeatKey.REFEREE]
    assert [event.side for event in calls] == [1]


def test_tiles_exposed_without_a_claim() -> None:
    host = played("at discard 6: exposed North")
    place = [e.number for e in host.events if e.kind is DISCARDED][5]
    shown = next(event for event in host.events if event.number == place + 1)
    assert (shown.kind, shown.side, len(shown.tiles)) == (SHOWN, 3, 3)
    assert shown.value in (Meld.CHOW, Meld.PUNG)


@pytest.mark.parametrize(("kind", "tiles"), [("too_many", 1), ("too_few", -1)])
def test_the_wrong_number_of_tiles(kind: str, tiles: int) -> None:
    clean, host = played(seed=7), played(f"at discard 6: {kind}", seed=7)
    discard, _ = after_discard(host, 6)
    wrong = [side for side in range(4) if net(host.events, side) != net(clean.events, side)]
    last = host.events[-1]
    assert last.kind is DISCARDED
    assert [net(host.events, side) for side in range(4)].count(13) == 3
    side = (discard.side + 1) % 4
    assert wrong in ([side], [])
    assert sum(net(host.events, side) for side in range(4)) == 4 * 13 + tiles


@pytest.mark.parametrize("fidelity", ["identity", "count"])
def test_a_temper_makes_slips_of_every_kind(fidelity: str) -> None:
    temper = Temper(
        out_of_turn=0.05, all_at_once=0.05, draw_early=0.05, call_late=0.05, exposed=0.05, too_few=0.05,
        too_many=0.05,
    )  # fmt: skip
    counts: Counter[str] = Counter()
    for seed in range(4):
        counts += played(temper=temper, seed=seed, fidelity=fidelity).table.recorded().counts()
    assert len(counts) == 7
    assert played(temper=temper, seed=1).events == played(temper=temper, seed=1).events


@pytest.mark.parametrize(
    ("concealed", "tiles"),
    [
        (["1m", "5p", "5p", "5p", "E"], ("5p",) * 3),
        (["f1", "E", "1m", "2m", "9s"], ("1m", "2m", "9s")),
        (["1m", "2m", "3m", "f1"], ()),
    ],
)
def test_what_is_exposed(concealed: list[str], tiles: tuple[str, ...]) -> None:
    assert exposable(concealed) == tiles


def test_without_slips_the_pace_is_untouched() -> None:
    assert played(seed=3).events == played(seed=3, temper=Temper()).events
