"""The measurements measure: every figure gives its rows, and the rows say what they should."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest

from tablectl.console.cli import main
from tablectl.console.local import FIGURES
from tablectl.locale import catalog
from tablectl.rehearsal import bench
from tablectl.rehearsal.benches.lab import TINY
from tablectl.rehearsal.benches.row import Row, Samples, percentile

QUICK = (
    "wire",
    "usb",
    "tcp",
    "lines",
    "panel",
    "act",
    "event",
    "frame",
    "session",
    "score",
)  # the others wait for a second or more by design


def run(names: tuple[str, ...], folder: Path) -> dict[str, list[Row]]:
    return bench.run(names, TINY, {**os.environ, "XDG_STATE_HOME": str(folder)})


def check(rows: dict[str, list[Row]], folder: Path) -> None:
    for name, found in rows.items():
        assert found, name
        for row in found:
            assert catalog.known(row.key), row
            assert math.isfinite(row.ours), row
            assert row.ours >= 0, row
            assert row.beside is None or row.beside > 0, row
    assert [path for path in folder.rglob("*") if path.is_file()] == []
    assert json.loads(json.dumps(bench.as_json(rows)))


@pytest.mark.process
def test_the_quick_figures_are_measured(tmp_path: Path) -> None:
    rows = run(QUICK, tmp_path)
    check(rows, tmp_path)
    exact = {row.key: row.ours for found in rows.values() for row in found}
    assert exact["bench.act_syncs"] == 1
    assert exact["bench.judged_virtual"] <= 0.001


@pytest.mark.process
@pytest.mark.long
def test_every_figure_is_measured(tmp_path: Path) -> None:
    rows = run(FIGURES, tmp_path)
    check(rows, tmp_path)
    outside = [row for row in rows["judged"] if row.key.startswith("bench.judged_outside")]
    assert [row.ours for row in outside] == [0, 0]


ROWS: list[tuple[Row, bool | None]] = [
    (Row("k", "p50", 3.0, beside=1.0, bound=3.0), True),
    (Row("k", "p50", 3.1, beside=1.0, bound=3.0), False),
    (Row("k", "p50", 3.0), None),
    (Row("k", "p50", 3.0, beside=1.0), None),
    (Row("k", "p50", 3.0, bound=2.0), False),
    (Row("k", "p50", 1.0, beside=1.0, bound=1.0, below=True), False),
    (Row("k", "p50", 0.9, beside=1.0, bound=1.0, below=True), True),
    (Row("k", "p50", 1.0, beside=0.1, limit=1.0), True),
    (Row("k", "p50", 1.0, beside=9.0, bound=1.0, limit=0.5), False),
]


@pytest.mark.parametrize(("row", "met"), ROWS)
def test_a_bound_is_on_the_ratio_where_there_is_one(row: Row, met: bool | None) -> None:
    assert row.met is met


def test_a_percentile_is_a_sample_and_rounds_give_their_median() -> None:
    assert percentile([5, 1, 3], 0.5) == 3
    assert percentile(range(1, 1001), 0.999) == 999
    assert percentile([7], 0.5) == 7
    samples = Samples()
    for one in ([1.0, 1.0], [2.0, 2.0], [90.0, 90.0]):
        samples.begin()
        for value in one:
            samples.add(value)
    assert samples.at(0.5) == 2.0


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.0000123, "s", "12.3 µs"),
        (0.00345, "s", "3.45 ms"),
        (5.6, "s", "5.6 s"),
        (30.8, "MB", "30.8 MB"),
        (1, "", "1"),
        (0.0, "s", "0 µs"),
    ],
)
def test_quantities_are_readable(value: float, unit: str, text: str) -> None:
    assert bench.quantity(value, unit) == text


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_the_table_has_a_line_a_row_and_names_what_is_missed(lang: str) -> None:
    rows = {
        "wire": [Row("bench.wire_echo", "p50", 3e-4, beside=1e-4, bound=2.0), Row("bench.core", "p50", 1e-5)]
    }
    head, missed, free = bench.table(rows, lang)
    assert catalog.text("bench.column_bound", lang) in head
    assert missed.endswith(catalog.text("bench.no", lang))
    assert "≤ 2×" in missed
    assert free.startswith(catalog.text("bench.core", lang))


def test_the_command_prints_the_table_and_the_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fake(figures: Any, sizes: Any, environ: Any) -> dict[str, list[Row]]:
        return {name: [Row("bench.frame", "p50", 1e-5, beside=1e-3, bound=0.015)] for name in figures}

    monkeypatch.setattr(bench, "run", fake)
    assert main(["bench", "--only", "frame"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    (row,) = json.loads(last)
    assert (row["figure"], row["what"], row["ratio"], row["met"]) == ("frame", "frame", 0.01, True)
    assert main(["bench", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(FIGURES)
    assert main(["bench", "--only", "sound"]) == 2
