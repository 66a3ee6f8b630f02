"""The command as a process: start-up, locale, Ctrl-C, a reader that goes away, the live watch."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.console.test_cli import Daemon

pytestmark = pytest.mark.process
TABLECTL = [sys.executable, "-m", "tablectl"]
HELP_BUDGET = 3.0  # times a bare `import argparse`: 60 ms where that takes 20


def run(*words: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    clean = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **environ}
    return subprocess.run([*TABLECTL, *words], capture_output=True, env=clean, timeout=30, check=False)


def cpu_seconds(command: list[str]) -> float:
    """The least processor time of five runs: other work on the computer does not count."""
    best = 60.0
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def test_help_starts_quickly() -> None:
    bare = cpu_seconds([sys.executable, "-c", "import argparse"])
    assert cpu_seconds([*TABLECTL, "--help"]) < HELP_BUDGET * bare + 0.01


def test_help_loads_no_room() -> None:
    code = "import sys; from tablectl.console.cli import main; main(['--help']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    modules = loaded.splitlines()[-1].split()
    assert not {"asyncio", "msgspec", "transitions", "argparse", "tablectl.daemon"} & set(modules)


@pytest.mark.report("B109")
@pytest.mark.parametrize(
    "locale", [{"LANG": "C"}, {"LC_ALL": "POSIX"}, {"PYTHONIOENCODING": "ascii"}], ids=str
)
def test_chinese_on_a_terminal_that_cannot_show_it(locale: dict[str, str]) -> None:
    result = run("--lang", "zh", "rules", "show", "mcr", **locale, PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert result.returncode == 0
    assert result.stderr == b""
    assert run("--lang", "zh", "clam", **locale).returncode == 2


def test_a_reader_that_goes_away_is_no_error() -> None:
    first = subprocess.Popen(
        [*TABLECTL, "rules", "show", "mcr"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert first.stdout is not None
    assert first.stderr is not None
    first.stdout.close()
    assert first.stderr.read() == b""
    assert first.wait(20) in (0, 141)
    first.stderr.close()


@pytest.fixture
def daemon(tmp_path: Path):  # type: ignore[no-untyped-def]
    running = Daemon(tmp_path / "api.sock")
    yield running
    running.close()


def test_watch_prints_events_until_ctrl_c(daemon: Daemon) -> None:
    command = [*TABLECTL, "watch", "--plain", "--lang", "en", "--since", "0", "--socket", str(daemon.path)]
    daemon.core.publish(3, tile="5p")
    watching = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert watching.stdout is not None
    lines = [watching.stdout.readline() for _ in range(3)]
    assert lines[0] == "      5.0  side 0 discards 5p\n"
    daemon._loop.call_soon_threadsafe(daemon.core.publish)
    assert "side 0 discards" in watching.stdout.readline()
    watching.send_signal(signal.SIGINT)
    _, err = watching.communicate(timeout=20)
    assert watching.returncode == 130
    assert "Traceback" not in err


def test_watch_json_is_a_line_an_event(daemon: Daemon) -> None:
    daemon.core.publish(1)
    command = [*TABLECTL, "watch", "--json", "--since", "0", "--socket", str(daemon.path)]
    watching = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert watching.stdout is not None
    assert '"key": "event.discarded"' in watching.stdout.readline()
    watching.send_signal(signal.SIGTERM)
    watching.communicate(timeout=20)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_offers_the_words_of_the_registry(shell: str) -> None:
    script = run("completion", shell).stdout.decode()
    assert "complete -F _tablectl tablectl" in script
    if shell == "bash":
        for line, wanted in [
            ("tablectl cl", {"claim"}),
            ("tablectl machine r", {"raise"}),
            ("tablectl machine ", {"stop", "home", "build", "raise", "lower", "dice", "clear"}),
            ("tablectl claim ", {"chow", "pung", "kong", "win", "--seat"}),
            ("tablectl claim pung --seat ", {"E", "S", "W", "N"}),
            ("tablectl discard --tile f", {f"f{n}" for n in range(1, 9)}),
            ("tablectl demo --speed m", {"max"}),
        ]:
            words = line.split(" ")
            ask = f"{script}\nCOMP_WORDS=({' '.join(repr(w) for w in words)})\nCOMP_CWORD={len(words) - 1}\n"
            ask += '_tablectl; printf "%s\\n" "${COMPREPLY[@]}"'
            offered = subprocess.run(
                ["bash", "-c", ask], capture_output=True, text=True, check=True
            ).stdout.split()
            assert wanted <= set(offered), line


@pytest.mark.parametrize("words", [["rules", "show", "mcr"], ["--help"], ["status", "--json"]], ids=str)
def test_a_full_device_is_one_sentence(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [*TABLECTL, "--lang", "en", *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == (
        "tablectl: The output could not be written: No space left on device."
    )
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("words", "code"), [("rules show mcr", 0), ("session stop --socket /none", 4)])
def test_closed_streams_are_no_fault(closed: str, words: str, code: int) -> None:
    line = f"{sys.executable} -m tablectl {words} {closed}"
    result = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert result.returncode == code
    assert "Traceback" not in result.stderr


def test_what_is_no_number_of_columns_is_none(daemon: Daemon) -> None:
    result = run("status", "--socket", str(daemon.path), COLUMNS="9" * 400, LINES="9" * 400)
    assert result.returncode == 0
    assert result.stderr == b""


@pytest.mark.parametrize("command", [["pause"], ["status"], ["clam"]], ids=str)
def test_an_argument_that_is_no_text_is_no_fault(daemon: Daemon, command: list[str]) -> None:
    tail = [b"--actor", b"\xff", b"--socket", os.fsencode(daemon.path)]
    words = [*map(os.fsencode, [*TABLECTL, *command]), *tail]
    result = subprocess.run(words, capture_output=True, check=False)
    assert result.returncode == (2 if command == ["clam"] else 0)
    assert b"Traceback" not in result.stderr
