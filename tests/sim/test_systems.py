"""Hands of every rule system: legal by its customs, ended where its wall ends, a seed gives its hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from protocols.driver import BoardEvent
from protocols.vocabulary import EventKind, Meld, SeatKey, WallEnd
from sim.customs import Customs
from sim.manners import WallOrder, broken_at
from sim.pace import Pace
from sim.timebase import run_virtual
from sim.world import SimTable
from tests.sim.ledger import Ledger
from tests.sim.rig import Host, Nobody, Shapes
from tests.sim.systems import BOOK, OTHERS, SYSTEMS, customs, play

SENSED = {EventKind.TILE_DRAWN, EventKind.TILE_DISCARDED, EventKind.MELD_SHOWN}
US = 1_000_000


def booked(system: str, host: Host) -> Ledger:
    """The books of a hand; they object to what is not legal."""
    ledger = Ledger(BOOK[system].wall.tiles.value, customs(system))
    for event in host.events:
        ledger.take(event)
    return ledger


def calls(host: Host, key: SeatKey) -> list[BoardEvent]:
    return [event for event in host.events if event.kind is EventKind.SEAT_KEY and event.value == key]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(6))
def test_hands_are_legal_and_end(system: str, seed: int) -> None:
    ledger = booked(system, play(system, seed))
    assert ledger.wins or ledger.drawn_out
    assert ledger.discards > 3


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_third_of_the_hands_or_more_is_won(system: str) -> None:
    winners = [play(system, seed).winner for seed in range(200, 208)]
    assert sum(winner is not None for winner in winners) >= 3


@pytest.mark.rule("ZJ-W7", "CJ-W2", "WH-W6", "MCR-W5")
@pytest.mark.parametrize(
    ("system", "left"), [("mcr", {0}), ("zungjung", {14}), ("ccm", {0}), ("wuhan", {9, 10})]
)
def test_a_hand_nobody_wins_leaves_the_dead_tiles(system: str, left: set[int]) -> None:
    for seed in range(5):
        ledger = booked(system, play(system, seed, judge=Nobody()))
        assert ledger.standing in left
        assert ledger.drawn_out
        assert ledger.wins == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_same_seed_gives_the_same_trace(system: str) -> None:
    one, again = play(system, 42, hands=2), play(system, 42, hands=2)
    assert one.events == again.events
    assert one.replies == again.replies


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize("seed", range(3))
def test_by_keys_the_same_hand_is_played(system: str, seed: int) -> None:
    sensed, pressed = play(system, seed), play(system, seed, "count")
    assert not {event.kind for event in pressed.events} & SENSED
    discards = [event.side for event in sensed.events if event.kind is EventKind.TILE_DISCARDED]
    assert [event.side for event in calls(pressed, SeatKey.DISCARD)][: len(discards)] == discards
    assert pressed.winner == sensed.winner
    laid = (Meld.FLOWER, Meld.SINGLE_KONG)
    shown = [e.side for e in sensed.events if e.kind is EventKind.MELD_SHOWN and e.value in laid]
    assert [event.side for event in calls(pressed, SeatKey.FLOWER)] == shown


# openings


@pytest.mark.rule("CJ-W1")
@pytest.mark.parametrize(
    ("dealer", "total", "side", "stack"),
    [
        pytest.param(0, 7, 2, 6, id="seventh stack of the opposite wall"),
        pytest.param(0, 5, 0, 4, id="the dealer's own"),
        pytest.param(1, 12, 0, 11, id="counted from the dealer"),
        pytest.param(3, 2, 0, 1, id="his lower seat"),
    ],
)
def test_one_total_counts_to_the_wall_and_to_the_stack(
    dealer: int, total: int, side: int, stack: int
) -> None:
    order = WallOrder([[2] * 18] * 4, *broken_at(dealer, [total], at=True))
    assert order.stacks[0] == (side, stack)


@pytest.mark.rule("ZJ-W5")
@pytest.mark.parametrize(
    ("first", "second", "stacks"),
    [
        pytest.param(5, 12, (3, 0), id="17: between the walls"),
        pytest.param(9, 9, (3, 1), id="18: the upper seat's right-most is left"),
        pytest.param(2, 4, (1, 6), id="6: his lower seat throws second"),
    ],
)
def test_stacks_are_counted_past_the_end_of_a_wall_of_17(
    first: int, second: int, stacks: tuple[int, int]
) -> None:
    order = WallOrder([[2] * 17] * 4, *broken_at(0, [first, second], at=False))
    assert order.stacks[0] == stacks


@pytest.mark.rule("CJ-W1", "ZJ-W5", "MCR-W2")
@pytest.mark.parametrize(("system", "throws"), [("mcr", 2), ("zungjung", 2), ("ccm", 1), ("wuhan", 2)])
def test_the_dice_are_thrown_as_often_as_the_rules_say(system: str, throws: int) -> None:
    host = play(system, 3)
    shown = [event for event in host.events if event.kind is EventKind.DICE_RESULT]
    assert len(shown) == throws
    assert shown[0].side == host.dealer


def test_a_house_that_throws_three_dice_sees_three_faces() -> None:
    async def main() -> list[BoardEvent]:
        house = replace(customs("mcr"), dice=3)
        host = await Host(SimTable(3, judge=Nobody(), customs=house)).start()
        await host.open_hand()
        while sum(event.kind is EventKind.DICE_RESULT for event in host.events) < 2:
            await host.change()
        host.stop()
        return host.events

    values = [event.value for event in run_virtual(main()) if event.kind is EventKind.DICE_RESULT]
    assert all(0x100 < value < 0x1000 for value in values)


@pytest.mark.rule("WH-W2")
@pytest.mark.parametrize(
    ("shown", "wild", "kinds", "honours"),
    [
        ("4p", ("5p",), 1, "skip_zhong"),
        ("9s", ("1s",), 1, "skip_zhong"),
        ("N", ("F",), 1, "skip_zhong"),
        ("N", ("C",), 1, "cycle_all"),
        ("C", ("F",), 1, "skip_zhong"),
        ("P", ("E",), 1, "skip_zhong"),
        ("8m", ("9m", "1m"), 2, "skip_zhong"),
        ("8m", (), 0, "skip_zhong"),
    ],
)
def test_the_next_of_its_kind_is_wild(shown: str, wild: tuple[str, ...], kinds: int, honours: str) -> None:
    house = Customs(wild_kinds=kinds, wild_honours="cycle_all" if honours == "cycle_all" else "skip_zhong")
    assert house.wild_of(shown) == wild


@pytest.mark.rule("WH-W2")
def test_the_dealer_turns_a_tile_up_after_the_deal() -> None:
    host = play("wuhan", 5)
    [turned] = [e for e in host.events if e.kind is EventKind.MELD_SHOWN and e.value == Meld.INDICATOR]
    assert turned.side == host.dealer
    drawn = [
        event for event in host.events[: host.events.index(turned)] if event.kind is EventKind.TILE_DRAWN
    ]
    assert len(drawn) == 53
    pressed = play("wuhan", 5, "count")
    assert not [event for event in pressed.events if event.kind is EventKind.MELD_SHOWN]


# play


@pytest.mark.rule("WH-W6")
def test_the_last_four_tiles_are_drawn_for_a_win_alone() -> None:
    house = customs("wuhan")
    for seed in range(4):
        ledger = booked("wuhan", play("wuhan", seed, judge=Nobody()))
        assert ledger.open is not None
        assert ledger.last == [(ledger.open[0] + step) % 4 for step in (1, 2, 3, 4)]
    pressed = play("wuhan", 0, "count", judge=Nobody())
    through = [event.side for event in calls(pressed, SeatKey.DISCARD)][-house.draw_only :]
    assert through == [(through[0] + step) % 4 for step in range(4)]


@pytest.mark.rule("WH-W4", "WH-W5", "WH-C12")
def test_red_and_spare_wild_tiles_are_laid_out_alone_and_replaced() -> None:
    laid: Counter[str] = Counter()
    for seed in range(8):
        host = play("wuhan", seed)
        laid += booked("wuhan", host).laid  # the books check who, when, and which tiles
        for event, following in zip(host.events, host.events[1:], strict=False):
            if event.kind is EventKind.MELD_SHOWN and event.value == Meld.SINGLE_KONG:
                assert (following.kind, following.value) == (EventKind.TILE_DRAWN, WallEnd.TAIL)
                assert following.side == event.side
    assert laid["C"] > 8
    assert len(laid) > 1  # wild ones too


@pytest.mark.rule("ZJ-W8")
def test_the_riverbed_tile_is_for_a_win_alone() -> None:
    """The books object to any other claim of it, and to a kong of whoever drew the seabed tile."""
    for seed in range(10, 16):
        assert booked("zungjung", play("zungjung", seed, judge=Nobody())).standing == 14


@pytest.mark.rule("ZJ-C2", "ZJ-C4")
def test_where_no_time_is_given_draws_and_chows_wait() -> None:
    draws, chows = [], []
    for seed in range(6):
        opened = called = 0
        for event in play("zungjung", seed).events:
            if event.kind is EventKind.TILE_DISCARDED:
                opened, called = event.board_us, 0
            elif event.kind is EventKind.SEAT_KEY and event.value == SeatKey.CHOW:
                called = event.board_us
            elif event.kind is EventKind.TILE_DRAWN and event.value == WallEnd.HEAD and opened:
                draws.append(event.board_us - opened)
                opened = 0
            elif event.kind is EventKind.MELD_SHOWN and event.value == Meld.CHOW and called:
                chows.append(event.board_us - called)
    assert min(draws) >= US
    assert chows
    assert min(chows) >= US


def won_by(seed: int, winners: int) -> list[BoardEvent]:
    """The wins called in a hand in which any shape wins."""

    async def main() -> Host:
        house = replace(customs("mcr"), winners=winners)
        table = SimTable(seed, judge=Shapes(), customs=house)
        host = await Host(table).start()
        await host.play_hand(1, seed % 4)
        host.stop()
        return host

    return calls(run_virtual(main()), SeatKey.WIN)


@pytest.mark.rule("CJ-C1")
@pytest.mark.parametrize(("seed", "sides"), [(26, [3, 0]), (43, [3, 2]), (60, [1, 3])])
def test_all_who_may_win_a_discard_say_so(seed: int, sides: list[int]) -> None:
    wins = won_by(seed, 3)
    assert [event.side for event in wins] == sides
    assert wins[1].board_us - wins[0].board_us < US  # though the lamps say wait by then
    assert [event.side for event in won_by(seed, 1)] == sides[:1]


@pytest.mark.rule("CJ-T1")
def test_who_has_less_time_thinks_quicker() -> None:
    assert Pace().within(15) == Pace()
    brisk = Pace().within(10)
    assert brisk.think[1] < Pace().think[1]
    assert brisk.draw == Pace().draw
    assert Pace().within(1).think == (0.0, 0.0)
