"""The record of what was played, from which the page is made: ``docs/hil.json``.

A computer that lacks what an endpoint needs leaves its column as it was: each part is replaced only by a run
of that part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from tablectl.rehearsal.scenarios.rounds import Rounds
from tablectl.rehearsal.scenarios.runner import Cell
from tablectl.rehearsal.scenarios.steps import StepRun

NAME = "hil.json"


class Record(msgspec.Struct):
    """All cells, the rounds of connecting at each endpoint, and the steps of ``make hil``."""

    cells: list[Cell] = []
    rounds: list[Rounds] = []
    steps: list[StepRun] = []

    def cell(self, scenario: str, endpoint: str) -> Cell | None:
        """One cell, if it was ever played."""
        return next((one for one in self.cells if (one.scenario, one.endpoint) == (scenario, endpoint)), None)

    def take(self, cells: Iterable[Cell], rounds: Iterable[Rounds]) -> None:
        """Replace what was played again."""
        fresh, anew = list(cells), list(rounds)
        played = {(one.scenario, one.endpoint) for one in fresh}
        went = {one.endpoint for one in anew}
        self.cells = [one for one in self.cells if (one.scenario, one.endpoint) not in played] + fresh
        self.rounds = [one for one in self.rounds if one.endpoint not in went] + anew

    def stepped(self, run: StepRun) -> None:
        """Replace a step that was run again."""
        known = {one.step: one for one in self.steps} | {run.step: run}
        self.steps = list(known.values())

    def order_steps(self, names: list[str]) -> None:
        """Put the steps in the order of the page, and forget those that are no more."""
        known = {one.step: one for one in self.steps}
        self.steps = [known[name] for name in names if name in known]

    def keep_only(self, scenarios: list[str], endpoints: list[str]) -> None:
        """Forget rows and columns that are no more, and put the others in the order of the page."""
        order = [(row, column) for row in scenarios for column in endpoints]
        known = {(one.scenario, one.endpoint): one for one in self.cells}
        self.cells = [known[place] for place in order if place in known]
        went = {one.endpoint: one for one in self.rounds}
        self.rounds = [went[name] for name in endpoints if name in went]


def read(folder: Path) -> Record:
    """The record in a folder; empty where there is none."""
    path = folder / NAME
    return msgspec.json.decode(path.read_bytes(), type=Record) if path.exists() else Record()


def write(folder: Path, record: Record) -> None:
    """A line a cell, so that a change shows what changed."""
    parts: dict[str, Sequence[Cell | Rounds | StepRun]] = {
        "cells": record.cells,
        "rounds": record.rounds,
        "steps": record.steps,
    }
    rows = []
    for name, found in parts.items():
        lines = ",\n".join(msgspec.json.encode(one).decode() for one in found)
        rows.append(f'"{name}": [\n{lines}\n]')
    (folder / NAME).write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
