"""How tiles divide when some are wild (癞子): which sets and pairs they can be made into.

A wild tile is not in the tally; it stands for whatever a division lacks. Wild tiles of any number are taken.
There may be thousands of divisions of one hand, so a judge is not given them all but one example of every
*make*: what it is made of, as far as the judge asks by the marks it puts on the kinds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tablectl.rules.shapes import HONOURS, SUIT, Part, Tally
from tablectl.rules.tiles import KINDS

NO_PAIR = -1
SET, PAIR = 3, 2  # tiles
AREAS = ((0, SUIT), (SUIT, 2 * SUIT), (2 * SUIT, HONOURS), (HONOURS, len(KINDS)))


class Make(NamedTuple):
    """What a division is made of. ``pair``: the marks of its pair's kind; ``marks``: of all its kinds."""

    sets: int
    pair: int
    chow: bool
    marks: int


_Way = tuple[int, tuple[Part, ...]]  # wild tiles used, and the groups
_Ways = dict[Make, _Way]
_NOTHING = Make(0, NO_PAIR, False, 0)


def fits(held: Tally, wild: int) -> bool:
    """True if the tiles and so many wild ones divide into sets and one pair. Quick, for players.

    A wild tile may stand for any kind here, also one there are four of.
    """
    spare = wild
    pair = len(KINDS)
    for low, high in AREAS:
        bare, paired = _needs(held[low:high])
        spare -= bare
        pair = min(pair, paired - bare)
    # With the pair placed what is missing and what is spare differ by whole sets.
    return spare >= pair and (spare - pair) % SET == 0


def makes(held: Tally, wild: int, marks: Tally, room: Tally | None = None) -> dict[Make, tuple[Part, ...]]:
    """One division into sets and one pair for every make there is; all wild tiles are in it.

    ``marks`` are bits put on each kind. ``room`` says how many wild tiles may stand for each kind, any
    number of any kind without it. The groups name the tiles the wild ones stand for.
    """
    if not fits(held, wild):
        return {}
    least = [min(_needs(held[low:high])) for low, high in AREAS]
    spare = wild - sum(least)
    ways: _Ways = {_NOTHING: (0, ())}
    for (low, high), need in zip(AREAS, least, strict=True):
        free = None if room is None or min(room[low:high]) >= wild else room[low:high]
        area = _area(held[low:high], need + spare, marks[low:high], free)
        ways = _joined(ways, area, low, wild)
    return {make: parts for make, (used, parts) in ways.items() if used == wild and make.pair != NO_PAIR}


def _joined(ways: _Ways, area: _Ways, start: int, wild: int) -> _Ways:
    joined: _Ways = {}
    for one, (used, parts) in ways.items():
        for other, (more, added) in area.items():
            if used + more > wild or (one.pair != NO_PAIR and other.pair != NO_PAIR):
                continue
            make = Make(
                one.sets + other.sets,
                max(one.pair, other.pair),
                one.chow or other.chow,
                one.marks | other.marks,
            )
            if make not in joined:
                placed = tuple((kind, start + number) for kind, number in added)
                joined[make] = used + more, parts + placed
    return joined


@lru_cache(maxsize=65536)
def _needs(held: Tally) -> tuple[int, int]:
    """The fewest wild tiles that make all of one area into sets; into sets and a pair."""
    low = next((number for number, copies in enumerate(held) if copies), None)
    if low is None:
        return 0, PAIR
    bare = paired = len(KINDS)
    for part in _groups_with(held, low):
        left, missing = _take(held, part)
        without, with_pair = _needs(left)
        if part[0] == "pair":
            paired = min(paired, len(missing) + without)
        else:
            bare = min(bare, len(missing) + without)
            paired = min(paired, len(missing) + with_pair)
    return bare, paired


@lru_cache(maxsize=16384)
def _area(held: Tally, wild: int, marks: Tally, room: Tally | None) -> _Ways:
    """Every make of one suit, or of the honours, with at most so many wild tiles, and how it is done."""
    low = next((number for number, copies in enumerate(held) if copies), None)
    ways: _Ways = {}
    if low is None:
        ways[_NOTHING] = 0, ()
        groups = tuple(_wild_groups(wild, marks, room))
    else:
        groups = tuple(_groups_with(held, low))
    for part in groups:
        left, missing = _take(held, part)
        free = _less(room, missing)
        if len(missing) <= wild and (free is None or min(free) >= 0):
            for rest, (used, parts) in _area(left, wild - len(missing), marks, free).items():
                make = _with(part, rest, marks)
                if make is not None and make not in ways:
                    ways[make] = used + len(missing), (part, *parts)
    return ways


def _with(part: Part, rest: Make, marks: Tally) -> Make | None:
    """The make with one group more; None for a second pair."""
    kind, number = part
    if kind != "pair":
        return Make(
            rest.sets + 1, rest.pair, rest.chow or kind == "chow", rest.marks | _marks_of(part, marks)
        )
    if rest.pair != NO_PAIR:
        return None
    return Make(rest.sets, marks[number], rest.chow, rest.marks | marks[number])


def _groups_with(held: Tally, low: int) -> Iterator[Part]:
    """The groups the lowest tile can be in. A tile at hand is always taken before a wild one:
    the other way round only the two would have changed places."""
    yield "triplet", low
    yield "pair", low
    if len(held) == SUIT:
        for start in range(max(0, low - 2), min(low, SUIT - SET) + 1):
            yield "chow", start


def _wild_groups(wild: int, marks: Tally, room: Tally | None) -> Iterator[Part]:
    """Groups of wild tiles only; of those marked alike the first that has room for all tiles is enough."""
    alike: dict[tuple[str, int], list[Part]] = {}
    for number in range(len(marks)):
        for kind in ("triplet", "pair", "chow"):
            if kind != "chow" or (len(marks) == SUIT and number <= SUIT - SET):
                alike.setdefault((kind, _marks_of((kind, number), marks)), []).append((kind, number))
    for parts in alike.values():
        enough = (part for part in parts if room is None or min(room[one] for one in _kinds(part)) >= wild)
        first = next(enough, None)
        yield from parts if first is None else (first,)


def _kinds(part: Part) -> tuple[int, ...]:
    """The numbers of its tiles, each as often as it is there."""
    kind, number = part
    if kind == "chow":
        return number, number + 1, number + 2
    return (number,) * (SET if kind == "triplet" else PAIR)


def _marks_of(part: Part, marks: Tally) -> int:
    kind, number = part
    return marks[number] | marks[number + 1] | marks[number + 2] if kind == "chow" else marks[number]


def _take(held: Tally, part: Part) -> tuple[Tally, tuple[int, ...]]:
    """What is left of the tiles without the group, and the numbers wild tiles stand for in it."""
    left, missing = [*held], []
    for one in _kinds(part):
        if left[one]:
            left[one] -= 1
        else:
            missing.append(one)
    return tuple(left), tuple(missing)


def _less(room: Tally | None, missing: tuple[int, ...]) -> Tally | None:
    if room is None or not missing:
        return room
    left = [*room]
    for one in missing:
        left[one] -= 1
    return tuple(left)
