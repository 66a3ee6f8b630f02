"""The processes at the other end of a line: ``python -m tablectl.rehearsal.benches.peers KIND LINK …``.

``atp LINK [--speed X] [--drift PPM] [--paced]``
    the simulated board with its players. Says when its clock was 0, in seconds of the machine's monotonic
    clock, which all processes share: so anybody can tell when by its own clock something happened.
``echo LINK``
    an asyncio loop that gives back every byte: the least a peer can do.
``modbus LINK``
    pymodbus' RTU server.
``lines LINK``
    a keypad box that speaks in lines.
``relay LINK``
    a relay board across the panel of a table as it is sold.
``tcp-atp -``, ``tcp-echo -``, ``rfc2217-atp -`` and ``rfc2217-echo -``
    the board, and the least a peer can do, at a TCP port of this computer, which they say.

Each of the others makes a pty under the name LINK. All say ``ready …`` and end when their standard input
does. None imports what only another needs.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import os
import struct
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from sim.endpoints.pty import PtyEndpoint

if TYPE_CHECKING:
    from sim.world import SimTable

SEED = 1
HERE = "127.0.0.1"
COILS = 64
US = 1_000_000
UNLOCK_PTY, PTY_NUMBER = 0x40045431, 0x80045430  # TIOCSPTLCK and TIOCGPTN of Linux; `termios` lacks them


async def atp(args: argparse.Namespace) -> str:
    """A whole simulated table."""
    table = _table(args)
    table.attach(PtyEndpoint(args.link, table.rng("line"), paced=args.paced))
    now = asyncio.get_running_loop().time()
    return repr(now - table.board.board_us(now) / US)  # just switched on: no drift to speak of yet


async def net_atp(args: argparse.Namespace) -> str:
    """A whole simulated table on the network."""
    from sim.endpoints.net import Rfc2217Endpoint, TcpEndpoint

    kind = args.kind.partition("-")[0]
    table = _table(args)
    end = (TcpEndpoint if kind == "tcp" else Rfc2217Endpoint)(HERE, 0, table.rng("line"))
    table.attach(end)
    return f"{kind}:{end.host}:{end.port}"


async def lines(args: argparse.Namespace) -> str:
    """A keypad box with lamps nobody looks at."""
    from protocols.vocabulary import NO_SIDE, Lamp
    from sim.keypad import Keypad
    from sim.timebase import TableTimer

    class Dark:
        lamp = Lamp.OFF

        def show_lamp(self, lamp: Lamp, side: int = NO_SIDE) -> None:
            self.lamp = lamp

    box = Keypad(TableTimer(asyncio.get_running_loop()), Random(SEED), lights=Dark())
    box.attach(PtyEndpoint(args.link, Random(SEED), paced=False))
    return ""


async def relay(args: argparse.Namespace) -> str:
    """A relay board; nobody listens to the keypads of its table."""
    from sim.endpoints.memory import MemoryEndpoint
    from sim.panel.table import TappedTable
    from tablectl.rehearsal.judge import judge_of
    from tablectl.rehearsal.tapped import WIRING
    from tablectl.rules.book import load_book

    table = TappedTable(SEED, WIRING, judge=judge_of(load_book()["mcr"]))
    table.attach(PtyEndpoint(args.link, table.rng("line"), paced=False), MemoryEndpoint(table.rng("keys")))
    return ""


def _table(args: argparse.Namespace) -> SimTable:
    from sim.identity import BoardClock
    from sim.world import SimTable
    from tablectl.rehearsal.judge import judge_of
    from tablectl.rules.book import load_book

    rules = load_book()["mcr"]
    return SimTable(
        SEED,
        judge=judge_of(rules),
        tiles=rules.wall.tiles.value,
        speed=args.speed,
        clock=BoardClock(drift_ppm=args.drift),
    )


async def tcp_echo(args: argparse.Namespace) -> str:
    """Bytes back as they come, by asyncio alone."""

    class Back(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            self.transport = transport

        def data_received(self, data: bytes) -> None:
            self.transport.write(data)

    server = await asyncio.get_running_loop().create_server(Back, HERE, 0)
    return f"tcp:{HERE}:{server.sockets[0].getsockname()[1]}"


async def rfc2217_echo(args: argparse.Namespace) -> str:
    """The same behind a serial port of another computer."""
    from sim.endpoints.net import Rfc2217Endpoint

    end = Rfc2217Endpoint(HERE, 0, Random(SEED))
    end.attach(end.write)
    return f"rfc2217:{end.host}:{end.port}"


async def echo(args: argparse.Namespace) -> str:
    """Bytes back as they come."""
    end = PtyEndpoint(args.link, Random(SEED), paced=False)
    end.attach(end.write)
    return ""


async def modbus(args: argparse.Namespace) -> str:
    """A device with some coils. pymodbus opens its port by name, and the master of a pty has one: ptmx."""
    from pymodbus.server import ModbusSerialServer
    from pymodbus.simulator import DataType, SimData, SimDevice

    coils = SimData(0, count=COILS, values=0, datatype=DataType.REGISTERS)
    server = ModbusSerialServer(SimDevice(1, [coils]), port="/dev/ptmx", baudrate=115_200)
    await server.serve_forever(background=True)
    transport: object = server.transport
    master: int = transport.sync_serial.fileno()  # type: ignore[attr-defined]
    fcntl.ioctl(master, UNLOCK_PTY, struct.pack("i", 0))
    (number,) = struct.unpack("I", fcntl.ioctl(master, PTY_NUMBER, struct.pack("I", 0)))
    Path(args.link).symlink_to(f"/dev/pts/{number}")
    return ""


PEERS = {
    "atp": atp,
    "echo": echo,
    "lines": lines,
    "modbus": modbus,
    "relay": relay,
    "tcp-atp": net_atp,
    "tcp-echo": tcp_echo,
    "rfc2217-atp": net_atp,
    "rfc2217-echo": rfc2217_echo,
}


async def serve(args: argparse.Namespace) -> None:
    """Be there until standard input ends."""
    loop, gone = asyncio.get_running_loop(), asyncio.Event()

    def look() -> None:
        if not os.read(sys.stdin.fileno(), 64):
            gone.set()

    loop.add_reader(sys.stdin.fileno(), look)
    print("ready", await PEERS[args.kind](args), flush=True)
    await gone.wait()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=PEERS)
    parser.add_argument("link", type=Path)
    parser.add_argument("--speed", type=int, default=1)
    parser.add_argument("--drift", type=float, default=0.0)
    parser.add_argument("--paced", action="store_true")
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
