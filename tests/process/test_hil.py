"""The conformance suite at real ports, as a command and as tests."""

from __future__ import annotations

import os
import sys
import xml.etree.ElementTree as xml
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from tests.process.rig import Bench

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[2]
QUICK = "ATP-R38,ATP-R44,ATP-R55"


async def pytest_says(*words: str, cwd: Path = ROOT) -> tuple[int, str]:
    """The exit code of a pytest of its own, and what it printed."""
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    peer = await create_subprocess_exec(*command, stdout=PIPE, stderr=STDOUT, cwd=cwd, env=environment)
    out, _ = await peer.communicate()
    assert peer.returncode is not None
    return peer.returncode, out.decode()


@pytest.mark.parametrize("endpoint", ["pty", "tcp:127.0.0.1:0", "rfc2217:0"])
async def test_a_board_at_a_port_keeps_what_it_is_asked(bench: Bench, endpoint: str, tmp_path: Path) -> None:
    at = f"pty:{tmp_path / 'board'}" if endpoint == "pty" else endpoint
    table = await bench.start("sim", "serve", "--endpoint", at, "--speed", 10)
    port = (await table.says("ready")).split()[1]
    files = {"junit": tmp_path / "hil.xml", "report": tmp_path / "hil.html"}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    said = await bench.cli("hil", port, "--yes", "--only", QUICK, "--json", *options)
    assert said.code == 0, said
    assert [row["requirement"] for row in said.json["passed"]] == QUICK.split(",")
    assert said.json["failed"] == said.json["not_applicable"] == []
    assert said.json["board"]["model"] == "SIM-4"
    assert len(xml.parse(files["junit"]).findall("testcase")) == 3
    assert "SIM-4" in files["report"].read_text(encoding="utf-8")


async def test_a_port_without_a_board_is_no_table(bench: Bench, tmp_path: Path) -> None:
    said = await bench.cli("hil", str(tmp_path / "nothing"), "--no-motion", "--plain")
    assert said.code == 5
    assert "there is no port" in said.err
    (tmp_path / "something").touch()
    said = await bench.cli("hil", str(tmp_path / "something"), "--plain")
    assert said.code == 5
    assert "it is no device" in said.err
    assert "--yes" not in said.err
    said = await bench.cli("hil", "/dev/null", "--plain")
    assert said.code == 2
    assert "--yes" in said.err
    said = await bench.cli("hil", "usb:1", "--yes", "--plain")
    assert said.code == 2
    assert "names no port" in said.err


async def test_the_same_runs_as_tests(bench: Bench) -> None:
    table = await bench.start("sim", "serve", "--endpoint", "tcp:127.0.0.1:0", "--speed", 10)
    port = (await table.says("ready")).split()[1]
    code, out = await pytest_says(f"--hil={port}", f"--hil-only={QUICK}")
    assert code == 0, out
    assert "..s" in out
    assert "no motion asked for" in out


@pytest.mark.parametrize("more", [(), ("-p", "no:timeout")], ids=["with timeouts", "without"])
async def test_the_same_runs_in_a_project_that_knows_none_of_its_marks(
    bench: Bench, tmp_path: Path, more: tuple[str, ...]
) -> None:
    (tmp_path / "test_theirs.py").write_text("def test_theirs(): assert False")
    table = await bench.start("sim", "serve", "--endpoint", "tcp:127.0.0.1:0", "--speed", 10)
    port = (await table.says("ready")).split()[1]
    plugin = (
        "-p",
        "tablectl.console.hil_pytest",
        "--strict-markers",
        "-W",
        "error::pytest.PytestUnknownMarkWarning",
    )
    code, out = await pytest_says(*plugin, *more, f"--hil={port}", "--hil-only=38", cwd=tmp_path)
    assert code == 0, out
    assert "1 passed" in out


async def test_tests_of_a_port_without_a_board_end_with_a_sentence(tmp_path: Path) -> None:
    code, out = await pytest_says(f"--hil={tmp_path / 'nothing'}", "--hil-only=38")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "there is no port" in out
    code, out = await pytest_says("--hil=x", "--hil-only=999")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "no requirement 999" in out


@pytest.mark.long
async def test_a_board_at_a_pty_keeps_everything(bench: Bench, tmp_path: Path) -> None:
    table = await bench.start("sim", "serve", "--endpoint", f"pty:{tmp_path / 'board'}")
    port = (await table.says("ready")).split()[1]
    said = await bench.cli("hil", port, "--yes", "--json")
    assert said.json["failed"] == []
    assert said.code == 0
