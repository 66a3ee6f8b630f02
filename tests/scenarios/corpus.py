"""The scenario corpus: what may happen at a table, what is proposed, what it costs; written to be read.

A file is a list of `[[scenario]]` tables and the hands they begin with, ``[hands.<name>]`` (E, S, W, N).
Steps and expectations are plain words; their grammar is `tests.scenarios.steps` and
`tests.scenarios.expected`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from tablectl.tomlfile import load

HERE = Path(__file__).parent
FILES = ("mcr", "mcr_ema", "zungjung", "ccm", "wuhan")


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One situation. ``begins``: ``throws`` (before any tile is taken), ``deal``, or ``play`` (East is to
    make the first discard). What is not expected must not be there: case, ruling, bar, tile, point."""

    id: str
    zh: str
    en: str
    rules: str
    articles: tuple[str, ...]
    steps: tuple[str, ...]
    fidelity: Literal["count", "identity"] = "count"
    begins: Literal["throws", "deal", "play"] = "play"
    hands: str = ""
    proposed: tuple[str, ...] = ()  # "W: early_draw (MCR-P5), step 1"
    ruled: tuple[str, ...] = ()  # "W: early_draw: warning"; "W: wrong_name: pays_all"; "W: late: waived"
    bars: dict[str, tuple[str, ...]] = {}  # seat -> what it may not do
    tiles: dict[str, tuple[str, ...]] = {}  # seat -> "5m live", "5m dead", "5m forced", "? live"
    points: dict[str, int] = {}  # seat -> what the rulings have cost or brought
    out: tuple[str, ...] = ()  # seats whose player is out of the session


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the corpus."""

    scenario: tuple[Scenario, ...]
    hands: dict[str, dict[str, str]] = {}


@cache
def page(name: str) -> Page:
    """A file by its name without ending. Raises `TomlError` with the line of a mistake."""
    return load((HERE / f"{name}.toml").read_text(encoding="utf-8"), Page, f"{name}.toml")


def scenarios() -> list[tuple[str, Scenario]]:
    """Every scenario with the file it stands in, in the order of the files."""
    return [(name, one) for name in FILES for one in page(name).scenario]
