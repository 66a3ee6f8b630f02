"""The wall counted anew from the records of a journal, by somebody who knows nothing of the daemon's states.

He reads what was told: the dice, tiles drawn, melds laid, keys, and what referees entered. Where draws are
sensed each is a record. Where only keys are told, a player who acts in his turn has drawn, unless he acts on
a chow or pung he called, or is the dealer who has not discarded yet.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablectl.rules.model import Ruleset

DEAL = 53
DISCARD, CHOW, PUNG, KONG, FLOWER = range(1, 6)  # keys
LAID_CLAIMS = (1, 2, 3)  # melds made with another's discard
INDICATOR = 8
TAIL = 1
QUICKEST = 2_000_000  # µs: nobody has drawn, looked and laid a kong sooner after the last discard


class Recount:
    """Reads inputs in their order; ``left`` = tiles that can still be drawn in this hand."""

    def __init__(self, rules: Ruleset, *, senses: bool) -> None:
        self._rules = rules
        self._senses = senses
        self._heard: dict[int, int] = {}  # newest event of each boot
        self.at = 0
        self.walls = 0  # times that new walls stood
        self._begin()

    def _begin(self) -> None:
        self.head = self.tail = 0
        self._dealer: int | None = None
        self._indicator = self._corrected = 0
        self._lifted: int | None = None  # who drew and has not acted: the tile may have to go back
        self._returned: int | None = None  # whose tile did go back
        self._reserved: int | None = None  # before whom a tile lies as his next draw
        self._called: set[int] = set()  # sides that called chow or pung for the open discard
        self._konged: set[int] = set()  # sides that called kong for it
        self._replacing: int | None = None  # who laid a kong or a flower and has not acted since
        self._opened = False  # play is under way
        self._discarder: int | None = None
        self._discarded = 0

    @property
    def left(self) -> int:
        wall = self._rules.wall
        odd = self.tail % 2 if wall.tail_parity.value else 0
        ours = wall.tiles.value - wall.dead_tiles.value + odd
        return ours - self.head - self.tail - self._indicator - self._corrected

    def read(self, item: bytes, at: int) -> bool:
        """One input as the journal has it; True if the count must be right after it."""
        told: dict[str, Any] = msgspec.json.decode(item)
        self.at = at
        if told["kind"] == "command":
            return self._command(told["name"], told.get("args", {}))
        if told["kind"] != "event" or told["number"] <= self._heard.get(told["boot"], 0):
            return False
        self._heard[told["boot"]] = told["number"]
        return self._event(told["event"], told.get("side"), told.get("value", 0))

    def _event(self, event: str, side: Any, value: int) -> bool:
        match event:
            case "walls_up":
                self.walls += 1
                self._begin()
            case "dice_result" if self._dealer is None:
                self._dealer = side
            case "tile_drawn":
                self._draw(side, tail=value == TAIL)
                return True
            case "tile_discarded":
                self._lifted, self._discarder = None, side
                return True
            case "meld_shown" if value == INDICATOR:
                self._indicator = 1
                return True
            case "meld_shown" if value in LAID_CLAIMS:
                self._claimed(side)
                return True
            case "meld_shown":
                self._lifted = None
            case "seat_key" if not self._senses:
                return self._key(side, value)
        return False

    # where draws are sensed

    def _draw(self, side: int, *, tail: bool) -> None:
        if tail:
            self.tail += 1
        elif self._reserved == side:
            self._reserved = None  # it was counted when it was left there
        else:
            self.head += 1
        self._lifted = None if tail or self.head <= DEAL else side

    def _claimed(self, side: int) -> None:
        """A claim was laid; what the next player had lifted meanwhile goes back to the wall."""
        if self._lifted not in (None, side):
            self.head -= 1
            self._returned = self._lifted
        self._lifted = None

    # where only keys are told

    def _key(self, side: int, key: int) -> bool:
        if key not in (DISCARD, CHOW, PUNG, KONG, FLOWER):
            return False
        if not self.head:
            self.head = DEAL  # somebody acts: the deal is over
        if key in (CHOW, PUNG):
            self._called.add(side)
        elif key == KONG and self._is_claim(side):
            self._konged.add(side)
        elif key == FLOWER and self._rules.flowers.used.value and not self._opened:
            self.tail += 1  # before play it is replaced at once
        else:
            self._act(side, key)
        return True

    def _is_claim(self, side: int) -> bool:
        """A kong key for the discard: of another than who draws next, or sooner than anybody can draw."""
        if self._discarder is None or self._replacing == side or side in self._called | self._konged:
            return False
        return side != (self._discarder + 1) % 4 or self.at - self._discarded < QUICKEST

    def _act(self, side: int, key: int) -> None:
        """Who discards, or lays something out, has drawn before, unless he holds a tile too many anyway."""
        if self._replacing == side or side in self._konged:
            self.tail += 1
        elif side not in self._called and (self._opened or side != self._dealer):
            self.head += 1
        self._called, self._konged, self._opened = set(), set(), True
        self._replacing = None if key == DISCARD else side
        if key == DISCARD:
            self._discarder, self._discarded = side, self.at

    # what people enter

    def _command(self, name: str, args: dict[str, Any]) -> bool:
        match name:
            case "deal done":
                self.head = DEAL
            case "indicator":
                self.head = self.head or DEAL  # it is turned up after the deal
                self._indicator = 1
            case "wall leave":
                self._reserved, self.head = self._returned, self.head + 1
            case "wall correct":
                self._corrected += self.left - int(args["left"])
            case _:
                return False
        return True
