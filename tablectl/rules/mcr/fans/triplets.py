"""Fan of triplets and kongs: together by their numbers, concealed, konged (MCR-S8)."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules.mcr.catalog import MIXED_KONG
from tablectl.rules.mcr.fans import patterns
from tablectl.rules.mcr.fans.patterns import Patterns, Suits
from tablectl.rules.mcr.found import Found
from tablectl.rules.mcr.readings import TRIPLET, Form, Reading
from tablectl.rules.mcr.settings import ScoreSettings

EVEN = (2, 4, 6, 8)

ALL_EVEN = "mcr-21"  # 全双刻
ALL_TRIPLETS = "mcr-48"  # 碰碰和

TRIPLETS: Patterns = {
    (Suits.ONE, (1, 1, 1)): "mcr-15",  # 一色四节高
    (Suits.ONE, (1, 1)): "mcr-24",  # 一色三节高
    (Suits.EACH_ANOTHER, (0, 0)): "mcr-32",  # 三同刻
    (Suits.EACH_ANOTHER, (1, 1)): "mcr-42",  # 三色三节高
    (Suits.EACH_ANOTHER, (0,)): "mcr-65",  # 双同刻
}

BY_CONCEALED = {2: "mcr-66", 3: "mcr-33", 4: "mcr-12"}  # 双暗刻 三暗刻 四暗刻

MELDED_KONG = "mcr-74"  # 明杠
CONCEALED_KONG = "mcr-67"  # 暗杠
BY_KONGS = {  # number of kongs, concealed ones among them
    (1, 0): MELDED_KONG,
    (1, 1): CONCEALED_KONG,
    (2, 0): "mcr-57",  # 双明杠
    (2, 1): MIXED_KONG,  # 明暗杠
    (2, 2): "mcr-53",  # 双暗杠
    **{(3, concealed): "mcr-17" for concealed in range(4)},  # 三杠
    **{(4, concealed): "mcr-05" for concealed in range(5)},  # 四杠
}
NO_MIXED_KONG = 3  # the setting under which the two kongs are added singly


def find(reading: Reading) -> list[Found]:
    """Every combination by numbers there is, allowed together or not, in the order of the book."""
    suited = [place for place in reading.places(TRIPLET) if reading.groups[place].suit]
    return patterns.find(reading.groups, suited, TRIPLETS)


def find_single(reading: Reading, settings: ScoreSettings) -> Iterator[Found]:
    """The fan that count triplets and kongs one by one."""
    places = reading.places(TRIPLET)
    if reading.form is Form.SETS and len(places) == len(reading.sets):
        yield Found(ALL_TRIPLETS)
        if all(group.suit and group.number in EVEN for group in reading.groups):
            yield Found(ALL_EVEN)
    concealed = sum(reading.concealed(place) for place in places)
    if concealed in BY_CONCEALED:
        yield Found(BY_CONCEALED[concealed])
    yield from _kongs(reading, settings)


def _kongs(reading: Reading, settings: ScoreSettings) -> Iterator[Found]:
    kongs = [group for group in reading.groups if group.kong]
    concealed = sum(not group.claimed for group in kongs)
    fan = BY_KONGS.get((len(kongs), concealed))
    if fan == MIXED_KONG and settings.mixed_kong == NO_MIXED_KONG:
        yield from (Found(MELDED_KONG), Found(CONCEALED_KONG))
    elif fan:
        yield Found(fan)
