"""The doctor beside a real daemon and real holders of a port."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.process.rig import Bench, watching

pytestmark = pytest.mark.process
HOLD = """
import fcntl, sys
file = open(sys.argv[1], "r+b", 0)
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


async def checks(bench: Bench) -> dict[str, dict[str, Any]]:
    """The doctor's lines by check."""
    words = ["--config", bench.config, "--port", bench.port, "--state-dir", bench.state, "--json"]
    said = await bench.cli("doctor", *words)
    assert said.code == (0 if said.json["ok"] else 1)
    assert said.err == ""
    return {check["check"]: check for check in said.json["checks"]}


async def test_a_port_of_the_daemons_command_line_is_not_missed(bench: Bench) -> None:
    await bench.table()
    await bench.daemon()
    client = await bench.client()
    await watching(client)
    said = await bench.cli("doctor", "--config", bench.config, "--state-dir", bench.state, "--json")
    found = {check["check"]: check for check in said.json["checks"]}
    assert found["port"]["verdict"] == "ok"
    assert str(bench.port) in found["port"]["text"]
    assert found["record"]["verdict"] == "ok"
    client.close()


async def test_it_says_what_the_daemon_knows_of_its_link(bench: Bench) -> None:
    table = await bench.table()
    await bench.daemon()
    client = await bench.client()
    events = await watching(client)
    found = await checks(bench)
    assert found["link"]["verdict"] == "ok"
    assert found["busy"]["verdict"] == "ok", "the daemon itself holds the port"
    await table.end()
    await events.event("event.link", device="table", state="backoff")
    found = await checks(bench)
    assert (found["link"]["verdict"], found["port"]["verdict"]) == ("problem", "problem")
    assert "table is not connected" in found["link"]["text"]
    client.close()


@pytest.mark.report("B022")
async def test_whoever_holds_the_port_is_named(bench: Bench) -> None:
    from asyncio.subprocess import PIPE

    await bench.table()
    holder = await bench.start("-c", HOLD, bench.port, prefix=[sys.executable], stdin=PIPE)
    await holder.says("held")
    found = await checks(bench)
    assert found["busy"]["verdict"] == "problem"
    assert f"(pid {holder.pid}) holds" in found["busy"]["text"]
    assert found["busy"]["mend"] == f"sudo kill {holder.pid}"
    assert found["link"]["verdict"] == "unknown"
