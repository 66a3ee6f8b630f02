"""``tablectl bench``: how fast and how small, each figure beside something measured in the same run.

A figure is a module of ``benches`` with ``measure(lab) -> list[Row]``. Printed are a table and, as the last
line, the same as JSON; ``--json`` prints the JSON alone.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tablectl.console.local import FIGURES
from tablectl.console.terminal import FAILED, INTERRUPTED, OK, Terminal
from tablectl.console.width import cells, pad
from tablectl.locale import catalog
from tablectl.rehearsal.benches.lab import Lab, Sizes
from tablectl.rehearsal.benches.row import Row
from tablectl.rehearsal.child import ChildFailedError

COLUMNS = ("what", "at", "ours", "beside", "ratio", "bound", "met")
TEXT_COLUMNS = 2  # the first ones are texts, the others numbers
SCALES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


def main(args: argparse.Namespace) -> int:
    """Measure and print. Returns the exit code: a bound that is missed is a finding, not a failure."""
    logging.getLogger("transitions").setLevel(logging.ERROR)
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    try:
        rows = run([args.only] if args.only else FIGURES, Sizes(), os.environ)
    except (ChildFailedError, OSError) as error:
        terminal.complain(f"tablectl bench: {error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    if not args.json:
        for line in table(rows, args.lang):
            terminal.line(line)
    terminal.json(as_json(rows))
    return OK


def run(figures: Sequence[str], sizes: Sizes, environ: Mapping[str, str]) -> dict[str, list[Row]]:
    """Measure these figures, in folders that are gone afterwards."""
    base = Path(environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "tablectl"
    base.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (
        tempfile.TemporaryDirectory(dir=base, prefix="bench-") as folder,
        tempfile.TemporaryDirectory(prefix="tablectl-") as run_dir,
    ):
        lab = Lab(Path(folder), Path(run_dir), sizes)
        return {name: _module(name).measure(lab) for name in figures}


def _module(name: str) -> Any:
    return importlib.import_module(f"tablectl.rehearsal.benches.{name}")


def as_json(rows: Mapping[str, Iterable[Row]]) -> list[dict[str, Any]]:
    """Plain data, one object a row. Times are seconds."""
    return [
        {
            "figure": figure,
            "what": row.key.partition(".")[2],
            "at": row.at,
            "unit": row.unit,
            "ours": row.ours,
            "beside": row.beside,
            "ratio": row.ratio,
            "bound": row.bound,
            "limit": row.limit,
            "met": row.met,
        }
        for figure, found in rows.items()
        for row in found
    ]


def table(rows: Mapping[str, Iterable[Row]], lang: str) -> list[str]:
    """The lines of the table."""
    head = [catalog.text(f"bench.column_{name}", lang) for name in COLUMNS]
    lines = [head, *(_cells(row, lang) for found in rows.values() for row in found)]
    widths = [max(cells(line[column]) for line in lines) for column in range(len(COLUMNS))]
    return [
        "  ".join(
            pad(text, width, "<" if column < TEXT_COLUMNS else ">")
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def _cells(row: Row, lang: str) -> list[str]:
    beside = "" if row.beside is None else quantity(row.beside, row.unit)
    ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
    met = "" if row.met is None else catalog.text("bench.yes" if row.met else "bench.no", lang)
    return [
        catalog.text(row.key, lang), row.at, quantity(row.ours, row.unit), beside, ratio, _bounds(row), met
    ]  # fmt: skip


def _bounds(row: Row) -> str:
    sign = "<" if row.below else "≤"
    bounds = []
    if row.bound is not None:
        bounds.append(f"{sign} {quantity(row.bound, row.unit) if row.ratio is None else f'{row.bound:g}×'}")
    if row.limit is not None:
        bounds.append(f"≤ {quantity(row.limit, row.unit)}")
    return ", ".join(bounds)


def quantity(value: float, unit: str) -> str:
    """A number with its unit, in three figures; seconds in the part of one that fits."""
    if unit != "s":
        return f"{value:.3g} {unit}".rstrip()
    scale, unit = next(((s, u) for s, u in SCALES if value >= s), SCALES[-1])
    return f"{value / scale:.3g} {unit}"
