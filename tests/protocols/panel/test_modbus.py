"""The bytes on the bus: examples of the Modbus specification, the maker's flash command, damage around them.

The checksums here come from the sum in the specification, worked out a second time in ``reference_crc``.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.panel import modbus
from protocols.panel.modbus import Answer, Request
from protocols.panel.wiring import Board

INPUTS = Board(unit=0x11, inputs=22, first_input=0xC4)


def raw(text: str) -> bytes:
    return bytes.fromhex(text)


def reference_crc(data: bytes) -> bytes:
    """The specification's sum, bit by bit: start with ones, fold in each byte, shift right, 0xA001."""
    register = 0xFFFF
    for byte in data:
        register ^= byte
        for _ in range(8):
            carry = register & 1
            register >>= 1
            if carry:
                register ^= 0xA001
    return bytes((register & 0xFF, register >> 8))


TEN = Board(unit=0x11, relays=10, first_relay=0x13)
COIL = Board(unit=0x11, first_relay=0xAC)
REQUESTS: list[tuple[str, Request, str]] = [
    ("02 read discrete inputs", modbus.read_inputs(INPUTS), "11 02 00C4 0016 BAA9"),
    ("05 write single coil on", modbus.switch(COIL, 1, True), "11 05 00AC FF00 4E8B"),
    ("05 write single coil off", modbus.switch(COIL, 1, False), "11 05 00AC 0000 0F7B"),
    ("05 flash relay 1 for 700 ms", modbus.press(Board(), 1, 700), "01 05 0200 0007 8DB0"),
    ("05 flash relay 3 for 150 ms", modbus.press(Board(), 3, 150), "01 05 0202 0002"),
    ("06 momentary relay 1", modbus.press(Board(pulse="momentary"), 1, 200), "01 06 0001 0500"),
    ("15 all of ten off", modbus.all_off(TEN), "11 0F 0013 000A 02 0000"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "expected"), [row[1:] for row in REQUESTS], ids=[row[0] for row in REQUESTS]
)
def test_a_request_is_what_the_specification_says(request_: Request, expected: str) -> None:
    wanted = raw(expected)
    if reference_crc(wanted[:-2]) != wanted[-2:]:  # given without its sum
        wanted += reference_crc(wanted)
    assert request_.data == wanted


def test_the_sums_written_down_are_those_of_the_specification() -> None:
    assert reference_crc(b"123456789") == raw("374B")
    assert reference_crc(raw("1102 00C4 0016")) == raw("BAA9")
    assert reference_crc(raw("1105 00AC FF00")) == raw("4E8B")


READ = modbus.read_inputs(INPUTS)
GOOD = raw("11 02 03 ACDB35 2018")
BITS = "00110101 11011011 10101100".replace(" ", "")


def test_the_specifications_answer_is_read_bit_by_bit() -> None:
    answer = modbus.find_answer(READ, GOOD)
    assert answer is not None
    assert "".join("01"[bit] for bit in reversed(answer.bits)) == BITS
    assert answer.error == 0


WRITE = modbus.switch(Board(unit=0x11, first_relay=0xAC), 1, True)
REFUSED = raw("11 85 02") + reference_crc(raw("11 85 02"))


@pytest.mark.parametrize(
    ("request_", "heard", "answer"),
    [
        (WRITE, WRITE.data, Answer()),
        (WRITE, raw("11 85 00") + WRITE.data + b"\x00", Answer()),
        (WRITE, REFUSED, Answer(error=2)),
        (WRITE, raw("12") + WRITE.data[1:], None),
        (WRITE, WRITE.data[:-1], None),
        (WRITE, WRITE.data[:-1] + b"\x00", None),
        (WRITE, modbus.switch(Board(unit=0x11, first_relay=0xAC), 2, True).data, None),
        (READ, raw("11 02 FF 11") + GOOD, Answer(bits=tuple(bit == "1" for bit in reversed(BITS)))),
        (READ, raw("11 02 02 AC DB") + reference_crc(raw("11 02 02 AC DB")), None),
        (READ, b"", None),
    ],
    ids=[
        "write repeated", "noise around", "refused", "another unit", "cut", "damaged", "another relay",
        "half a frame before", "too few inputs", "nothing",
    ],
)  # fmt: skip
def test_an_answer_is_found_in_what_was_heard(request_: Request, heard: bytes, answer: Answer | None) -> None:
    assert modbus.find_answer(request_, heard) == answer


@given(st.binary(max_size=64), st.binary(max_size=64))
def test_the_answer_is_found_whatever_lies_around_it(before: bytes, after: bytes) -> None:
    found = modbus.find_answer(WRITE, before.replace(b"\x11", b"\x12") + WRITE.data + after)
    assert found == Answer()


@given(st.binary(max_size=64))
def test_noise_without_the_unit_is_no_answer(heard: bytes) -> None:
    assert modbus.find_answer(WRITE, heard.replace(b"\x11", b"\x12")) is None
