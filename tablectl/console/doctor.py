"""``tablectl doctor``: what is wrong with this computer and its ports, a line a check, and what mends it.

Nothing is opened, moved or changed. Exit codes: 0 nothing is wrong (though some things may be unknown here),
1 something is.
"""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

from tablectl.console.run import rule_book
from tablectl.console.socket_path import find_socket
from tablectl.daemon.config import Overrides, Settings, load_settings
from tablectl.daemon.errors import DaemonError
from tablectl.daemon.sections import Device
from tablectl.deploy import texts
from tablectl.deploy.doctor import case_of, examine
from tablectl.deploy.finding import Finding
from tablectl.deploy.machine import Machine
from tablectl.deploy.this_machine import ThisMachine
from tablectl.locale.catalog import text
from tablectl.tomlfile import TomlError

from .sentences import sentence
from .terminal import FAILED, OK, Terminal
from .width import clean

SIGNS = {"ok": "✓", "problem": "✕", "unknown": "?"}


def main(args: Namespace, machine: Machine | None = None) -> int:
    """Look at everything and say what was found. Returns the exit code."""
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    overrides = Overrides(
        config=Path(args.config) if args.config else None,
        port=args.port,
        state_dir=Path(args.state_dir) if args.state_dir else None,
        socket=Path(args.socket) if args.socket else None,
    )
    devices: tuple[Device, ...] = ()
    path = str(overrides.config or f"/{texts.CONFIG}")
    state_dir, socket = Path("/") / texts.STATE, Path(find_socket(args.socket or "", os.environ))
    try:
        settings = load_settings(overrides, os.environ)
        devices, state_dir, socket = settings.devices, settings.state_dir, settings.socket
        path = str(settings.source or path)
        key = "doctor.config.ok" if settings.source else "doctor.config.none"
        config = [Finding("config", "ok", key, {"path": str(settings.source)}), rulesets(settings)]
    except (TomlError, DaemonError) as error:
        config = [Finding("config", "problem", "doctor.config.wrong", {"error": error}, f"sudoedit {path}")]
    findings = [*config, *examine(case_of(machine or ThisMachine(), devices, state_dir, socket, path))]
    wrong = [finding for finding in findings if finding.verdict == "problem"]
    if terminal.as_json:
        rows = [row(finding, terminal.lang) for finding in findings]
        terminal.json({"ok": not wrong, "problems": len(wrong), "checks": rows})
    else:
        for finding in findings:
            terminal.line(line(finding, terminal.lang))
        key = "doctor.wrong" if wrong else "doctor.well"
        terminal.say(key, count=len(wrong))
    return FAILED if wrong else OK


def rulesets(settings: Settings) -> Finding:
    """Would the daemon start with the rule systems the configuration names?"""
    try:
        book = rule_book(settings)
    except (TomlError, DaemonError) as error:
        wrong = error.source if isinstance(error, TomlError) else settings.source
        return Finding("rulesets", "problem", "doctor.rulesets.wrong", {"error": error}, f"sudoedit {wrong}")
    return Finding("rulesets", "ok", "doctor.rulesets.ok", {"count": len(book), "rules": settings.rules})


def line(finding: Finding, lang: str) -> str:
    """A check for a person: verdict, what was found, what mends it."""
    verdict = f"{SIGNS[finding.verdict]} {text(f'doctor.verdict.{finding.verdict}', lang)}"
    mend = f" → {finding.mend}" if finding.mend else ""
    return clean(f"{verdict}: {said_of(finding, lang)}{mend}")


def row(finding: Finding, lang: str) -> dict[str, Any]:
    """A check as plain data."""
    return {
        "check": finding.check,
        "verdict": finding.verdict,
        "text": said_of(finding, lang),
        "mend": finding.mend,
        "facts": {
            name: str(value) if isinstance(value, Exception) else value
            for name, value in finding.facts.items()
        },
    }


def said_of(finding: Finding, lang: str) -> str:
    """The sentence, and in it the sentence of an error."""
    facts = {
        name: sentence(value, lang) if isinstance(value, Exception) else value
        for name, value in finding.facts.items()
    }
    return text(finding.key, lang, **facts)
