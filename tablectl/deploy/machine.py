"""The facts a doctor asks for, as questions to a machine: the one this runs on, or one made up in a test.

A question nobody can answer here is answered by None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from protocols.errors import DriverBroken
from protocols.transports.listing import Found

UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_BEFORE = 1 << 0, 1 << 16  # bits of what a Raspberry Pi tells of its supply


@dataclass(frozen=True, slots=True)
class Account:
    """A user and all the groups he is in."""

    name: str
    uid: int
    groups: frozenset[str]


@dataclass(frozen=True, slots=True)
class Node:
    """Who may do what with a file."""

    mode: int
    uid: int
    group: str


@dataclass(frozen=True, slots=True)
class Disk:
    """The file system a folder is on, or would be."""

    mount: str
    free: int  # bytes that users may fill
    size: int
    read_only: bool


@dataclass(frozen=True, slots=True)
class Unit:
    """What systemd says of the service."""

    loaded: bool
    active: str  # active, activating, inactive, failed, …
    enabled: bool
    result: str = ""  # of the last run: success, exit-code, watchdog, …
    main_pid: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """What a running daemon says of itself."""

    links: dict[str, dict[str, Any]]  # by device
    unrecorded: str = ""  # why it can record nothing; "" = it can


class Machine(Protocol):
    """One computer."""

    def python(self) -> tuple[int, ...]:
        """The version this runs on."""

    def user(self) -> str:
        """Who asks; behind sudo, who said it."""

    def account(self, name: str) -> Account | None:
        """A user, if there is such a one."""

    def node(self, path: str) -> Node | None:
        """A file or folder, followed through links."""

    def found(self, address: str) -> Found:
        """The device an address names, plugged in or not."""

    def processes(self) -> frozenset[str]:
        """The names of all programs that run."""

    def throttled(self) -> int | None:
        """What a Raspberry Pi says of its supply."""

    def is_clock_synchronised(self) -> bool | None:
        """Does anybody set the clock right?"""

    def disk(self, path: str) -> Disk | None:
        """The file system below a folder, or below the nearest one above that there is."""

    def text(self, path: str) -> str | None:
        """What a file says, if it is there and may be read."""

    def unit(self) -> Unit | None:
        """The service; None where no systemd runs."""

    def has_module(self, name: str) -> bool:
        """Is a Python package there?"""

    def has_libusb(self) -> bool:
        """Is the system's libusb there?"""

    def plugin_faults(self) -> list[DriverBroken]:
        """What is wrong with driver packages."""

    def daemon(self, socket: str) -> Told | None:
        """What the daemon behind that socket says; None if none answers."""


def may(account: Account, node: Node, want: int = 0o6) -> bool:
    """May this user do that with the file? ``want`` is of octal digits: 4 read, 2 write, 1 enter."""
    if account.uid == 0:
        return True
    shift = 6 if account.uid == node.uid else 3 if node.group in account.groups else 0
    return node.mode >> shift & want == want
