"""What the firmware makes of its pins and settings when it boots."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.atp import messages as m
from protocols.vocabulary import EventKind, Fault, Operation, StoreState, TopState
from sim.firmware.plant import pins
from tests.sim.firmware.line import REST, Line, events_in

BETWEEN = {
    "centre": REST.sensors & ~pins.In.CENTRE_DOWN,
    **{f"tray {side}": REST.sensors & ~pins.of(pins.FIRST_TRAY_DOWN, side) for side in range(4)},
    "chain": REST.sensors & ~pins.In.CHAIN_ZERO,
}
WALLS = 0xF << pins.FIRST_WALL


@pytest.mark.parametrize("name", BETWEEN)
def test_an_axis_between_its_limits_is_a_lost_supply(name: str) -> None:
    line = Line(replace(REST, sensors=BETWEEN[name]))
    told = events_in(line.greet())
    assert [(one.kind, one.value) for one in told[1:]] == [(EventKind.FAULT_SET, Fault.POWER_LOST_MID_CYCLE)]
    status = line.status()
    assert (status.homed, status.top) == (0, TopState.UNKNOWN)
    said = line.ask(m.Operate(256, Operation.HOME, 255, 0, 0))
    assert not any(isinstance(one, m.Done) for one in said)  # there is something to be homed


@pytest.mark.parametrize("centre", [pins.In.CENTRE_UP, pins.In.CENTRE_DOWN])
@pytest.mark.parametrize("trays", [pins.FIRST_TRAY_UP, pins.FIRST_TRAY_DOWN])
def test_axes_at_either_limit_are_homed(centre: int, trays: int) -> None:
    line = Line(replace(REST, sensors=centre | 0xF << trays | pins.In.CHAIN_ZERO))
    assert len(events_in(line.greet())) == 1
    status = line.status()
    assert (status.homed, status.top, status.store) == (1, TopState.CLEAR, StoreState.EMPTY)
    done = line.ask(m.Operate(256, Operation.HOME, 255, 0, 0))
    assert isinstance(done[-1], m.Done)


def test_an_open_centre_is_known_to_be_open() -> None:
    line = Line(replace(REST, sensors=REST.sensors & ~pins.In.CENTRE_DOWN | pins.In.CENTRE_UP))
    line.settle()
    line.look(panel_keys=1)
    line.look()
    assert line.board.outputs & pins.Out.CENTRE_LOWER


@pytest.mark.parametrize("sensors", [REST.sensors, BETWEEN["centre"]], ids=["at rest", "between"])
def test_walls_that_stand_are_told(sensors: int) -> None:
    line = Line(replace(REST, sensors=sensors | WALLS))
    line.greet()
    assert line.status().top == TopState.WALLS_UP


def test_rows_that_are_not_whole_cannot_be_told_apart() -> None:
    line = Line(replace(REST, sensors=REST.sensors | 1 << pins.FIRST_ROW_ANY))
    line.greet()
    assert line.status().store == StoreState.UNKNOWN


@pytest.mark.parametrize(("kept", "said"), [(0, 136), (136, 136), (144, 144), (100, 136)])
def test_only_a_profile_there_is_outlives_a_boot(kept: int, said: int) -> None:
    line = Line(profile=kept)
    line.greet()
    assert line.status().profile == said


def test_a_profile_that_was_set_is_kept_once() -> None:
    line = Line(profile=144)
    line.settle()
    assert line.board.profile == 0
    line.ask(m.Operate(256, Operation.SET_PROFILE, 255, 0, 136))
    assert line.board.profile == 136
    assert line.board.profile == 0


def test_what_lies_in_the_drum_at_boot_is_no_whole_set() -> None:
    line = Line(replace(REST, sensors=REST.sensors | pins.In.DRUM))
    line.settle()
    line.ask(m.Operate(256, Operation.BUILD, 255, 1, 0))
    line.ask()
    assert line.board.outputs & pins.Out.CENTRE_RAISE
    assert not line.board.outputs & pins.Out.DRUM


@pytest.mark.parametrize(("device", "serial"), [(1, b"00000001"), (0x1234ABCD, b"1234ABCD")])
def test_the_serial_number_is_that_of_the_piece(device: int, serial: bytes) -> None:
    line = Line(device=device)
    line.greet()
    parts = [line.ask(m.IdentityAsk(part))[-1] for part in range(1, 7)]
    texts = [one.data.rstrip(b"\0") for one in parts if isinstance(one, m.Identity)]
    assert texts == [b"tablectl", b"REFERENCE-4", serial, b"1.0.0", b"", b""]
