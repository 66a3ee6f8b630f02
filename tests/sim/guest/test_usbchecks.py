"""Comparing what comes out of a guest with the simulated bus and with the record."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from sim.guest import usbchecks
from sim.guest.kernel import GuestError
from sim.usb.checks import record
from sim.usb.checks.bench import Outcome

RECORD = record.read()
Hear = Callable[[str], None]


def guest_that_says(monkeypatch: pytest.MonkeyPatch, found: dict[str, Outcome], code: int = 0) -> None:
    async def run(words: Sequence[str], modules: Sequence[str], hear: Hear, imports: Sequence[str]) -> int:
        for name, outcome in found.items():
            hear(usbchecks.CHECK + json.dumps([name, *outcome]))
        hear("libusb: Assertion failed")
        return code

    monkeypatch.setattr(usbchecks, "run_guest", run)
    monkeypatch.setattr(usbchecks, "simulated", lambda: RECORD)


def test_all_alike(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    guest_that_says(monkeypatch, RECORD)
    assert usbchecks.main([]) == 0
    assert f"{len(RECORD)} calls to both backends, 0 differences" in capsys.readouterr().out


def test_a_call_that_ends_otherwise_fails_the_run_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guest_that_says(monkeypatch, RECORD | {"write": ("USBError", "16", "-6")})
    assert usbchecks.main([]) == 1
    said = capsys.readouterr().out
    assert "write: real libusb raises USBError, errno 16, code -6, the simulated backend returns 10" in said
    assert "write: the record returns 10, real libusb raises USBError, errno 16, code -6" in said


def test_a_call_that_was_never_made_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    guest_that_says(monkeypatch, {name: found for name, found in RECORD.items() if name != "write"})
    assert usbchecks.main([]) == 1


def test_a_list_that_breaks_off_says_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guest_that_says(monkeypatch, {"claim": ("value", "None")}, code=134)
    assert usbchecks.main([]) == 2
    assert "broke off in the guest behind 'claim': libusb: Assertion failed" in capsys.readouterr().err
    with pytest.raises(GuestError):
        usbchecks.check()
