"""The pins of the plant are those of port.h."""

from __future__ import annotations

import re

from sim.firmware.build import SOURCE
from sim.firmware.plant import pins

PORT = (SOURCE / "port.h").read_text(encoding="utf-8")


def defined(pattern: str) -> dict[str, int]:
    return {name: int(value) for name, value in re.findall(pattern, PORT)}


def test_pins_have_the_same_numbers() -> None:
    found = defined(r"#define ((?:IN|OUT)_\w+) PIN\((\d+)\)")
    ours = {f"IN_{name}": value for name, value in vars(pins.In).items() if name.isupper()}
    ours |= {f"OUT_{name}": value for name, value in vars(pins.Out).items() if name.isupper()}
    assert {name: 1 << bit for name, bit in found.items()} == ours


def test_places_of_sides_and_lamps_are_the_same() -> None:
    found = defined(r"#define (\w+) (\d+)u")
    assert {name: value for name, value in found.items() if name not in ("PORT_H",)} == {
        name: value for name, value in vars(pins).items() if name in found
    }
    assert len(found) > 12


def test_motors_are_all_outputs_below_the_lamps() -> None:
    assert "#define OUT_MOTORS (PIN(19) - 1u)" in PORT
    assert pins.MOTORS == (1 << pins.LAMP_SHIFT) - 1
