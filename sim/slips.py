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
CALLS_IN = 1.5  # from a tile that is seen to the call for the referee
FIRST = 0.8  # seconds from a draw to one of the next player, before the discard
ENOUGH = 8  # tiles in the wall for that
WAITED = 5.0  # seconds from a discard in which all wait for a meld that nobody shows
PAIR = 2
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
        self._longer = 0.0  # seconds the next one thinks beyond his own
        self._bluffing = False
        self._calling = False
        self._first = False
        self.ahead: dict[int, str] = {}  # tiles drawn before the upper seat's discard, by side
        self.dropped = ""  # the tile somebody let be seen last, as ``SIDE TILE``

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

    def draw_first(self) -> None:
        """The one after the next to discard draws before him."""
        self._first = True

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

    def dawdle(self, seconds: float) -> None:
        """The next one to discard thinks so much longer."""
        self._longer = seconds

    def call_empty(self) -> None:
        """Somebody calls pung for the next discard nobody wants."""
        self._calling = True

    def false_win(self) -> None:
        """The next one to draw declares a win."""
        self._bluffing = True

    def drop_tile(self, side: int) -> None:
        """An own tile is seen by all and stays in the hand; the next player calls the referee."""
        own = sorted(
            (name for name in self._hand.seen[side].concealed if name not in FLOWERS), key=KINDS.index
        )
        if own:
            self.dropped = f"{side} {own[0]}"
            self._people.timer.call_later(CALLS_IN, lambda: self.call_referee(next_side(side)))

    def call_referee(self, side: int) -> None:
        """The key of a seat that calls the referee."""
        self._hand.call(side, SeatKey.REFEREE)

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

    def before_discard(self, side: int) -> None:
        """A player begins to think about his discard."""
        if self._first and self._hand.open.live > ENOUGH and next_side(side) not in self.ahead:
            self._first = False
            self._people.timer.call_later(FIRST, lambda: self._draw_ahead(next_side(side)))

    def _draw_ahead(self, side: int) -> None:
        self.ahead[side] = self._hand.draw(side, WallEnd.HEAD).tile

    def unwanted(self, discarder: int, tile: str) -> float:
        """Nobody wants the newest discard; somebody may call it all the same. The least seconds all wait."""
        others = [side for side in in_turn(next_side(discarder))[:-1] if self._cannot_pung(side, tile)]
        if self._calling and others:
            self._calling = False
            self._people.timer.call_later(AT_ONCE, lambda: self._hand.call(others[-1], SeatKey.PUNG))
            return WAITED
        return 0.0

    def _cannot_pung(self, side: int, tile: str) -> bool:
        seen = self._hand.seen[side]
        return seen.concealed.count(tile) < PAIR and seen.ruled.may_claim(SeatKey.PUNG)

    def longer(self) -> float:
        """Seconds by which the one who is to discard lets the others wait."""
        longer, self._longer = self._longer, 0.0
        return longer

    def bluffs(self, side: int) -> bool:
        """Does he declare a win though he has none?"""
        seen = self._hand.seen[side]
        if not (self._bluffing and seen.may_win and seen.ruled.may_win):
            return False
        self._bluffing = False
        return True

    def draw_at(self, seconds: float) -> float:
        """When the next draw comes."""
        return EARLY if self.early else seconds

    def draw(self, side: int) -> Draw:
        """The draw of a turn."""
        if side in self.ahead:
            return Draw(self.ahead.pop(side))
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
