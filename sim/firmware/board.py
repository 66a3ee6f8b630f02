"""The compiled firmware and its plant on an event loop: a board behind a line, in virtual or real time.

    plant = Plant(144, drum=..., dice=..., times=...)
    board = FirmwareBoard(plant)
    board.attach(MemoryEndpoint(rng))      # the host opens endpoint.host
    board.power_on()

The firmware is woken when a byte comes, when a pin changes and when it has asked to be, as an interrupt or a
timer would wake it.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable
from functools import partial
from typing import Protocol

from sim.endpoints.base import Endpoint
from sim.firmware.lockstep import NEVER, Firmware, Inputs
from sim.firmware.plant.plant import US, Plant

PIECE = 32  # bytes; as many can leave meanwhile, the line is as fast one way as the other
BOOT_S = 1.8  # power to the first instruction that matters


class Processor(Protocol):
    """One boot of a firmware that is stepped by hand, wherever it runs. Times are µs since that boot."""

    outputs: int
    due_us: int

    @property
    def profile(self) -> int: ...

    def receive(self, now_us: int, data: bytes) -> None: ...

    def step(self, now_us: int, inputs: Inputs) -> int: ...

    def transmit(self) -> bytes: ...

    def close(self) -> None: ...


Boot = Callable[[Inputs, int, int], Processor]  # what the pins read, which boot, the profile kept


def hosted(
    inputs: Inputs, boot_count: int, profile: int, *, device: int = 1, code: ctypes.CDLL | None = None
) -> Processor:
    """The firmware compiled for this computer."""
    return Firmware(inputs, device=device, boot_count=boot_count, profile=profile, code=code)


class FirmwareBoard:
    """One piece of hardware. Its boots are counted; the plant outlives them."""

    def __init__(
        self, plant: Plant, *, device: int = 1, code: ctypes.CDLL | None = None, boot: Boot | None = None
    ) -> None:
        self.plant = plant
        self.boot_count = 0
        self._boot = boot or partial(hosted, device=device, code=code)
        self._profile = plant.profile  # kept over power cuts
        self._loop = asyncio.get_running_loop()
        self._start = self._loop.time()
        self._boot_us = 0
        self._firmware: Processor | None = None
        self._endpoint: Endpoint | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._booting: asyncio.TimerHandle | None = None
        self._soon = False
        plant.about_to_touch, plant.touched = self._catch_up, self._wake_soon

    # the line and the power

    def attach(self, endpoint: Endpoint) -> None:
        """Plug it into a line."""
        self._endpoint = endpoint
        endpoint.attach(self._received)

    @property
    def alive(self) -> bool:
        """True while the firmware runs."""
        return self._firmware is not None

    @property
    def outputs(self) -> int:
        """What its outputs are now; none without power."""
        return self._firmware.outputs if self._firmware is not None else 0

    def power_on(self) -> None:
        """Run, without waiting for the time a boot takes."""
        self._booting = None
        self.boot_count += 1
        now = self._now_us()
        self.plant.step(now, 0)
        self._boot_us = now
        self._firmware = self._boot(self.plant.inputs(), self.boot_count, self._profile)
        self._run()

    def power_off(self) -> None:
        """The power is gone: motors run out, the memory is empty."""
        if self._firmware is not None:
            self._catch_up()
            self._profile = self._firmware.profile or self._profile
            self._firmware.close()
            self._firmware = None
            self.plant.cut_power()
        self._cancel()

    def reboot(self, off: float = 0.0) -> None:
        """Lose the power for so many seconds, then boot."""
        self.power_off()
        self._booting = self._loop.call_later(off + BOOT_S, self.power_on)

    def close(self) -> None:
        """Switch off for good."""
        self.power_off()
        if self._booting is not None:
            self._booting.cancel()
        if self._endpoint is not None:
            self._endpoint.close()

    # time

    def _now_us(self) -> int:
        return round((self._loop.time() - self._start) * US)

    def _received(self, data: bytes) -> None:
        if self._firmware is not None:
            for start in range(0, len(data), PIECE):  # its answers leave while more is coming in
                self._catch_up()
                self._firmware.receive(self._now_us() - self._boot_us, data[start : start + PIECE])
                self._run()

    def _wake_soon(self) -> None:
        """People touched something; seen in the next turn of the loop, whoever touches what besides."""
        if not self._soon:
            self._soon = True
            self._loop.call_soon(self._wake)

    def _wake(self) -> None:
        self._soon = False
        self._run()

    def _catch_up(self) -> None:
        """Let the table move on to this moment, as the pins have had it so far."""
        self.plant.step(self._now_us(), self.outputs)

    def _run(self) -> None:
        """Let the firmware look, and sleep until one of the two wants to be woken."""
        if self._firmware is None:
            return
        now = self._now_us()
        self._catch_up()
        before = self.outputs
        self._firmware.step(now - self._boot_us, self.plant.inputs())
        if self.outputs != before:
            self.plant.step(now, self.outputs)
        data = self._firmware.transmit()
        if data and self._endpoint is not None:
            self._endpoint.write(data)
        due = [due for due in (self.plant.due_us(),) if due is not None]
        if self._firmware.due_us != NEVER:
            due.append(self._firmware.due_us + self._boot_us)
        self._cancel()
        if due:
            when = max(min(due), now + 1)
            self._timer = self._loop.call_at(self._start + when / US, self._run)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
