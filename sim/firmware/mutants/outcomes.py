"""The last run of ``make mutants`` and what was found about those nobody noticed."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("outcomes.json")
EXPLAINED = Path(__file__).with_name("explained.toml")
KNOWN = Path(__file__).with_name("known.txt")
LOOKS = ("conformance", "traces", "tests")


@dataclass(frozen=True, slots=True)
class Fault:
    """A planted fault: where, which slip, the line as it was, and who noticed it."""

    file: str
    slip: str
    text: str
    by: str
    why: str
    seed: int

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
            row["seed"],
        )
        for row in rows
    ]


def explanations() -> dict[str, str]:
    """Why nobody noticed, by the name of the fault."""
    return _table("explained")


def unseen() -> dict[str, str]:
    """Why no host can see what the conformance suite did not notice, by the name of the fault."""
    return _table("unseen")


def earlier() -> str:
    """What seeds judged before have shown, in words."""
    return _text("earlier")


def known() -> frozenset[str]:
    """The names of faults that were looked at while suite, traces and tests were being strengthened."""
    return frozenset(KNOWN.read_text(encoding="utf-8").splitlines())


def _text(name: str) -> str:
    found: str = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get(name, "")
    return found


def _table(name: str) -> dict[str, str]:
    found: dict[str, str] = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))[name]
    return found
