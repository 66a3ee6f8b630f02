"""Table manners: what every player knows without asking anybody.

Where the wall breaks, in which order tiles are taken, who throws, whose claim goes first. Play is
counter-clockwise: side ``s`` is followed by ``s + 1``; taking tiles goes clockwise, from side ``s`` to
``s - 1``. Walls are indexed as in ``sim.mechanism.places``: stack 0 is the right-most of its side and the
index grows clockwise. So counting from the right end, and going on at the left neighbour's right end, is
plain counting along one ring.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from protocols.vocabulary import SIDES, SeatKey

WINDS = "ESWN"
SEATS = len(SIDES)
ROUNDS_OF_FOUR = 3  # each takes two stacks three times (MCR-W3)
STACKS_AT_ONCE = 2
JUMP = 2  # the dealer's last tile comes from the stack this far on
RANK = {SeatKey.WIN: 3, SeatKey.KONG: 2, SeatKey.PUNG: 2, SeatKey.CHOW: 1}


def next_side(side: int) -> int:
    """Who plays after ``side``."""
    return (side + 1) % SEATS


def seat_wind(side: int, dealer: int) -> str:
    """The wind of a side while ``dealer`` deals."""
    return WINDS[(side - dealer) % SEATS]


def in_turn(first: int) -> tuple[int, ...]:
    """All sides in order of play, from ``first``."""
    return tuple((first + step) % SEATS for step in range(SEATS))


def second_thrower(dealer: int, total: int) -> int:
    """Who throws after the dealer threw ``total``: counted from the dealer as 1 (MCR-W2)."""
    return (dealer + total - 1) % SEATS


def broken_at(dealer: int, totals: Sequence[int], *, at: bool) -> tuple[int, int]:
    """Whose wall is broken, and how many stacks from its right end are left before the first one taken.

    The first total counts to the wall, the sum of all counts the stacks; ``at`` = the stack counted last is
    the first taken (CJ-W1), else the one after it (MCR-W2, ZJ-W5).
    """
    return second_thrower(dealer, totals[0]), sum(totals) - at


def resolve(claims: Mapping[int, SeatKey], discarder: int) -> int | None:
    """Whose claim goes first: win, then kong and pung, then chow; nearest in turn order (MCR-C1)."""
    order = in_turn(next_side(discarder))
    return max(claims, key=lambda side: (RANK[claims[side]], -order.index(side)), default=None)


class WallOrder:
    """The order in which the tiles of the standing walls are taken.

    ``sizes`` = tiles in each stack, row by row as the walls stand; ``total`` = stacks counted on the wall of
    ``thrower`` that are not taken first. Stacks are named (side, index). The head
    is the next live tile, the tail the end before the break; from a full stack the upper tile goes first at
    both ends.
    """

    def __init__(self, sizes: Sequence[Sequence[int]], thrower: int, total: int) -> None:
        clockwise = in_turn(0)[::-1]
        start = clockwise.index(thrower)
        ring = [
            (side, index)
            for side in clockwise[start:] + clockwise[:start]
            for index in range(len(sizes[side]))
        ]
        first = total % len(ring)
        self.stacks = ring[first:] + ring[:first]  # the first tiles are those after the count
        self._left = [sizes[side][index] for side, index in self.stacks]
        self._head = 0
        self._tail = len(ring) - 1
        self.left = sum(self._left)  # tiles still in the walls

    def take_head(self) -> tuple[int, int]:
        """The stack whose upper tile is drawn next."""
        while not self._left[self._head]:
            self._head += 1
        return self._take(self._head)

    def take_tail(self) -> tuple[int, int]:
        """The stack a replacement tile is taken from."""
        while not self._left[self._tail]:
            self._tail -= 1
        return self._take(self._tail)

    def take_ahead(self, stacks: int) -> tuple[int, int]:
        """The upper tile of a stack further on, as the dealer's jump takes it."""
        while not self._left[self._head]:
            self._head += 1
        return self._take(self._head + stacks)

    def _take(self, place: int) -> tuple[int, int]:
        self._left[place] -= 1
        self.left -= 1
        return self.stacks[place]


def deal(order: WallOrder, dealer: int) -> Iterable[tuple[int, list[tuple[int, int]]]]:
    """The deal 4-4-4-jump: who takes, and the stacks he takes a tile from, one entry a tile (MCR-W3).

    The dealer's jump is the upper tile of the next stack and of the stack after one gap (tiles 1 and 5 of
    what is left); then each other takes the next tile.
    """
    for _ in range(ROUNDS_OF_FOUR):
        for side in in_turn(dealer):
            # a stack holds two tiles, so a pair of stacks is four takes from the head
            yield side, [order.take_head() for _ in range(STACKS_AT_ONCE * 2)]
    second = order.take_ahead(JUMP)
    yield dealer, [order.take_ahead(0), second]
    for side in in_turn(dealer)[1:]:
        yield side, [order.take_head()]
