"""Rules that players break in play: out of turn, too early, too late, all at once, tiles too many or too few.

A slip moves real tiles and is sensed like any act; who has the wrong number of tiles or shows what he may not
can no longer win this hand. What a slip asks for is done at the next chance for it.
"""

from __future__ import annotations

from protocols.vocabulary import NO_SIDE, SeatKey, WallEnd
from sim.hand import Hand
from sim.manners import in_turn, next_side
from sim.mechanism.tiles import FLOWERS, KINDS
from sim.people import People
from sim.view import Draw

EARLY = 0.1  # seconds from a discard to a draw that leaves nobody time to call
AT_ONCE = 0.5  # seconds after a discard
MELD = 3
SHOUTS = (SeatKey.CHOW, SeatKey.PUNG, SeatKey.KONG)


class Slips:
    """The slips of one hand. ``early`` is true from a discard on if the next draw comes too early."""

    def __init__(self, hand: Hand, people: People) -> None:
        self._hand = hand
        self._people = people
        self.early = False
        self._hurry = False
        self._draws = 1  # tiles of the next draw
        self._shouting = False
        self._intruder: int | None = None

    # what is asked for

    def out_of_turn(self, side: int) -> None:
        """``side`` draws after this discard, whoever's turn it is; NO_SIDE = the one opposite."""
        self._intruder = side

    def all_at_once(self) -> None:
        """The other three press their keys."""
        self._shouting = True

    def draw_early(self) -> None:
        """The next one draws at once."""
        self._hurry = True

    def draw_wrong(self, tiles: int) -> None:
        """The next one draws so many tiles: none, or two."""
        self._draws = tiles

    def call_late(self, side: int, seconds: float) -> None:
        """A claim key so long after the discard."""
        self._people.timer.call_later(seconds, lambda: self._hand.call(side, SeatKey.PUNG))

    def expose(self, side: int) -> None:
        """Three own tiles are laid open, a set if there is one."""
        tiles = exposable(self._hand.seen[side].concealed)
        if tiles:
            self._hand.seen[side].may_win = False
            self._hand.show_exposed(side, tiles)

    # what comes of it

    def after_discard(self, side: int) -> None:
        """A tile has just been discarded."""
        self.early, self._hurry = self._hurry, False
        if self._shouting:
            self._shouting = False
            others = in_turn(next_side(side))[:-1]
            self._people.timer.call_later(AT_ONCE, lambda: self._shout(others))
        if self._intruder is not None:
            intruder, self._intruder = self._intruder, None
            if intruder in (NO_SIDE, next_side(side), side):
                intruder = next_side(next_side(side))
            self._people.timer.call_later(AT_ONCE, lambda: self._intrude(intruder))

    def draw_at(self, seconds: float) -> float:
        """When the next draw comes."""
        return EARLY if self.early else seconds

    def draw(self, side: int) -> Draw:
        """The draw of a turn."""
        wanted, self._draws = self._draws, 1
        if wanted != 1:
            self._hand.seen[side].may_win = False
        if wanted == 0 and len(self._hand.seen[side].concealed) > 1:
            return Draw("")
        if wanted > 1 and self._hand.open.live > 1:
            self._hand.draw(side, WallEnd.HEAD)
        return self._hand.draw(side, WallEnd.HEAD)

    def _shout(self, others: tuple[int, ...]) -> None:
        for side, key in zip(others, SHOUTS, strict=True):
            self._hand.call(side, key)

    def _intrude(self, side: int) -> None:
        if self._hand.open.live:
            self._hand.seen[side].may_win = False
            self._hand.draw(side, WallEnd.HEAD)


def exposable(concealed: list[str]) -> tuple[str, ...]:
    """Three tiles to lay open, a triplet before others; empty when too few are left to go on."""
    tiles = sorted((name for name in concealed if name not in FLOWERS), key=KINDS.index)
    if len(tiles) <= MELD:
        return ()
    triplet = next((name for name in tiles if tiles.count(name) >= MELD), None)
    return (triplet,) * MELD if triplet else tuple(tiles[:MELD])
