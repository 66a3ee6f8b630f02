"""The files an installation consists of, as texts: the unit, the udev rules, the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tablectl.daemon.sections import Device

from .udev import rules

HERE = Path(__file__).parent
SERVICE = "tablectl.service"
UNIT = Path("etc/systemd/system") / SERVICE
RULES = Path("etc/udev/rules.d/60-tablectl.rules")  # after 60-serial.rules, before ModemManager's
CONFIG = Path("etc/tablectl/tablectl.toml")
COMMAND = Path("usr/local/bin/tablectl")  # where a shell finds it, behind sudo too
STATE = Path("var/lib/tablectl")
GROUP = "dialout"  # of serial ports, on Debian and its children
NO_PORT = '# port = "/dev/serial/by-id/usb-Acme_MJ4_0042-if00-port0"'


def unit(program: Sequence[str], user: str) -> str:
    """The unit that runs the daemon as that user; ``program`` is the command without ``run``.

    A program in somebody's home or in /tmp has to be readable there.
    """
    first = Path(program[0])
    at_home = any(parent in first.parents for parent in (Path("/home"), Path("/root")))
    text = (HERE / SERVICE).read_text(encoding="utf-8")
    filled = {
        "EXEC": " ".join(map(_word, program)),
        "USER": user,
        "GROUP": GROUP,
        "HOME": "read-only" if at_home else "yes",
        "TMP": "no" if Path("/tmp") in first.parents or Path("/var/tmp") in first.parents else "yes",
    }
    for name, value in filled.items():
        text = text.replace(f"@{name}@", value)
    return text


def _word(word: str) -> str:
    """A word of a command line as systemd reads it."""
    word = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{word}"' if " " in word else word


def config(port: str = "") -> str:
    """The commented configuration, with the port of the one device that is there."""
    escaped = port.replace("\\", "\\\\").replace('"', '\\"')
    text = (HERE / "tablectl.toml").read_text(encoding="utf-8")
    return text.replace("@PORT@", f'port = "{escaped}"' if port else NO_PORT)


def udev(devices: Sequence[Device]) -> str:
    """The rules file of the configured devices."""
    return rules(devices, GROUP)
