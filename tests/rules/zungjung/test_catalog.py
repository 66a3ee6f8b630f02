"""The catalogue is the book's 44 patterns; the packed settings are the defaults of the rule file."""

from __future__ import annotations

from dataclasses import asdict, fields

import msgspec
import pytest

from tablectl.rules.data import read
from tablectl.rules.values import Rule
from tablectl.rules.zungjung.catalog import catalogue, numbers
from tablectl.rules.zungjung.score import ZungjungScore
from tablectl.rules.zungjung.settings import SOURCE, ScoreSettings, changed
from tablectl.tomlfile import Document

PATTERNS = catalogue()

POINTS = {
    **{"1.1": 5, "1.2": 5, "1.3": 5, "2.1.1": 40, "2.1.2": 80, "2.2": 480},
    **{"3.1": 10, "3.2.1": 40, "3.2.2": 130, "3.3.1": 30, "3.3.2": 120, "3.3.3": 320, "3.3.4": 400},
    **{"3.4": 320, "4.1": 30, "4.2.1": 5, "4.2.2": 30, "4.2.3": 125},
    **{"4.3.1": 5, "4.3.2": 20, "4.3.3": 120, "4.3.4": 480},
    **{"5.1.1": 10, "5.1.2": 60, "5.1.3": 120, "5.1.4": 480, "6.1": 35, "6.2.1": 30, "6.2.2": 120},
    **{"7.1": 40, "7.2.1": 100, "7.2.2": 200, "8.1.1": 40, "8.1.2": 50, "8.1.3": 100, "8.1.4": 400},
    **{"9.1.1": 10, "9.1.2": 10, "9.2": 10, "9.3": 10, "9.4.1": 155, "9.4.2": 155},
    **{"10.1": 160, "10.2": 30},
}


@pytest.mark.rule("ZJ-S9")
def test_patterns_and_points_of_the_book() -> None:
    assert len(POINTS) == 44
    assert {id_: pattern.points for id_, pattern in PATTERNS.items()} == {
        f"zj-{id_}": points for id_, points in POINTS.items()
    }
    assert list(PATTERNS) == [f"zj-{id_}" for id_ in POINTS]


@pytest.mark.rule("ZJ-S2")
def test_series_are_the_first_two_numbers_and_value_honor_alone_counts_each() -> None:
    assert PATTERNS["zj-3.3.4"].series == PATTERNS["zj-3.3.1"].series == "zj-3.3"
    assert PATTERNS["zj-3.4"].series == "zj-3.4"
    assert [id_ for id_, pattern in PATTERNS.items() if pattern.each] == ["zj-3.1"]


def test_names_are_unique_and_what_a_pattern_adds_exists() -> None:
    assert len({one.zh for one in PATTERNS.values()}) == len({one.en for one in PATTERNS.values()}) == 44
    for pattern in PATTERNS.values():
        assert (pattern.adds or set()) <= set(PATTERNS)


def test_numbers_beside_the_patterns() -> None:
    shown = {name: getattr(numbers(), name) for name in numbers().__struct_fields__}
    assert {name: (rule.value, rule.rule, rule.provisional) for name, rule in shown.items()} == {
        "compound_limit": (320, "ZJ-S4", False),
        "listed": (320, "ZJ-S4", False),
        "chicken": (1, "ZJ-S5", False),
        "share": (25, "ZJ-S12", False),
        "match_scale": (100, "ZJ-F3", True),
    }


DEFAULTS = {
    "min_points": (0, "ZJ-S5"),
    "seven_pairs_four_alike": (True, "ZJ-S7"),
    "heaven_nine_gates": ("rest_adds", "ZJ-S8"),
    "immunity_counts_claimed": (True, "ZJ-S13"),
    "immunity_first_round": ("hand_start", "ZJ-S13"),
    "immunity_robbed_kong": (True, "ZJ-S14"),
    "match_points": ("signed_sqrt", "ZJ-F3"),
}


@pytest.mark.report("B072")
@pytest.mark.parametrize("name", DEFAULTS)
def test_every_choice_is_a_named_setting_with_the_default_of_the_rule_file(name, settings) -> None:
    score = msgspec.convert(Document(read(SOURCE), SOURCE).data["score"], ZungjungScore)
    rule: Rule[object] = getattr(score, name)
    assert (rule.value, rule.rule) == DEFAULTS[name]
    assert rule.setting == f"zj.{name}"
    assert rule.provisional == (name == "match_points")
    assert asdict(settings)[name] == rule.value


def test_settings_are_all_the_choices_there_are() -> None:
    assert [field.name for field in fields(ScoreSettings)] == list(DEFAULTS)


@pytest.mark.parametrize(
    "choice",
    ["zj.min_points=7", "zj.min_points", "min_points=5", "zj.start_points=0", "zj.match_points=true", ""],
)
def test_choice_that_is_not_offered(choice: str, settings) -> None:
    with pytest.raises((ValueError, msgspec.ValidationError)):
        changed(settings, choice)
