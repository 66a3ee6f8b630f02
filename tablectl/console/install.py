"""``tablectl install``: the service of this computer, its udev rules and its configuration.

Exit codes: 0 done, 1 not done (the sentence says why), 2 usage.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from tablectl.daemon.errors import DaemonError
from tablectl.deploy.installer import OWN_USER, ROOT, Installer
from tablectl.locale.catalog import text

from .sentences import sentence
from .terminal import FAILED, OK, Terminal
from .width import clean


def main(args: Namespace) -> int:
    """Install, or with ``--uninstall`` take it back. Returns the exit code."""
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    installer = Installer(
        program=program(),
        user=args.user or service_user(os.environ.get("SUDO_USER", "")),
        tell=Teller(terminal),
        root=Path(args.root) if args.root else ROOT,
        dry_run=args.dry_run,
    )
    try:
        installer.uninstall() if args.uninstall else installer.install()
    except DaemonError as error:
        terminal.complain(f"tablectl install: {sentence(error, terminal.lang)}")
        return FAILED
    return OK


class Teller:
    """Says each step in words, or as a line of JSON."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    def __call__(self, key: str, **facts: Any) -> None:
        """One step."""
        lang = self._terminal.lang
        told = {
            name: sentence(fact, lang) if isinstance(fact, Exception) else fact
            for name, fact in facts.items()
        }
        if self._terminal.as_json:
            self._terminal.json({"step": key.partition(".")[2], **told})
        else:
            self._terminal.line(clean(text(key, lang, **told)))


def service_user(sudo_user: str) -> str:
    """Whoever asked by sudo: their terminal may then give commands. Else a user of the service's own."""
    return sudo_user if sudo_user not in ("", "root") else OWN_USER


def program() -> list[str]:
    """The command that starts this program, by an absolute path."""
    script = Path(sys.executable).with_name("tablectl")
    return [str(script)] if script.exists() else [sys.executable, "-m", "tablectl"]
