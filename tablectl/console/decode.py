"""``tablectl decode FILE|PORT``: what the two ends of a wire said to each other, a line a message.

A file is a capture of ``tablectl record``, or the raw bytes of one direction or of both as they were on the
wire. A port is only listened to: nothing is written to it, and no other program may have it open. Tiles are
covered; ``--open`` shows those of a file, and of a port once its board has said that it is a simulated table.

Exit codes: 0 decoded, 1 nothing of it is ATP, 2 no such file, 3 not to be opened, 5 no port; 130 Ctrl-C.
"""

from __future__ import annotations

import asyncio
import errno
import os
import stat
from argparse import Namespace
from pathlib import Path

from protocols.errors import CaptureError, TransportError
from tablectl.api.errors import BadArgument
from tablectl.locale.catalog import text

from .decode_file import Heard, heard_in
from .decode_lines import NotSimulated, Veil, entry, line
from .decode_port import arriving
from .decode_wire import Cutter
from .sentences import sentence
from .terminal import FAILED, INTERRUPTED, NO_TABLE, OK, REFUSED, Terminal
from .width import clean

DEVICES = "/dev/"


def main(args: Namespace) -> int:
    """Print a capture, or a port until Ctrl-C. Returns the exit code."""
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    live = _is_port(args.source)
    printer = Printer(terminal, Veil(wanted_open=args.open, live=live))
    if not live:
        return read(Path(args.source), printer)
    if args.open:
        terminal.complain("tablectl: " + _said(terminal, "decode.covered"))
    try:
        return asyncio.run(listen(args.source, int(args.baud), printer))
    except NotSimulated:
        terminal.complain("tablectl: " + _said(terminal, "decode.not_simulated", port=args.source))
        return REFUSED
    except TransportError as error:
        terminal.complain(f"tablectl: {sentence(error, terminal.lang)}")
        return NO_TABLE


class Printer:
    """Prints pieces of a wire, and counts them."""

    def __init__(self, terminal: Terminal, veil: Veil) -> None:
        self.terminal = terminal
        self.frames = self.damaged = self.damaged_bytes = 0
        self._veil = veil

    def print(self, heard: Heard) -> None:
        """Print one. Raises ``NotSimulated``."""
        found = entry(heard, self._veil)
        if heard.piece.frame is None:
            self.damaged += 1
            self.damaged_bytes += heard.piece.size
        else:
            self.frames += 1
        if self.terminal.as_json:
            self.terminal.json(found)
        else:
            self.terminal.line(line(found, self.terminal.lang))

    def sum_up(self) -> None:
        """Say how much it was; in JSON whoever reads it can count."""
        if not self.terminal.as_json:
            key = "decode.sum_damaged" if self.damaged else "decode.sum"
            counts = {"frames": self.frames, "damaged": self.damaged, "bytes": self.damaged_bytes}
            self.terminal.say(key, **counts)


def read(path: Path, printer: Printer) -> int:
    """Print a file. One without a single good frame is something else: a sentence says so."""
    terminal = printer.terminal
    try:
        # A pipe can be read only once: whatever it brings is printed as it comes.
        if path.is_file() and not any(heard.piece.frame for heard in heard_in(path)):
            size = path.stat().st_size
            said = _said(terminal, "decode.not_atp" if size else "decode.empty", path=path, bytes=size)
            terminal.complain(f"tablectl: {said}")
            return FAILED
        for heard in heard_in(path):
            printer.print(heard)
    except CaptureError as error:
        terminal.complain("tablectl: " + _said(terminal, "decode.broken", path=path, at=error.at))
        return FAILED
    printer.sum_up()
    return OK


async def listen(port: str, baud: int, printer: Printer) -> int:
    """Print what arrives until Ctrl-C. Raises ``TransportError`` when there is no port, or no longer."""
    cutter, seconds = Cutter(), 0.0
    async for seconds, data in arriving(port, baud):
        for piece in cutter.feed(data):
            printer.print(Heard(piece, seconds))
    for piece in cutter.end():
        printer.print(Heard(piece, seconds))
    printer.sum_up()
    return INTERRUPTED


def _is_port(source: str) -> bool:
    """A device is listened to, anything else read. Raises ``BadArgument`` where there is nothing."""
    try:
        return stat.S_ISCHR(Path(source).stat().st_mode)
    except FileNotFoundError:
        if source.startswith(DEVICES):
            return True  # a port that is not plugged in has a sentence of its own
        reason = os.strerror(errno.ENOENT)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    raise BadArgument("bad.file", path=clean(source), reason=reason)


def _said(terminal: Terminal, key: str, **data: object) -> str:
    return clean(text(key, terminal.lang, **data))
