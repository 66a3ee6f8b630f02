"""Checks of what was installed: packages, udev rules, the service, and what the running daemon says."""

from __future__ import annotations

from protocols.transports.address import UsbAddress, parse

from . import texts
from .finding import INSTALL, Case, Findings, ok, problem, unknown
from .marks import is_untouched, marked
from .udev import match_of

LOG = "journalctl -u tablectl -n 50"


def packages(case: Case) -> Findings:
    """Is everything there that the configured drivers need?"""
    before = 0
    if any(device.driver == "panel" for device in case.devices) and not case.machine.has_module("pymodbus"):
        before += 1
        yield problem("packages", "doctor.packages.modbus", "pip install 'tablectl[panel]'")
    boards = [device for device in case.devices if isinstance(parse(device.port), UsbAddress)]
    if boards and not case.machine.has_module("usb"):
        before += 1
        yield problem("packages", "doctor.packages.pyusb", "pip install pyusb", device=boards[0].name)
    elif boards and not case.machine.has_libusb():
        before += 1
        yield problem(
            "packages", "doctor.packages.libusb", "sudo apt install libusb-1.0-0", device=boards[0].name
        )
    used = {device.driver for device in case.devices}
    for fault in case.machine.plugin_faults():
        before += 1
        needed = fault.fields["driver"] in used
        key = "doctor.packages.plugin" if needed else "doctor.packages.plugin_unused"
        mend = f"pip uninstall {fault.fields['package']}"
        if needed:
            mend = f"pip install --upgrade --force-reinstall {fault.fields['package']}"
        yield problem("packages", key, mend, error=fault)
    if not before:
        yield ok("packages", "doctor.packages.ok")


def rules(case: Case) -> Findings:
    """Are the udev rules those of the configuration?"""
    devices = tuple(device for device in case.devices if device.port)
    path = f"/{texts.RULES}"
    there = case.machine.text(path)
    if not any(match_of(device.port) for device in devices):
        yield ok("rules", "doctor.rules.none_needed")
    elif there is None:
        yield problem("rules", "doctor.rules.missing", INSTALL, path=path)
    elif not is_untouched(there):
        yield ok("rules", "doctor.rules.yours", path=path)
    elif there != marked(texts.udev(devices)):
        yield problem("rules", "doctor.rules.stale", INSTALL, path=path)
    else:
        yield ok("rules", "doctor.rules.ok", path=path)


def service(case: Case) -> Findings:
    """Is it installed, on at every start, and running?"""
    unit = case.machine.unit()
    if unit is None:
        yield unknown("service", "doctor.service.no_systemd")
    elif not unit.loaded:
        yield problem("service", "doctor.service.missing", INSTALL)
    elif unit.active == "failed":
        yield problem("service", "doctor.service.failed", LOG, result=unit.result)
    elif unit.active not in ("active", "reloading"):
        mend = "sudo systemctl start tablectl"
        yield problem("service", "doctor.service.stopped", mend, active=unit.active)
    elif not unit.enabled:
        yield problem("service", "doctor.service.off", "sudo systemctl enable tablectl")
    else:
        yield ok("service", "doctor.service.ok")


def links(case: Case) -> Findings:
    """What does the running daemon say of its devices: swapped ports, silent boards, noise?"""
    if case.links is None:
        unit = case.machine.unit()
        if unit is not None and unit.active == "active":
            mend = f"sudo -u {case.user} tablectl status"
            yield unknown(
                "link", "doctor.link.not_asked", socket=str(case.socket), user=case.user, command=mend
            )
        else:
            yield unknown("link", "doctor.link.no_daemon", socket=str(case.socket))
        return
    for name, link in sorted(case.links.items()):
        detail = link.get("detail") or {}
        if link.get("state") == "online":
            yield ok("link", "doctor.link.ok", device=name)
        elif detail.get("sentence") == "port.swapped":
            yield problem("swapped", "doctor.link.swapped", "tablectl link status", **detail)
        else:
            mend = "tablectl link status"
            yield problem("link", "doctor.link.down", mend, device=name, word=link.get("word") or "missing")


def record(case: Case) -> Findings:
    """Can the running daemon write its record?"""
    if case.told is None:
        return
    if not case.told.unrecorded:
        yield ok("record", "doctor.record.ok")
        return
    unit = case.machine.unit()
    by_service = unit is not None and unit.active == "active"
    mend = "sudo systemctl restart tablectl" if by_service else "tablectl run"
    yield problem("record", "doctor.record.none", mend, reason=case.told.unrecorded)
