"""The machine this runs on. Every answer is a look: nothing is opened or set."""

from __future__ import annotations

import ctypes
import grp
import importlib.util
import os
import pwd
import shutil
import struct
import subprocess
import sys
from pathlib import Path

from protocols.errors import DriverBroken
from protocols.transports import listing
from protocols.transports.listing import Found
from tablectl.daemon import plugins
from tablectl.daemon.lock import user_name

from .machine import UNDER_VOLTAGE_NOW, Account, Disk, Node, Told, Unit
from .texts import SERVICE

ASK_S = 5.0
TIMEX = "@Illlli"  # of adjtimex(2) up to its status
TIMEX_BYTES = 512  # more than any system's whole struct
UNSYNCHRONISED = 0x40
PI_BITS = "sys/devices/platform/soc/soc:firmware/get_throttled"
UNRECORDED = "hold.journal"  # the hold of a daemon that cannot write
PROPERTIES = "LoadState,ActiveState,UnitFileState,Result,MainPID"


class ThisMachine:
    """Implements ``Machine``. ``root`` is another place for the system's own files, in tests."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def python(self) -> tuple[int, ...]:
        """The version this runs on."""
        return tuple(sys.version_info[:3])

    def user(self) -> str:
        """Who asks; behind sudo, who said it."""
        sudo = os.environ.get("SUDO_USER", "")
        return sudo if sudo and os.geteuid() == 0 else user_name()

    def account(self, name: str) -> Account | None:
        """A user; his groups as a new login would have them."""
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            return None
        groups = {_group(gid) for gid in os.getgrouplist(name, entry.pw_gid)}
        return Account(name, entry.pw_uid, frozenset(groups))

    def node(self, path: str) -> Node | None:
        """A file or folder."""
        try:
            facts = os.stat(path)
        except OSError:
            return None
        return Node(facts.st_mode & 0o7777, facts.st_uid, _group(facts.st_gid))

    def found(self, address: str) -> Found:
        """The device an address names."""
        return listing.look_at(address)

    def processes(self) -> frozenset[str]:
        """Names as the kernel keeps them: at most 15 characters."""
        return frozenset(name for path in self._root.glob("proc/[0-9]*/comm") if (name := _read(path)))

    def throttled(self) -> int | None:
        """The firmware's bits; of newer kernels the alarm of the supply; else ``vcgencmd``."""
        if bits := _read(self._root / PI_BITS):
            return int(bits, 16)
        for sensor in self._root.glob("sys/class/hwmon/hwmon*"):
            if _read(sensor / "name") == "rpi_volt" and (alarm := _read(sensor / "in0_lcrit_alarm")):
                return UNDER_VOLTAGE_NOW if alarm == "1" else 0
        said = _output("vcgencmd", "get_throttled")
        return int(said.rpartition("=")[2], 16) if said and "=0x" in said else None

    def is_clock_synchronised(self) -> bool | None:
        """What the kernel was told by whoever sets its clock."""
        buffer = ctypes.create_string_buffer(TIMEX_BYTES)
        try:
            if ctypes.CDLL(None, use_errno=True).adjtimex(buffer) < 0:
                return None
        except (OSError, AttributeError):
            return None
        return not struct.unpack_from(TIMEX, buffer)[-1] & UNSYNCHRONISED

    def disk(self, path: str) -> Disk | None:
        """The file system below a folder, or below the nearest one above."""
        folder = Path(path).absolute()
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        try:
            facts = os.statvfs(folder)
        except OSError:
            return None
        mount = folder
        while not mount.is_mount() and mount != mount.parent:
            mount = mount.parent
        return Disk(
            mount=str(mount),
            free=facts.f_bavail * facts.f_frsize,
            size=facts.f_blocks * facts.f_frsize,
            read_only=bool(facts.f_flag & os.ST_RDONLY),
        )

    def text(self, path: str) -> str | None:
        """What a file says."""
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def unit(self) -> Unit | None:
        """The service, from systemctl."""
        if not Path("/run/systemd/system").is_dir():
            return None
        said = _output("systemctl", "show", SERVICE, f"--property={PROPERTIES}")
        return unit_of(said) if said else None

    def has_module(self, name: str) -> bool:
        """Is a Python package there? It is not loaded."""
        return importlib.util.find_spec(name) is not None

    def has_libusb(self) -> bool:
        """Is the system's libusb there?"""
        from protocols.transports.usb import libusb

        return libusb() is not None

    def plugin_faults(self) -> list[DriverBroken]:
        """Loads every driver package."""
        return plugins.faults()

    def daemon(self, socket: str) -> Told | None:
        """Asks the daemon behind the socket."""
        from tablectl.api.blocking import Caller
        from tablectl.api.errors import ApiError
        from tablectl.api.registry import BY_NAME

        if not os.path.exists(socket):
            return None
        try:
            with Caller(socket, actor="doctor", role="anyone") as caller:
                answer = caller.ask(BY_NAME["status"], {})
        except ApiError:
            return None
        holds = {hold["key"]: hold["data"] for hold in answer["state"]["holds"]}
        return Told(dict(answer["links"]), str(holds.get(UNRECORDED, {}).get("reason", "")))


def unit_of(said: str) -> Unit:
    """What ``systemctl show`` says."""
    facts = dict(line.partition("=")[::2] for line in said.splitlines())
    return Unit(
        loaded=facts.get("LoadState") == "loaded",
        active=facts.get("ActiveState", ""),
        enabled=facts.get("UnitFileState") in ("enabled", "static", "alias", "enabled-runtime"),
        result=facts.get("Result", ""),
        main_pid=int(facts.get("MainPID") or 0),
    )


def _group(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def _output(*command: str) -> str:
    """What a program says; "" if it is not there or fails."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=ASK_S)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
