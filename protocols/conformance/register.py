"""Which check belongs to which requirement, and what it needs before it can be run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from protocols.conformance.evidence import Evidence
from protocols.vocabulary import Capability

if TYPE_CHECKING:
    from protocols.conformance.bench import Bench

Run = Callable[["Bench"], Awaitable[Evidence]]


class Phase(IntEnum):
    """When a check has its turn: what moves nothing first, what looks back on everything last."""

    OVERTURE = 0  # before the first hello
    REST = 1
    MIXED = 2  # part of it moves, and is left out where nothing may
    ALONE = 3  # moves, and needs an empty store for something that takes long
    MOTION = 4
    RESTART = 5  # the board is switched off and on
    REVIEW = 6  # all that was heard


@dataclass(frozen=True, slots=True)
class Check:
    """How one requirement is checked."""

    requirement: str
    run: Run
    phase: Phase
    needs: Capability


CHECKS: dict[str, Check] = {}
NOTHING = Capability(0)


def check(
    requirement: str, *, phase: Phase = Phase.REST, needs: Capability = NOTHING
) -> Callable[[Run], Run]:
    """Declare the check of a requirement. A second one for the same is a ``ValueError``."""

    def declare(run: Run) -> Run:
        if requirement in CHECKS:
            raise ValueError(f"{requirement} has a check already")
        CHECKS[requirement] = Check(requirement, run, phase, needs)
        return run

    return declare
