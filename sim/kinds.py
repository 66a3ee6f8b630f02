"""The kinds of things that go wrong: the rows of ``causes.toml`` and ``faults.toml``, and the presets."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from sim.errors import PresetError
from sim.items import Value
from sim.mechanism.causes import Moment, load_causes

RATED = ("build", "roll", "frame", "reply", "minute", "hand", "discard")
MECHANISM_OPTIONS: dict[str, Value] = {
    "clears": False,
    "helps": 0.0,
    "axis": "",
    "where": "",
    "nobody": False,
}


class Family(StrEnum):
    """Where a kind belongs."""

    MECHANISM = "mechanism"
    LINK = "link"
    PEOPLE = "people"
    TAMPER = "tamper"
    WEAR = "wear"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind. ``options`` = names with their defaults."""

    name: str
    family: Family
    about: str
    sided: bool = False
    options: dict[str, Value] = field(default_factory=dict)


@cache
def kinds() -> dict[str, Kind]:
    """All kinds by name."""
    found = {
        name: Kind(name, Family.MECHANISM, cause.cause, cause.sided, MECHANISM_OPTIONS)
        for name, cause in load_causes().causes.items()
    }
    data = tomllib.loads(files("sim").joinpath("faults.toml").read_text("utf-8"))
    for family, rows in data.items():
        for name, row in rows.items():
            options = {key: value for key, value in row.items() if key not in ("about", "sided")}
            found[name] = Kind(name, Family(family), row["about"], row.get("sided", False), options)
    return found


@dataclass(frozen=True, slots=True)
class Preset:
    """How often a table of this sort fails. ``rates``: unit -> kind -> probability."""

    name: str
    rates: dict[str, dict[str, float]]
    clears: float = 0.0
    wear: dict[str, float] = field(default_factory=dict)
    start: tuple[str, ...] = ()

    @property
    def calm(self) -> bool:
        """True when nothing ever happens by chance."""
        return not (self.rates or self.wear or self.start)


@cache
def presets() -> dict[str, Preset]:
    """All presets by name."""
    data = tomllib.loads(files("sim").joinpath("presets.toml").read_text("utf-8"))
    return {name: _preset(name, data) for name in data}


def preset(name: str) -> Preset:
    """The preset of this name. Raises ``PresetError``."""
    if name not in presets():
        raise PresetError(name, tuple(presets()))
    return presets()[name]


def _preset(name: str, data: dict[str, Any]) -> Preset:
    row = data[name]
    base = _preset(row["like"], data) if "like" in row else Preset("", {})
    times = row.get("times", 1.0)
    rates = {unit: {kind: rate * times for kind, rate in of.items()} for unit, of in base.rates.items()}
    families = _every(row)
    for unit in RATED:
        own = {kind: float(Fraction(rate)) for kind, rate in row.get(unit, {}).items()}
        if families.get(unit) or own:
            rates[unit] = {**rates.get(unit, {}), **families.get(unit, {}), **own}
    return Preset(
        name,
        rates,
        row.get("clears", base.clears),
        row.get("wear", base.wear),
        tuple(row.get("start", base.start)),
    )


def _every(row: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The rates given for whole families."""
    found: dict[str, dict[str, float]] = {}
    for key, family, unit in (
        ("every_mechanism", Family.MECHANISM, "build"),
        ("every_link", Family.LINK, "minute"),
        ("every_person", Family.PEOPLE, "discard"),
    ):
        if key in row:
            rate = float(Fraction(row[key]))
            found[unit] = {one.name: rate for one in kinds().values() if one.family is family}
    return found


def at_push(kind: str) -> bool:
    """True for what happens while a set is pushed in."""
    cause = load_causes().causes.get(kind)
    return cause is not None and cause.moment is Moment.PUSH


def describe_kinds() -> str:
    """All kinds with what they are, a line each."""
    width = max(map(len, kinds()))
    return "\n".join(f"{one.name:<{width}}  {one.about}" for one in kinds().values())
