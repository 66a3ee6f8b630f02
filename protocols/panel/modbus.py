"""Modbus RTU as far as a panel tap needs it: five requests and the answers to them.

A request is ``unit, function, address (2), value (2), CRC-16 (2)``; pymodbus makes the frame and reads the
answer. Presses are made so that the board itself lets the key go:

- *flash*: function 5 on the coil's flash address, the value = tenths of a second. The board opens the relay.
- *momentary*: function 6 on the relay's register, value 0x0500. The board opens the relay after its own time.
- *switch*: coil on, coil off. Nothing opens the relay if the computer dies in between; a last resort.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from pymodbus.framer.rtu import FramerRTU
from pymodbus.pdu import DecodePDU, ExceptionResponse, ModbusPDU
from pymodbus.pdu.bit_message import (
    ReadDiscreteInputsRequest,
    ReadDiscreteInputsResponse,
    WriteMultipleCoilsRequest,
    WriteSingleCoilRequest,
)
from pymodbus.pdu.register_message import WriteSingleRegisterRequest

from protocols.panel.wiring import Board

ERROR_BIT = 0x80
ERROR_SIZE = 5  # unit, function, code, CRC
WRITE_SIZE = 8  # the answer to a write repeats six bytes of the request
MOMENTARY = 0x0500
TENTH_MS = 100
_ANSWERS = DecodePDU(is_server=False)
_FRAMES = FramerRTU(_ANSWERS)


@dataclass(frozen=True, slots=True)
class Answer:
    """A board's answer. ``error`` is the exception code, 0 = none; ``bits`` what a read found."""

    error: int = 0
    bits: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One question or order, as sent. ``size`` is that of a good answer; a write moves something."""

    data: bytes
    size: int
    writes: bool

    @property
    def expected(self) -> bytes:
        """What a good answer begins with."""
        return self.data[:6] if self.writes else self.data[:2]


def _frame(board: Board, pdu: ModbusPDU) -> bytes:
    return _FRAMES.encode(bytes((pdu.function_code,)) + pdu.encode(), board.unit, 0)


def read_inputs(board: Board) -> Request:
    """All discrete inputs (function 2)."""
    pdu = ReadDiscreteInputsRequest(address=board.first_input, count=board.inputs)
    return Request(_frame(board, pdu), 5 + (board.inputs + 7) // 8, writes=False)


def switch(board: Board, relay: int, on: bool) -> Request:
    """One relay on or off, until told otherwise (function 5)."""
    pdu = WriteSingleCoilRequest(address=board.first_relay + relay - 1, bits=[on])
    return Request(_frame(board, pdu), WRITE_SIZE, writes=True)


def all_off(board: Board) -> Request:
    """Every relay off (function 15)."""
    pdu = WriteMultipleCoilsRequest(address=board.first_relay, bits=[False] * board.relays)
    return Request(_frame(board, pdu), WRITE_SIZE, writes=True)


def press(board: Board, relay: int, milliseconds: int) -> Request:
    """What presses the key behind a relay. Only after *switch* the host has to let it go."""
    coil = board.first_relay + relay - 1
    if board.pulse == "flash":
        # pymodbus knows a coil's two values only; the board's third is a time
        tenths = -(-milliseconds // TENTH_MS)
        pdu = struct.pack(">BHH", WriteSingleCoilRequest.function_code, board.flash_base + coil, tenths)
        return Request(_FRAMES.encode(pdu, board.unit, 0), WRITE_SIZE, writes=True)
    if board.pulse == "momentary":
        register = WriteSingleRegisterRequest(address=coil + 1, registers=[MOMENTARY])
        return Request(_frame(board, register), WRITE_SIZE, writes=True)
    return switch(board, relay, True)


def find_answer(request: Request, heard: bytes) -> Answer | None:
    """The first sound answer to the request in what was heard, whatever lies around it."""
    unit, function = request.data[0], request.data[1]
    for start in range(len(heard) - ERROR_SIZE + 1):
        if heard[start] != unit:
            continue
        if heard[start + 1] == function | ERROR_BIT:
            size = ERROR_SIZE
        elif heard[start : start + len(request.expected)] == request.expected:
            size = request.size
        else:
            continue
        frame = heard[start : start + size]
        if len(frame) == size and _sound(frame):
            return _read(frame)
    return None


def _sound(frame: bytes) -> bool:
    return FramerRTU.check_CRC(frame[:-2], int.from_bytes(frame[-2:], "big"))


def _read(frame: bytes) -> Answer | None:
    if frame[1] & ERROR_BIT:
        return Answer(error=frame[2] or -1)
    if frame[1] != ReadDiscreteInputsResponse.function_code:
        return Answer()
    pdu = _ANSWERS.decode(frame[1:-2])
    if pdu is None or isinstance(pdu, ExceptionResponse) or frame[2] != len(frame) - ERROR_SIZE:
        return None
    return Answer(bits=tuple(bool(bit) for bit in pdu.bits))
