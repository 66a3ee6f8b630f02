"""Table manners against positions worked out by hand on a drawing of the walls."""

from __future__ import annotations

import pytest

from protocols.vocabulary import SeatKey
from sim.manners import WallOrder, deal, resolve, seat_wind, second_thrower


def walls(stacks: int = 18) -> list[list[int]]:
    return [[2] * stacks for _ in range(4)]


@pytest.mark.rule("MCR-W2")
@pytest.mark.parametrize(
    ("total", "thrower"), [(5, 0), (9, 0), (2, 1), (6, 1), (10, 1), (3, 2), (7, 2), (11, 2), (4, 3), (12, 3)]
)
def test_the_second_thrower_is_counted_from_the_dealer(total: int, thrower: int) -> None:
    assert second_thrower(0, total) == thrower
    assert second_thrower(2, total) == (thrower + 2) % 4


# first stack taken and the two stacks the first replacements come from: (side, stack from the right)
@pytest.mark.rule("MCR-W6")
@pytest.mark.parametrize(
    ("stacks", "thrower", "total", "first", "tail"),
    [
        pytest.param(18, 0, 4, (0, 4), [(0, 3), (0, 2)], id="in the wall"),
        pytest.param(18, 2, 17, (2, 17), [(2, 16), (2, 15)], id="last stack of the wall"),
        pytest.param(18, 2, 18, (1, 0), [(2, 17), (2, 16)], id="between two walls"),
        pytest.param(18, 2, 19, (1, 1), [(1, 0), (2, 17)], id="one into the left neighbour's"),
        pytest.param(18, 0, 24, (3, 6), [(3, 5), (3, 4)], id="far into the left neighbour's"),
        pytest.param(17, 1, 18, (0, 1), [(0, 0), (1, 16)], id="17 stacks"),
        pytest.param(17, 3, 17, (2, 0), [(3, 16), (3, 15)], id="17 stacks, between"),
    ],
)
def test_where_the_wall_breaks(
    stacks: int, thrower: int, total: int, first: tuple[int, int], tail: list[tuple[int, int]]
) -> None:
    order = WallOrder(walls(stacks), thrower, total)
    assert order.stacks[0] == first
    taken = [order.take_tail() for _ in range(4)]
    assert taken == [tail[0], tail[0], tail[1], tail[1]]


@pytest.mark.rule("MCR-W3")
def test_the_deal_is_4_4_4_and_the_jump() -> None:
    order = WallOrder(walls(), 2, 19)
    takes = list(deal(order, 1))
    assert [side for side, _ in takes] == [1, 2, 3, 0] * 3 + [1, 2, 3, 0]
    assert [len(stacks) for _, stacks in takes] == [4] * 12 + [2, 1, 1, 1]
    assert takes[0] == (1, [(1, 1), (1, 1), (1, 2), (1, 2)])
    assert takes[8] == (1, [(1, 17), (1, 17), (0, 0), (0, 0)])  # round the corner, clockwise
    assert takes[12:] == [
        (1, [(0, 7), (0, 9)]),  # upper tiles of the next stack and of the one after the gap
        (2, [(0, 7)]),
        (3, [(0, 8)]),
        (0, [(0, 8)]),
    ]
    assert order.left == 144 - 53
    assert [order.take_head() for _ in range(3)] == [(0, 9), (0, 10), (0, 10)]


def test_head_and_tail_meet_without_missing_a_tile() -> None:
    order = WallOrder(walls(), 0, 7)
    taken = [order.take_head() if turn % 3 else order.take_tail() for turn in range(144)]
    assert order.left == 0
    assert all(taken.count((side, index)) == 2 for side in range(4) for index in range(18))


@pytest.mark.rule("MCR-C1")
@pytest.mark.parametrize(
    ("claims", "discarder", "winner"),
    [
        ({1: SeatKey.CHOW, 3: SeatKey.PUNG}, 0, 3),
        ({1: SeatKey.CHOW, 2: SeatKey.KONG, 3: SeatKey.WIN}, 0, 3),
        ({2: SeatKey.WIN, 3: SeatKey.WIN}, 0, 2),
        ({2: SeatKey.WIN, 1: SeatKey.WIN}, 2, 1),
        ({0: SeatKey.WIN, 3: SeatKey.WIN}, 2, 3),
        ({}, 2, None),
    ],
)
def test_whose_claim_goes_first(claims: dict[int, SeatKey], discarder: int, winner: int | None) -> None:
    assert resolve(claims, discarder) == winner


def test_seat_winds_follow_the_dealer() -> None:
    assert [seat_wind(side, 2) for side in range(4)] == ["W", "N", "E", "S"]
