"""A driver package from nothing: built, installed into a folder, configured, used at a table."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from types import ModuleType
from zipfile import ZipFile

import pytest

from protocols.driver import Driver, Hello
from protocols.transports.port import port_at
from sim.endpoints.pty import PtyEndpoint
from tablectl.daemon import plugins
from tablectl.daemon.drivers import driver_factory
from tests.packages import install
from tests.process.rig import Bench, Events, until
from tests.protocols.transports.ear import held

pytestmark = pytest.mark.process
TEMPLATE = Path(__file__).parents[2] / "docs/driver-template"
ROUNDS = 500
BUILD = "import sys, hatchling.build; print(hatchling.build.build_wheel(sys.argv[1]))"
TWO = """
[[device]]
name = "table"
port = "{port}"

[[device]]
name = "knocks"
driver = "knockbox"
port = "{box}"
options = {{ sides = [2, 3, 0, 1] }}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template, built and unpacked as pip does with a wheel of pure Python."""
    pytest.importorskip("hatchling", reason="LEFT OUT: no hatchling here, so no driver package is built")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=TEMPLATE, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    with ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def module_of(package: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The template's simulated box, which speaks by the installed module."""
    monkeypatch.syspath_prepend(package)
    spec = importlib.util.spec_from_file_location("knock_box_end", TEMPLATE / "tests/box.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Knocks:
    """The box at the end of a pty."""

    def __init__(self, link: Path, end: ModuleType) -> None:
        self.endpoint = PtyEndpoint(link, Random(1), paced=False)
        self.box = end.Box(self.endpoint.write)
        self.endpoint.attach(self.box.received)

    def close(self) -> None:
        self.box.close()
        self.endpoint.close()


@pytest.fixture
async def knocks(bench: Bench, package: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Knocks]:
    bench.environ["PYTHONPATH"] += f":{package}"
    made = Knocks(bench.folder / "box", module_of(package, monkeypatch))
    yield made
    made.close()
    sys.modules.pop("tablectl_knockbox", None)


async def online(events: Events, state: dict[str, object], *devices: str) -> None:
    links = state["links"]
    assert isinstance(links, dict)
    for device in devices:
        if links.get(device, {}).get("state") != "online":
            await events.event("event.link", device=device, state="online")


def test_it_is_a_wheel_with_one_module_and_its_entry_point(package: Path) -> None:
    assert [path.name for path in package.glob("*.py")] == ["tablectl_knockbox.py"]
    (entries,) = package.glob("*.dist-info/entry_points.txt")
    assert "[tablectl.drivers]\nknockbox = tablectl_knockbox:PLUGIN" in entries.read_text()


def test_its_own_tests_pass() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "pyproject.toml"]
    environ = {**os.environ, "PYTHONPATH": str(TEMPLATE.parents[1])}
    done = subprocess.run(command, cwd=TEMPLATE, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "7 passed" in done.stdout


async def test_a_table_has_a_device_of_a_package(bench: Bench, knocks: Knocks) -> None:
    """Its keys count as anybody's: a knock at the box is in the record, beside a table that speaks ATP."""
    bench.config.write_text(TWO.format(port=bench.port, box=knocks.endpoint.link))
    await bench.table("--tiles", 144)
    words = ["run", "--config", bench.config, "--state-dir", bench.state, "--socket", bench.socket]
    daemon = await bench.start(*words)
    await daemon.says("ready")
    client = await bench.client()
    events = Events()
    answer = await client.watch(events.take)
    await online(events, answer["state"], "table", "knocks")
    said = (await bench.cli("link", "status", "--json")).json
    assert "K-0001" in str(said)
    knocks.box.knock(2)
    (record,) = await until(lambda: knocks_in(bench.state / "journal.jsonl"), "the knock is in the journal")
    assert '"side":0' in record, "the button's side is as configured"
    client.close()
    assert await daemon.end() == 0
    listed = await bench.start("devices", "--hello", "--config", bench.config, "--plain")
    await listed.ended()
    assert "serial number K-0001, firmware 1.2, speaks knock lines" in listed.text("out")


def knocks_in(journal: Path) -> list[str]:
    """The records of knocks."""
    lines = journal.read_text().splitlines()
    return [line for line in lines if '"device":"knocks"' in line and '"event":"seat_key"' in line]


async def test_hundreds_of_connections_leave_nothing(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = module_of(package, monkeypatch)
    plugins.forget()
    knocks = Knocks(tmp_path / "box", end)
    port = port_at(str(tmp_path / "box"))
    try:
        make = driver_factory("knockbox", port.open)
        await greeted(make())
        before = held()
        for _ in range(ROUNDS):
            await greeted(make())
        assert held() == before
    finally:
        knocks.close()
        plugins.forget()
        sys.modules.pop("tablectl_knockbox", None)


async def greeted(driver: Driver) -> None:
    """Open it, wait for the hello, close it."""
    met = asyncio.Event()
    await driver.open(
        lambda report: met.set() if isinstance(report, Hello) else None, journal_id=bytes(16), last_event=0
    )
    async with asyncio.timeout(20):
        await met.wait()
    driver.close()


async def test_a_broken_package_stops_nobody_else(bench: Bench) -> None:
    """One device has a driver whose package cannot be imported; the table is played at all the same."""
    site = bench.folder / "site"
    site.mkdir()
    install(site, "tablectl-broken", "import no_such_module", knockbox="PLUGIN")
    bench.environ["PYTHONPATH"] += f":{site}"
    bench.config.write_text(
        TWO.format(port=bench.port, box=bench.folder / "box").replace("options", "# options")
    )
    (bench.folder / "box").touch()
    await bench.table("--tiles", 144)
    words = ["run", "--config", bench.config, "--state-dir", bench.state, "--socket", bench.socket]
    daemon = await bench.start(*words)
    await daemon.says("ready")
    client = await bench.client()
    events = Events()
    answer = await client.watch(events.take)
    await online(events, answer["state"], "table")
    async with asyncio.timeout(20):
        said = (await bench.cli("link", "status", "--plain")).out
    assert "tablectl-broken" in said
    assert "pip install --force-reinstall" in said
    client.close()
    assert await daemon.end() == 0
