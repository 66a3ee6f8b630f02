"""``tablectl sim fault``: let something go wrong at a simulated table that is being served, by hand.

The served table listens on a Unix socket, a line a request: a sentence of a fault plan (see `sim.faults`),
or ``list``, ``mend``, ``indicator``, ``help``. The answer is what became of it, and the connection closes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import sys
from pathlib import Path

from sim.errors import EndpointError, PlanError
from sim.world import SimTable
from tablectl.console.width import clean
from tablectl.locale import catalog

LONGEST = 4096
PATIENCE_S = 5.0


async def listen(table: SimTable, path: Path) -> asyncio.Server:
    """Take requests at ``path`` until the server is closed."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            text = (await reader.readline()).decode("utf-8", "replace").strip()
            told = "ok " + table.inject(text)
        except (PlanError, ValueError) as error:
            told = f"refused {error}"
        writer.write(told.encode() + b"\n")
        writer.close()

    if path.is_socket():
        path.unlink()
    elif os.path.lexists(path):
        raise EndpointError(str(path))
    server = await asyncio.start_unix_server(answer, str(path), limit=LONGEST)
    path.chmod(0o600)
    return server


async def ask(path: Path, text: str) -> str:
    """Send one sentence to a served table and return what it tells. Raises ``OSError`` where none answers."""
    reader, writer = await asyncio.open_unix_connection(str(path), limit=LONGEST)
    writer.write(text.encode() + b"\n")
    answer = (await reader.read()).decode("utf-8", "replace")
    writer.close()
    return answer.strip().partition(" ")[2]


def main(args: argparse.Namespace) -> int:
    """Send one sentence. 0 if it was understood, 2 if not, 4 if no table is served there."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
            asking.settimeout(PATIENCE_S)
            asking.connect(args.control)
            asking.sendall(args.fault.encode() + b"\n")
            answer = b"".join(iter(lambda: asking.recv(LONGEST), b"")).decode("utf-8", "replace")
    except OSError as error:
        reason = error.strerror or str(error)
        sentence = catalog.text("error.no_sim", args.lang, path=args.control, reason=reason)
        print(f"tablectl sim fault: {clean(sentence)}", file=sys.stderr)
        return 4
    outcome, _, told = answer.strip().partition(" ")
    print(told, file=sys.stdout if outcome == "ok" else sys.stderr)
    return 0 if outcome == "ok" else 2
