"""The system's udevd in the guest: it makes names and rights of devices, and tells libusb what is plugged in.

The guest has no services of its own; where a program asks udev of devices, udevd must run before it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sim.guest.kernel import GuestError
from sim.guest.machine import require_inside

PLACES = (Path("/lib/systemd/systemd-udevd"), Path("/usr/lib/systemd/systemd-udevd"))
RULES = Path("/run/udev/rules.d")  # writable in the guest, and read beside the system's own
SYSTEM_RULES = Path("/usr/lib/udev/rules.d")
SETTLED_S = 60


def udevd() -> Path | None:
    """The program, where it is installed."""
    return next((path for path in PLACES if os.access(path, os.X_OK)), None)


def lacking() -> str:
    """What keeps it from running; empty when nothing does."""
    return "" if udevd() is not None else "systemd-udevd is not installed (Debian: apt-get install udev)"


def start(rules: Sequence[tuple[str, str]] = (), *, bare: bool = False) -> None:
    """Start it with these files of rules (name, text) besides the system's, or (``bare``) instead of them,
    which spares an emulated processor seconds at each plugging. Raises ``GuestError``, as outside a guest.
    """
    require_inside()
    program = udevd()
    if program is None:
        raise GuestError(lacking())
    RULES.mkdir(parents=True, exist_ok=True)
    for path in SYSTEM_RULES.glob("*.rules") if bare else ():
        (RULES / path.name).symlink_to("/dev/null")  # takes the place of the system's
    for name, text in rules:
        (RULES / name).write_text(text, encoding="utf-8")
    _do(str(program), "--daemon")


def settle() -> None:
    """Return when it has dealt with all that was plugged in or out. Raises ``GuestError``."""
    _do("udevadm", "settle", f"--timeout={SETTLED_S}")


def _do(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GuestError(f"{' '.join(words)} failed in the guest: {(done.stderr or done.stdout).strip()}")
