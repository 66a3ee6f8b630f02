"""What an installation asks of the system beyond files; another one stands in for it in tests."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from .errors import CommandFailed

TIMEOUT_S = 60.0
SAID = 300  # characters of what a program complained


class System(Protocol):
    """The computer that is installed on."""

    def is_root(self) -> bool: ...

    def has_systemd(self) -> bool: ...

    def has_user(self, user: str) -> bool: ...

    def hidden_folder(self, program: str, user: str) -> str:
        """The folder above the program that the user may not enter; "" if there is none."""

    def old_record(self, user: str) -> str:
        """The folder with the record of that user's own daemon; "" if there is none."""

    def run(self, command: Sequence[str]) -> None:
        """Run a program of the system. Raises ``CommandFailed``."""


class ThisSystem:
    """The computer this runs on."""

    def is_root(self) -> bool:
        """May it write everywhere?"""
        return os.geteuid() == 0

    def has_systemd(self) -> bool:
        """Does systemd run the services here?"""
        return Path("/run/systemd/system").is_dir()

    def has_user(self, user: str) -> bool:
        """Is there such a user?"""
        try:
            pwd.getpwnam(user)
        except KeyError:
            return False
        return True

    def hidden_folder(self, program: str, user: str) -> str:
        """By the modes of the folders above the program, the Python that runs it, and its modules. A user who
        does not exist yet is nobody's friend."""
        try:
            account = pwd.getpwnam(user)
            uid, groups = account.pw_uid, os.getgrouplist(user, account.pw_gid)
        except KeyError:
            uid, groups = -1, []
        for path in (program, sys.executable, __file__):
            ways = {*Path(path).absolute().parents, *Path(os.path.realpath(path)).parents}
            for folder in sorted(ways):
                facts = folder.stat()
                shift = 6 if facts.st_uid == uid else 3 if facts.st_gid in groups else 0
                if not facts.st_mode >> shift & 0o1:
                    return str(folder)
        return ""

    def old_record(self, user: str) -> str:
        """Where a daemon started by hand keeps it."""
        try:
            folder = Path(pwd.getpwnam(user).pw_dir) / ".local/state/tablectl"
        except KeyError:
            return ""
        return str(folder) if (folder / "journal.jsonl").exists() else ""

    def run(self, command: Sequence[str]) -> None:
        """Run it and wait. Raises ``CommandFailed``."""
        if shutil.which(command[0]) is None:
            raise CommandFailed(command=" ".join(command), reason=f"there is no {command[0]}")
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CommandFailed(command=" ".join(command), reason=str(error)) from error
        if done.returncode:
            reason = (done.stderr or done.stdout).strip()[-SAID:] or f"exit code {done.returncode}"
            raise CommandFailed(command=" ".join(command), reason=reason)
