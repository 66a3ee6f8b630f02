"""Faults of STOP, and of what a host that falls silent is told."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.vocabulary import NO_SIDE, Fault
from sim.faulty.session import Tampered


class StopsTwice(Tampered):
    """The first STOP of a motion is ignored."""

    stops = 0

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, m.Stop) and self._app.moving():
            self.stops += 1
            if self.stops % 2:
                return
        super()._handle(message, now)


class IgnoresStop(Tampered):
    """STOP in motion is answered and not obeyed."""

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, m.Stop) and self._app.moving():
            self._end.send(m.Stopped())
            return
        super()._handle(message, now)


class SilentAtRest(Tampered):
    """STOP at rest is not answered: there is nothing to stop."""

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, m.Stop) and not self._app.moving() and self._app.status().stopped:
            return
        super()._handle(message, now)


class StoppedAtOnce(Tampered):
    """STOPPED is said at once, whatever still moves."""

    def _handle(self, message: Message, now: float) -> None:
        super()._handle(message, now)
        if isinstance(message, m.Stop) and self._app.moving():
            self._end.send(m.Stopped())


class BlamesMotor(Tampered):
    """An order that a stop cut is said to have failed by a stalled motor."""

    def failed(self, id: int, fault: Fault, side: int = NO_SIDE) -> None:
        super().failed(id, fault or Fault.MOTOR_STALL, side)


class PlainSilence(Tampered):
    """A host that fell silent is told of as if it had said STOP."""

    def failed(self, id: int, fault: Fault, side: int = NO_SIDE) -> None:
        super().failed(id, Fault.NONE if fault is Fault.HOST_SILENT_STOP else fault, side)
