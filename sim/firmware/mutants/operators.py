"""Where a fault can be planted in C, and which: small slips a person makes.

Only lines that do something are touched: no comments, includes, declarations of types or constants' names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

GENERATED = "atp_messages.c"


def files(folder: Path) -> list[str]:
    """The sources people write, by name."""
    return sorted(path.name for path in folder.glob("*.c") if path.name != GENERATED)


LEFT_OUT = re.compile(r"^\s*(/?\*|//|#|static const|struct |typedef|\}|\{|case |default|break|const struct)")

# A slip: its name, what it is found by, what stands there instead. A bound off by one is none of them: nearly
# all bounds here are microseconds.
SLIPS: tuple[tuple[str, str, str], ...] = (
    ("equal for unequal", r" == ", " != "),
    ("unequal for equal", r" != ", " == "),
    ("or for and", r" && ", " || "),
    ("and for or", r" \|\| ", " && "),
    ("minus for plus", r" \+ (?=[A-Za-z(])", " - "),
    ("one too many", r"(?<= \+ )1u", "2u"),
    ("one too few", r"(?<= - )1u", "0u"),
    ("true for false", r"= false;", "= true;"),
    ("false for true", r"= true;", "= false;"),
    ("answer turned round", r"return true;", "return false;"),
    ("answer turned round back", r"return false;", "return true;"),
    ("forgotten", r"^\s*[a-z_]+\((?:board|ledger|events|sender|table|job|order|session|&)[^;]*\);$", ";"),
    (
        "not kept",
        r"^\s*(?:table|session|events|order|job|ledger|rows|frame|board)(?:->|\.)[a-z_.>-]+ = [^;]+;$",
        ";",
    ),
    ("not counted", r"\w+(?:->\w+)*\+\+;", ";"),
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One slip in one place."""

    file: str
    line: int  # from 1
    slip: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.slip}: `{self.before.strip()}`"

    def plant(self, folder: Path) -> None:
        """Make the slip in a copy of the sources."""
        path = folder / self.file
        lines = path.read_text(encoding="utf-8").split("\n")
        if lines[self.line - 1] != self.before:
            raise ValueError(f"{self.file}:{self.line} is not as it was")
        lines[self.line - 1] = self.after
        path.write_text("\n".join(lines), encoding="utf-8")


def mutants(folder: Path) -> Iterator[Mutant]:
    """Every slip that can be made, in the order of the sources."""
    for file in files(folder):
        for number, line in enumerate((folder / file).read_text(encoding="utf-8").split("\n"), 1):
            if LEFT_OUT.match(line):
                continue
            for slip, pattern, instead in SLIPS:
                for found in re.finditer(pattern, line):
                    after = line[: found.start()] + instead + line[found.end() :]
                    yield Mutant(file, number, slip, line, after)


def sample(folder: Path, count: int, seed: int) -> list[Mutant]:
    """So many of them, by chance from the seed, at most one a line; in the order of the sources."""
    rng = Random(seed)
    found = list(mutants(folder))
    rng.shuffle(found)
    chosen: dict[tuple[str, int], Mutant] = {}
    for mutant in found:
        if len(chosen) == count:
            break
        chosen.setdefault((mutant.file, mutant.line), mutant)
    return sorted(chosen.values(), key=lambda one: (one.file, one.line))
