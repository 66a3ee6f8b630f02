"""Is the peer there? Signs of life into silence, and the question when one is overdue.

Any good frame is a sign of life. Only who has sent nothing for a beat sends a BEAT. Noise may eat one, so a
peer whose beat is overdue is asked, again and again, before ``silence`` declares it gone: half of the
frames lost only slows a link.
"""

from __future__ import annotations

from protocols.atp.dictionary import TIMING


class Liveness:
    """When this end last spoke and last heard. Times are loop seconds."""

    def __init__(self, now: float) -> None:
        self.heard = now
        self.sent = now
        self._asked = now

    def silent(self, now: float) -> bool:
        """True when the peer has said nothing good for so long that it is gone."""
        return now >= self.heard + TIMING.silence

    def owes_beat(self, now: float, moving: bool) -> bool:
        """True when this end has been silent for a beat."""
        return now >= self.sent + TIMING.beat(moving)

    def should_ask(self, now: float, moving: bool) -> bool:
        """True when the peer's beat is overdue and it is time to ask (again)."""
        overdue = now >= self.heard + TIMING.beat(moving) + TIMING.ask_margin
        return overdue and now >= self._asked + TIMING.ask_repeat

    def asked(self, now: float) -> None:
        """A BEAT that asks was sent."""
        self._asked = now

    def due(self, moving: bool) -> float:
        """The earliest moment at which one of the questions above changes its answer."""
        beat = TIMING.beat_moving if moving else TIMING.beat_idle
        due, again = self.heard + beat + TIMING.ask_margin, self._asked + TIMING.ask_repeat
        if again > due:  # `max` and `min` would take twice as long, after every frame
            due = again
        owed, silent = self.sent + beat, self.heard + TIMING.silence
        if owed < due:
            due = owed
        return silent if silent < due else due
