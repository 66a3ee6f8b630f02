"""The catalogue is the rule file's: twelve fan in order, eight extras, and all it names exists."""

from __future__ import annotations

import pytest

from tablectl.rules.ccm.catalog import edition, words
from tablectl.rules.tiles import KINDS

VALUES = [20, 30, 20, 20, 20, 20, 20, 20, 30, 40, 30, 60]
EXTRAS = {
    "花牌": 2,
    "单张和牌": 4,
    "补花和牌": 6,
    "杠上开花": 8,
    "海底捞月": 8,
    "妙手回春": 8,
    "门清（不求人）": 8,
    "地和": 0,
}


@pytest.mark.rule("CJ-S3")
def test_twelve_fan_in_order(settings) -> None:
    fans = [fan for fan in edition(settings).values() if not fan.extra]
    assert [fan.id for fan in fans] == [f"ccm-{number:02}" for number in range(1, 13)]
    assert [fan.points for fan in fans] == VALUES


@pytest.mark.rule("CJ-S4")
def test_extras(settings) -> None:
    assert {fan.zh: fan.points for fan in edition(settings).values() if fan.extra} == EXTRAS


def test_what_is_named_exists_and_names_are_unique(settings) -> None:
    catalogue = edition(settings)
    for fan in catalogue.values():
        assert fan.contains <= catalogue.keys() - {fan.id}
    assert len({fan.zh for fan in catalogue.values()}) == len({fan.en for fan in catalogue.values()}) == 20
    assert set(words().values()) <= catalogue.keys()
    assert not words().keys() & set(KINDS)
