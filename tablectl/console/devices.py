"""``tablectl devices``: what is plugged in that could be a table, and what is wrong with it.

Nothing is opened without ``--hello``, and with it only what the configuration or ``--port`` names, if they
name anything: other devices need not like to be spoken to. ``--watch`` looks four times a second and says
what came and went.

Exit codes: 0 something is there, 5 nothing is, 130 Ctrl-C.
"""

from __future__ import annotations

import asyncio
import os
import signal
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from protocols.panel.wiring import Wiring
from protocols.transports import listing
from protocols.transports.listing import ROOT, Found
from tablectl.daemon.config import Overrides, load_settings
from tablectl.daemon.errors import DaemonError
from tablectl.daemon.sections import Device
from tablectl.locale.catalog import text
from tablectl.tomlfile import TomlError

from .devices_hello import BAUD, Greeting, UnknownJournal, greet, journal_id
from .sentences import sentence
from .terminal import INTERRUPTED, NO_TABLE, OK, Terminal
from .width import clean

CLOSED = {"missing", "forbidden", "forbidden_usb", "busy"}  # troubles with which nothing can be opened
LOOK_S = 0.25  # between two looks: a quarter of a second feels like at once


def main(args: Namespace) -> int:
    """List, and watch if asked to. Returns the exit code."""
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    overrides = Overrides(
        config=Path(args.config) if args.config else None,
        port=args.port,
        state_dir=Path(args.state_dir) if args.state_dir else None,
    )
    configured: tuple[Device, ...] = ()
    wirings: Mapping[str, Wiring] = {}
    journal = None
    try:
        settings = load_settings(overrides, os.environ)
        configured = tuple(device for device in settings.devices if device.port)
        wirings = settings.wirings
        journal = journal_id(settings.journal) if args.hello else None
    except (TomlError, DaemonError) as error:  # no reason to show nothing
        terminal.complain(f"tablectl devices: {sentence(error, terminal.lang)}")
    except UnknownJournal as error:
        terminal.complain(f"tablectl devices: {text('devices.no_hello', terminal.lang, path=error.path)}")
    return asyncio.run(_run(terminal, Listing(configured, wirings=wirings), journal, args.watch))


class Listing:
    """What is plugged in, and what the configuration expects to be."""

    def __init__(
        self,
        configured: tuple[Device, ...],
        root: Path = ROOT,
        *,
        wirings: Mapping[str, Wiring] | None = None,
    ) -> None:
        self._configured = configured
        self._wirings = wirings or {}
        self._root = root

    def now(self) -> list[dict[str, Any]]:
        """Each device as plain data; ``configured`` is its name in the configuration, "" = in none."""
        found = listing.devices(self._root)
        rows = []
        for one in found:
            uses = [device for device in self._configured if listing.names(one, device.port)]
            rows.append(_row(one, uses[0] if uses else None))
        for device in self._configured:
            if not any(listing.names(one, device.port) for one in found):
                rows.append(_row(listing.look_at(device.port, self._root), device))
        return rows

    async def greeted(self, row: dict[str, Any], journal: bytes | None) -> dict[str, Any]:
        """The row, with who answers at that port if it can be asked, in the name of a journal."""
        wrong = {trouble["key"] for trouble in row["troubles"]}
        stranger = self._configured and not row["configured"]
        if journal is None or stranger or wrong & CLOSED:
            return row
        device = next((one for one in self._configured if one.name == row["configured"]), Device())
        wiring = self._wirings.get(device.name)
        baud = row["baud"] or BAUD
        hello = await greet(row["address"], journal, baud, device.driver, wiring, device.options)
        return {**row, "hello": hello, "troubles": (*row["troubles"], *self._strangers(device, hello))}

    def _strangers(self, device: Device, hello: Greeting) -> list[dict[str, Any]]:
        """Is it another board than the one the configuration expects there?"""
        number = hello.get("serial")
        if not device.serial or number is None or number == device.serial:
            return []
        other = next((one.name for one in self._configured if one.serial == number), "")
        if other:
            return [{"key": "swapped", "facts": {"here": device.name, "other": other}}]
        return [{"key": "stranger", "facts": {"here": device.name, "serial": device.serial}}]

    def trace(self) -> object:
        """Something that is another when `now` may be."""
        paths = [(device.port, os.path.exists(device.port)) for device in self._configured]
        return listing.trace(self._root), paths


def _row(one: Found, device: Device | None) -> dict[str, Any]:
    return {**asdict(one), "configured": device.name if device else "", "baud": device.baud if device else 0}


async def _run(terminal: Terminal, devices: Listing, journal: bytes | None, watch: bool) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    seen, trace = devices.now(), devices.trace()
    rows = [await devices.greeted(row, journal) for row in seen]
    if terminal.as_json and not watch:
        terminal.json({"devices": rows})
    elif not rows and not terminal.as_json:
        terminal.say("devices.none")
    for row in rows if watch or not terminal.as_json else []:
        _print(terminal, "", row)
    if not watch:
        return OK if rows else NO_TABLE
    while not await _stopped(stop):
        now = devices.trace()
        if now == trace:
            continue
        trace, before, seen = now, seen, devices.now()
        for change, row in changes(before, seen):
            _print(terminal, change, await devices.greeted(row, None if change == "gone" else journal))
    return INTERRUPTED


async def _stopped(stop: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(stop.wait(), LOOK_S)
    except TimeoutError:
        return False
    return True


def changes(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """What went, came, and is there in another way."""
    old, new = ({row["address"]: row for row in rows} for rows in (before, now))
    gone = [("gone", row) for address, row in old.items() if address not in new]
    come = [("come", row) for address, row in new.items() if address not in old]
    return [*gone, *come, *(("changed", row) for key, row in new.items() if key in old and old[key] != row)]


def _print(terminal: Terminal, change: str, row: dict[str, Any]) -> None:
    if terminal.as_json:
        terminal.json({"change": change or "there", "device": row})
        return
    for line in lines(row, change, terminal.lang):
        terminal.line(clean(line))


def lines(row: dict[str, Any], change: str, lang: str) -> list[str]:
    """A device for a person: its address, what it is, what is wrong, who answers."""
    mark = text(f"devices.{change}", lang) + " " if change else ""
    out = [mark + row["address"]]
    if change == "gone":
        return out
    what = [row["product"], row["usb"], row["serial"] and text("devices.number", lang, serial=row["serial"])]
    what += [row["node"] if row["node"] != row["address"] else "", row["place"]]
    what += [row["driver"] and text("devices.by_driver", lang, driver=row["driver"])]
    if row.get("latency_ms"):
        what.append(text("devices.latency", lang, ms=row["latency_ms"]))
    what += [row["configured"] and text("devices.configured", lang, name=row["configured"])]
    out += ["  " + " · ".join(part for part in what if part)] if any(what) else []
    out += [f"  {text('devices.also', lang, name=name)}" for name in row["names"]]
    out += [f"  ✕ {_trouble(one, lang)}" for one in row["troubles"]]
    if greeting := row.get("hello"):
        out.append("  " + _said(greeting, lang))
    return out


def _said(greeting: Greeting, lang: str) -> str:
    if "key" in greeting:
        return f"✕ {text(greeting['key'], lang, **greeting['facts'])}"
    return "✓ " + text("devices.board", lang, **greeting)


def _trouble(trouble: dict[str, Any], lang: str) -> str:
    return text(f"devices.trouble.{trouble['key']}", lang, **trouble["facts"])
