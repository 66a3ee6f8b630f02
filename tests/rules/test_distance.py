"""How far tiles are from ready, against every exchange there is.

If a hand is at 0 exactly when some tile completes it, every exchange changes the distance by at most one, and
some exchange brings each hand one nearer, then the distance is the fewest exchanges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

import pytest

from tablectl.rules import distance, shapes
from tablectl.rules.ccm import forms
from tablectl.rules.distance import IMPOSSIBLE, Shape, to_ready
from tablectl.rules.shapes import HONOURS, KNITTED, ORPHANS, Tally, add, tally
from tablectl.rules.tiles import KINDS, expand
from tablectl.rules.wild import fits

JIANG = expand("258m258p258s")
WINDS = expand("ESWNFP")


def four_single(held: Tally) -> bool:
    return shapes.is_pairs(held) and max(held) < 4


def only(kinds: Sequence[str], held: Tally) -> bool:
    return sum(held) == 14 and all(KINDS[kind] in kinds for kind in range(len(KINDS)) if held[kind])


COMPLETE: dict[str, tuple[Shape, Callable[[Tally], bool]]] = {
    "sets": (distance.sets, lambda held: next(shapes.into_sets(held), None) is not None),
    "pairs": (distance.pairs, shapes.is_pairs),
    "pairs, four alike none": (partial(distance.pairs, four_alike=False), four_single),
    "orphans": (distance.orphans, shapes.is_orphans),
    "unrelated": (distance.unrelated, shapes.is_unrelated),
    "knitted": (distance.knitted, lambda held: next(shapes.into_knitted(held), None) is not None),
    "scattered": (distance.scattered, forms.is_unrelated),
    "two, five, eight": (distance.only_of(JIANG, ()), partial(only, JIANG)),
    "winds": (distance.only_of(WINDS, ()), partial(only, WINDS)),
}
RICH = {  # tiles that come near a shape more often than luck would
    "orphans": [KINDS[kind] for kind in ORPHANS],
    "unrelated": [KINDS[kind] for kind in (*KNITTED[0], *range(HONOURS, len(KINDS)))],
    "knitted": [KINDS[kind] for kind in KNITTED[3]] * 2 + list(expand("123mEE")),
    "scattered": [*expand("147m258p369s"), *expand("ESWNCFP")],
    "two, five, eight": [*JIANG, "1m"],
    "winds": [*WINDS, "1m", "C"],
}


def hands(name: str, count: int) -> Iterator[list[str]]:
    """Hands of 13 tiles, from any tiles, from one suit, from those the shape is made of."""
    random = Random(name)
    pools = [list(KINDS), [*expand("123456789m"), "E"], RICH.get(name, list(KINDS[:18]))]
    for number in range(count):
        pool = [tile for tile in dict.fromkeys(pools[number % 3]) for _ in range(4)]
        random.shuffle(pool)
        yield pool[:13]


def completes(held: Tally, complete: Callable[[Tally], bool]) -> bool:
    return any(complete(add(held, kind)) for kind in range(len(KINDS)))


@pytest.mark.rule("MCR-S13", "ZJ-S1", "CJ-S1", "CJ-S11", "WH-C3")
@pytest.mark.parametrize("name", COMPLETE)
def test_nought_is_a_hand_some_tile_completes(name: str) -> None:
    shape, complete = COMPLETE[name]
    for hand in hands(name, 90):
        assert (to_ready(hand, 0, [shape]) == 0) == completes(tally(hand), complete), hand


@pytest.mark.rule("MCR-P8", "MCR-P10")
@pytest.mark.parametrize("name", COMPLETE)
def test_each_exchange_changes_it_by_one_at_most_and_some_brings_it_nearer(name: str) -> None:
    shape, complete = COMPLETE[name]
    random = Random(name)
    for hand in hands(name, 3):
        far = to_ready(hand, 0, [shape])
        while far:
            near: list[str] | None = None
            exchanges = [(place, kind) for place in range(13) for kind in KINDS]
            random.shuffle(exchanges)
            for tried, (place, kind) in enumerate(exchanges):
                other = [*hand[:place], kind, *hand[place + 1 :]]
                then = to_ready(other, 0, [shape])
                assert abs(then - far) <= 1, (hand, other)
                if then < far:
                    near = other
                    if tried > 10:
                        break
            assert near is not None, hand
            hand, far = near, far - 1
        assert completes(tally(hand), complete)


@pytest.mark.rule("WH-C6")
def test_a_wild_tile_stands_for_any_other() -> None:
    random = Random(5)
    for number in range(60):
        pool = [tile for tile in (KINDS[:9] if number % 2 else KINDS[:27]) for _ in range(4) if tile != "5m"]
        random.shuffle(pool)
        wild = number % 4
        hand = [*pool[: 13 - wild], *["5m"] * wild]
        held = tally(pool[: 13 - wild])
        ready = any(fits(add(held, kind), wild) for kind in range(len(KINDS)))
        assert (to_ready(hand, 0, [distance.sets], ["5m"]) <= 0) == ready, hand


@pytest.mark.parametrize(
    ("text", "melds", "far"),
    [
        ("123m456m789m12pEE", 0, 0),
        ("123m456m789m14pEE", 0, 1),
        ("123m456m789m1pESW", 0, 2),
        ("12pEE", 3, 0),
        ("1p", 4, 0),
        ("14pEE", 3, 1),
        ("147m258p369s1pESW", 0, 1),  # as fourteen unrelated tiles
        ("147m258p369s1p4pEE", 0, 1),  # the straight is three sets
        ("147m258p369s12p55s", 0, 0),
        ("147m258p369sE", 1, 0),
        ("19m19p19sESWNCFP", 0, 0),
        ("11m33m55m77p99pEES", 0, 0),
    ],
)
def test_hands_of_the_game(text: str, melds: int, far: int) -> None:
    mcr = [distance.sets, distance.pairs, distance.orphans, distance.unrelated, distance.knitted]
    assert to_ready(expand(text), melds, mcr) == far


def test_what_the_table_rules_out_cannot_be_reached() -> None:
    for shape in (distance.pairs, distance.orphans, distance.unrelated, distance.scattered):
        assert to_ready(expand("1122334455m"), 1, [shape]) > 13
    assert distance.knitted(tally(expand("1234567m")), 2) == IMPOSSIBLE
    assert to_ready(expand("2255m88pEE2s1p"), 1, [distance.only_of(JIANG, expand("EEE"))]) > 13
    assert to_ready(expand("2255m88p58s2s1p"), 1, [distance.only_of(JIANG, expand("222s"))]) == 1
