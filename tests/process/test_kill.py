"""kill -9 of a real daemon in mid-hand, with a real pty, a real disk and a board that goes on by itself."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random

import pytest

from sim.timebase import TableTimer, pause
from tablectl.api.client import Client
from tablectl.daemon.record import verify
from tablectl.rehearsal.child import Child
from tablectl.rehearsal.outcome import Outcome, take_journal
from tablectl.rehearsal.referee import Referee
from tablectl.rules.book import load_book

SPEED = 100
DEADLINE_S = 110.0

pytestmark = pytest.mark.process


class Stage:
    """A simulated table in one process, a daemon in another that is killed and started again."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.port, self.socket, self.state = folder / "table", folder / "s", folder / "state"
        (folder / "none.toml").write_text("")
        self.seed = seed
        self.lives = 0

    async def start_table(self) -> Child:
        args = [
            "sim",
            "serve",
            "--endpoint",
            f"pty:{self.port}",
            "--seed",
            str(self.seed),
            "--speed",
            str(SPEED),
        ]
        table = await Child.spawn("table", args, os.environ, self.folder / "table.log")
        await table.ready()
        return table

    async def start_daemon(self) -> Child:
        self.lives += 1
        args = ["run", "--config", str(self.folder / "none.toml"), "--port", str(self.port)]
        args += ["--state-dir", str(self.state), "--socket", str(self.socket)]
        daemon = await Child.spawn("daemon", args, os.environ, self.folder / f"daemon{self.lives}.log")
        await daemon.ready()
        return daemon


async def killed_hand(folder: Path, seed: int, kills: int) -> tuple[Outcome, str, list[str]]:
    """Play a hand while the daemon dies ``kills`` times at random moments."""
    stage, rng = Stage(folder, seed), Random(seed)
    table, daemon = await stage.start_table(), await stage.start_daemon()
    client = await Client.open(stage.socket, actor="referee")
    timer = TableTimer(asyncio.get_running_loop(), SPEED)
    referee = Referee(client, timer, hands=1, session={"rules": "mcr"})
    playing = asyncio.ensure_future(referee.run())
    died = 0
    try:
        async with asyncio.timeout(DEADLINE_S):
            while died < kills and not playing.done():
                await pause(rng.uniform(0.2, 0.9))
                daemon.process.kill()
                await daemon.process.wait()
                died += 1
                daemon = await stage.start_daemon()
            report = await playing
    finally:
        playing.cancel()
        client.close()
        await daemon.end()
        await table.end()
    assert table.process.stdout is not None
    last = (await table.process.stdout.read()).decode().strip().splitlines()[-1]
    outcome = Outcome()
    take_journal(outcome, stage.state / "journal.jsonl", load_book())
    assert died == kills
    assert report.refused == []
    return outcome, last, [hold for hold in report.released if hold]


def check(folder: Path, seed: int, kills: int) -> None:
    outcome, moved, _ = asyncio.run(killed_hand(folder, seed, kills))
    assert outcome.violations == []
    assert [hand["result"] for hand in outcome.hands] in (["win"], ["draw"])
    assert moved.split()[-2:] == ["twice", "0"]
    with Path(outcome.journal).open("rb") as lines:
        assert verify(lines).ok


@pytest.mark.report("B099")
def test_five_kills_in_a_hand_lose_nothing_and_move_nothing_twice(tmp_path):
    check(tmp_path, seed=5, kills=5)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_fifty_kills(tmp_path, seed):
    check(tmp_path, seed, kills=5)
