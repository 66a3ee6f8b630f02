"""The timing model of the mechanism, read from ``timing.toml``."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

from protocols.vocabulary import Fault

CLIP = 3.0  # a step is never further from its mean than this many standard deviations


@dataclass(frozen=True, slots=True)
class StepTime:
    """A motion: normal, clipped; after ``timeout`` seconds the board reports ``fault``."""

    mean: float
    sd: float
    timeout: float
    fault: Fault

    def sample(self, rng: Random) -> float:
        """Seconds this time."""
        return self.mean + self.sd * max(-CLIP, min(CLIP, rng.gauss(0.0, 1.0)))


@dataclass(frozen=True, slots=True)
class PeopleTime:
    """Something people do with their hands: lognormal, no upper bound."""

    median: float
    sigma: float

    def sample(self, rng: Random) -> float:
        """Seconds this time."""
        return rng.lognormvariate(math.log(self.median), self.sigma)


@dataclass(frozen=True, slots=True)
class BuildTime:
    """A drum: ``ports`` heads, ``tau`` seconds a tile and head, slower for the last ``knee`` tiles."""

    ports: int
    tau: float
    knee: int

    def rate(self, open_ports: int, left: int) -> float:
        """Tiles a second while ``left`` tiles lie in the drum and ``open_ports`` heads still want some."""
        return max(open_ports, self.ports / 2) / self.tau * min(1.0, left / self.knee)


@dataclass(frozen=True, slots=True)
class Timing:
    """All times of one table."""

    steps: dict[str, StepTime]
    people: dict[str, PeopleTime]
    build: BuildTime


@cache
def load_timing(build: str = "cn4") -> Timing:
    """The shipped timing model with the named build model."""
    data = tomllib.loads(files("sim.mechanism").joinpath("timing.toml").read_text("utf-8"))
    steps = {
        name: StepTime(row["mean"], row["sd"], row["timeout"], Fault[row["fault"]])
        for name, row in data["steps"].items()
    }
    people = {name: PeopleTime(row["median"], row["sigma"]) for name, row in data["people"].items()}
    return Timing(steps, people, BuildTime(**data["builds"][build]))
