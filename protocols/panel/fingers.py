"""Presses keys through relays: one press after another, with the pause a table needs in between.

A press is sent once. Only letting go is repeated, where the board does not do that by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from protocols.panel import modbus
from protocols.panel.bus import Bus
from protocols.panel.modbus import Answer
from protocols.panel.wiring import Wiring

Pressed = Callable[[bool | None], None]  # True: the board did, False: it refused, None: nobody knows


class Fingers:
    """The keys of one panel."""

    def __init__(self, wiring: Wiring, bus: Bus) -> None:
        self._wiring = wiring
        self._bus = bus
        self._relays = wiring.relays()
        self._free_at = 0.0  # when the next key may go down
        self._wanted: tuple[tuple[str, ...], Pressed] | None = None
        self._let_go: list[tuple[float, int]] = []  # when, relay: boards that do not do it by themselves
        self._ours: dict[str, float] = {}  # key -> until when what is seen of it is our own press

    def press(self, keys: tuple[str, ...], pressed: Pressed) -> None:
        """Press these together as soon as that may be."""
        self._wanted = (keys, pressed)

    def forget(self) -> bool:
        """Do not press what has not left yet. True if there was anything."""
        wanted, self._wanted = self._wanted, None
        return wanted is not None

    def is_ours(self, key: str, now: float) -> bool:
        """True while a key is down because of us."""
        return now < self._ours.get(key, 0.0)

    def due(self) -> float | None:
        """When something is to be done."""
        times = [at for at, _ in self._let_go]
        if self._wanted is not None:
            times.append(self._free_at)
        return min(times, default=None)

    def tick(self, now: float) -> None:
        """Press and let go what is due. A press waits for the bus: until it leaves it can be forgotten."""
        for entry in [entry for entry in self._let_go if entry[0] <= now]:
            self._let_go.remove(entry)
            self._release(entry[1])
        if self._wanted is None or now < self._free_at or not self._bus.idle:
            return
        (keys, pressed), self._wanted = self._wanted, None
        table = self._wiring.table
        down, rest = table.press_ms / 1000, table.dead_ms / 1000
        self._free_at = now + down + rest
        answers: list[bool | None] = []

        def answered(answer: Answer | None, sent: float, at: float) -> None:
            answers.append(None if answer is None else answer.error == 0)
            if len(answers) == len(keys):
                self._free_at = at + down + rest
                pressed(None if None in answers else all(answers))

        for key in keys:
            self._ours[key] = now + down + rest + 1.0
            relay = self._relays[key]
            request = modbus.press(self._wiring.board, relay, table.press_ms)
            self._bus.ask(request, answered)
            if self._wiring.board.pulse == "switch":
                self._let_go.append((now + down, relay))

    def _release(self, relay: int) -> None:
        """Let a key go, and again until the board says so."""

        def answered(answer: Answer | None, sent: float, at: float) -> None:
            if answer is None or answer.error:
                self._release(relay)

        self._bus.ask(modbus.switch(self._wiring.board, relay, False), answered, first=True)
