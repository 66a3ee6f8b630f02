"""What an offence costs, and what a fault does to a hand, as people read it; also for screens and pages.

Takes plain data as `tablectl.rules.show` gives it: short steps of ladders, words of closed sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from tablectl.locale.catalog import known, text
from tablectl.rules.ladders import long
from tablectl.rules.offences import Measure

SEPARATOR = {"en": ", ", "zh-Hans": "、"}
BETWEEN = {"en": "; ", "zh-Hans": "；"}
MINUTE = 60


def offence(costs: Mapping[str, Any], lang: str) -> str:
    """The ladder of an offence, what the article leaves to the referee besides, and how it is applied."""
    parts = [ladder(measures(costs.get("ladder", ())), lang)]
    for number, choice in enumerate(measures(costs.get("choices", ())), 1):
        parts.append(text("penalty.choice", lang, number=number, costs=measure(choice, lang)))
    if most := costs.get("most"):
        parts.append(text("penalty.most", lang, points=most))
    if bars := costs.get("at_once"):
        parts.append(text("penalty.at_once", lang, effects=_effects(bars, lang)))
    if costs.get("per") == "session":
        parts.append(text("penalty.per_session", lang))
    parts += [text(f"penalty.{mark}", lang) for mark in ("automatic", "doubles", "chief") if costs.get(mark)]
    return BETWEEN[lang].join(parts)


def measures(steps: Any) -> list[Measure]:
    """Steps as `tablectl.rules.ladders` writes them."""
    return [msgspec.convert(long(step), Measure) for step in steps]


def ladder(steps: Sequence[Measure], lang: str) -> str:
    """The steps in turn; the last comes again and again. What all of them do is said once."""
    if len(steps) == 1:
        return measure(steps[0], lang)
    common = steps[0].effects if len({step.effects for step in steps}) == 1 else ()
    rest = [msgspec.structs.replace(step, effects=()) for step in steps] if common else steps
    said = " → ".join(_step(step, lang) for step in rest) + " …"
    return said + (SEPARATOR[lang] + _effects(common, lang) if common else "")


def _step(step: Measure, lang: str) -> str:
    """In a row of steps a number is points."""
    return str(step.points) if step == Measure(points=step.points) and step.points else measure(step, lang)


def measure(one: Measure, lang: str) -> str:
    """What one finding costs; "nothing" for a measure that says nothing."""
    said = SEPARATOR[lang].join(_costs(one, lang))
    if one.late_s:
        said = text("penalty.late", lang, minutes=one.late_s // MINUTE, costs=said)
    return said or text("penalty.nothing", lang)


def policy(row: Mapping[str, Any], lang: str) -> str:
    """What a fault does to a hand, by how far it is."""
    stages = ("opening", "recoverable", "lost")
    said = [text(f"penalty.{stage}", lang, remedy=text(f"remedy.{row[stage]}", lang)) for stage in stages]
    if row.get("up_to_tiles") is not None and row.get("referee_tiles"):
        seen = {"low": row["up_to_tiles"], "high": row["referee_tiles"]}
        said.append(text("penalty.seen_tiles", lang, **seen))
    said.append(text(f"credit.{row.get('credit', 'full')}", lang))
    if row.get("suspect"):
        said.append(text("penalty.suspect", lang))
    if times := row.get("retire_after"):
        said.append(text("penalty.retire", lang, times=times))
    if row.get("decides") == "chief" or row.get("lost_by") == "chief":
        said.append(text("penalty.chief" if row.get("decides") == "chief" else "penalty.lost_by_chief", lang))
    return BETWEEN[lang].join(said)


def _costs(one: Measure, lang: str) -> Iterator[str]:
    if one.warning:
        yield text("penalty.warning", lang)
    if one.points or one.up_to:
        yield _points(one, lang)
    if one.by_clock:
        yield text("penalty.by_clock", lang)
    if one.effects:
        yield _effects(one.effects, lang)
    if one.tiles:
        yield text("penalty.tiles", lang, tiles=one.tiles)
    if one.free:
        yield text("penalty.free_tiles", lang, tiles=one.free)


def _points(one: Measure, lang: str) -> str:
    if one.scale:
        said = text("penalty.points", lang, points=" / ".join(map(str, one.scale)))
    else:
        key = "penalty.range" if one.up_to else "penalty.points"
        said = text(key, lang, points=one.points, most=one.up_to)
    to, when = f"penalty.to_{one.to}", f"penalty.when_{one.when}"
    said += text(to, lang) if known(to) else ""  # to the bank, at hand end: as ever
    return said + (text(when, lang) if known(when) else "")


def _effects(effects: Any, lang: str) -> str:
    return SEPARATOR[lang].join(text(f"effect.{effect}", lang) for effect in effects)
