"""A hand written down: who is dealt what, and what happens. Checked event by event before anything moves.

The form is one JSON object a line: ``dealer``, ``deal`` (13 tiles for each of four seats) and ``events``,
each with ``seat``, ``do`` (draw, discard, chow with the two own tiles, pung, kong, concealed_kong,
added_kong, win) and ``tile``. Seats are sides. The dealer's first draw is the last tile of the deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from protocols.vocabulary import SIDES
from sim.errors import ScriptError
from sim.manners import next_side
from sim.mechanism.tiles import COPIES, KINDS

DEALT = 13
CLAIM_OWN = {"pung": 2, "kong": 3}  # equal own tiles a claim needs
DOINGS = ("draw", "discard", "chow", "pung", "kong", "concealed_kong", "added_kong", "win")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing a player does. ``own`` = own tiles used by a claim."""

    seat: int
    do: str
    tile: str
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """One hand. ``draws`` = (seat, tile, from the tail) in the order drawn."""

    dealer: int
    deal: tuple[tuple[str, ...], ...]
    events: tuple[Event, ...]
    draws: tuple[tuple[int, str, bool], ...] = ()

    @classmethod
    def parse(cls, line: Mapping[str, Any]) -> Script:
        """Read and check one object of a script file. Raises ``ScriptError``."""
        try:
            deal = tuple(tuple(map(str, hand)) for hand in line["deal"])
            events = tuple(_event(row) for row in line["events"])
            dealer = int(line["dealer"])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ScriptError(0, f"it is not of the form of a script ({error!r})") from error
        return cls(dealer, deal, events, check(deal, events, dealer))


def _event(row: Mapping[str, Any]) -> Event:
    do, tile = str(row["do"]), str(row["tile"])
    own = tuple(map(str, row.get("with", ()))) or (tile,) * CLAIM_OWN.get(do, 0)
    return Event(int(row["seat"]), do, tile, own)


def check(
    deal: Sequence[Sequence[str]], events: Sequence[Event], dealer: int
) -> tuple[tuple[int, str, bool], ...]:
    """The draws of a script that can be played. Raises ``ScriptError`` naming the event that cannot."""
    if dealer not in SIDES or len(deal) != len(SIDES) or any(len(hand) != DEALT for hand in deal):
        raise ScriptError(0, f"it needs a dealer 0-3 and {DEALT} tiles for each of four seats")
    course = _Course(dealer, [Counter() for _ in deal])
    for seat, hand in enumerate(deal):
        for tile in hand:
            course.receive(seat, tile)
    for number, event in enumerate(events, 1):
        course.number = number
        course.play(event)
    return tuple(course.draws)


@dataclass(slots=True)
class _Course:
    """The state of a script while it is checked."""

    turn: int
    hands: list[Counter[str]]
    number: int = 0
    expect: str = "draw"  # draw, tail, act, discard (after a claim), claim or draw, over
    open_tile: str = ""
    discarder: int = -1
    added: bool = False  # an added kong may still be robbed
    pungs: list[list[str]] = field(default_factory=lambda: [[] for _ in SIDES])
    draws: list[tuple[int, str, bool]] = field(default_factory=list)
    used: Counter[str] = field(default_factory=Counter)

    def receive(self, seat: int, tile: str) -> None:
        """A tile comes into a hand."""
        if tile not in KINDS:
            self.fail(f"{tile!r} is no tile a script can hold")
        self.used[tile] += 1
        if self.used[tile] > COPIES:
            self.fail(f"this is copy {self.used[tile]} of {tile}; a set holds {COPIES}")
        self.hands[seat][tile] += 1

    def play(self, event: Event) -> None:
        """Let one event happen."""
        if event.seat not in SIDES or event.do not in DOINGS:
            self.fail(f"no seat {event.seat!r} can {event.do!r}")
        if self.expect == "over":
            self.fail("the hand has been won already")
        getattr(self, f"_{event.do}")(event)

    def fail(self, problem: str) -> None:
        raise ScriptError(self.number, problem)

    def _need(self, event: Event, *states: str) -> None:
        if self.expect not in states or event.seat != self.turn:
            self.fail(f"seat {event.seat} cannot {event.do} now: seat {self.turn} is to {self.expect}")

    def _remove(self, seat: int, tiles: Sequence[str]) -> None:
        wanted = Counter(tiles)
        if wanted - self.hands[seat]:
            self.fail(f"seat {seat} does not hold {' '.join((wanted - self.hands[seat]).elements())}")
        self.hands[seat] -= wanted

    def _draw(self, event: Event) -> None:
        self._need(event, "draw", "tail")
        self.draws.append((event.seat, event.tile, self.expect == "tail"))
        self.receive(event.seat, event.tile)
        self.expect, self.open_tile, self.added = "act", "", False

    def _discard(self, event: Event) -> None:
        self._need(event, "act", "discard")
        self._remove(event.seat, [event.tile])
        self.open_tile, self.discarder = event.tile, event.seat
        self.turn, self.expect = next_side(event.seat), "draw"

    def _claim(self, event: Event, then: str) -> None:
        if not self.open_tile or self.added or event.seat == self.discarder:
            self.fail(f"nothing lies open for seat {event.seat} to {event.do}")
        if event.tile != self.open_tile:
            self.fail(f"{self.open_tile} lies open, not {event.tile}")
        self._remove(event.seat, event.own)
        self.turn, self.expect, self.open_tile = event.seat, then, ""

    def _chow(self, event: Event) -> None:
        run = sorted((*event.own, event.tile))
        ranks = [int(tile[0]) if tile[0].isdigit() else -9 for tile in run]
        suits = {tile[1:] for tile in run}
        if len(run) != 3 or ranks != [ranks[0], ranks[0] + 1, ranks[0] + 2] or len(suits) != 1:
            self.fail(f"{' '.join(run)} is no sequence")
        if event.seat != next_side(self.discarder):
            self.fail(f"seat {event.seat} may not chow from seat {self.discarder}")
        self._claim(event, "discard")

    def _pung(self, event: Event) -> None:
        self._claim(event, "discard")
        self.pungs[event.seat].append(event.tile)

    def _kong(self, event: Event) -> None:
        self._claim(event, "tail")

    def _concealed_kong(self, event: Event) -> None:
        self._need(event, "act")
        self._remove(event.seat, [event.tile] * COPIES)
        self.expect = "tail"

    def _added_kong(self, event: Event) -> None:
        self._need(event, "act")
        if event.tile not in self.pungs[event.seat]:
            self.fail(f"seat {event.seat} has no pung of {event.tile}")
        self._remove(event.seat, [event.tile])
        self.expect, self.open_tile, self.discarder, self.added = "tail", event.tile, event.seat, True

    def _win(self, event: Event) -> None:
        if self.expect == "act" and event.seat == self.turn:
            if self.hands[event.seat][event.tile] < 1:
                self.fail(f"seat {event.seat} does not hold {event.tile}")
        elif not self.open_tile or event.seat == self.discarder:
            self.fail(f"nothing lies open for seat {event.seat} to win with")
        elif event.tile != self.open_tile:
            self.fail(f"{self.open_tile} lies open, not {event.tile}")
        self.expect = "over"
