"""A hand at the emulated firmware through a guest's kernel; daemon and referee run in the guest.

    python -m tablectl.rehearsal.guest [--seed N]      the whole of it; prints what the hand came to
    python -m tablectl.rehearsal.guest inside          the guest's part

Players, motors and switches are here, the firmware on an emulated Cortex-M3 between them and the adapter. The
record comes back over the guest's console and is verified here.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
import sys
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.errors import SimError
from sim.firmware.table import Seated
from sim.guest.chain import PORT, run
from sim.pace import Pace
from sim.timebase import TableTimer, wall_seconds
from tablectl.api.client import Client
from tablectl.daemon import rerun
from tablectl.daemon.record import verify
from tablectl.rehearsal.child import Child
from tablectl.rehearsal.customs import customs_of
from tablectl.rehearsal.judge import judge_of
from tablectl.rehearsal.referee import Referee
from tablectl.rules.book import load_book

ME, DAEMON = "tablectl.rehearsal.guest", "tablectl.console.run"
RULES = "mcr"
SEED = 4  # a short hand
RECORD, RESULT = "RECORD ", "RESULT "  # what the guest's part says, before its lines
LINE = 3000
START_S = 300.0  # of the daemon, on an emulated processor
BRISK = Pace(
    think=(0.8, 1.6),
    think_mode=1.0,
    press_dice=(0.5, 1.0),
    take=(0.3, 0.6),
    arrange=(0.5, 1.0),
    draw=(1.6, 2.0),
)


def inside(folder: Path) -> int:
    """Run daemon and referee on the adapter's port for one hand, and print the record."""

    async def play() -> list[str]:
        began = wall_seconds()
        socket, config = folder / "api.sock", folder / "tablectl.toml"
        config.write_text("")
        words = ["run", "--port", PORT, "--state-dir", str(folder), "--socket", str(socket)]
        child = await Child.spawn(
            "daemon", [*words, "--config", str(config)], os.environ, folder / "daemon.log"
        )
        try:
            assert child.process.stdout is not None  # its first line says that it is ready
            await asyncio.wait_for(child.process.stdout.readline(), START_S)
            print(f"the daemon is ready after {wall_seconds() - began:.0f} s", flush=True)
            client = await Client.open(socket, actor="referee")
            timer = TableTimer(asyncio.get_running_loop())
            report = await Referee(client, timer, hands=1, session={"rules": RULES}).run()
            client.close()
            return [f"{hand['result']} {hand.get('how', '')}".strip() for hand in report.hands]
        finally:
            await child.end()

    for result in asyncio.run(play()):
        print(RESULT + result)
    packed = base64.b64encode(zlib.compress((folder / "journal.jsonl").read_bytes())).decode()
    for start in range(0, len(packed), LINE):
        print(RECORD + packed[start : start + LINE])
    return 0


@dataclass(frozen=True, slots=True)
class Played:
    """What a run came to. ``verified``: the record that came back is whole, and replayed here it gives each
    hand the digest it has there."""

    code: int  # of the guest's part
    results: tuple[str, ...]  # of the hands
    records: int
    verified: bool

    @property
    def good(self) -> bool:
        """The hand came to an end, and its record verifies."""
        return not self.code and bool(self.results) and self.verified and self.records > 0

    def __str__(self) -> str:
        hands = ", ".join(self.results) or "no hand ended"
        return f"{hands}; a record of {self.records}, {'verified' if self.verified else 'damaged'}"


async def outside(seed: int) -> Played:
    """Everything else. Raises ``SimError``."""
    rules = load_book()[RULES]
    table = Seated(
        seed,
        judge=judge_of(rules),
        customs=customs_of(rules),
        tiles=rules.wall.tiles.value,
        paces=[BRISK] * 4,
    )
    results: list[str] = []
    packed: list[str] = []

    def hear(line: str) -> None:
        if line.startswith(RECORD):
            packed.append(line.removeprefix(RECORD))
        elif line.startswith(RESULT):
            results.append(line.removeprefix(RESULT))
        else:
            print(f"  {line}", flush=True)

    code = await run([sys.executable, "-m", ME, "inside"], table.plant, lines=hear, imports=[ME, DAEMON])
    table.party.close()
    try:
        record = zlib.decompress(base64.b64decode("".join(packed)))
    except (ValueError, zlib.error):
        record = b""  # torn on its way out
    table.plant.places.assert_conserved()
    return Played(code, tuple(results), *checked(record))


def checked(record: bytes) -> tuple[int, bool]:
    """How many records there are, and whether they verify."""
    lines = record.splitlines(keepends=True)
    verdict = verify(lines)
    if not verdict.ok:
        return verdict.records, False
    return verdict.records, not rerun.replay(lines, load_book()).differences


def main(arguments: Sequence[str] | None = None) -> int:
    """Play one hand."""
    parser = argparse.ArgumentParser(prog="python -m tablectl.rehearsal.guest", description=__doc__)
    parser.add_argument("part", nargs="?", choices=["inside"])
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    if options.part == "inside":
        with tempfile.TemporaryDirectory() as folder:
            return inside(Path(folder))
    try:
        played = asyncio.run(outside(options.seed))
    except SimError as error:
        print(error, file=sys.stderr)
        return 2
    print(played)
    return int(not played.good)


if __name__ == "__main__":
    sys.exit(main())
