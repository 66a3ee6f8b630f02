"""The input and output board of an emulated microcontroller: its questions about pins, answered by a plant.

What is said is written in ports/cortex_m3/port.c. The plant's clock is the firmware's: however unevenly the
emulator runs, a motor moves as far as the firmware believes.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable

from sim.firmware.lockstep import Inputs
from sim.firmware.plant.plant import TICK_US, Plant

ASK_PINS, PINS, ASK_SETTINGS, SETTINGS, SAVE_SETTINGS, SAVED = 0xA5, 0x5A, 0xA6, 0x6A, 0xA7, 0x7A
_ASK = struct.Struct("<QI")
_INPUTS = struct.Struct("<IIHB")
_KEPT = struct.Struct("<IB")
SIZES = {ASK_PINS: _ASK.size, ASK_SETTINGS: 0, SAVE_SETTINGS: _KEPT.size}


def packed(inputs: Inputs) -> bytes:
    """What the pins read, as shift registers or the wire bring it."""
    return _INPUTS.pack(inputs.sensors, inputs.seat_keys, inputs.dice_faces, inputs.panel_keys)


class PinBoard:
    """One board with its memory. It outlives the microcontroller's boots."""

    def __init__(self, plant: Plant, *, profile: int = 0) -> None:
        self.plant = plant
        self.boot_count = 0
        self.profile = profile
        self._shown = b""
        self._began_us = 0  # plant time at which the microcontroller's clock was 0

    def asked(self, now_us: int, outputs: int) -> bytes:
        """The microcontroller looks at its pins at its own time.

        One that was not let run for a while is shown each change of a pin all the same, one a look: the table
        waits for it, as no real one would have to.
        """
        plant, until = self.plant, self._began_us + now_us
        while True:
            plant.step(min(until, plant.now_us + TICK_US), outputs)
            seen = packed(plant.inputs())
            if plant.now_us >= until or seen != self._shown:
                self._shown = seen
                return seen

    def booted(self) -> None:
        """Its clock begins anew."""
        self._began_us = self.plant.now_us

    def lost_power(self) -> None:
        """Motors run out."""
        self.plant.cut_power()


class PinLine(asyncio.Protocol):
    """A connection of a microcontroller to its pin board."""

    def __init__(self, board: PinBoard, on_boot: Callable[[], None] = lambda: None) -> None:
        self._board = board
        self._on_boot = on_boot
        self._pending = b""
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._board.booted()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._board.lost_power()

    def data_received(self, data: bytes) -> None:
        self._pending += data
        while self._pending:
            size = SIZES.get(self._pending[0])
            if size is None:  # out of step: look for the next question
                self._pending = self._pending[1:]
            elif len(self._pending) <= size:
                return
            else:
                kind, body = self._pending[0], self._pending[1 : size + 1]
                self._pending = self._pending[size + 1 :]
                self._answer(kind, body)

    def _answer(self, kind: int, body: bytes) -> None:
        board = self._board
        if kind == ASK_PINS:
            answer = bytes((PINS,)) + board.asked(*_ASK.unpack(body))
        elif kind == ASK_SETTINGS:
            answer = bytes((SETTINGS,)) + _KEPT.pack(board.boot_count, board.profile)
            self._on_boot()
        else:
            board.boot_count, board.profile = _KEPT.unpack(body)
            answer = bytes((SAVED,))
        if self._transport is not None:
            self._transport.write(answer)
