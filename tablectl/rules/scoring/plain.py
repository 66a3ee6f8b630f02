"""A verdict as plain data: what ``--json`` prints, and a batch for each line."""

from __future__ import annotations

from typing import Any

from tablectl.rules.model import Ruleset
from tablectl.rules.scoring.verdict import Counted, LeftOut, Reading, Verdict
from tablectl.rules.show import Row, rows


def plain(verdict: Verdict, rules: Ruleset, *, explain: bool = False) -> dict[str, Any]:
    """The verdict and the settings it holds under; with ``explain`` also the other readings."""
    data = {
        "legal": verdict.legal,
        "total": verdict.total,
        "minimum_met": verdict.minimum_met,
        "refusal": verdict.refusal or None,
        "fans": [_counted(one) for one in verdict.best.fans],
        "reading": [[*group] for group in verdict.best.reading],
        "not_counted": [_left_out(one) for one in verdict.not_counted],
        "payments": None if verdict.payments is None else {**verdict.payments},
        "details": {**verdict.details},
        "settings": settings(rules),
    }
    return data | {"others": [_reading(one) for one in verdict.others]} if explain else data


def settings(rules: Ruleset) -> dict[str, Any]:
    """The edition: the ruleset, the values of its named settings, which of them no book gives."""
    chosen = named(rules)
    return {
        "rules": rules.id,
        "zh": rules.name.zh,
        "en": rules.name.en,
        "values": {row.setting: row.value for row in chosen},
        "provisional": [row.setting for row in chosen if row.provisional],
    }


def named(rules: Ruleset) -> list[Row]:
    """The named settings of the score section."""
    return [row for row in rows(rules) if row.section == "score" and row.setting]


def _counted(one: Counted) -> dict[str, Any]:
    name = one.name
    points = {"points": one.points, "count": one.count, "rule": name.rule}
    return {"id": name.id, "zh": name.zh, "en": name.en} | points


def _left_out(one: LeftOut) -> dict[str, Any]:
    because = one.because.id if one.because else one.rule
    return {
        "id": one.name.id,
        "zh": one.name.zh,
        "en": one.name.en,
        "because": because,
        "rule": one.rule,
    }


def _reading(one: Reading) -> dict[str, Any]:
    fans = [_counted(fan) for fan in one.fans]
    return {"total": one.total, "fans": fans, "reading": [[*group] for group in one.reading]}
