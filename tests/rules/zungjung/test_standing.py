"""The ranking of an event (ZJ-F2, ZJ-F3)."""

from __future__ import annotations

import pytest

from tablectl.rules.zungjung.standing import Result, advancing, ranking, result


@pytest.mark.rule("ZJ-F3")
def test_sessions_are_scaled_one_by_one(settings) -> None:
    assert result([100, -400, 9], settings) == Result(1000 - 2000 + 300, -291)


@pytest.mark.rule("ZJ-F2")
def test_match_points_then_raw_points_then_the_lot() -> None:
    ranked = ranking({"a": Result(5, 1), "b": Result(5, 9), "c": Result(7, 0), "d": Result(5, 1)})
    assert [(one.place, one.name) for one in ranked] == [(1, "c"), (2, "b"), (3, "a"), (3, "d")]
    assert advancing(ranked, 2) == (("c", "b"), ())
    assert advancing(ranked, 3) == (("c", "b"), ("a", "d"))
    assert advancing(ranked, 4) == (("c", "b", "a", "d"), ())
    assert advancing(ranked, 9) == (("c", "b", "a", "d"), ())
