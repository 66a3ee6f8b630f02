"""One whole hand between real processes: the daemon, the table's firmware, a pty; the referee is a client."""

from __future__ import annotations

import asyncio
import json
import stat

import pytest

from sim.timebase import TableTimer
from tablectl.daemon.record import verify
from tablectl.rehearsal.outcome import Outcome, take_counters, take_journal
from tablectl.rehearsal.referee import Referee
from tablectl.rules.book import load_book
from tests.process.rig import DEADLINE_S, Bench, watching
from tests.rehearsal.scripts import HUMAN, HUMAN_FILE

pytestmark = pytest.mark.process
SPEED = 50  # the time to claim is 60 ms then, which a busy computer can keep


async def test_a_human_hand_over_a_real_pty(bench: Bench) -> None:
    table = await bench.table("--tiles", 136, "--script", HUMAN_FILE, "--line", 1, speed=SPEED)
    daemon = await bench.daemon()
    client = await bench.client(actor="referee")
    await watching(await bench.client(actor="viewer"))
    session = {"rules": "mcr-136", "east": f"p{HUMAN[0]['dealer']}", "round": "E"}
    timer = TableTimer(asyncio.get_running_loop(), SPEED)
    referee = Referee(client, timer, hands=1, session=session)
    async with asyncio.timeout(2 * DEADLINE_S):
        report = await referee.run()
    [hand] = report.hands
    discards = sum(event["do"] == "discard" for event in HUMAN[0]["events"])
    assert (hand["result"], hand["winner"], hand["turns"]) == ("win", "p0", discards)
    assert report.refused == []
    assert {fact["what"] for fact in report.irregular} <= {"irregular.overtime"}  # of a busy computer

    outcome = Outcome()
    take_counters(outcome, (await client.query("link status"))["links"])
    assert outcome.frames > 300
    assert outcome.crc_errors == 0

    assert await daemon.end() == 0
    assert await table.end() == 0
    for program in (daemon, table):
        assert "Traceback" not in program.text("err")
        assert not [line for line in program.lines["err"] if '"warning"' in line or '"error"' in line]

    journal = bench.state / "journal.jsonl"
    with journal.open("rb") as lines:
        verdict = verify(lines)
    assert verdict.ok
    head = json.loads((bench.state / "journal.jsonl.head").read_text())
    assert head == {"n": verdict.records, "hash": verdict.head.hash}
    take_journal(outcome, journal, load_book())
    assert outcome.violations == []
    assert outcome.hands[0].items() <= hand.items()
    assert stat.S_IMODE(bench.state.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in bench.state.iterdir()} == {0o600}
    assert not bench.socket.exists()
    assert not bench.port.is_symlink()


async def test_a_daemon_that_is_started_again_knows_the_hand(bench: Bench) -> None:
    """The state after a clean end is the state before it; a hand that is over stays over."""
    await bench.table("--tiles", 136)
    daemon = await bench.daemon()
    client = await bench.client()
    events = await watching(client)
    await client.command("session start", rules="mcr-136", p0="張三")
    await client.command("hand start")
    await events.event("event.done", operation="raise")
    await client.command("hand void", reason="fire alarm")
    chief = await bench.client(actor="lee")
    assert (await chief.command("hand void", reason="fire alarm"))["outcome"] == "accepted"
    before = (await client.query("status"))["state"]
    for opened in bench.clients:
        opened.close()
    assert await daemon.end() == 0
    await bench.daemon()
    after = (await (await bench.client()).query("status"))["state"]
    for same in ("session", "hand", "results"):
        assert after[same] == before[same], same
