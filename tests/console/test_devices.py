"""`tablectl devices`: what is said of what is plugged in, in both languages, and of what comes and goes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocols.atp.driver import AtpDriver
from protocols.driver import Hello, Reply, Report
from protocols.transports import listing
from protocols.transports.port import port_at
from protocols.vocabulary import NO_SIDE, Operation, Order, Stage
from sim.endpoints.net import TcpEndpoint
from sim.world import SimTable
from tablectl.console import devices_hello
from tablectl.console.cli import main
from tablectl.console.devices import Listing, changes, lines
from tablectl.console.devices_hello import UnknownJournal, greet, journal_id
from tablectl.daemon.record import Chain, journal_body
from tablectl.daemon.sections import Device
from tablectl.locale import catalog
from tests.process.rig import Bench
from tests.protocols.transports.tree import Tree

HERE = "127.0.0.1"
JOURNAL = bytes(range(16))


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def said(row: dict[str, Any], lang: str = "en", change: str = "") -> str:
    return "\n".join(lines(row, change, lang))


def test_a_device_is_its_lasting_name_and_what_it_is(tree: Tree) -> None:
    tree.adapter("1-1.2", "ttyUSB0", "0042")
    by_path = str(tree.root / "dev/serial/by-path/pci-usb-0:1-1.2")
    (row,) = Listing((Device(name="east", port=by_path),), tree.root).now()
    assert said(row).splitlines() == [
        str(tree.root / "dev/serial/by-id/usb-1a86_0042-if00"),
        f"  USB Serial · 1a86:7523 · serial number 0042 · {tree.root}/dev/ttyUSB0 · 1-1.2 · driver ch341-uart"
        " · configured as east",
        f"  also {by_path}",
    ]


def test_what_the_configuration_expects_and_is_not_there_is_said(tree: Tree) -> None:
    tree.board("1-1", "T1")
    configured = (Device(name="east", port="usb:1209:7ab1:T2"), Device(name="west", port="usb:1209:7ab1:T1"))
    there, missing = Listing(configured, tree.root).now()
    assert (there["address"], there["configured"]) == ("usb:1209:7ab1:T1", "west")
    assert (missing["address"], missing["configured"]) == ("usb:1209:7ab1:T2", "east")
    assert "✕ not plugged in" in said(missing)
    assert "✕ 没有插上" in said(missing, "zh-Hans")


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_every_trouble_has_a_sentence(tree: Tree, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing.os, "access", lambda *_: False)
    monkeypatch.setattr(listing, "open_holder", lambda node: (812, "ModemManager"))
    for place in ("1-1", "1-2"):
        tree.board(place, power="auto", driver="usbtest")
    tree.adapter("1-3", "ttyUSB0", "7")
    rows = Listing((Device(port="usb:0000:0000"),), tree.root).now()
    found = {trouble["key"] for row in rows for trouble in row["troubles"]}
    assert found == {
        "forbidden", "forbidden_usb", "busy", "no_number", "twin", "driver", "autosuspend", "missing"
    }  # fmt: skip
    everything = "\n".join(said(row, lang) for row in rows)
    assert "devices." not in everything, "a text is missing"
    assert "{" not in everything.replace("ATTR{id", ""), "a place is not filled"
    assert 'ATTR{idVendor}=="1209"' in everything
    assert "ModemManager" in everything


def test_what_came_and_went_is_told(tree: Tree) -> None:
    listed = Listing((), tree.root)
    tree.board("1-1", "T1")
    first = listed.now()
    tree.adapter("1-2", "ttyUSB0", "7")
    tree.pull("1-1")
    second = listed.now()
    (gone, came) = changes(first, second)
    assert (gone[0], gone[1]["address"]) == ("gone", "usb:1209:7ab1:T1")
    assert came[0] == "come"
    assert said(gone[1], change="gone") == "pulled out: usb:1209:7ab1:T1"
    assert said(came[1], "zh-Hans", "come").startswith("插上：")
    tree.write("sys/bus/usb/devices/1-2/power/control", "auto")
    ((change, row),) = changes(second, listed.now())
    assert change == "changed"
    assert "autosuspend" in str(row["troubles"])
    assert changes(first, first) == []


async def test_a_board_says_who_it_is_without_a_motion_and_forgets_nothing() -> None:
    table = SimTable(3, judge=None)  # type: ignore[arg-type]  # nobody plays
    end = TcpEndpoint(HERE, 0, Random(1))
    table.attach(end)
    address = f"tcp:{HERE}:{end.port}"
    before = AtpDriver(port_at(address).open)
    told: asyncio.Queue[Report] = asyncio.Queue()
    await before.open(told.put_nowait, journal_id=JOURNAL, last_event=0)
    await until(told, lambda report: isinstance(report, Hello))
    before.operate(Order(7, Operation.LAMPS, 0, NO_SIDE, 0))
    await until(told, lambda report: isinstance(report, Reply) and report.stage is Stage.DONE)
    before.close()
    greeting = await greet(address, JOURNAL)
    assert greeting["model"] == "SIM-4"
    assert greeting["protocol"] == "ATP"
    assert table.log.motions == []
    assert "firmware 1.0.0" in said({**EMPTY, "hello": greeting})
    after = AtpDriver(port_at(address).open)
    await after.open(told.put_nowait, journal_id=JOURNAL, last_event=0)
    await until(told, lambda report: isinstance(report, Hello))
    after.query(7)
    kept = await until(told, lambda report: isinstance(report, Reply) and report.queried)
    assert isinstance(kept, Reply)
    assert kept.stage is Stage.DONE
    after.close()
    table.close()


async def until(told: asyncio.Queue[Report], wanted: Callable[[Report], bool]) -> Report:
    """The next report of that kind."""
    async with asyncio.timeout(10.0):
        while True:
            report = await told.get()
            if wanted(report):
                return report


def test_the_hello_is_said_in_the_name_of_the_journal_there_is(tmp_path: Path) -> None:
    assert journal_id(tmp_path / "none") == bytes(16)
    name = "0f" * 16
    (tmp_path / "one").write_bytes(Chain().seal(journal_body(name, "1", {})))
    assert journal_id(tmp_path / "one").hex() == name


def test_where_the_journal_cannot_be_read_nobody_is_asked(
    tree: Tree, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree.root / "journal.jsonl").write_text("damaged\n")
    with pytest.raises(UnknownJournal):
        journal_id(tree.root / "journal.jsonl")
    with pytest.raises(UnknownJournal):
        journal_id(tree.root)
    words = ["--hello", "--json", "--lang", "en", "--port", "tcp:127.0.0.1:1"]
    assert main(["devices", *words, "--state-dir", str(tree.root)]) == 0
    out, err = capsys.readouterr()
    assert "nobody is asked" in err
    assert all("hello" not in row for row in json.loads(out)["devices"])


EMPTY: dict[str, Any] = {
    "address": "x", "node": "", "names": (), "usb": "", "serial": "", "product": "", "place": "",
    "driver": "", "configured": "", "troubles": (),
}  # fmt: skip


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/nowhere/ttyUSB0", "there is no port"),
        (f"tcp:{HERE}:1", "nobody answers at"),
        ("silent", "nobody greets"),
    ],
)
async def test_a_port_where_nobody_says_who_he_is(
    address: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices_hello, "PATIENCE_S", 0.2)
    silent = TcpEndpoint(HERE, 0, Random(1))
    silent.attach(lambda data: None)
    greeting = await greet(f"tcp:{HERE}:{silent.port}" if address == "silent" else address, JOURNAL)
    silent.close()
    assert words in said({**EMPTY, "hello": greeting})


@pytest.mark.parametrize(("serial", "words"), [("K1", "leads to keys"), ("X9", "another board than table")])
async def test_a_board_at_the_wrong_plug_is_said(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, serial: str, words: str
) -> None:
    async def answer(*_: object) -> dict[str, str]:
        return {"protocol": "ATP", "vendor": "a", "model": "b", "serial": serial, "firmware": "1"}

    monkeypatch.setattr("tablectl.console.devices.greet", answer)
    tree.board("1-1", "T1")
    table = Device(name="table", port="usb:1209:7ab1:T1", serial="T1")
    listed = Listing((table, Device(name="keys", port="usb:1209:7ab1:K1", serial="K1")), tree.root)
    row = await listed.greeted(listed.now()[0], JOURNAL)
    assert f"✕ {'ports are swapped: the plug of table ' if serial == 'K1' else ''}{words}" in said(row)


async def test_strangers_are_not_spoken_to_when_a_port_is_configured(tree: Tree) -> None:
    tree.board("1-1", "T1")
    listed = Listing((Device(port=str(tree.root / "nothing")),), tree.root)
    for row in listed.now():
        assert "hello" not in await listed.greeted(row, JOURNAL)


def test_the_command_lists_and_says_so_when_there_is_nothing(
    tree: Tree, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tree.root))
    monkeypatch.setattr(listing.devices, "__defaults__", (tree.root,))
    monkeypatch.setattr(Listing.__init__, "__defaults__", (tree.root,))
    assert main(["devices", "--lang", "en"]) == 5
    assert "nothing is plugged in" in capsys.readouterr().out
    tree.board("1-1", "T1")
    assert main(["devices", "--lang", "zh"]) == 0
    assert capsys.readouterr().out.startswith("usb:1209:7ab1:T1\n")
    assert main(["devices", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["devices"]
    assert (row["usb"], row["serial"], row["troubles"]) == ("1209:7ab1", "T1", [])


@pytest.mark.process
@pytest.mark.report("B027")
async def test_plugging_in_and_pulling_out_appear_at_once(bench: Bench) -> None:
    watcher = await bench.start(
        "devices", "--watch", "--hello", "--port", bench.port, "--config", bench.config
    )
    await watcher.says("not plugged in")
    loop = asyncio.get_running_loop()
    table = await bench.table()
    began = loop.time()
    await watcher.says("changed:")
    await watcher.says("tablectl SIM-4")
    assert loop.time() - began < 3.0
    after = len(watcher.lines["out"])
    await table.end()
    began = loop.time()
    await watcher.says("not plugged in", after=after)
    assert loop.time() - began < 2.0
    assert await watcher.end() == 130


@pytest.fixture
async def bench(tmp_path: Path) -> Any:
    made = Bench(tmp_path)
    yield made
    await made.close()
