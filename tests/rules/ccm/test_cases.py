"""Payments with right answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablectl.rules.ccm.catalog import edition
from tablectl.rules.ccm.lines import answer

LINES = (Path(__file__).parent / "cases" / "ccm_payments.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


def marked(case: dict[str, Any]) -> Any:
    return pytest.param(case, id=case["id"], marks=[pytest.mark.rule(rule) for rule in case["rules"]])


@pytest.mark.parametrize("case", [marked(case) for case in CASES])
def test_line_is_answered_as_expected(case) -> None:
    line = {name: value for name, value in case.items() if name != "expected"}
    assert answer(line) == case["expected"]


@pytest.mark.rule("CJ-S3")
def test_cases_are_provisional_exactly_where_a_provisional_fan_or_payer_is_used(settings) -> None:
    sourced = {"ccm-04"}
    for case in CASES:
        events = case.get("events") or [case["event"]]
        named = {fan for event in events for one in event.get("winners", ()) for fan in one.get("fans", ())}
        small = any(event.get("kind") == "small" for event in events)
        assert case["provisional"] == (bool(named - sourced) or small)
        assert named <= edition(settings).keys()
