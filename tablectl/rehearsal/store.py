"""Where rehearsals keep their journals: the newest five, so that one can be looked at afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

KEPT = 5


def demo_root(environ: Mapping[str, str]) -> Path:
    """``$XDG_STATE_HOME/tablectl/demo``."""
    base = Path(environ.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():  # the standard says that such a one is to be ignored
        base = Path.home() / ".local" / "state"
    return base / "tablectl" / "demo"


def new_folder(environ: Mapping[str, str]) -> Path:
    """A folder of its own for one rehearsal; older ones beyond the five newest are removed."""
    root = demo_root(environ)
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    numbers = sorted(int(p.name) for p in root.iterdir() if p.name.isdigit())
    for old in numbers[: -(KEPT - 1)] if len(numbers) >= KEPT else []:
        shutil.rmtree(root / f"{old:06}", ignore_errors=True)
    number = numbers[-1] + 1 if numbers else 1
    while True:
        folder = root / f"{number:06}"
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:  # two demos at once
            number += 1
            continue
        return folder
