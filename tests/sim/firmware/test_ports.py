"""The firmware fits its chips, and the board at a chip's pins answers what is written in its port."""

from __future__ import annotations

import asyncio
import re
import struct
from pathlib import Path
from random import Random

import pytest

from sim.firmware.plant import pins
from sim.firmware.plant.plant import Plant
from sim.firmware.ports import build as build_module
from sim.firmware.ports.build import RAM_BYTES, TARGETS, build, missing
from sim.firmware.ports.bus import PinBoard, PinLine
from sim.mechanism.tiles import FULL

FLASH_BYTES = {"cortex_m3": 32 * 1024, "avr": 64 * 1024}
README = Path(build_module.__file__).parents[1] / "README.md"
CALLED = {"cortex_m3": "Cortex-M3", "avr": "ATmega1284P"}  # there
OTHER_COMPILER = 0.05  # of the size: one of another version builds another image


@pytest.mark.parametrize("name", TARGETS)
def test_it_fits_and_the_page_says_what_it_takes(name: str, tmp_path: Path) -> None:
    lack = missing(TARGETS[name])
    if lack:
        pytest.skip(lack)
    image = build(name, tmp_path)
    assert image.ram <= RAM_BYTES
    assert image.flash <= FLASH_BYTES[name]
    told = re.search(CALLED[name] + r"[^.]*? ([\d.]+) KB\D+ ([\d.]+) KB", README.read_text("utf-8"))
    assert told is not None
    for said, measured in zip(told.groups(), (image.flash, image.ram), strict=True):
        off = abs(1000 * float(said) - measured)
        assert off <= OTHER_COMPILER * measured, f"the README says {said} KB, the build has {measured} bytes"


class Wire(asyncio.WriteTransport):
    """What the chip hears."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.heard += bytes(data)


def wired() -> tuple[PinLine, Wire, PinBoard]:
    plant = Plant(FULL, drum=Random(1), dice=Random(2), times=Random(3))
    board = PinBoard(plant, profile=FULL)
    line, wire = PinLine(board), Wire()
    line.connection_made(wire)
    return line, wire, board


def look(line: PinLine, wire: Wire, now_us: int, outputs: int) -> int:
    """The sensors as the chip reads them."""
    wire.heard = b""
    line.data_received(b"\xa5" + struct.pack("<QI", now_us, outputs))
    mark, sensors, *_ = struct.unpack("<BIIHB", wire.heard)
    assert mark == 0x5A
    return int(sensors)


def test_settings_are_kept() -> None:
    line, wire, _ = wired()
    line.data_received(b"\xa6")
    line.data_received(b"\xa7" + struct.pack("<IB", 7, 136) + b"\xa6")
    first, second = struct.pack("<BIB", 0x6A, 0, FULL), struct.pack("<BIB", 0x6A, 7, 136)
    assert wire.heard == first + b"\x7a" + second


def test_questions_may_come_in_pieces_and_rubbish_is_passed_over() -> None:
    line, wire, _ = wired()
    for byte in b"\x00\x11\xa6":
        line.data_received(bytes((byte,)))
    assert wire.heard == struct.pack("<BIB", 0x6A, 0, FULL)


def test_the_plants_clock_is_the_chips() -> None:
    line, wire, board = wired()
    look(line, wire, 1000, pins.Out.CENTRE_RAISE)
    for now in range(2000, 400_000, 2000):
        look(line, wire, now, pins.Out.CENTRE_RAISE)
    assert 0.1 < board.plant.centre.at < 0.4


def test_a_chip_that_was_late_is_shown_every_change() -> None:
    line, wire, board = wired()
    board.plant.push_in()
    seen = [look(line, wire, 1000, 0)]
    board.plant.centre.at = 1.0
    board.plant.push_in()  # the flap swings for a tenth of a second
    for now in (60_000_000, 60_000_001, 60_000_002, 60_000_003):
        seen.append(look(line, wire, now, 0))
    flaps = [bool(sensors & pins.In.LOADED) for sensors in seen]
    assert flaps == [False, True, False, False, False]


def test_without_its_chip_no_motor_runs() -> None:
    line, wire, board = wired()
    for now in range(2000, 100_000, 2000):
        look(line, wire, now, pins.Out.CENTRE_RAISE)
    assert not board.plant.at_rest
    line.connection_lost(None)
    assert board.plant.at_rest


def test_the_reference_of_the_chain_is_seen_by_a_chip_that_is_late() -> None:
    line, wire, _ = wired()
    seen = [
        look(line, wire, now, pins.Out.CHAIN) & pins.In.CHAIN_ZERO for now in range(7000, 6_000_000, 7000)
    ]
    assert any(seen[10:])
