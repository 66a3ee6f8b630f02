"""The physical causes of faults, as ``causes.toml`` lists them: one for each fault code."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from protocols.vocabulary import NO_SIDE, Fault, Operation

SIDE_NAMES = ("East", "South", "West", "North")
STORE = frozenset({Operation.BUILD, Operation.RAISE, Operation.RESUME})
TOP = frozenset({Operation.RAISE})
DICE = frozenset({Operation.DICE})
MOTION = STORE | DICE | {Operation.LOWER, Operation.PURGE}
NOTHING: frozenset[Operation] = frozenset()
BLOCKS: dict[str, frozenset[Operation]] = {
    "nothing": NOTHING,
    "store": STORE,
    "top": TOP,
    "dice": DICE,
    "motion": MOTION,
}


class Moment(StrEnum):
    """When a cause shows itself."""

    STACKING = "stacking"
    STEP = "step"
    REST = "rest"
    PUSH = "push"
    BUILD = "build"
    END = "end"
    BOOT = "boot"
    WIRE = "wire"


@dataclass(frozen=True, slots=True)
class Cause:
    """One row. ``recover`` is the documented way back; ``people`` in it = wait until somebody mended it."""

    name: str
    cause: str
    moment: Moment
    blocks: frozenset[Operation]
    mended: str
    recover: tuple[str, ...]
    sided: bool = False
    steps: tuple[str, ...] = ()
    holds: str = ""
    seen: bool = False
    passes: bool = False
    stops: bool = False
    seconds: float = 0.0

    @property
    def fault(self) -> Fault:
        """The code it is reported by."""
        return Fault[self.name.upper()]

    @property
    def by_people(self) -> bool:
        """True when hands mend it."""
        return self.mended in ("hand", "cover", "power")


@dataclass(frozen=True, slots=True)
class Wear:
    """What wear does: thresholds and probabilities."""

    weak_optic: float
    miss: float
    dirtiest: float
    weakest_magnet: float
    lowest_voltage: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What the firmware waits for, and how far things go."""

    slow_build: float
    build_timeout: float
    head_retry: float
    slow_last: int
    slow_each: float
    key_stuck: float
    supply_mv: int
    low_supply: float
    high_supply: float


@dataclass(frozen=True, slots=True)
class Causes:
    """The whole file."""

    causes: dict[str, Cause]
    wear: Wear
    limits: Limits
    sigma: float

    def of(self, fault: Fault) -> Cause:
        """The cause of a fault code."""
        return self.causes[fault.name.lower()]


def _cause(name: str, row: dict[str, Any]) -> Cause:
    lists: dict[str, Any] = {key: tuple(row[key]) for key in ("steps", "recover") if key in row}
    made = {**row, **lists, "moment": Moment(row["moment"]), "blocks": BLOCKS[row["blocks"]]}
    return Cause(name, **made)


@cache
def load_causes() -> Causes:
    """The shipped causes."""
    data = tomllib.loads(files("sim.mechanism").joinpath("causes.toml").read_text("utf-8"))
    return Causes(
        {name: _cause(name, row) for name, row in data["causes"].items()},
        Wear(**data["wear"]),
        Limits(**data["limits"]),
        data["lognormal"]["sigma"],
    )


def side_name(side: int) -> str:
    """The name of a side; empty for none."""
    return "" if side == NO_SIDE else SIDE_NAMES[side]
