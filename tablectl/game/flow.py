"""What every machine of the core has in common: how a flow object is pointed at plain data.

A flow holds the triggers and callbacks of one `transitions` machine. It lives as long as the process and
is pointed at a step for the length of one trigger; the state it moves is the ``phase`` string in the data.
"""

from __future__ import annotations

from typing import Any, ClassVar

from transitions import Machine, MachineError

from tablectl.game.context import Step


class Flow:
    """Base of the models of all machines: keep a pointer, never a state."""

    states: ClassVar[tuple[str, ...]] = ()
    transitions: ClassVar[list[dict[str, Any]]] = []
    _step: Step | None = None

    def __init__(self) -> None:
        self.machine = Machine(
            model=self,
            states=list(self.states),
            transitions=self.transitions,
            initial=self.states[0],
            queued=True,
            send_event=True,
            auto_transitions=False,
            model_override=True,
            model_attribute="phase",
        )

    def read(self) -> str:
        """The state, where it lives: in the data."""
        raise NotImplementedError  # pragma: no cover - each flow names its own place

    def write(self, value: str) -> None:
        """Move it."""
        raise NotImplementedError  # pragma: no cover

    @property
    def phase(self) -> str:
        """What `transitions` takes for the model's state."""
        return self.read()

    @phase.setter
    def phase(self, value: str) -> None:
        if self._step is not None:  # the machine's constructor sets a first state; there is no data yet
            self.write(value)

    @property
    def step(self) -> Step:
        """The step this flow is pointed at."""
        assert self._step is not None, "a flow is pointed at a step before a trigger is pulled"
        return self._step

    def fire(self, step: Step, trigger: str, **facts: Any) -> bool:
        """Pull a trigger on the data of ``step``; False if the machine has no such move from here."""
        event = self.machine.events[trigger]
        previous, self._step = self._step, step
        try:
            # asked before it is pulled: one in five finds no move, and an error would take far longer
            return self.phase in event.transitions and bool(event.trigger(self, **facts))
        except MachineError:
            return False
        finally:
            self._step = previous


def row(trigger: str, source: str | list[str], dest: str | None, **extra: Any) -> dict[str, Any]:
    """One row of a transition table: dest None stays where it is and only runs the effects."""
    return {"trigger": trigger, "source": source, "dest": dest, **extra}
