"""What a step of ``make hil`` is, what it is asked, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Asked:
    """``docs``: the folder of the record and the page. ``brief``: only scenarios that take seconds."""

    docs: Path
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a step. Requirements are counted where it asked for them; ``said``: all else."""

    good: bool
    kept: int = 0
    broken: tuple[str, ...] = ()
    unseen: int = 0
    said: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a line about it, what it lacks here, in words, and the run. May raise ``SimError``.
    ``endpoint``: the one whose scenarios it plays, "" = it plays none."""

    name: str
    about: str
    lacks: Callable[[], str]
    run: Callable[[Asked], Came]
    endpoint: str = ""
