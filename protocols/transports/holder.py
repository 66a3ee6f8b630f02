"""Who holds a device node: read from /proc, so that *busy* can name the culprit."""

from __future__ import annotations

import os
from pathlib import Path

_PROC = Path("/proc")


def _name(pid: int) -> str:
    try:
        return (_PROC / str(pid) / "comm").read_text().strip()
    except OSError:
        return ""  # it ended meanwhile


def lock_holder(path: str) -> tuple[int, str]:
    """Process id and name of who has the file locked; (0, "") when the system does not tell.

    ``/proc/locks`` is readable by everybody, also where the holder is another user's process.
    """
    try:
        node = os.stat(path)
        lines = (_PROC / "locks").read_text().splitlines()
    except OSError:
        return 0, ""
    wanted = f"{os.major(node.st_dev):02x}:{os.minor(node.st_dev):02x}:{node.st_ino}"
    for line in lines:
        words = line.replace("->", "").split()
        if wanted in words and words[1] == "FLOCK":
            pid = int(words[4])
            return (pid, _name(pid)) if pid > 0 else (0, "")
    return 0, ""


def open_holder(path: str) -> tuple[int, str]:
    """Process id and name of another process that has the device open; (0, "") when none is seen."""
    if not _PROC.is_dir():
        return 0, ""  # not every system has it
    device = os.path.realpath(path)
    for entry in _PROC.iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            open_files = [os.readlink(link) for link in (entry / "fd").iterdir()]
        except OSError:
            continue  # another user's, or ended meanwhile
        if device in open_files:
            return int(entry.name), _name(int(entry.name))
    return 0, ""
