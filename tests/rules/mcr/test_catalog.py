"""The catalogue is the book's: 81 fan in twelve grades, and all it names exists."""

from __future__ import annotations

from collections import Counter

import pytest

from tablectl.rules.mcr.catalog import MIXED_KONG, catalogue

FANS = catalogue()
GRADES = {88: 7, 64: 6, 48: 2, 32: 3, 24: 9, 16: 6, 12: 5, 8: 9, 6: 7, 4: 4, 2: 10, 1: 13}


@pytest.mark.rule("MCR-S15")
def test_eighty_one_fan_in_twelve_grades() -> None:
    book = [fan for fan in FANS.values() if fan.id != MIXED_KONG]
    assert [fan.id for fan in book] == [f"mcr-{number:02}" for number in range(1, 82)]
    assert Counter(fan.value for fan in book) == GRADES


@pytest.mark.rule("MCR-S8")
def test_mixed_kong_is_beside_the_eighty_one() -> None:
    assert FANS[MIXED_KONG].value == 5


def test_a_fan_excludes_only_lesser_ones_and_itself_never() -> None:
    for fan in FANS.values():
        for other in fan.excludes | fan.excludes_own | set(fan.implies):
            assert other != fan.id
            assert FANS[other].value <= fan.value


def test_names_are_unique() -> None:
    assert len({fan.zh for fan in FANS.values()}) == len({fan.en for fan in FANS.values()}) == len(FANS)
