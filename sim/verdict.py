"""Between declaring a win and knowing what the referee says of it."""

from __future__ import annotations

from collections.abc import Callable

from protocols.vocabulary import SeatKey
from sim.hand import Hand
from sim.pace import UNHEEDED
from sim.people import People
from sim.timebase import Timer


class Verdict:
    """The wins declared and not yet judged. While there are any, nobody goes on by himself."""

    def __init__(self, hand: Hand, people: People) -> None:
        self._hand = hand
        self._people = people
        self._go_on: Callable[[], None] | None = None
        self._unheeded: Timer | None = None
        self._judged = False  # the lamp said that a win is being judged
        self.pending: list[int] = []

    def declare(self, side: int, go_on: Callable[[], None]) -> None:
        """Call a win. ``go_on`` is how play continues should it not stand."""
        self._hand.call(side, SeatKey.WIN)
        self.pending.append(side)
        self._go_on = go_on
        if self._unheeded is None:
            self._unheeded = self._people.timer.call_later(UNHEEDED, self._rejected)

    def judging(self) -> None:
        """The lamp says a win is being judged."""
        self._judged = bool(self.pending)

    def play_goes_on(self) -> None:
        """The lamp says play. After *judging* that means: it did not stand."""
        if self._judged:
            self._rejected()

    def _rejected(self) -> None:
        """Who was judged does not declare again in this hand."""
        for side in self.pending:
            self._hand.seen[side].may_win = False
        self.pending = []
        self._judged = False
        if self._unheeded is not None:
            self._unheeded.cancel()
            self._unheeded = None
        go_on, self._go_on = self._go_on, None
        if go_on is not None:
            go_on()
