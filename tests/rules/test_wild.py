"""The division of tiles some of which are wild, against every tile they may stand for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random

import pytest

from tablectl.rules.shapes import HONOURS, SUIT, Tally, add, into_sets, tally
from tablectl.rules.tiles import KINDS, copies, expand
from tablectl.rules.wild import NO_PAIR, Make, fits, makes

# The suit or honours, and one number of each suit apart, as a judge might want to know them.
AREA = (1, 2, 4, 8)
MARKS = tuple(
    AREA[kind // SUIT] | (16 if kind < HONOURS and kind % SUIT == 4 else 0) for kind in range(len(KINDS))
)
PLAIN = (0,) * len(KINDS)
NUMBERS = {"triplet": (0, 0, 0), "pair": (0, 0), "chow": (0, 1, 2)}


def named(held: Tally, wild: int, room: Tally | None = None) -> Iterator[Tally]:
    """The tallies with each choice of tiles the wild ones may stand for."""
    for kinds in combinations_with_replacement(range(len(KINDS)), wild):
        if room is None or all(kinds.count(kind) <= room[kind] for kind in set(kinds)):
            full = held
            for kind in kinds:
                full = add(full, kind)
            yield full


def by_hand(held: Tally, wild: int, room: Tally | None = None) -> set[Make]:
    found = set()
    for full in named(held, wild, room):
        for parts in _into_sets(full):
            marks = 0
            for kind, number in parts:
                for step in NUMBERS[kind]:
                    marks |= MARKS[number + step]
            pair = next(MARKS[number] for kind, number in parts if kind == "pair")
            chow = any(kind == "chow" for kind, _ in parts)
            found.add(Make(len(parts) - 1, pair, chow, marks))
    return found


def _into_sets(full: Tally) -> Iterator[tuple[tuple[str, int], ...]]:
    """As `into_sets`, which knows no five of an honour: six are two triplets, five a triplet and a pair."""
    extra: list[tuple[str, int]] = []
    for kind in range(HONOURS, len(KINDS)):
        if full[kind] > 3:
            full = add(full, kind, -3)
            extra.append(("triplet", kind))
    for parts in into_sets(full):
        yield (*extra, *parts)


def hands(count: int, tiles: int, pool: str) -> Iterator[Tally]:
    random = Random(count * tiles)
    kinds = expand(pool) * 4
    for _ in range(count):
        yield tally(random.sample(kinds, tiles))


POOLS = ["123456789m", "1245m 58p E", "2468s EF", "13m 79p 5s EEWN"]


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize(
    ("tiles", "wild"), [(11, 0), (10, 1), (7, 1), (6, 2), (3, 2), (2, 0), (0, 2), (2, 3)]
)
def test_makes_are_those_of_all_tiles_the_wild_ones_may_be(pool, tiles, wild) -> None:
    for held in hands(8, tiles, pool):
        found = makes(held, wild, MARKS)
        assert set(found) == by_hand(held, wild)
        assert fits(held, wild) is bool(found)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize(("tiles", "wild"), [(10, 1), (6, 2), (0, 2), (2, 3)])
def test_room_bounds_what_wild_tiles_stand_for(pool, tiles, wild) -> None:
    for held in hands(6, tiles, pool):
        room = tuple(
            0 if tile == "C" else copies(tile) - number for tile, number in zip(KINDS, held, strict=True)
        )
        assert set(makes(held, wild, MARKS, room)) == by_hand(held, wild, room)


@pytest.mark.parametrize("wild", range(1, 9))
def test_example_of_a_make_is_what_it_says(wild) -> None:
    for held in hands(10, 11 - wild, "123456789m 258p EF"):
        for make, parts in makes(held, wild, MARKS).items():
            assert [kind for kind, _ in parts].count("pair") == 1
            full = tally(KINDS[number + step] for kind, number in parts for step in NUMBERS[kind])
            assert sum(full) == 11
            assert all(named >= own for named, own in zip(full, held, strict=True))
            assert make.sets == len(parts) - 1
            assert make.chow is any(kind == "chow" for kind, _ in parts)


@pytest.mark.parametrize(("tiles", "wild"), [("12m", 1), ("1m", 0), ("123m", 0), ("", 0), ("", 3)])
def test_number_of_tiles_that_cannot_be_a_hand(tiles, wild) -> None:
    held = tally(expand(tiles))
    assert not fits(held, wild)
    assert makes(held, wild, PLAIN) == {}


def test_only_wild_tiles() -> None:
    assert fits(tally(()), 14)
    assert {make.pair for make in makes(tally(()), 14, PLAIN)} == {0}
    assert NO_PAIR not in {make.pair for make in makes(tally(()), 8, MARKS)}


def test_unmarked_kinds_tell_only_chows_apart() -> None:
    found = makes(tally(expand("123m 44p")), 0, PLAIN)
    assert list(found) == [Make(1, 0, True, 0)]
    assert found[Make(1, 0, True, 0)] == (("chow", 0), ("pair", 12))
