"""``tablectl hil PORT``: does the board at this port keep what SPEC.md requires, requirement by requirement?

It asks before anything moves; ``--yes`` answers, ``--no-motion`` moves nothing. The board hears of a record
of its own, so it forgets what it kept for the daemon's, which must not run meanwhile.

Exit codes: 0 all kept, 1 something is not, 2 usage, 5 no table; 130 Ctrl-C.
"""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from pathlib import Path

from protocols.atp.requirements import requirements
from protocols.conformance.evidence import Result, Verdict
from protocols.conformance.settings import Settings
from protocols.conformance.suite import Report, run_suite
from protocols.errors import AddressError, PortMissing, PortUnusable, TransportError
from protocols.transports import listing
from protocols.transports.port import port_at
from tablectl.api.errors import BadArgument
from tablectl.locale.catalog import text

from .hil_junit import junit
from .hil_page import page
from .hil_words import as_data, head, line, sum_up, words
from .sentences import sentence
from .terminal import FAILED, NO_TABLE, OK, USAGE, Terminal
from .width import clean


def main(args: Namespace) -> int:
    """Run the suite and show what it says. Returns the exit code."""
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    chosen = chosen_ids(args.only or "")
    if not args.port:
        return _no_port(terminal, text("hil.no_port", terminal.lang), USAGE)
    try:
        require(args.port)
    except (AddressError, PortMissing, PortUnusable) as error:
        code = USAGE if isinstance(error, AddressError) else NO_TABLE
        return _no_port(terminal, sentence(error, terminal.lang), code)
    motion = not args.no_motion
    if motion and not args.yes and not _agreed(terminal):
        return USAGE
    screen = Progress(terminal)
    settings = Settings(motion=motion, baud=int(args.baud), only=chosen, told=screen.told)
    settings.about_to = screen.about_to
    if args.power_cycle:
        settings.restart = lambda: asyncio.to_thread(_ask_restart, terminal)
    try:
        report = asyncio.run(check(args.port, int(args.baud), settings))
    except TransportError as error:
        screen.clear()
        terminal.complain(f"tablectl hil: {sentence(error, terminal.lang)}")
        return NO_TABLE
    screen.clear()
    return _show(terminal, report, args)


def require(address: str) -> None:
    """Raise ``AddressError`` for what names no port, ``PortMissing`` for a port that is not there now, and
    ``PortUnusable`` for a file: nobody is asked to clear a table for any of them."""
    path = Path(address)
    if path.exists() and not path.is_char_device():
        raise PortUnusable(address, "it is no device")
    present = port_at(address).present
    if present is not None and not present():
        raise PortMissing(address)


def _no_port(terminal: Terminal, said: str, code: int) -> int:
    """Say why, and what is plugged in. Returns the exit code."""
    ports = ", ".join(one.address for one in listing.devices())
    here = text("hil.ports" if ports else "hil.no_ports", terminal.lang, ports=ports)
    terminal.complain(f"tablectl hil: {clean(said)}")
    terminal.complain(f"tablectl hil: {clean(here)}")
    return code


async def check(address: str, baud: int, settings: Settings) -> Report:
    """Run the suite on a port. Raises ``AddressError`` and ``TransportError``."""
    port = port_at(address, baud=baud)
    try:
        return await run_suite(port.open, settings)
    finally:
        await port.settle()


def chosen_ids(given: str) -> frozenset[str]:
    """The requirements named, by id or number. Raises ``BadArgument`` for one there is not."""
    known = requirements()
    found = set()
    for word in given.replace(",", " ").split():
        number = word.upper().removeprefix("ATP-").removeprefix("R")
        id = f"ATP-R{number.zfill(2)}"
        if id not in known:
            raise BadArgument("bad.requirement", given=clean(word), first=min(known), last=max(known))
        found.add(id)
    return frozenset(found)


class Progress:
    """One line that says what is being checked, where there is a screen; each failure as it comes."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._shown = not terminal.as_json and sys.stderr.isatty() and not terminal.plain

    def about_to(self, requirement: str, number: int, of: int) -> None:
        """The next check begins."""
        if self._shown:
            said = text("hil.checking", self._terminal.lang, requirement=requirement, number=number, of=of)
            print(f"\r\x1b[K{clean(said)}", end="", file=sys.stderr, flush=True)

    def told(self, result: Result) -> None:
        """A check is over."""
        if not self._terminal.as_json and result.verdict is Verdict.FAILED:
            self.clear()
            self._terminal.line(line(result, self._terminal.lang))

    def clear(self) -> None:
        """Make room for what stays."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _agreed(terminal: Terminal) -> bool:
    """Ask whether the table may move. Without a person who could say so it may not."""
    if not sys.stdin.isatty():
        terminal.complain(f"tablectl hil: {text('hil.nobody_to_ask', terminal.lang)}")
        return False
    print(text("hil.ask_motion", terminal.lang), end=" ", file=sys.stderr, flush=True)
    try:
        answer = input().strip().lower()
    except EOFError:
        answer = ""
    if answer in ("y", "yes", "是", "好"):
        return True
    terminal.complain(text("hil.no_motion_then", terminal.lang))
    return False


def _ask_restart(terminal: Terminal) -> None:
    print(f"\n{text('hil.ask_restart', terminal.lang)}", end=" ", file=sys.stderr, flush=True)
    sys.stdin.readline()


def _show(terminal: Terminal, report: Report, args: Namespace) -> int:
    """Print the report and write the files asked for. Returns the exit code."""
    data = as_data(report, args.port, terminal.lang)
    files = {args.junit: junit(report, args.port, terminal.lang), args.report: page(report, args.port)}
    for path, content in files.items():
        if path:
            try:
                Path(path).write_text(content, encoding="utf-8")
            except OSError as error:
                reason = error.strerror or str(error)
                said = text("hil.not_written", terminal.lang, path=path, reason=reason)
                terminal.complain(f"tablectl hil: {clean(said)}")
                return USAGE
    if terminal.as_json:
        terminal.json(data)
    else:
        for one in head(report, args.port, terminal.lang):
            terminal.line(one)
        for result in report.results:
            if result.verdict is not Verdict.FAILED:  # those were shown as they came
                terminal.line(line(result, terminal.lang))
        for result in report.failed:
            terminal.line(words(result, terminal.lang))
        terminal.line(sum_up(report, terminal.lang))
    return FAILED if report.failed else OK
