"""Checks of the computer: version, supply, clock, disk, programs that take ports away."""

from __future__ import annotations

import os

from protocols.transports.address import NetAddress, parse

from .finding import INSTALL, Case, Findings, ok, problem, unknown
from .machine import UNDER_VOLTAGE_BEFORE, UNDER_VOLTAGE_NOW, may
from .texts import RULES, STATE
from .udev import link_names, match_of

OLDEST = (3, 11)
LOW_BYTES = 200_000_000  # a season of play is a tenth of it; below, an update can fill the disk
MB = 1_000_000
MODEM, BRAILLE = "ModemManager", "brltty"


def python(case: Case) -> Findings:
    """Is Python new enough?"""
    version = case.machine.python()
    said = ".".join(map(str, version[:3]))
    if version[:2] < OLDEST:
        yield problem("python", "doctor.python.old", "sudo apt install python3.11", version=said)
    else:
        yield ok("python", "doctor.python.ok", version=said)


def power(case: Case) -> Findings:
    """Does the supply hold? Only a Raspberry Pi can tell."""
    bits = case.machine.throttled()
    if bits is None:
        yield unknown("power", "doctor.power.unknown")
    elif bits & UNDER_VOLTAGE_NOW:
        yield problem("power", "doctor.power.now", "vcgencmd get_throttled")
    elif bits & UNDER_VOLTAGE_BEFORE:
        yield problem("power", "doctor.power.before", "vcgencmd get_throttled")
    else:
        yield ok("power", "doctor.power.ok")


def clock(case: Case) -> Findings:
    """Is the time of day right? No limit depends on it, the record's dates do."""
    match case.machine.is_clock_synchronised():
        case None:
            yield unknown("clock", "doctor.clock.unknown")
        case True:
            yield ok("clock", "doctor.clock.ok")
        case _:
            yield problem("clock", "doctor.clock.wrong", "sudo timedatectl set-ntp true")


def disk(case: Case) -> Findings:
    """Is there room for the record, and may it be written?"""
    path = str(case.state_dir)
    found = case.machine.disk(path)
    if found is None:
        yield unknown("disk", "doctor.disk.unknown", path=path)
        return
    if found.read_only:
        mend = f"sudo mount -o remount,rw {found.mount}"
        yield problem("disk", "doctor.disk.read_only", mend, path=path, mount=found.mount)
    elif found.free < LOW_BYTES:
        mend = "sudo journalctl --vacuum-size=50M && sudo apt clean"
        yield problem("disk", "doctor.disk.low", mend, mount=found.mount, free=found.free // MB)
    else:
        yield ok("disk", "doctor.disk.ok", free=found.free // MB)
    yield from _state(case, path)


def _state(case: Case, path: str) -> Findings:
    node = case.machine.node(path)
    if case.account is None or (node is None and not os.path.isabs(path)):
        yield unknown("state", "doctor.state.unknown", path=path)
    elif node is None and path == f"/{STATE}":
        yield ok("state", "doctor.state.to_come", path=path)  # systemd makes it
    elif node is None:
        above = next(str(folder) for folder in case.state_dir.parents if case.machine.node(str(folder)))
        there = case.machine.node(above)
        if there is not None and may(case.account, there, 0o3):
            yield ok("state", "doctor.state.to_come", path=path)
        else:
            mend = f"sudo install -d -m 700 -o {case.user} {path}"
            yield problem("state", "doctor.state.closed", mend, path=path, user=case.user)
    elif may(case.account, node, 0o7):
        yield ok("state", "doctor.state.ok", path=path)
    else:
        mend = f"sudo chown -R {case.user} {path}"
        yield problem("state", "doctor.state.closed", mend, path=path, user=case.user)


def programs(case: Case) -> Findings:
    """Do programs run that open every serial port they see?"""
    if case.is_remote:
        return
    running = case.machine.processes()
    if MODEM not in running:
        yield ok("modem", "doctor.modem.ok")
    elif _are_all_ruled(case):
        yield ok("modem", "doctor.modem.ruled")
    elif any(match_of(device.port) for device in case.devices):
        yield problem("modem", "doctor.modem.running", INSTALL)
    else:
        mend = "sudo systemctl disable --now ModemManager"
        yield problem("modem", "doctor.modem.alone", mend, config=case.config)
    if BRAILLE in running:
        yield problem("braille", "doctor.braille.running", "sudo apt remove brltty")
    else:
        yield ok("braille", "doctor.braille.ok")


def _are_all_ruled(case: Case) -> bool:
    rules = case.machine.text(f"/{RULES}") or ""
    named = [device for device in case.devices if device.port]
    links = [
        f'SYMLINK+="tablectl/{link}"'
        for device, link in zip(named, link_names(named), strict=True)
        if not isinstance(parse(device.port), NetAddress)
    ]
    return bool(links) and all(link in rules for link in links)
