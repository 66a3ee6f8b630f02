"""The one order a panel carries out at a time, and what became of those before it.

What is remembered ends with the connection: the board keeps no results. A press whose answer was lost makes
its order *unknown*, and nothing more is pressed for it.
"""

from __future__ import annotations

from collections.abc import Callable

from protocols.driver import Reply
from protocols.panel.believed import Believed
from protocols.panel.fingers import Fingers
from protocols.panel.programmes import Failed, Press, Programme, Programmes, Refused, Until
from protocols.panel.signals import Signals
from protocols.panel.wiring import Wiring
from protocols.vocabulary import Fault, Operation, Order, Refusal, Stage

KEPT = 8  # results
Report = Callable[[Reply], None]


class Orders:
    """Runs programmes: presses through ``fingers``, waits for lamps, tells each stage once."""

    def __init__(
        self,
        wiring: Wiring,
        signals: Signals,
        believed: Believed,
        fingers: Fingers,
        report: Report,
        dice_started: Callable[[int], None],
    ) -> None:
        self._programmes = Programmes(wiring, signals, believed, dice_started)
        self._believed = believed
        self._fingers = fingers
        self._report = report
        self._results: dict[int, Reply] = {}  # the newest stage by id, oldest first
        self._programme: Programme | None = None
        self._until: tuple[Until, float | None] | None = None  # and when it is given up
        self._pressing: tuple[str, ...] = ()  # keys whose press waits or is on its way
        self._pressed = False  # a key went down for it
        self._no_more = False  # a stop came: nothing is pressed for it any more
        self._now = 0.0
        self.running: Order | None = None

    def operate(self, order: Order, now: float) -> None:
        """Begin an order, or say again what became of it."""
        self._now = now
        known = self._results.get(order.id)
        if known is not None:
            self._report(known)
        elif self.running is not None and self.running.id == order.id:
            return  # its first press is on its way: what comes of that is told
        elif self.running is not None:
            self._tell(Reply(order.id, Stage.REFUSED, refusal=Refusal.BUSY, operation=order.operation))
        else:
            self.running, self._pressed, self._no_more = order, False, False
            self._programme = self._programmes.begin(order)
            self._step(None)

    def query(self, id: int) -> None:
        """What is known of an id."""
        known = self._results.get(id) or Reply(id, Stage.UNKNOWN)
        self._report(
            Reply(
                known.id,
                known.stage,
                refusal=known.refusal,
                fault=known.fault,
                value=known.value,
                queried=True,
                operation=known.operation,
            )
        )

    def stop(self, now: float) -> None:
        """Give up what would press again. What the table is doing already goes on, and is watched."""
        self._now = now
        self._no_more = True
        if self._pressing and self._fingers.forget():
            self._end_stopped()

    def _end_stopped(self) -> None:
        if self._pressed:
            self._end(Stage.FAILED)
        else:
            self._end(Stage.REFUSED, refusal=Refusal.STOPPED)

    def due(self) -> float | None:
        """When a wait is given up."""
        return self._until[1] if self._until is not None else None

    def tick(self, now: float) -> None:
        """Look whether what is waited for has come."""
        self._now = now
        if self._until is None:
            return
        until, end = self._until
        came = until.fact()
        if came or (end is not None and now >= end):
            self._step(came)

    def _step(self, answer: bool | None) -> None:
        """Let the programme go on to its next press or wait."""
        programme = self._programme
        assert programme is not None
        self._until = None
        try:
            while True:
                wait = next(programme) if answer is None else programme.send(answer)
                if isinstance(wait, Press) and self._no_more:
                    self._end_stopped()
                    return
                if isinstance(wait, Press):
                    self._pressing = wait.keys
                    self._fingers.press(wait.keys, self._press_answered)
                    return
                self._accept()
                answer = wait.fact()
                if not answer:
                    self._until = (wait, None if wait.seconds is None else self._now + wait.seconds)
                    return
        except StopIteration as end:
            self._end(Stage.DONE, value=end.value)
        except Refused as refused:
            self._end(Stage.REFUSED, refusal=refused.refusal)
        except Failed as failed:
            self._end(Stage.FAILED, fault=failed.fault)

    def _press_answered(self, pressed: bool | None) -> None:
        keys, self._pressing = self._pressing, ()
        if self._programme is None:
            return
        if pressed is None:
            self._believed.doubtful |= "lift_a" in keys
            self._end(Stage.UNKNOWN)
        elif not pressed:
            self._end(Stage.FAILED, fault=Fault.PANEL_LINK_LOST)
        else:
            self._pressed = True
            self._accept()
            self._step(True)

    def _accept(self) -> None:
        assert self.running is not None
        if self.running.id not in self._results:
            self._tell(Reply(self.running.id, Stage.ACCEPTED, operation=self.running.operation))

    def _end(
        self,
        stage: Stage,
        *,
        refusal: Refusal = Refusal.NONE,
        fault: Fault = Fault.NONE,
        value: int = 0,
    ) -> None:
        order, self.running = self.running, None
        assert order is not None
        if self._programme is not None:
            self._programme.close()
        self._programme = self._until = None
        self._pressing = ()
        if stage in (Stage.FAILED, Stage.REFUSED) and order.operation is Operation.RAISE:
            self._believed.raising = 0
        known = stage is not Stage.UNKNOWN
        self._tell(
            Reply(
                order.id,
                stage,
                percent=100 if stage is Stage.DONE else 0,
                refusal=refusal,
                fault=fault,
                value=value,
                queried=not known,
                operation=order.operation,
            )
        )

    def _tell(self, reply: Reply) -> None:
        self._results.pop(reply.id, None)
        self._results[reply.id] = reply
        while len(self._results) > KEPT:
            del self._results[next(iter(self._results))]
        self._report(reply)
