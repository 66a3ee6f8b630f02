"""udevd in a guest: what is written for it before it starts, and what is said where it is not."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from sim.guest import machine, udev
from sim.guest.kernel import GuestError
from sim.guest.users import nobody

RULE = ("60-ours.rules", 'KERNEL=="x"\n')


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """A system with two files of rules and a program; the commands that were run."""
    commands: list[tuple[str, ...]] = []

    def run(words: tuple[str, ...], **how: Any) -> subprocess.CompletedProcess[str]:
        commands.append(words)
        return subprocess.CompletedProcess(words, int("fail" in words), "", "no such device")

    program = tmp_path / "systemd-udevd"
    program.touch(0o755)
    (tmp_path / "system").mkdir()
    for name in ("50-default.rules", "60-serial.rules", "README"):
        (tmp_path / "system" / name).touch()
    monkeypatch.setenv(machine.INSIDE, "1")
    monkeypatch.setattr(udev, "PLACES", (tmp_path / "absent", program))
    monkeypatch.setattr(udev, "RULES", tmp_path / "run" / "rules.d")
    monkeypatch.setattr(udev, "SYSTEM_RULES", tmp_path / "system")
    monkeypatch.setattr(subprocess, "run", run)
    return commands


def test_nothing_is_touched_outside_a_guest(
    ran: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(machine.INSIDE)
    with pytest.raises(GuestError, match="in a guest only"):
        udev.start([RULE], bare=True)
    with pytest.raises(GuestError, match="in a guest only"), nobody():
        pytest.fail("became nobody here")
    assert not ran
    assert not udev.RULES.exists()


def test_our_rules_stand_beside_those_of_the_system(ran: list[tuple[str, ...]]) -> None:
    udev.start([RULE])
    assert {path.name: path.read_text() for path in udev.RULES.iterdir()} == dict([RULE])
    assert ran == [(str(udev.PLACES[1]), "--daemon")]


def test_or_instead_of_them(ran: list[tuple[str, ...]]) -> None:
    udev.start([RULE], bare=True)
    empty = {path.name for path in udev.RULES.iterdir() if path.resolve() == Path("/dev/null")}
    assert empty == {"50-default.rules", "60-serial.rules"}
    assert (udev.RULES / RULE[0]).read_text() == RULE[1]


def test_what_is_missing_and_what_fails_is_said(
    ran: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(GuestError, match="no such device"):
        udev._do("udevadm", "fail")
    monkeypatch.setattr(udev, "PLACES", ())
    assert "apt-get install udev" in udev.lacking()
    with pytest.raises(GuestError, match="udev"):
        udev.start()
