"""Keys at the pins: one press, one event, whichever key and however long; what is due meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.atp import messages as m
from protocols.vocabulary import EventKind, Fault, Operation, PanelKey, Source
from sim.firmware.plant import pins
from tests.sim.firmware.line import REST, Line, events_in

SAMPLE_US = 5000
KEYS_A_SEAT = 7
BEAT_US = 1_000_000


def ready() -> Line:
    line = Line()
    line.settle()
    return line


@pytest.mark.parametrize("bit", range(4 * KEYS_A_SEAT))
def test_each_key_of_a_seat_tells_its_side_and_what_it_is(bit: int) -> None:
    (event,) = ready().look(seat_keys=1 << bit)
    assert event.kind == EventKind.SEAT_KEY
    assert (event.side, event.value, event.source) == (
        bit // KEYS_A_SEAT,
        bit % KEYS_A_SEAT + 1,
        Source.SENSOR,
    )


def test_keys_pressed_together_are_all_told() -> None:
    told = ready().look(seat_keys=1 << 0 | 1 << 8 | 1 << 27)
    assert [(event.side, event.value) for event in told] == [(0, 1), (1, 2), (3, 7)]


def test_a_key_is_deaf_until_it_was_open_for_four_samples() -> None:
    line = ready()
    assert len(line.look(seat_keys=1)) == 1
    for samples in (1, 2, 3):
        for _ in range(samples):
            assert line.look(SAMPLE_US, seat_keys=0) == []
        assert line.look(seat_keys=1) == []
        line.look(SAMPLE_US)
    for _ in range(4):
        line.look(SAMPLE_US, seat_keys=0)
    assert len(line.look(seat_keys=1)) == 1


def test_a_key_that_is_held_is_pressed_once() -> None:
    line = ready()
    told = line.look(seat_keys=1 << 5)
    for _ in range(50):
        told += line.look(SAMPLE_US)
    assert {event.number for event in told} == {2}  # repeated, for nobody acknowledges it


@pytest.mark.parametrize("pressed", [{"seat_keys": 1 << 9}, {"panel_keys": 1 << 3}], ids=["seat", "panel"])
def test_a_key_that_is_down_at_boot_was_not_pressed(pressed: dict[str, int]) -> None:
    line = Line(replace(REST, **pressed))
    line.settle()
    assert line.look() == []
    for _ in range(5):
        assert line.look(SAMPLE_US, **dict.fromkeys(pressed, 0)) == []
    assert len(line.look(**pressed)) >= 1


@pytest.mark.parametrize("side", [0, 2])
def test_a_lift_key_tells_its_side_and_opens_the_centre(side: int) -> None:
    line = ready()
    (event,) = line.look(panel_keys=1 << side // 2)
    assert (event.kind, event.side, event.value) == (EventKind.KEY_PRESSED, side, PanelKey.LIFT)
    assert event.source == Source.PANEL
    line.look()
    assert line.board.outputs & pins.Out.CENTRE_RAISE


@pytest.mark.parametrize("side", range(4))
def test_a_dice_key_throws_for_its_side(side: int) -> None:
    line = ready()
    told = line.look(panel_keys=1 << pins.PANEL_DICE + side) + line.look()
    assert [(event.kind, event.side, event.source) for event in told] == [
        (EventKind.KEY_PRESSED, side, Source.PANEL),
        (EventKind.DICE_STARTED, side, Source.PANEL),
    ]
    assert line.board.outputs & pins.Out.DICE
    assert line.board.outputs >> pins.DICE_SIDE_SHIFT & 3 == side


def test_while_a_key_is_not_armed_the_next_sample_is_due() -> None:
    line = ready()
    line.look()
    assert line.board.due_us - line.now_us > SAMPLE_US
    line.look(seat_keys=1)
    line.ask(m.AckEvents(2, line.boot))
    assert line.board.due_us - line.now_us <= SAMPLE_US
    for _ in range(6):
        line.look(SAMPLE_US, seat_keys=0)
    line.ask(m.Beat(0, 0, 0))
    assert line.board.due_us - line.now_us > SAMPLE_US


def test_a_key_of_the_panel_that_stays_down_is_a_fault_until_it_comes_up() -> None:
    line = ready()
    line.look(panel_keys=1 << 4)
    for _ in range(19):
        line.ask(m.Beat(0, 0, 0), after_us=500_000)
    assert Fault.PANEL_KEY_STUCK not in line.status().faults
    line.ask(m.Beat(0, 0, 0), after_us=500_000)
    assert Fault.PANEL_KEY_STUCK in line.status().faults
    line.ask(m.Operate(256, Operation.CLEAR_FAULT, 255, 0, 0))
    assert Fault.PANEL_KEY_STUCK in line.status().faults
    line.look(panel_keys=0)
    told = events_in(line.ask(m.Operate(512, Operation.CLEAR_FAULT, 255, 0, 0)))
    assert [event.kind for event in told][-1:] == [EventKind.FAULT_CLEARED]
    assert not any(line.status().faults)


def test_a_key_pressed_now_and_then_is_not_stuck() -> None:
    line = ready()
    for _ in range(30):
        line.look(panel_keys=1 << 4)
        line.ask(m.Beat(0, 0, 0), after_us=400_000)
        line.look(panel_keys=0)
        line.ask(m.Beat(0, 0, 0), after_us=100_000)
    assert Fault.PANEL_KEY_STUCK not in line.status().faults
