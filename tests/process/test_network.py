"""A daemon and a table in two processes with a network between them."""

from __future__ import annotations

import pytest

from tests.process.rig import Bench, watching

pytestmark = pytest.mark.process


@pytest.mark.parametrize("endpoint", ["tcp:127.0.0.1:0", "rfc2217:0"])
async def test_a_table_built_over_the_network(bench: Bench, endpoint: str) -> None:
    table = await bench.start("sim", "serve", "--endpoint", endpoint, "--speed", 100)
    address = (await table.says("ready")).split()[1]
    await bench.daemon(port=address)
    events = await watching(await bench.client())
    assert (await bench.cli("machine", "build")).code == 0
    await events.event("event.done", operation="build")
    link = (await bench.cli("link", "status", "--json")).json["links"]["table"]
    assert link["port"] == address
    assert link["crc_errors"] == 0
    await table.end()
    lost = await events.event("event.link", state="lost")
    assert lost["data"]["word"] in ("closed", "cable_pulled")
    await events.event("event.link", state="backoff", word="missing")
    said = await bench.cli("status", "--plain")
    assert said.code == 5
    assert "nobody answers at" in said.out


@pytest.mark.parametrize("endpoint", ["tcp:127.0.0.1", "usb:1209:7ab1", "pty:", "rfc2217:x", "/dev/ttyUSB0"])
async def test_an_endpoint_nobody_can_serve(bench: Bench, endpoint: str) -> None:
    table = await bench.start("sim", "serve", "--endpoint", endpoint)
    assert await table.ended() == 2
    assert "rfc2217:PORT" in table.text("err")


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_an_address_that_is_none_is_refused_by_run(bench: Bench, lang: str) -> None:
    daemon = await bench.start("--lang", lang, *bench.daemon_words(port="usb:1209"))
    assert await daemon.ended() == 2
    assert "usb:1209" in daemon.text("err")
    assert "usb:VID:PID" in daemon.text("err")


async def test_an_address_in_a_file_that_is_none_is_refused_with_its_line(bench: Bench) -> None:
    bench.config.write_text('[[device]]\nport = "tcp:somewhere"\n')
    words = [word for word in bench.daemon_words() if word not in ("--port", str(bench.port))]
    daemon = await bench.start(*words)
    assert await daemon.ended() == 2
    assert "line 2" in daemon.text("err")
    assert "tcp:HOST:PORT" in daemon.text("err")


async def test_a_table_on_the_network_can_be_recorded(bench: Bench) -> None:
    table = await bench.start("sim", "serve", "--endpoint", "tcp:127.0.0.1:0", "--speed", 100)
    address = (await table.says("ready")).split()[1]
    capture = bench.folder / "capture"
    recorder = await bench.start("record", address, capture, "--endpoint", f"pty:{bench.port}")
    await recorder.says("ready")
    await bench.daemon()
    await watching(await bench.client())
    assert await recorder.end() == 0
    decoder = await bench.start("decode", capture, "--plain")
    assert await decoder.ended() == 0
    assert "HELLO_ASK" in decoder.text("out")
