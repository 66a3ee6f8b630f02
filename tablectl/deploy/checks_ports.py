"""Checks of each configured device: there, permitted, free, awake, quick, and the right one."""

from __future__ import annotations

from protocols.transports.address import NetAddress, PathAddress, parse
from protocols.transports.listing import Found
from tablectl.daemon.sections import Device

from .checks_host import BRAILLE, MODEM
from .finding import INSTALL, Case, Findings, ok, problem, unknown
from .machine import may
from .texts import CONFIG, GROUP
from .udev import match_of

QUICK_MS = 1
END = {MODEM: "sudo systemctl disable --now ModemManager", BRAILLE: "sudo apt remove brltty"}


def group(case: Case) -> Findings:
    """Is the daemon's user in the group of the serial ports?"""
    if case.is_remote:
        return
    if case.account is None:
        yield problem("group", "doctor.group.nobody", INSTALL, user=case.user)
    elif case.account.uid == 0 or GROUP in case.account.groups:
        yield ok("group", "doctor.group.ok", user=case.user, group=GROUP)
    else:
        mend = f"sudo usermod -aG {GROUP} {case.user}"
        yield problem("group", "doctor.group.missing", mend, user=case.user, group=GROUP)


def ports(case: Case) -> Findings:
    """Is each device there, under a name that stays?"""
    if not any(device.port for device in case.devices):
        running = {name: link["port"] for name, link in (case.links or {}).items() if link.get("port")}
        for name, port in sorted(running.items()):
            yield ok("port", "doctor.port.running", device=name, port=port, config=f"/{CONFIG}")
        if not running:
            yield problem("port", "doctor.port.none", "tablectl devices", config=f"/{CONFIG}")
    for device in case.devices:
        if not device.port or isinstance(parse(device.port), NetAddress):
            continue
        one = case.found[device.name]
        keys = {trouble.key for trouble in one.troubles}
        facts = {"device": device.name, "port": device.port}
        if "missing" in keys:
            yield problem("port", "doctor.port.missing", "tablectl devices", **facts)
        elif "twin" in keys:
            yield problem("port", "doctor.port.twin", "tablectl devices", **facts)
        elif isinstance(parse(device.port), PathAddress) and one.place and not match_of(device.port):
            yield problem("port", "doctor.port.unstable", "tablectl devices", **facts)
        else:
            yield ok("port", "doctor.port.ok", **facts)


def permission(case: Case) -> Findings:
    """May the daemon's user open them?"""
    for device, one in case.ports:
        node = case.machine.node(one.node)
        facts = {"device": device.name, "node": one.node, "user": case.user}
        if node is None or case.account is None:
            yield unknown("permission", "doctor.permission.unknown", **facts)
        elif may(case.account, node):
            yield ok("permission", "doctor.permission.ok", **facts)
        elif node.mode & 0o060 == 0o060 and node.group not in ("", "root"):
            mend = f"sudo usermod -aG {node.group} {case.user}"
            yield problem("permission", "doctor.permission.group", mend, group=node.group, **facts)
        else:
            yield problem("permission", "doctor.permission.closed", INSTALL, **facts)


def busy(case: Case) -> Findings:
    """Does another program hold them?"""
    for device, one in case.ports:
        held = next((trouble.facts for trouble in one.troubles if trouble.key == "busy"), None)
        facts = {"device": device.name, "node": one.node}
        if held is None:
            yield ok("busy", "doctor.busy.ok", **facts)
        elif _is_ours(case, device, held["pid"]):
            yield ok("busy", "doctor.busy.ours", **facts)
        else:
            mend = END.get(held["name"], f"sudo kill {held['pid']}")
            yield problem("busy", "doctor.busy.held", mend, **facts, **held)


def _is_ours(case: Case, device: Device, pid: int) -> bool:
    unit = case.machine.unit()
    if unit is not None and unit.main_pid == pid:
        return True
    link = (case.links or {}).get(device.name, {})
    return link.get("state") in ("hello", "verify", "reconcile", "online")


def sleep(case: Case) -> Findings:
    """Does the system put them to sleep (B023)?"""
    for device, one in case.ports:
        asleep = next((trouble.facts for trouble in one.troubles if trouble.key == "autosuspend"), None)
        if asleep is not None:
            yield problem(
                "sleep", "doctor.sleep.on", _now_and_later(case, asleep["file"], "on"), device=device.name
            )
        elif one.place:
            yield ok("sleep", "doctor.sleep.ok", device=device.name)


def _now_and_later(case: Case, file: str, value: str) -> str:
    """At once by hand; where a rule can hold the device, the rule does it, now and at each plugging in."""
    ruled = any(match_of(device.port) for device in case.devices)
    return INSTALL if ruled else f"echo {value} | sudo tee {file}"


def latency(case: Case) -> Findings:
    """Do adapters keep bytes back?"""
    for device, one in case.ports:
        if one.latency_ms is None:
            continue
        facts = {"device": device.name, "ms": one.latency_ms}
        if one.latency_ms > QUICK_MS:
            file = f"/sys/class/tty/{_tty(one)}/device/latency_timer"
            yield problem("latency", "doctor.latency.slow", _now_and_later(case, file, "1"), **facts)
        else:
            yield ok("latency", "doctor.latency.ok", **facts)


def _tty(one: Found) -> str:
    return one.node.rpartition("/")[2]
