"""``tablectl record`` and ``tablectl replay``: wire traffic kept and played again, byte for byte.

The recorder sits between a board and the daemon: it owns the board's port and offers a pty under another
name, which the daemon opens instead. The player is the board's side of a capture at the end of a pty: it
says what the board said, when it said it, whatever the host answers.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path
from random import Random

from protocols.capture import CaptureWriter, Chunk, Way, read_capture
from protocols.errors import AddressError, CaptureError, TransportError
from protocols.transports.base import Stream
from protocols.transports.port import port_at
from sim.endpoints.pty import PtyEndpoint
from tablectl.api.arguments import shown
from tablectl.api.errors import BadArgument

US = 1_000_000
PTY = "pty:"
BUFFER = 1 << 20  # bytes of a capture kept in memory: minutes of traffic


def record(args: argparse.Namespace) -> int:
    """Record until Ctrl-C or until the board is gone. Returns the exit code; raises ``BadArgument``."""
    link = _link(args.endpoint)
    try:
        return asyncio.run(_record(args.port, int(args.baud), link, Path(args.file)))
    except AddressError as error:
        return _complain("record", str(error), 2)
    except TransportError as error:
        return _complain("record", str(error), 5)
    except OSError as error:
        return _complain("record", f"{args.file}: {error.strerror}" if error.strerror else str(error), 2)


def replay(args: argparse.Namespace) -> int:
    """Play a capture's board at the end of a pty. Returns the exit code; raises ``BadArgument``."""
    link = _link(args.endpoint)
    try:
        with Path(args.file).open("rb") as file:
            chunks = [chunk for chunk in read_capture(file) if chunk.way is Way.TO_HOST]
        return asyncio.run(_replay(chunks, link, int(args.speed)))
    except CaptureError as error:
        return _complain("replay", f"{args.file}: {error}", 2)
    except OSError as error:
        return _complain("replay", f"{args.file}: {error.strerror}" if error.strerror else str(error), 2)


class _Tap:
    """The board's stream on one side, the daemon's pty on the other, the capture between."""

    def __init__(self, pty: PtyEndpoint, writer: CaptureWriter, stop: asyncio.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._pty = pty
        self._writer = writer
        self._stop = stop
        self.stream: Stream | None = None

    def received(self, data: bytes) -> None:
        """Bytes of the board."""
        self._keep(Way.TO_HOST, data)
        self._pty.write(data)

    def lost(self, error: TransportError | None) -> None:
        """The board is gone, and so is what it was recorded for."""
        self._stop.set()

    def from_host(self, data: bytes) -> None:
        """Bytes of the daemon."""
        self._keep(Way.TO_BOARD, data)
        if self.stream is not None:
            self.stream.write(data)

    def _keep(self, way: Way, data: bytes) -> None:
        self._writer.write(way, round((self._loop.time() - self._began) * US), data)


async def _record(port: str, baud: int, link: Path, file: Path) -> int:
    stop = _stop_on_signals()
    with file.open("wb", BUFFER) as out:  # a slow disk must not hold up the wire
        pty = PtyEndpoint(link, Random(0), paced=False)
        tap = _Tap(pty, CaptureWriter(out), stop)
        board = port_at(port, baud=baud)
        tap.stream = await board.open(tap)
        pty.attach(tap.from_host)
        try:
            print("ready", link, flush=True)
            await stop.wait()
        finally:
            pty.close()
            tap.stream.close()
            await board.settle()
    return 0


async def _replay(chunks: list[Chunk], link: Path, speed: int) -> int:
    """Begin when the host says its first word, then keep the capture's own time."""
    stop, loop = _stop_on_signals(), asyncio.get_running_loop()
    pty = PtyEndpoint(link, Random(0), paced=False)
    begun = False

    def heard(data: bytes) -> None:
        nonlocal begun
        if begun:
            return
        begun = True
        start, first = loop.time(), chunks[0].us if chunks else 0
        for chunk in chunks:
            loop.call_at(start + (chunk.us - first) / (US * speed), pty.write, chunk.data)
        end = (chunks[-1].us - first) / (US * speed) if chunks else 0.0
        loop.call_at(start + end + 1.0, stop.set)

    pty.attach(heard)
    try:
        print("ready", link, flush=True)
        await stop.wait()
    finally:
        pty.close()
    return 0


def _link(endpoint: str) -> Path:
    """Where the pty is to be. Raises ``BadArgument``."""
    path = endpoint.removeprefix(PTY)
    if not path or path == endpoint:
        raise BadArgument("bad.endpoint", given=shown(endpoint), valid="pty:PATH")
    return Path(path)


def _stop_on_signals() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def _complain(command: str, sentence: str, code: int) -> int:
    print(f"tablectl {command}: {sentence}", file=sys.stderr)
    return code
