"""The steps of ``tablectl install`` and their undoing. Each is told when it is done, and can be done again.

Nothing here starts, stops or restarts a daemon that runs: a hand may be in play. Only *uninstall* ends it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from protocols.transports import listing
from tablectl.daemon.config import read_config
from tablectl.daemon.errors import DaemonError
from tablectl.daemon.sections import Device
from tablectl.tomlfile import TomlError

from . import texts
from .errors import BadUser, NoSystemd, NotRoot, NoUser, ProgramHidden
from .marks import marked
from .place import link, put, remove, unlink
from .system import System, ThisSystem
from .udev import link_names, match_of

ROOT = Path("/")
ON_PATH = (Path("/usr/local/bin"), Path("/usr/bin"))
OWN_USER = "tablectl"  # made where nobody else is named
USER_NAME = re.compile(r"[a-z_][a-z0-9_-]{0,30}\$?")
Tell = Callable[..., None]


@dataclass(slots=True)
class Installer:
    """One run. ``tell`` gets a text key and its facts for every step; ``program`` is the command to start."""

    program: Sequence[str]
    user: str
    tell: Tell
    root: Path = ROOT
    dry_run: bool = False
    system: System = field(default_factory=ThisSystem)

    def install(self) -> None:
        """Do all of it. Raises a ``DaemonError`` at the first step that fails; what is done stays done."""
        self._check()
        if not USER_NAME.fullmatch(self.user) or self.user == "root":
            raise BadUser(user=self.user)
        self._user()
        config = self._config()
        if self._has_script:
            target = Path(self.program[0])
            outcome = link(self._path(texts.COMMAND), target, dry_run=self.dry_run)
            self._tell_outcome(outcome, texts.COMMAND)
        self._put(texts.UNIT, marked(texts.unit(self.program, self.user)))
        devices = self._devices(config)
        if devices is not None:
            self._put(texts.RULES, marked(texts.udev(devices)))
            self._say_which_rules(devices)
        self._run("systemctl", "daemon-reload")
        self._run("systemctl", "enable", texts.SERVICE)
        self._run("udevadm", "control", "--reload")
        for subsystem in ("tty", "usb"):
            self._run("udevadm", "trigger", "--action=change", f"--subsystem-match={subsystem}")
        self._say_where_the_record_is()
        self.tell("install.next_start" if devices else "install.next", path=str(config))

    def uninstall(self) -> None:
        """Take back what was written and not changed since. The record stays, and so does the user."""
        self._check()
        if self._path(texts.UNIT).exists():
            self._run("systemctl", "disable", "--now", texts.SERVICE)
        for place in (texts.UNIT, texts.RULES, texts.CONFIG):
            outcome = remove(self._path(place), dry_run=self.dry_run)
            self._tell_outcome(outcome, place)
        if self._has_script:
            outcome = unlink(self._path(texts.COMMAND), Path(self.program[0]), dry_run=self.dry_run)
            self._tell_outcome(outcome, texts.COMMAND)
        self._run("systemctl", "daemon-reload")
        self._run("udevadm", "control", "--reload")
        self.tell("install.record_stays", path=str(self._path(texts.STATE)))

    # ---- the steps -----------------------------------------------------------------------------------

    def _check(self) -> None:
        program = " ".join(self.program)
        if self._is_elsewhere or self.dry_run:
            return
        if not self.system.is_root():
            raise NotRoot(path=str(self._path(texts.UNIT.parent)), program=program)
        if not self.system.has_systemd():
            raise NoSystemd(program=program)

    def _user(self) -> None:
        """A user of the service's own is made; others must be there. All get the group of serial ports."""
        if self._is_elsewhere:
            self.tell("install.user_elsewhere", user=self.user, group=texts.GROUP)
            return
        there = self.system.has_user(self.user)
        if not there and self.user != OWN_USER:
            raise NoUser(user=self.user)
        if hidden := self.system.hidden_folder(self.program[0], self.user):
            raise ProgramHidden(user=self.user, folder=hidden, program=self.program[0])
        if not there:
            home = str(ROOT / texts.STATE)
            self._run(
                "useradd", "--system", "--user-group", "--no-create-home", "--home-dir", home,
                "--shell", "/usr/sbin/nologin", self.user,
            )  # fmt: skip
        self._run("usermod", "--append", "--groups", texts.GROUP, self.user)
        self.tell("install.user", user=self.user)

    def _config(self) -> Path:
        """The configuration, with the port of the only device that is plugged in, if it is the only one."""
        found = [one for one in listing.devices(self.root) if one.usb]
        port = found[0].address if len(found) == 1 else ""
        self._put(texts.CONFIG, marked(texts.config(port), texts.config()))
        if port:
            self.tell("install.port", port=port)
        return self._path(texts.CONFIG)

    def _devices(self, config: Path) -> tuple[Device, ...] | None:
        """What the configuration there names; None, told, if it cannot be read."""
        try:
            return tuple(device for device in read_config(config).device if device.port)
        except TomlError as error:
            self.tell("install.config_unread", error=error)
        except DaemonError as error:
            if not self.dry_run:
                self.tell("install.config_unread", error=error)
        return () if self.dry_run else None

    def _say_which_rules(self, devices: Sequence[Device]) -> None:
        for device, name in zip(devices, link_names(devices), strict=True):
            if match_of(device.port):
                self.tell("install.link", device=device.name, link=f"/dev/tablectl/{name}")
            else:
                self.tell("install.no_rule", device=device.name, port=device.port)

    def _say_where_the_record_is(self) -> None:
        """A table that was run by hand has a record already; the service would begin another."""
        if self._is_elsewhere or (self._path(texts.STATE) / "journal.jsonl").exists():
            return
        if old := self.system.old_record(self.user):
            self.tell("install.old_record", old=old, path=str(self._path(texts.STATE)), user=self.user)

    # ---- small things --------------------------------------------------------------------------------

    @property
    def _has_script(self) -> bool:
        """Is the program one file that shells do not find by themselves?"""
        return len(self.program) == 1 and Path(self.program[0]).parent not in ON_PATH

    @property
    def _is_elsewhere(self) -> bool:
        """Not this computer's own system: files only."""
        return self.root.resolve() != ROOT

    def _path(self, place: Path) -> Path:
        return self.root / place

    def _put(self, place: Path, text: str) -> None:
        self._tell_outcome(put(self._path(place), text, dry_run=self.dry_run), place)

    def _tell_outcome(self, outcome: str, place: Path) -> None:
        would = "would_" if self.dry_run and outcome in ("written", "renewed", "beside", "removed") else ""
        self.tell(f"install.{would}{outcome}", path=str(self._path(place)))

    def _run(self, *command: str) -> None:
        said = " ".join(command)
        if self._is_elsewhere or self.dry_run:
            self.tell("install.elsewhere" if self._is_elsewhere else "install.would_run", command=said)
            return
        self.system.run(command)
        self.tell("install.ran", command=said)
