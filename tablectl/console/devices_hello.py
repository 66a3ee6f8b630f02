"""Asking a port who is there. Nothing moves, and the board forgets nothing for it.

A board that hears of another journal forgets what it did for the one before. So the question is asked in the
name of this computer's own journal; where there is none, none can be disturbed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from protocols.driver import Gone, Hello, Rejected, Report
from protocols.errors import PortBusy, TransportError
from protocols.panel.wiring import Wiring
from protocols.transports.port import port_at
from tablectl.daemon.drivers import driver_factory, protocol_name
from tablectl.daemon.record import MAX_LINE, read_line
from tablectl.daemon.sections import DriverName

PATIENCE_S = 3.0
RESTART_S = {"lines": 6.0}  # many a box restarts when its port is opened
BAUD = 115200
NOBODY = bytes(16)
Greeting = dict[str, Any]
"""Who the board is, or ``key`` and ``facts`` of a text that says why nobody knows."""


class UnknownJournal(Exception):
    """There is a journal, and its name cannot be read: nobody may be asked in another one's."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = str(path)


def journal_id(path: Path) -> bytes:
    """The name of the journal there, for a hello. Raises ``UnknownJournal``."""
    try:
        with path.open("rb") as file:
            record = read_line(file.readline(MAX_LINE))
    except (FileNotFoundError, NotADirectoryError):
        return NOBODY
    except OSError as error:
        raise UnknownJournal(path) from error
    if record is None or record.journal is None:
        raise UnknownJournal(path)
    return bytes.fromhex(record.journal.id)


async def greet(
    address: str,
    journal: bytes,
    baud: int = BAUD,
    speaks: DriverName = "atp",
    wiring: Wiring | None = None,
    options: Mapping[str, Any] | None = None,
) -> Greeting:
    """Open the port, say hello in the device's own protocol, close it."""
    port = port_at(address, baud=baud)
    driver = driver_factory(speaks, port.open, wiring, options)()
    answer: asyncio.Future[Greeting] = asyncio.get_running_loop().create_future()

    def hear(report: Report) -> None:
        if answer.done():
            return
        match report:
            case Hello():
                answer.set_result(_who(report, speaks))
            case Gone() | Rejected(key="version"):
                key = report.key if report.key in ("version", "errors", "closed") else "no_handshake"
                answer.set_result({"key": f"link.{key}", "facts": {}})
            case _:
                pass

    try:
        async with asyncio.timeout(PATIENCE_S + RESTART_S.get(speaks, 0.0)):
            await driver.open(hear, journal_id=journal, last_event=0)
            return await answer
    except TransportError as error:
        nameless = isinstance(error, PortBusy) and not error.pid
        return {"key": f"{error.key}_by_somebody" if nameless else error.key, "facts": dict(error.fields)}
    except TimeoutError:
        return {"key": "link.no_handshake", "facts": {}}
    finally:
        driver.close()
        await port.settle()


def _who(hello: Hello, speaks: DriverName) -> Greeting:
    return {
        "protocol": protocol_name(speaks),
        "vendor": hello.vendor,
        "model": hello.model,
        "serial": hello.serial,
        "firmware": hello.firmware,
        "firmware_hash": hello.firmware_hash,
    }
