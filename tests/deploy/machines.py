"""A machine made up: well unless said otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from protocols.errors import DriverBroken
from protocols.transports.listing import Found, Trouble
from tablectl.daemon.sections import Device
from tablectl.deploy import texts
from tablectl.deploy.doctor import case_of, examine
from tablectl.deploy.finding import Finding
from tablectl.deploy.machine import Account, Disk, Node, Told, Unit
from tablectl.deploy.marks import marked

BY_ID = "/dev/serial/by-id/usb-Acme_MJ4_0042-if00-port0"
TABLE = Device(name="table", port=BY_ID)
STATE, SOCKET = Path("/var/lib/tablectl"), Path("/run/tablectl/api.sock")


@dataclass
class FakeMachine:
    """Implements ``Machine`` from plain values."""

    version: tuple[int, ...] = (3, 11, 2)
    asks: str = "pi"
    accounts: dict[str, Account] = field(
        default_factory=lambda: {"pi": Account("pi", 1000, frozenset({"pi", "dialout"}))}
    )
    nodes: dict[str, Node] = field(
        default_factory=lambda: {
            "/dev/ttyUSB0": Node(0o660, 0, "dialout"),
            str(STATE): Node(0o700, 1000, "pi"),
            "/": Node(0o755, 0, "root"),
        }
    )
    devices: dict[str, Found] = field(
        default_factory=lambda: {BY_ID: Found(BY_ID, "/dev/ttyUSB0", place="1-1.2", latency_ms=1)}
    )
    running: frozenset[str] = frozenset({"systemd", "python3"})
    bits: int | None = 0
    synchronised: bool | None = True
    space: Disk | None = field(default_factory=lambda: Disk("/", 9_000_000_000, 30_000_000_000, False))
    files: dict[str, str] = field(
        default_factory=lambda: {
            f"/{texts.UNIT}": marked(texts.unit(["/opt/t"], "pi")),
            f"/{texts.RULES}": marked(texts.udev([TABLE])),
        }
    )
    service: Unit | None = field(default_factory=lambda: Unit(True, "active", True, "success", 800))
    modules: frozenset[str] = frozenset({"pymodbus", "usb"})
    libusb: bool = True
    faults: list[DriverBroken] = field(default_factory=list)
    told: dict[str, dict[str, Any]] | None = field(default_factory=lambda: {"table": {"state": "online"}})
    unrecorded: str = ""

    def python(self) -> tuple[int, ...]:
        return self.version

    def user(self) -> str:
        return self.asks

    def account(self, name: str) -> Account | None:
        return self.accounts.get(name)

    def node(self, path: str) -> Node | None:
        return self.nodes.get(path)

    def found(self, address: str) -> Found:
        return self.devices.get(address, Found(address, "", troubles=(Trouble("missing"),)))

    def processes(self) -> frozenset[str]:
        return self.running

    def throttled(self) -> int | None:
        return self.bits

    def is_clock_synchronised(self) -> bool | None:
        return self.synchronised

    def disk(self, path: str) -> Disk | None:
        return self.space

    def text(self, path: str) -> str | None:
        return self.files.get(path)

    def unit(self) -> Unit | None:
        return self.service

    def has_module(self, name: str) -> bool:
        return name in self.modules

    def has_libusb(self) -> bool:
        return self.libusb

    def plugin_faults(self) -> list[DriverBroken]:
        return self.faults

    def daemon(self, socket: str) -> Told | None:
        return None if self.told is None else Told(self.told, self.unrecorded)


Change = Callable[[FakeMachine], Any]


def findings(change: Change | None = None, *devices: Device) -> list[Finding]:
    """What the doctor finds at a machine after that change."""
    machine = FakeMachine()
    if change is not None:
        change(machine)
    return examine(case_of(machine, devices or (TABLE,), STATE, SOCKET))


def sick(**changes: Any) -> Change:
    """Other facts than those of a well machine."""

    def change(machine: FakeMachine) -> None:
        for name, value in changes.items():
            setattr(machine, name, value)

    return change


def port(**changes: Any) -> Change:
    """Another device at the table's port."""

    def change(machine: FakeMachine) -> None:
        machine.devices[BY_ID] = replace(machine.devices[BY_ID], **changes)

    return change
