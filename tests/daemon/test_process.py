"""The same with a real process: killed without warning, and started in a locale that knows no Unicode."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon import history, recovery
from tablectl.daemon.record import read_records

WRITE = """
import asyncio, pathlib, sys
from tablectl.daemon import recovery
from tablectl.daemon.journal import FileJournal
from tablectl.game.inputs import Command

async def main():
    path = pathlib.Path(sys.argv[1])
    opened = recovery.open_or_create(path, code="0", rules={}, new_id=lambda: "5e" * 16)
    journal = FileJournal(path, opened.head)
    while True:
        durable = asyncio.Event()
        n = journal.append({"at": 0, "unc": 0, "in": Command(str(journal.head.n), "ref", "referee", "pause")})
        journal.when_durable(n, durable.set)
        await durable.wait()
        print(n, flush=True)

asyncio.run(main())
"""

SPEAK = """
import asyncio, pathlib, sys
from tablectl.daemon import history, recovery
from tablectl.daemon.config import Overrides, load_settings
from tablectl.daemon.journal import FileJournal
from tablectl.daemon.lock import StateLock
from tablectl.game.inputs import Command

async def main():
    settings = load_settings(Overrides(config=pathlib.Path(sys.argv[1])), {})
    with StateLock(settings.state_dir):
        rules = {settings.table_name: ""}
        opened = recovery.open_or_create(settings.journal, code="0", rules=rules, new_id=lambda: "5e" * 16)
        journal = FileJournal(settings.journal, opened.head)
        journal.append({"at": 0, "unc": 0, "in": Command("1", "張三", "referee", "pause", {"why": "🍵"})})
        await journal.close()
        print([*history.show(settings.journal.open("rb"))])

asyncio.run(main())
"""


@pytest.mark.process
@pytest.mark.report("B099")
@pytest.mark.parametrize("after", [1, 7, 40])
def test_what_was_acknowledged_survives_kill_9(tmp_path: Path, opening: dict[str, Any], after: int) -> None:
    path = tmp_path / "journal.jsonl"
    command = [sys.executable, "-c", WRITE, str(path)]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(after)]
    finally:
        writer.send_signal(signal.SIGKILL)
        rest = writer.communicate(timeout=20)[0]
    acknowledged += [int(n) for n in rest.splitlines(keepends=True) if n.endswith("\n")]
    recovered = recovery.open_or_create(path, **opening)
    assert recovered.head.n >= acknowledged[-1]
    assert acknowledged == list(range(2, acknowledged[-1] + 1))
    assert history.verify(path).ok


LOCALES = {
    "LANG=C": {"LANG": "C"},
    "LC_ALL=POSIX": {"LC_ALL": "POSIX"},
    "LC_ALL=C, left as it is": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.mark.process
@pytest.mark.report("B109")
@pytest.mark.parametrize("locale", LOCALES.values(), ids=LOCALES)
def test_names_of_any_script_work_in_a_locale_that_knows_none(tmp_path: Path, locale: dict[str, str]) -> None:
    config = tmp_path / "tablectl.toml"
    config.write_bytes('[table]\nname = "東風 🀄"\n[state]\ndir = "狀態"\n'.encode())
    program = tmp_path / "speak.py"
    program.write_bytes(SPEAK.encode())
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    done = subprocess.run(
        [sys.executable, str(program), str(config)],
        capture_output=True,
        env=kept | locale | {"PYTHONPATH": os.getcwd()},
        timeout=20,
    )
    assert done.returncode == 0, done.stderr
    data = (tmp_path / "狀態" / "journal.jsonl").read_bytes()
    assert "張三".encode() in data
    assert "🍵".encode() in data
    first = next(iter(read_records(data.splitlines(keepends=True))))
    assert first.journal is not None
    assert list(first.journal.rules) == ["東風 🀄"]
