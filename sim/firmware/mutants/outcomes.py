"""The last run of ``make mutants`` and what was found about those nobody noticed."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("outcomes.json")
EXPLAINED = Path(__file__).with_name("explained.toml")
LOOKS = ("conformance", "traces", "tests")


@dataclass(frozen=True, slots=True)
class Fault:
    """A planted fault: where, which slip, the line as it was, and who noticed it."""

    file: str
    slip: str
    text: str
    by: str
    why: str

    @property
    def name(self) -> str:
        """As ``explained.toml`` names it."""
        return f"{self.file}: {self.slip}: {self.text}"


def last_run() -> list[Fault]:
    """Every fault of the last run, in the order of the sources."""
    if not FILE.exists():
        return []
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    return [
        Fault(
            row["mutant"]["file"],
            row["mutant"]["slip"],
            row["mutant"]["before"].strip(),
            row["by"],
            row["why"],
        )
        for row in rows
    ]


def explanations() -> dict[str, str]:
    """Why nobody noticed, by the name of the fault."""
    found: dict[str, str] = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["explained"]
    return found
