"""What came of a check: a verdict, and what was seen, as a key of a text and the facts it is filled with."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

Fact = int | float | str


class Verdict(StrEnum):
    """What a check says of a requirement."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen: ``hil.<key>`` is the text it is told with."""

    key: str
    facts: dict[str, Fact] = field(default_factory=dict)


def saw(key: str, **facts: Fact) -> Evidence:
    """Evidence that the requirement is kept."""
    return Evidence(f"saw.{key}", facts)


class Broken(Exception):
    """The requirement is not kept."""

    def __init__(self, key: str, **facts: Fact) -> None:
        super().__init__(key, facts)
        self.evidence = Evidence(f"broke.{key}", facts)


class NotApplicable(Exception):
    """Nothing can be said of this board, and why."""

    def __init__(self, key: str, **facts: Fact) -> None:
        super().__init__(key, facts)
        self.evidence = Evidence(f"na.{key}", facts)


@dataclass(frozen=True, slots=True)
class Result:
    """One requirement, checked. ``seconds`` are those of the loop."""

    requirement: str
    verdict: Verdict
    evidence: Evidence
    seconds: float = 0.0


def expect(right: bool, key: str, **facts: Fact) -> None:
    """Raise ``Broken`` unless ``right``."""
    if not right:
        raise Broken(key, **facts)


def named(kind: type[IntEnum], code: int) -> str:
    """The name of a number of the wire, or the number where it has none."""
    try:
        return kind(code).name
    except ValueError:
        return str(code)
