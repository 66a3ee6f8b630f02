"""The compiled firmware in lockstep: time, pins and bytes in, pins and bytes out, all by hand."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sim.firmware.build import library

ROOM = 4096  # bytes taken from the line at once
NEVER = (1 << 64) - 1
JUNK = b"\xa5"  # what memory may hold when the power comes


class _Pins(ctypes.Structure):
    """``struct hosted_pins`` of hosted.h."""

    _fields_ = (
        ("due_us", ctypes.c_uint64),
        ("sensors", ctypes.c_uint32),
        ("seat_keys", ctypes.c_uint32),
        ("outputs", ctypes.c_uint32),
        ("dice_faces", ctypes.c_uint16),
        ("panel_keys", ctypes.c_uint8),
    )


@dataclass(slots=True)
class Inputs:
    """What the pins read, as port.h numbers them."""

    sensors: int = 0
    seat_keys: int = 0
    dice_faces: int = 0
    panel_keys: int = 0


@cache
def load(path: Path) -> ctypes.CDLL:
    """The library at ``path`` with its functions declared."""
    code = ctypes.CDLL(str(path))
    board, pins = ctypes.c_void_p, ctypes.POINTER(_Pins)
    code.hosted_size.restype = ctypes.c_size_t
    code.hosted_boot.argtypes = (board, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint8, pins)
    code.hosted_boot.restype = None
    code.hosted_receive.argtypes = (board, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint32)
    code.hosted_receive.restype = None
    code.hosted_step.argtypes = (board, ctypes.c_uint64, pins)
    code.hosted_step.restype = None
    code.hosted_transmit.argtypes = (board, ctypes.c_char_p, ctypes.c_uint32)
    code.hosted_transmit.restype = ctypes.c_uint32
    code.hosted_profile.argtypes = (board,)
    code.hosted_profile.restype = ctypes.c_uint8
    return code


class Firmware:
    """One boot of the firmware. Times are µs since that boot and never go back."""

    def __init__(
        self, inputs: Inputs, *, device: int = 1, boot_count: int = 1, profile: int = 0,
        code: ctypes.CDLL | None = None,
    ) -> None:  # fmt: skip
        self._code = code or load(library())
        self._size = int(self._code.hosted_size())
        self._board = ctypes.create_string_buffer(JUNK * self._size, self._size)
        self._pins = _Pins()
        self._out = ctypes.create_string_buffer(ROOM)
        self._read(inputs)
        self._code.hosted_boot(self._board, device, boot_count, profile, ctypes.byref(self._pins))
        self.outputs = 0
        self.due_us = 0  # when to step again if nothing changes; NEVER = it waits for pins or bytes

    @property
    def size(self) -> int:
        """Bytes of memory it needs, its stack left out."""
        return self._size

    @property
    def profile(self) -> int:
        """Tiles of a set where it is to be kept anew over a power cut; 0 = it has not changed."""
        return int(self._code.hosted_profile(self._board))

    def _read(self, inputs: Inputs) -> None:
        self._pins.sensors = inputs.sensors
        self._pins.seat_keys = inputs.seat_keys
        self._pins.dice_faces = inputs.dice_faces
        self._pins.panel_keys = inputs.panel_keys

    def receive(self, now_us: int, data: bytes) -> None:
        """The line brought bytes."""
        self._code.hosted_receive(self._board, now_us, data, len(data))

    def step(self, now_us: int, inputs: Inputs) -> int:
        """Let it look at the pins and do what is due; what its outputs are then."""
        self._read(inputs)
        self._code.hosted_step(self._board, now_us, ctypes.byref(self._pins))
        self.due_us = self._pins.due_us
        self.outputs = self._pins.outputs
        return self.outputs

    def transmit(self) -> bytes:
        """What it wants the line to carry now."""
        length = self._code.hosted_transmit(self._board, self._out, ROOM)
        return self._out.raw[:length]

    def close(self) -> None:
        """Its memory is ours: nothing is left of it."""
