"""``tablectl panel learn``: asks to press keys and to watch lamps, and writes the wiring file.

Exit codes: 0 written, 1 given up or not found, 5 the board does not answer, 130 Ctrl-C.
"""

from __future__ import annotations

import asyncio
from argparse import Namespace
from pathlib import Path

from protocols.errors import AddressError, ProtocolError, TransportError
from protocols.panel.wiring import Board, Table, Wiring
from protocols.transports.port import port_at
from tablectl.daemon.errors import NoModbus
from tablectl.daemon.wiring import parse_wiring, write_wiring
from tablectl.locale.catalog import text
from tablectl.tomlfile import TomlError

from .panel_learn import Incomplete, Learner
from .sentences import sentence
from .terminal import FAILED, INTERRUPTED, NO_TABLE, OK, Terminal


def learn(args: Namespace) -> int:
    """Run the conversation and write the file. Returns the exit code."""
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    path = Path(args.file)
    if path.exists():
        terminal.complain(f"tablectl panel learn: {text('panel.exists', terminal.lang, path=str(path))}")
        return FAILED
    board = Board(unit=int(args.unit), relays=int(args.relays), inputs=int(args.inputs), pulse=args.pulse)
    try:
        wiring = asyncio.run(_learn(terminal, args.port, int(args.baud), board, Table(tiles=int(args.tiles))))
        written = write_wiring(wiring)
        parse_wiring(written, str(path))  # two keys on one relay, for example
        path.write_text(written, encoding="utf-8")
    except (KeyboardInterrupt, EOFError):
        terminal.complain(f"\n{text('panel.given_up', terminal.lang)}")
        return INTERRUPTED
    except (Incomplete, TomlError, NoModbus, ProtocolError, OSError) as error:
        told = _told(error, terminal.lang)
        terminal.complain(f"tablectl panel learn: {told}")
        return NO_TABLE if isinstance(error, TransportError) else FAILED
    terminal.say("panel.written", path=str(path))
    terminal.line(written)
    return OK


def _told(error: Exception, lang: str) -> str:
    if isinstance(error, Incomplete):
        return text("panel.incomplete", lang, what=error.what)
    if isinstance(error, AddressError):
        return text("config.port_address", lang, port=error.address)
    return sentence(error, lang)


async def _learn(terminal: Terminal, port: str, baud: int, board: Board, table: Table) -> Wiring:
    try:
        from protocols.panel.bench import Bench
    except ModuleNotFoundError as error:
        raise NoModbus() from error

    def ask(key: str, **facts: object) -> str:
        # nothing else goes on meanwhile: the board says nothing unasked
        return input(f"{text(key, terminal.lang, **facts)} ").strip()

    async with Bench(port_at(port, baud=baud), board) as bench:
        terminal.say("panel.begin", inputs=len(await bench.inputs()))
        return await Learner(bench, board, table, ask).learn()
