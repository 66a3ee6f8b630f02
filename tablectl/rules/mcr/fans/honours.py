"""Fan of winds and dragons, and of triplets of terminals and honours."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules.mcr.found import Found
from tablectl.rules.mcr.readings import TRIPLET, Reading
from tablectl.rules.tiles import DRAGONS, WINDS

TERMINALS = (1, 9)

BIG_FOUR_WINDS = "mcr-01"  # 大四喜
LITTLE_FOUR_WINDS = "mcr-09"  # 小四喜
THREE_WINDS = "mcr-38"  # 三风刻
BIG_THREE_DRAGONS = "mcr-02"  # 大三元
LITTLE_THREE_DRAGONS = "mcr-10"  # 小三元
TWO_DRAGONS = "mcr-54"  # 双箭刻
DRAGON = "mcr-59"  # 箭刻
PREVALENT_WIND = "mcr-60"  # 圈风刻
SEAT_WIND = "mcr-61"  # 门风刻
TERMINAL_TRIPLET = "mcr-73"  # 幺九刻


def find(reading: Reading) -> Iterator[Found]:
    """Every fan of the family, the smaller within the greater too."""
    triplets = {place: reading.groups[place] for place in reading.places(TRIPLET)}
    winds = tuple(place for place, triplet in triplets.items() if triplet.tiles[0] in WINDS)
    dragons = tuple(place for place, triplet in triplets.items() if triplet.tiles[0] in DRAGONS)
    pair = reading.pair.tiles[0]
    if len(winds) == 4:
        yield Found(BIG_FOUR_WINDS, winds)
    if len(winds) == 3:
        yield Found(LITTLE_FOUR_WINDS if pair in WINDS else THREE_WINDS, winds)
    if len(dragons) == 3:
        yield Found(BIG_THREE_DRAGONS, dragons)
    if len(dragons) == 2:
        yield Found(LITTLE_THREE_DRAGONS if pair in DRAGONS else TWO_DRAGONS, dragons)
    yield from (Found(DRAGON, (place,)) for place in dragons)
    for place, triplet in triplets.items():
        if triplet.tiles[0] == reading.hand.prevalent_wind:
            yield Found(PREVALENT_WIND, (place,))
        if triplet.tiles[0] == reading.hand.seat_wind:
            yield Found(SEAT_WIND, (place,))
        if not triplet.suit or triplet.number in TERMINALS:
            yield Found(TERMINAL_TRIPLET, (place,))
