"""Drivers of other packages: whatever is wrong with one is a sentence, and nobody else's trouble."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocols.driver import Driver, Gone, Report
from protocols.errors import DriverBroken, PortMissing
from protocols.transports.base import Stream, StreamHandler
from protocols.vocabulary import Operation, Order
from sim.timebase import run_virtual
from tablectl.console.sentences import sentence
from tablectl.daemon import plugins
from tablectl.daemon.config import parse_config
from tablectl.daemon.drivers import driver_factory, protocol_name
from tablectl.daemon.fence import LIMITS, Fenced
from tablectl.daemon.link.link import Link
from tablectl.daemon.link.words import Word, opening_word
from tablectl.daemon.timebase import TableClock
from tablectl.game.inputs import Input, LinkChange
from tablectl.locale.catalog import LANGUAGES
from tablectl.tomlfile import TomlError
from tests.packages import install

GOOD = """
from tablectl.driver_api import Counters, Plugin

class Driver:
    counters = Counters()
    async def open(self, sink, *, journal_id, last_event, boot_id=0): self.sink = sink
    def operate(self, order): raise RuntimeError("no such order")
    def query(self, id): self.sink("nonsense")
    def ask_status(self): pass
    def ask_clock(self): return "soon"
    def stop(self): pass
    def acknowledge(self, number, boot_id): pass
    def limits(self, operation): return None
    def close(self): raise OSError("already closed")

def make(opener, options):
    if options.get("speed") == 0:
        raise ValueError("speed 0 is none")
    return Driver()

