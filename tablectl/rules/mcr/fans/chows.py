"""Fan of two, three or four sequences together."""

from __future__ import annotations

from tablectl.rules.mcr.fans import patterns
from tablectl.rules.mcr.fans.patterns import Patterns, Suits
from tablectl.rules.mcr.found import Found
from tablectl.rules.mcr.readings import CHOW, Form, Reading

# 1, 4 and 7 are the only lowest numbers three apart twice, 1 and 7 the only ones six apart.
CHOWS: Patterns = {
    (Suits.ONE, (0, 0, 0)): "mcr-14",  # 一色四同顺
    (Suits.ONE, (1, 1, 1)): "mcr-16",  # 一色四步高
    (Suits.ONE, (2, 2, 2)): "mcr-16",
    (Suits.ONE, (0, 0)): "mcr-23",  # 一色三同顺
    (Suits.ONE, (3, 3)): "mcr-28",  # 清龙
    (Suits.ONE, (1, 1)): "mcr-30",  # 一色三步高
    (Suits.ONE, (2, 2)): "mcr-30",
    (Suits.EACH_ANOTHER, (3, 3)): "mcr-39",  # 花龙
    (Suits.EACH_ANOTHER, (0, 0)): "mcr-41",  # 三色三同顺
    (Suits.EACH_ANOTHER, (1, 1)): "mcr-50",  # 三色三步高
    (Suits.ONE, (0,)): "mcr-69",  # 一般高
    (Suits.EACH_ANOTHER, (0,)): "mcr-70",  # 喜相逢
    (Suits.ONE, (3,)): "mcr-71",  # 连六
    (Suits.ONE, (6,)): "mcr-72",  # 老少副
}

TWO_DRAGONS = [1, 1, 7, 7]  # 双龙: both ends twice, around a pair of fives
MIDDLE = 5
PURE_TWO_DRAGONS = "mcr-13"  # 一色双龙会
MIXED_TWO_DRAGONS = "mcr-29"  # 三色双龙会


def find(reading: Reading) -> list[Found]:
    """Every combination there is, allowed together or not, in the order of the book."""
    places = reading.places(CHOW)
    return _two_dragons(reading, places) + patterns.find(reading.groups, places, CHOWS)


def _two_dragons(reading: Reading, places: tuple[int, ...]) -> list[Found]:
    chows, pair = reading.sets, reading.pair
    if reading.form is not Form.SETS or sorted(chow.number for chow in chows) != TWO_DRAGONS:
        return []
    if len(places) < len(chows) or pair.number != MIDDLE:
        return []
    if patterns.suits(reading.groups) is Suits.ONE:
        return [Found(PURE_TWO_DRAGONS, places)]
    low, high = ({chow.suit for chow in chows if chow.number == number} for number in set(TWO_DRAGONS))
    if low == high and len(low) == 2 and pair.suit not in low:
        return [Found(MIXED_TWO_DRAGONS, places)]
    return []
