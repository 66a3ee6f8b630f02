"""The bytes on the bus, worked out from the definitions alone: a polynomial and an order of fields.

Function codes used: 2 (read discrete inputs), 5 (write single coil, and the maker's flash on it), 6 (write
single register, the maker's momentary press), 15 (write multiple coils, all off). No other is ever sent.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.panel import modbus
from protocols.panel.modbus import Request
from protocols.panel.wiring import Board
from sim.panel.relay import crc as crc_of_the_twin

GENERATOR = 1 << 16 | 1 << 15 | 1 << 2 | 1  # x^16 + x^15 + x^2 + 1
DEGREE = 16
USED = {2, 5, 6, 15}


def crc(data: bytes) -> bytes:
    """The remainder of the message, as the polynomial of its bits in the order in which they are sent (each
    byte's lowest first), the first sixteen turned over, times x^16, divided by the generator."""
    sent = [byte >> bit & 1 for byte in data for bit in range(8)]
    sent[:DEGREE] = [1 - bit for bit in sent[:DEGREE]]
    rest = int("".join(map(str, sent)), 2) << DEGREE
    while rest.bit_length() > DEGREE:
        rest ^= GENERATOR << rest.bit_length() - DEGREE - 1
    bits = [rest >> DEGREE - 1 - power & 1 for power in range(DEGREE)]  # the highest power leaves first
    return bytes(sum(bits[8 * byte + bit] << bit for bit in range(8)) for byte in range(2))


def frame(unit: int, function: int, *fields: int, tail: bytes = b"") -> bytes:
    """Unit, function, fields of two bytes, their high one first, more, and the sum, its low byte first."""
    body = bytes((unit, function)) + b"".join(bytes((field >> 8, field & 0xFF)) for field in fields) + tail
    return body + crc(body)


BOARDS = st.builds(
    Board,
    unit=st.integers(1, 247),
    relays=st.integers(1, 64),
    inputs=st.integers(1, 64),
    first_relay=st.integers(0, 60_000),
    first_input=st.integers(0, 65_000),
    flash_base=st.just(0x0200),
)


def test_the_sum_is_the_one_everybody_checks_with() -> None:
    assert crc(b"123456789") == bytes.fromhex("374B")


@given(st.binary(min_size=2, max_size=64))
def test_the_simulated_board_counts_the_same_sum(data: bytes) -> None:
    assert crc_of_the_twin(data) == crc(data)


@given(BOARDS)
def test_reading_the_inputs_is_function_2(board: Board) -> None:
    request = modbus.read_inputs(board)
    assert request.data == frame(board.unit, 2, board.first_input, board.inputs)
    assert (request.writes, request.size) == (False, 3 + (board.inputs + 7) // 8 + 2)


@given(BOARDS, st.data(), st.booleans())
def test_switching_a_relay_is_function_5(board: Board, data: st.DataObject, on: bool) -> None:
    relay = data.draw(st.integers(1, board.relays))
    wanted = frame(board.unit, 5, board.first_relay + relay - 1, 0xFF00 if on else 0x0000)
    assert modbus.switch(board, relay, on).data == wanted


@given(BOARDS, st.data(), st.integers(100, 1000))
def test_a_flash_is_function_5_with_tenths_of_a_second(board: Board, data: st.DataObject, ms: int) -> None:
    relay = data.draw(st.integers(1, board.relays))
    tenths = len(range(0, ms, 100))  # begun ones count: a key is never let go too early
    wanted = frame(board.unit, 5, 0x0200 + board.first_relay + relay - 1, tenths)
    assert modbus.press(board, relay, ms).data == wanted


@given(st.integers(1, 247), st.integers(1, 8))
def test_a_momentary_press_is_function_6(unit: int, relay: int) -> None:
    board = Board(unit=unit, pulse="momentary")
    assert modbus.press(board, relay, 200).data == frame(unit, 6, relay, 0x0500)


@given(BOARDS)
def test_all_off_is_function_15(board: Board) -> None:
    size = (board.relays + 7) // 8
    wanted = frame(board.unit, 15, board.first_relay, board.relays, tail=bytes((size, *bytes(size))))
    assert modbus.all_off(board).data == wanted


@given(BOARDS)
def test_no_other_function_is_ever_sent(board: Board) -> None:
    sent: list[Request] = [modbus.read_inputs(board), modbus.all_off(board)]
    sent += [modbus.switch(board, 1, on) for on in (True, False)]
    sent += [modbus.press(Board(pulse=pulse), 1, 200) for pulse in ("flash", "momentary", "switch")]
    assert {request.data[1] for request in sent} == USED


@given(BOARDS, st.data())
def test_the_answer_to_a_read_is_unpacked_lowest_bit_first(board: Board, data: st.DataObject) -> None:
    levels = data.draw(st.lists(st.booleans(), min_size=board.inputs, max_size=board.inputs))
    size = (board.inputs + 7) // 8
    packed = bytearray(size)
    for place, level in enumerate(levels):
        packed[place // 8] |= level << place % 8
    answer = modbus.find_answer(modbus.read_inputs(board), frame(board.unit, 2, tail=bytes((size, *packed))))
    assert answer is not None
    assert list(answer.bits[: board.inputs]) == levels


@pytest.mark.parametrize("code", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("function", [2, 5])
def test_an_exception_carries_its_code(function: int, code: int) -> None:
    board = Board(unit=9)
    request = modbus.read_inputs(board) if function == 2 else modbus.switch(board, 1, True)
    answer = modbus.find_answer(request, frame(9, function | 0x80, tail=bytes((code,))))
    assert answer is not None
    assert answer.error == code
