"""The doctor's round: every check, in the order in which one thing depends on another."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from protocols.errors import AddressError
from protocols.transports.listing import Found
from tablectl.daemon.sections import Device

from . import checks_host, checks_ports, checks_service
from .finding import Case, Finding, Findings
from .machine import Machine
from .texts import UNIT

USER = re.compile(r"^User=(\S+)$", re.MULTILINE)
CHECKS: tuple[Callable[[Case], Findings], ...] = (
    checks_host.python,
    checks_service.packages,
    checks_host.power,
    checks_host.clock,
    checks_host.disk,
    checks_host.programs,
    checks_ports.group,
    checks_ports.ports,
    checks_ports.permission,
    checks_ports.busy,
    checks_ports.sleep,
    checks_ports.latency,
    checks_service.rules,
    checks_service.service,
    checks_service.links,
    checks_service.record,
)


def case_of(machine: Machine, devices: tuple[Device, ...], state_dir: Path, socket: Path) -> Case:
    """What is to be looked at: the service as it is installed, else what whoever asks would run."""
    unit = machine.text(f"/{UNIT}") or ""
    user = found[1] if (found := USER.search(unit)) else machine.user()
    return Case(
        machine=machine,
        devices=devices,
        state_dir=state_dir,
        socket=socket,
        user=user,
        account=machine.account(user),
        found={device.name: _found(machine, device) for device in devices if device.port},
        told=machine.daemon(str(socket)),
    )


def examine(case: Case) -> list[Finding]:
    """All findings."""
    return [finding for check in CHECKS for finding in check(case)]


def _found(machine: Machine, device: Device) -> Found:
    try:
        return machine.found(device.port)
    except AddressError:  # the configuration was read: only a port of a command line can be none
        return Found(device.port, "")
