"""What no pin may do is noticed, and what a good table does is not."""

from __future__ import annotations

from random import Random

import pytest

from protocols.driver import Status
from protocols.vocabulary import StoreState, TopState
from sim.firmware.pinwatch import RULES, PinWatch
from sim.firmware.plant import pins
from sim.firmware.plant.plant import US, Plant

Out = pins.Out
WRONG: dict[str, list[int]] = {  # outputs, a second each; the last ones are wrong
    "a motor is driven both ways": [Out.DRUM | Out.DRUM_BACK],
    "the centre is driven while the drum brings tiles": [Out.DRUM, Out.CENTRE_RAISE],
    "a gate is open and no drum brings tiles": [pins.of(pins.FIRST_GATE, 2)],
    "rows fall while the drum brings tiles": [Out.DROP | Out.DRUM],
    "the sign for loading is lit and the centre is not open": [Out.LOAD],
}


AT_REST = Status(
    top=TopState.CLEAR, store=StoreState.EMPTY, stopped=False, homed=True, hand=0, profile=144, running_id=0,
    running=0, percent=0, last_event=1, boot_id=1, board_us=0, top_stacks=(0, 0, 0, 0),
    store_stacks=(0, 0, 0, 0), faults=(),
)  # fmt: skip


def driven(outputs: list[int]) -> PinWatch:
    plant = Plant(144, drum=Random(1), dice=Random(2), times=Random(3))
    watch = PinWatch(plant)
    for second, on in enumerate(outputs):
        plant.step(second * US, on)
    return watch


@pytest.mark.parametrize("name", RULES)
def test_each_rule_can_be_broken_and_only_by_what_it_forbids(name: str) -> None:
    *good, wrong = WRONG[name]
    assert driven(good).found == []
    assert driven([*good, wrong]).found == [name]


def test_both_ways_is_told_of_each_motor() -> None:
    for side in range(4):
        both = pins.of(pins.FIRST_TRAY_RAISE, side) | pins.of(pins.FIRST_TRAY_LOWER, side)
        assert driven([both]).found == ["a motor is driven both ways"]
    across = pins.of(pins.FIRST_TRAY_RAISE, 0) | pins.of(pins.FIRST_TRAY_LOWER, 1)
    assert driven([across]).found == []


@pytest.mark.parametrize("on", [Out.CHAIN, Out.LOAD, Out.FAULT], ids=["motor", "sign", "lamp"])
def test_what_is_on_at_rest_is_noticed(on: int) -> None:
    watch = driven([on])
    watch.found.clear()
    watch.rest(AT_REST)
    assert len(watch.found) == 1


def test_a_table_at_rest_is_well() -> None:
    watch = driven([0])
    watch.rest(AT_REST)
    assert watch.found == []
