"""A verdict as the lines of a score sheet, names in both languages; in plain form a line says its part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tablectl.locale.catalog import known, text
from tablectl.rules.articles import articles
from tablectl.rules.model import Ruleset
from tablectl.rules.scoring.plain import named
from tablectl.rules.scoring.verdict import Counted, LeftOut, Reading, Verdict

from .figures import group, plain, signed
from .terminal import Terminal
from .width import cells, pad, wrap

INDENT = "  "
POINTS_CELLS, ID_CELLS, RULE_CELLS = 6, 15, 9
QUIET = ("minimum", "without_flowers", "added", "limit", "end", "gold")  # said only where they say something


def sheet(verdict: Verdict, rules: Ruleset, terminal: Terminal, *, explain: bool = False) -> Iterator[str]:
    """All that is to be said of the hand, the edition and its settings last."""
    lang = terminal.lang
    yield f"{rules.name.zh} · {rules.name.en} ({rules.id})"
    yield _head(verdict, lang)
    yield from _part("fans", map(_fan, verdict.best.fans), terminal)
    if verdict.best.reading:
        yield from _part("reading", [_groups(verdict.best, lang)], terminal)
    yield from _part("not_counted", (_left_out(one, lang) for one in verdict.not_counted), terminal)
    yield from _part("payments", _payments(verdict, lang), terminal)
    yield from _part("details", _details(verdict, lang), terminal)
    if explain:
        others = [_other(one, lang) for one in verdict.others] or [text("score.no_others", lang)]
        yield from _part("others", others, terminal)
    yield from _part("settings", _settings(rules, terminal), terminal)


def _head(verdict: Verdict, lang: str) -> str:
    if verdict.legal:
        return text("score.win", lang, total=verdict.total)
    reason = text(verdict.refusal, lang)
    return text("score.no_win", lang, reason=reason, total=verdict.total)


def _part(name: str, rows: Iterable[str], terminal: Terminal) -> Iterator[str]:
    """The rows under their heading; in plain form each behind it. Nothing for no rows."""
    rows = list(rows)
    title = text(f"score.{name}", terminal.lang)
    if rows and not terminal.plain:
        yield ""
        yield title
    for row in rows:
        if terminal.plain:
            yield f"{title}: {' '.join(row.split())}"
        else:
            room = terminal.width - len(INDENT)
            first, *more = [row] if cells(row) <= room else wrap(row, room - len(INDENT))
            yield INDENT + first
            yield from (INDENT * 2 + line for line in more)


def _fan(one: Counted) -> str:
    worth = f"{one.points * one.count:>{POINTS_CELLS - 2}}  "
    times = f" {one.points}×{one.count}" if one.count > 1 else ""
    name = one.name
    return f"{worth}{pad(name.id, ID_CELLS)}{pad(name.rule, RULE_CELLS)}{name.zh} {name.en}{times}"


def _left_out(one: LeftOut, lang: str) -> str:
    name = one.name
    if one.because is not None:
        because = f"{one.because.zh} {one.because.en}"
        why = text("score.contained", lang, because=because, rule=one.rule)
    else:
        article = articles().get(one.rule)
        why = f"{one.rule}: {article.text(lang)}" if article else one.rule
    return f"{name.id} {name.zh} {name.en} – {why}"


def _groups(reading: Reading, lang: str) -> str:
    return "  ".join(group(one, lang) for one in reading.reading)


def _payments(verdict: Verdict, lang: str) -> Iterator[str]:
    for who, points in (verdict.payments or {}).items():
        name = text(f"score.part.{who}", lang) if known(f"score.part.{who}") else text(f"seat.{who}", lang)
        yield f"{pad(name, ID_CELLS)}{signed(points):>7}"


def _details(verdict: Verdict, lang: str) -> Iterator[str]:
    for key, value in verdict.details.items():
        if (
            value in ("", None, [], False)
            or (isinstance(value, dict) and not any(value.values()))
            or (key in QUIET and not _says(key, value, verdict))
        ):
            continue
        yield text(f"score.detail.{key}", lang, value=_value(key, value, lang))


def _says(key: str, value: Any, verdict: Verdict) -> bool:
    """Whether a detail adds something to the total beside it."""
    if key in ("without_flowers", "added"):
        return bool(value != verdict.total)
    return key != "minimum" or not verdict.minimum_met


def _value(key: str, value: Any, lang: str) -> str:
    if isinstance(value, dict):
        return "  ".join(f"{text(f'wind.{seat}', lang)} {points}" for seat, points in value.items())
    if key == "payer":
        return text(f"seat.{value}", lang)
    if key == "laizi_as":
        return " ".join(text(f"tile.{tile}", lang) for tile in value)
    return text(f"score.limit.{value}", lang) if key == "limit" else str(value)


def _other(one: Reading, lang: str) -> str:
    fans = " ".join(f"{fan.name.zh} {fan.points * fan.count}" for fan in one.fans)
    return f"{one.total:>{POINTS_CELLS - 2}}  {_groups(one, lang)} – {fans}"


def _settings(rules: Ruleset, terminal: Terminal) -> Iterator[str]:
    """As they are written behind `--setting`, so that a sheet can be counted again."""
    mark = text("rules.provisional_mark", terminal.lang)
    written = (
        f"{row.setting}={plain(row.value)}" + (mark if row.provisional else "") for row in named(rules)
    )
    if joined := ", ".join(written):
        yield joined
