"""The pins of port.h in Python. A test holds the two together."""

from __future__ import annotations

FIRST_TRAY_UP, FIRST_TRAY_DOWN, FIRST_HEAD, FIRST_ROW_FULL, FIRST_ROW_ANY, FIRST_WALL = 2, 6, 10, 14, 18, 22
FIRST_TRAY_RAISE, FIRST_TRAY_LOWER, FIRST_GATE = 2, 6, 10
LAMP_SHIFT, LAMP_SIDE_SHIFT, DEALER_SHIFT, DICE_SIDE_SHIFT = 19, 22, 25, 30
SEAT_KEYS, PANEL_LIFTS, PANEL_DICE = 7, 2, 2


class In:
    """Sensors that are no side's own. Plain numbers: this is asked at every tick."""

    CENTRE_UP = 1 << 0
    CENTRE_DOWN = 1 << 1
    DRUM = 1 << 26
    LOADED = 1 << 27
    COVER = 1 << 28
    DICE_TURN = 1 << 29
    DICE_READ = 1 << 30
    CHAIN_ZERO = 1 << 31


class Out:
    """Motors and lamps that are no side's own."""

    CENTRE_RAISE = 1 << 0
    CENTRE_LOWER = 1 << 1
    DRUM = 1 << 14
    DRUM_BACK = 1 << 15
    CHAIN = 1 << 16
    DROP = 1 << 17
    DICE = 1 << 18
    LOAD = 1 << 28
    FAULT = 1 << 29


MOTORS = (1 << 19) - 1


def of(first: int, side: int) -> int:
    """The pin of a side."""
    return 1 << first + side


def field(outputs: int, shift: int) -> int:
    """Three bits that show one of a few."""
    return outputs >> shift & 7


def row(first: int, states: list[bool]) -> int:
    """The pins of all sides."""
    east, south, west, north = states
    return (east | south << 1 | west << 2 | north << 3) << first
