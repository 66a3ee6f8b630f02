"""One daemon on a state directory, and a lock that dies with its holder."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon.errors import StateDirBusy, StateDirUnusable
from tablectl.daemon.lock import StateLock

HOLD = """
import sys, pathlib
from tablectl.daemon.lock import StateLock
lock = StateLock(pathlib.Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_the_folder_is_made_and_private(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "state"
    with StateLock(folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / "lock").stat().st_mode) == 0o600


def test_an_open_folder_is_made_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    StateLock(tmp_path).release()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


def test_releasing_frees_it_and_may_be_repeated(tmp_path: Path) -> None:
    lock = StateLock(tmp_path)
    with pytest.raises(StateDirBusy):
        StateLock(tmp_path)
    lock.release()
    lock.release()
    StateLock(tmp_path).release()


@pytest.mark.report("B022")
def test_a_left_over_file_of_a_dead_daemon_means_nothing(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("999999\n")
    with StateLock(tmp_path):
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"


@pytest.mark.report("B112")
@pytest.mark.parametrize(
    "code", [errno.EACCES, errno.EROFS, errno.EPERM], ids=["forbidden", "read-only", "not ours"]
)
def test_a_folder_that_cannot_be_written_says_who_lacks_which_right(
    tmp_path: Path, mocker: Any, code: int
) -> None:
    mocker.patch("tablectl.daemon.lock.os.open", side_effect=OSError(code, os.strerror(code)))
    mocker.patch("tablectl.daemon.lock.getuser", return_value="club")
    with pytest.raises(StateDirUnusable) as caught:
        StateLock(tmp_path)
    sentence = str(caught.value)
    assert os.strerror(code) in sentence
    assert "the user club" in sentence
    assert "--state-dir" in sentence


@pytest.mark.report("B109")
def test_a_name_the_locale_cannot_write_is_said(tmp_path: Path, mocker: Any) -> None:
    error = UnicodeEncodeError("ascii", "狀態", 0, 1, "ordinal not in range(128)")
    mocker.patch("tablectl.daemon.lock.os.open", side_effect=error)
    with pytest.raises(StateDirUnusable, match="ordinal not in range"):
        StateLock(tmp_path)


def test_a_file_in_its_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(StateDirUnusable, match="File exists"):
        StateLock(tmp_path / "state")


@pytest.mark.process
@pytest.mark.report("B020")
def test_a_second_daemon_is_told_the_pid_and_sigkill_frees_the_lock(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    first = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        second = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
        assert second.returncode != 0
        assert f"another daemon (pid {first.pid}) already uses" in second.stderr
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate(timeout=20)
    third = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
    assert (third.returncode, third.stdout) == (0, "held\n")
