"""The list of calls on the simulated bus, held to the record of real libusb."""

from __future__ import annotations

import pytest

from sim.usb.checks import record
from sim.usb.checks.bench import Outcome
from sim.usb.checks.simulated import simulated

RECORD = record.read()


@pytest.fixture(scope="module")
def ours() -> dict[str, Outcome]:
    return simulated()


@pytest.mark.parametrize("call", RECORD)
def test_a_call_ends_as_with_real_libusb(call: str, ours: dict[str, Outcome]) -> None:
    assert ours[call] == RECORD[call]


def test_the_same_calls_are_made_in_the_same_order(ours: dict[str, Outcome]) -> None:
    assert list(ours) == list(RECORD)
    assert len(ours) > 150
    assert not [name for name, found in ours.items() if found[0] == "did not wait"]


def test_a_difference_is_said_in_a_sentence() -> None:
    one: dict[str, Outcome] = {
        "read": ("USBError", "5", "-1"),
        "write": ("value", "4"),
        "only": ("ValueError", "None", "None"),
    }
    other: dict[str, Outcome] = {"read": ("value", "b''"), "write": ("value", "4"), "more": ("value", "1")}
    assert record.differences(one, other, "libusb", "the bus") == [
        "read: libusb raises USBError, errno 5, code -1, the bus returns b''",
        "only: libusb raises ValueError, the bus was not asked",
        "more: libusb was not asked, the bus returns 1",
    ]
