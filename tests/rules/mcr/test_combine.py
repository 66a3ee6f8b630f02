"""The principles on sets (MCR-S6): what may be combined with what."""

from __future__ import annotations

import pytest

from tablectl.rules.mcr.catalog import catalogue
from tablectl.rules.mcr.combine import best
from tablectl.rules.mcr.found import Found

IDS = {fan.zh: fan.id for fan in catalogue().values()}
VALUES = {fan.id: fan.value for fan in catalogue().values()}


def found(text: str) -> list[Found]:
    """``花龙 012`` for a fan of the sets 0, 1 and 2."""
    words = text.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return sorted(Found(IDS[fan], tuple(int(place) for place in places)) for fan, places in pairs)


CHOICES = {
    "four sets leave nothing": ("一色四步高 0123 一色三步高 012 老少副 03", "一色四步高 0123"),
    "three sets are not split again": ("清龙 012 连六 01 连六 12 老少副 02", "清龙 012"),
    "the fourth is combined once": ("花龙 012 喜相逢 03 连六 13", "花龙 012 喜相逢 03"),
    "two threes would share two sets": ("花龙 012 三色三步高 013", "花龙 012"),
    "the better three with its fourth": ("花龙 012 三色三同顺 123 喜相逢 01", "三色三同顺 123 喜相逢 01"),
    "three pairs of four, never four": (
        "喜相逢 02 喜相逢 13 老少副 01 老少副 23",
        "喜相逢 02 喜相逢 13 老少副 01",
    ),
    "no set makes the same fan twice": ("喜相逢 01 喜相逢 02", "喜相逢 01"),
    "the same fan of other sets": ("双同刻 01 双同刻 23", "双同刻 01 双同刻 23"),
    "another fan of the same set": ("一般高 01 喜相逢 02", "一般高 01 喜相逢 02"),
    "nothing": ("", ""),
}


@pytest.mark.rule("MCR-S6")
@pytest.mark.parametrize(("candidates", "chosen"), CHOICES.values(), ids=CHOICES.keys())
def test_best_allowed_choice(candidates: str, chosen: str) -> None:
    assert list(best(found(candidates), VALUES.__getitem__)) == found(chosen)


@pytest.mark.rule("MCR-S6")
def test_highest_reading_is_kept(judge, named) -> None:
    """1122233334444s + 2s is also seven pairs and three concealed triplets."""
    assert judge("1122233334444s2s").total == 88


@pytest.mark.rule("MCR-S6")
def test_reading_is_shown_by_its_groups(judge) -> None:
    counted = judge("[123m,1]123s123p55p678p")
    assert counted.form == "sets"
    assert counted.reading[0] == ("1m", "2m", "3m")
    assert counted.reading[-1] == ("5p", "5p")