PLUGIN = Plugin(api=1, protocol="Acme talk", make=make, options=("speed", "unit"))
"""
LESS = "from tablectl.driver_api import Plugin\n"
BROKEN = {
    "import": ("import no_such_module", "No module named 'no_such_module'"),
    "contract": ("PLUGIN = 'a text'", "is a str, not a Plugin"),
    "version": (f"{LESS}PLUGIN = Plugin(9, 'x', lambda o, p: None)", "version 9 of the contract"),
    "failed": (f"{LESS}PLUGIN = Plugin(1, 'x', lambda o, p: 1 / 0)", "ZeroDivisionError: division by zero"),
}
JOURNAL = bytes(16)


async def nowhere(handler: StreamHandler) -> Stream:
    raise PortMissing("nowhere")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages, on the path."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    plugins.forget()
    yield tmp_path
    plugins.forget()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def refusal(name: str = "acme", **options: object) -> DriverBroken:
    """What opening says."""

    async def open_it() -> None:
        made = driver_factory(name, nowhere, options=options)()
        await made.open(lambda report: None, journal_id=JOURNAL, last_event=0)

    with pytest.raises(DriverBroken) as caught:
        run_virtual(open_it())
    return caught.value


def test_a_package_is_found_by_the_name_of_its_entry_point(folder: Path) -> None:
    install(folder, "tablectl-acme", GOOD, acme="PLUGIN")
    assert "acme" in plugins.names()
    assert plugins.plugin("acme").protocol == protocol_name("acme") == "Acme talk"
    (device,) = parse_config('[[device]]\ndriver = "acme"\noptions = { unit = 3 }', "x").device
    assert (device.driver, device.options) == ("acme", {"unit": 3})
    assert plugins.faults() == []


@pytest.mark.parametrize("fault", BROKEN)
def test_what_is_wrong_names_the_package_and_what_mends_it(folder: Path, fault: str) -> None:
    code, said = BROKEN[fault]
    install(folder, "tablectl-acme", code, acme="PLUGIN")
    error = refusal()
    assert (error.fault, error.fields["package"]) == (fault, "tablectl-acme")
    assert said in str(error)
    assert opening_word(error.key) is Word.NO_DRIVER
    for lang in LANGUAGES:
        told = sentence(error, lang)
        assert "tablectl-acme" in told
        assert "{" not in told
    assert protocol_name("acme") in ("acme", "x")


def test_a_package_is_read_once_and_before_anything_waits(folder: Path) -> None:
    code = "with open(__file__ + '.read', 'a') as file:\n    file.write('x')\nimport no_such_module"
    install(folder, "tablectl-acme", code, acme="PLUGIN")
    factory = driver_factory("acme", nowhere)
    read = folder / "tablectl_acme.py.read"
    assert read.read_text() == "x"
    for _ in range(3):
        assert refusal().fault == "import"
        factory().close()
    assert read.read_text() == "x"


def test_a_driver_that_lacks_a_call_is_refused(folder: Path) -> None:
    install(folder, "tablectl-acme", f"{LESS}PLUGIN = Plugin(1, 'x', lambda o, p: object())", acme="PLUGIN")
    error = refusal()
    assert error.fault == "contract"
    assert "has no open, operate, query" in str(error)


@pytest.mark.parametrize("name", ["acme", "atp"])
def test_a_name_can_be_offered_once(folder: Path, name: str) -> None:
    install(folder, "tablectl-one", GOOD, **{name: "PLUGIN"})
    if name == "acme":
        install(folder, "tablectl-two", GOOD, acme="PLUGIN")
        error = refusal()
    else:
        (error,) = plugins.faults()
        assert not isinstance(driver_factory("atp", nowhere)(), Fenced), "ours is ours"
    assert error.fault == "taken"
    assert "tablectl-one" in str(error)
    assert "pip uninstall" in str(error)


def test_options_are_checked_by_name_and_by_the_driver(folder: Path) -> None:
    install(folder, "tablectl-acme", GOOD, acme="PLUGIN")
    wrong = refusal(spede=9600)
    assert (wrong.fault, wrong.fields["nearest"]) == ("option", "speed")
    assert "speed 0 is none" in str(refusal(speed=0))


def test_a_name_nobody_offers_is_refused_with_the_nearest(folder: Path) -> None:
    install(folder, "tablectl-acme", GOOD, acme="PLUGIN")
    with pytest.raises(TomlError) as caught:
        parse_config('[[device]]\ndriver = "acmee"', "x.toml")
    assert caught.value.nearest == "acme"
    assert "x.toml, line 2" in str(caught.value)
    assert "atp, lines, panel, acme" in str(caught.value)


def test_built_in_drivers_have_no_options() -> None:
    with pytest.raises(TomlError, match="the driver atp has no options"):
        parse_config("[[device]]\noptions = { unit = 3 }", "x.toml")


def test_what_a_driver_raises_ends_its_connection_and_nothing_else(folder: Path) -> None:
    install(folder, "tablectl-acme", GOOD, acme="PLUGIN")

    async def story() -> None:
        deeds: list[Callable[[Driver], None]] = [
            lambda one: one.operate(Order(1, Operation.HOME)),
            lambda one: one.query(1),
        ]
        for deed in deeds:
            told: list[Report] = []
            made = driver_factory("acme", nowhere)()
            await made.open(told.append, journal_id=JOURNAL, last_event=0)
            deed(made)
            assert told == [], "never from inside the call"
            await asyncio.wait({asyncio.get_running_loop().create_future()}, timeout=0.01)
            deed(made)
            (gone,) = told
            assert isinstance(gone, Gone)
            assert gone.key == "driver"
            assert made.ask_clock() == 0
            assert made.limits(Operation.HOME) == LIMITS
            made.close()
            made.stop()

    run_virtual(story())


def test_a_link_with_a_broken_driver_says_so_and_waits(folder: Path) -> None:
    install(folder, "tablectl-acme", "import no_such_module", acme="PLUGIN")
    told: list[LinkChange] = []

    def hear(item: Input, at: int, unc: int) -> None:
        assert isinstance(item, LinkChange)
        told.append(item)

    async def story() -> None:
        loop = asyncio.get_running_loop()
        factory = driver_factory("acme", nowhere)
        link = Link("x", "y", factory, loop=loop, clock=TableClock(loop.time), emit=hear, journal_id=JOURNAL)
        link.start()
        await asyncio.wait({loop.create_future()}, timeout=30.0)
        assert link.state == "backoff"
        assert link.quality()["detail"]["sentence"] == "driver.import"
        await link.close()

    run_virtual(story())
    assert {change.word for change in told} == {"no_driver"}
