"""What a check has found, and what it is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from protocols.transports.address import NetAddress, parse
from protocols.transports.listing import Found
from tablectl.daemon.sections import Device

from .machine import Account, Machine, Told

Verdict = Literal["ok", "problem", "unknown"]
INSTALL = "sudo tablectl install"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. ``key`` names a text and ``facts`` fill it; ``mend`` is the command that mends it."""

    check: str
    verdict: Verdict
    key: str
    facts: dict[str, Any] = field(default_factory=dict)
    mend: str = ""


Findings = Iterator[Finding]


@dataclass(frozen=True, slots=True)
class Case:
    """What is looked at. ``account`` is who the daemon runs as; None if that user is unknown here."""

    machine: Machine
    devices: tuple[Device, ...]
    state_dir: Path
    socket: Path
    user: str
    account: Account | None
    found: dict[str, Found]  # the device at each configured port, by the device's name
    told: Told | None  # by the running daemon

    @property
    def links(self) -> dict[str, dict[str, Any]] | None:
        """The links of the running daemon, by device."""
        return None if self.told is None else self.told.links

    @property
    def is_remote(self) -> bool:
        """Are all boards at other computers?"""
        ports = [device.port for device in self.devices if device.port]
        return bool(ports) and all(isinstance(parse(port), NetAddress) for port in ports)

    @property
    def ports(self) -> list[tuple[Device, Found]]:
        """The devices that are plugged in here."""
        return [
            (device, self.found[device.name])
            for device in self.devices
            if device.name in self.found and self.found[device.name].node
        ]


def ok(check: str, key: str, **facts: Any) -> Finding:
    """Nothing wrong."""
    return Finding(check, "ok", key, facts)


def problem(check: str, key: str, mend: str, **facts: Any) -> Finding:
    """Something to mend."""
    return Finding(check, "problem", key, facts, mend)


def unknown(check: str, key: str, **facts: Any) -> Finding:
    """Nobody can tell here."""
    return Finding(check, "unknown", key, facts)
