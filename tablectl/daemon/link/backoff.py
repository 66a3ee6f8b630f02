"""How long to wait before the next try, and when trying alone will not help.

A port that is not there costs nothing to look at: it is looked for four times a second, for ever. A port
that cannot be opened, or opens without a greeting, is tried less and less often: each try may reset the
board, and a faulty one must not be reset over and over.
"""

from __future__ import annotations

from tablectl.daemon.link.words import Word

LOOK = 0.25  # seconds between looks at a path; also the first wait
CAP = 5.0  # seconds between tries at most
ROUNDS = 10  # tries without a greeting before a person is called
STABLE = 5.0  # seconds online after which earlier failures are forgotten


class BackOff:
    """The waits of one link."""

    def __init__(self) -> None:
        self.rounds = 0  # tries in a row that opened the port and never came online
        self._delay = LOOK

    @property
    def needs_a_person(self) -> bool:
        """True when the port opens every time and nobody ever greets."""
        return self.rounds >= ROUNDS

    def wait(self, source: str, word: Word, online: float) -> float:
        """Seconds to wait. ``source`` is the state the try ended in, ``online`` how long it was online."""
        if source == "lost":
            self.rounds = 0
            if online >= STABLE:
                self.forget()
            if word is Word.CABLE_PULLED:
                return LOOK  # a person's act or a short drop: nothing speaks against the board
        elif source in ("hello", "verify", "reconcile"):
            self.rounds += 1
        elif word is Word.MISSING:
            return LOOK
        delay, self._delay = self._delay, min(CAP, 2 * self._delay)
        return CAP if self.needs_a_person else delay

    def forget(self) -> None:
        """What failed before says nothing any more."""
        self.rounds, self._delay = 0, LOOK
