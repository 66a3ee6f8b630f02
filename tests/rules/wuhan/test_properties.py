"""What holds of every hand, whatever it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.rules.shapes import into_sets, tally
from tablectl.rules.tiles import KINDS, SUITS, number, suit
from tablectl.rules.wuhan import Count, FedMeld, Laid, Win, WinHand, count, counts, settle, wins
from tablectl.rules.wuhan.catalog import patterns
from tablectl.rules.wuhan.pay import reaches_minimum
from tablectl.rules.wuhan.settings import packed

HANDS = 250
IDS = {pattern.zh: id_ for id_, pattern in patterns().items()}
BIG = sorted(patterns())[1:]


@pytest.fixture
def random() -> Random:
    return Random(258)


def _said(counted: Count) -> tuple[object, ...]:
    return counted.payment, counted.reason, counted.raw, counted.big, counted.hard


def test_order_of_the_tiles_does_not_matter(random, random_hand, settings) -> None:
    for _ in range(HANDS):
        hand = random_hand(random)
        shuffled = tuple(random.sample(hand.concealed, len(hand.concealed)))
        one, other = count(hand, settings), count(replace(hand, concealed=shuffled), settings)
        assert (one.payment, one.reason, one.big, one.hard) == (
            other.payment,
            other.reason,
            other.big,
            other.hard,
        )


def test_order_of_the_melds_matters_only_to_who_is_liable(random, random_hand, settings) -> None:
    for _ in range(HANDS):
        hand = random_hand(random)
        turned = count(replace(hand, melds=hand.melds[::-1]), settings)
        one = count(hand, settings)
        assert (one.reason, one.raw, one.big) == (turned.reason, turned.raw, turned.big)
        third = hand.melds[2:] and "wh-02" in one.big
        assert third or one.payment == turned.payment


def test_suits_are_alike(random, random_hand, settings) -> None:
    others = list(permutations(SUITS))[1:]
    for _ in range(HANDS):
        hand = random_hand(random)
        names = dict(zip(SUITS, random.choice(others), strict=True))

        def other(tile: str, names: dict[str, str] = names) -> str:
            return tile[0] + names[tile[1]] if suit(tile) else tile

        changed = replace(
            hand,
            concealed=tuple(map(other, hand.concealed)),
            melds=tuple(FedMeld(m.kind, tuple(map(other, m.tiles)), m.feeder) for m in hand.melds),
            winning=other(hand.winning),
            laizi=tuple(map(other, hand.laizi)),
        )
        one, two = count(hand, settings), count(changed, settings)
        assert _said(one) == _said(two)


def test_reading_shows_the_tiles_of_the_hand(random, random_hand, settings) -> None:
    for _ in range(HANDS):
        hand = random_hand(random)
        for counted in counts(hand, settings):
            shown = Counter(tile for group in counted.reading for tile in group)
            held = Counter([*hand.own, *(tile for meld in hand.melds for tile in meld.tiles)])
            if counted.reading:
                laizi = held - shown
                assert set(laizi) <= set(hand.laizi)
                assert sorted(counted.stands_for) == sorted((shown - held).elements())
                assert laizi.total() == len(counted.stands_for)


def test_players_are_told_what_the_judge_says(random, random_hand, settings) -> None:
    for _ in range(HANDS):
        hand = random_hand(random)
        assert wins(hand, settings) is count(hand, settings).legal


@pytest.mark.rule("WH-C16")
@pytest.mark.parametrize(
    "changes",
    [
        (),
        ("wh.bao_cap=total",),
        ("wh.gold_cap=500", "wh.gold_before_liable=false"),
        ("wh.wild_fifth_copy=false",),
    ],
    ids=lambda changes: " ".join(changes) or "default",
)
def test_chosen_reading_is_the_best_of_all_there_are(changes, random, random_hand, under) -> None:
    settings = under(*changes)
    legal = 0
    for _ in range(HANDS // 5):
        hand = random_hand(random, laizi=2)
        best = max(by_hand(hand, settings), default=None)
        counted = count(hand, settings)
        legal += counted.legal
        assert counted.legal is (best is not None)
        if best is not None:
            paid = counted.payment
            assert (paid.deltas[0], sum(paid.raw), counted.hard, len(counted.big)) == best
    assert legal > HANDS // 25


def by_hand(hand: WinHand, settings) -> Iterator[tuple[int, int, bool, int]]:
    """What every reading that may win is worth: each laizi as each tile, every division of the tiles."""
    if not any(meld.kind != "concealed_kong" for meld in hand.melds):
        return
    held = hand.own.count(hand.laizi[0])
    for names, tile_patterns, jiang_pair in {*_all_readings(hand, settings)}:
        big = {IDS[name] for name in tile_patterns}
        any_pair = bool(big)
        if hand.way == "last_four":
            big.add(IDS["海底捞"])
        if hand.way == "kong_draw" and hand.ready_before_kong:
            big.add(IDS["杠上花"])
        four = sum(meld.kind != "concealed_kong" for meld in hand.melds) == 4
        if (
            four
            and hand.way == "discard"
            and hand.concealed[0] not in hand.laizi
            and (jiang_pair or any_pair)
        ):
            big.add(IDS["全求人"])
        if not (jiang_pair or any_pair) or (not big and held >= 2):
            continue
        feeders = tuple(meld.feeder for meld in hand.melds if meld.feeder is not None)
        win = Win(
            hand.winner,
            hand.dealer,
            hand.way,
            hand.discarder,
            hand.laid,
            tuple(sorted(big)),
            hard=names == "hard",
            feeders=feeders,
            jiang_fed=number(hand.winning) in (2, 5, 8),
        )
        paid = settle(win, settings)
        if reaches_minimum(paid.raw, win.losers, settings):
            yield paid.deltas[0], sum(paid.raw), win.hard, len(big)


def _all_readings(hand: WinHand, settings) -> Iterator[tuple[str, frozenset[str], bool]]:
    laizi = hand.laizi[0]
    own = [tile for tile in hand.own if tile != laizi]
    held = len(hand.own) - len(own)
    melded = [tile for meld in hand.melds for tile in meld.tiles]
    for named in product([kind for kind in KINDS if kind != "C"], repeat=held):
        there = Counter([*own, *melded, *named])
        if not settings.wild_fifth_copy and max(there.values()) > 4:
            continue
        hard = "hard" if set(named) <= {laizi} else "soft"
        everything = set(there)
        loose = []
        if all(number(tile) in (2, 5, 8) for tile in everything):
            loose.append("将一色")
        if all(tile in "ESWNFP" for tile in everything):
            loose.append("风一色")
        for name in loose:
            yield hard, frozenset([name]), True
        for sets in _divisions([*own, *named]):
            found = {*loose}
            if all(kind != "chow" for kind, _ in sets) and all(m.kind != "chow" for m in hand.melds):
                found.add("碰碰胡")
            if len({suit(tile) for tile in everything}) == 1 and suit(next(iter(everything))):
                found.add("清一色")
            pair = next(KINDS[place] for kind, place in sets if kind == "pair")
            yield hard, frozenset(found), number(pair) in (2, 5, 8)


def _divisions(tiles: list[str]) -> Iterator[list[tuple[str, int]]]:
    """All divisions, also of more than four honours alike."""
    there = Counter(tiles)
    extra = []
    for tile in "ESWNFP":
        if there[tile] > 3:
            there[tile] -= 3
            extra.append(("triplet", KINDS.index(tile)))
    for parts in into_sets(tally(there.elements())):
        yield [*extra, *parts]


LAID = st.builds(
    Laid,
    chow=st.integers(0, 2),
    pung=st.integers(1, 2),
    direct_kong=st.integers(0, 1),
    added_kong=st.integers(0, 1),
    concealed_kong=st.integers(0, 1),
    hongzhong_kong=st.integers(0, 3),
    laizi_kong=st.integers(0, 2),
    laizi_discard=st.integers(0, 2),
)
CHANGES = st.lists(
    st.sampled_from(
        [
            "wh.gold=raise_cap",
            "wh.gold_before_liable=false",
            "wh.bao_cap=total",
            "wh.rob_value=konger",
            "wh.robbed_kong_pays_all=false",
            "wh.big_sum=doubling",
            "wh.open_mode=kaikou",
            "wh.kong_opening=once",
            "wh.cap_base=hand",
            "wh.bao_third=all_three",
        ]
    ),
    unique=True,
)


@pytest.mark.rule("WH-S5")
@pytest.mark.rule("WH-S7")
@given(
    winner=st.integers(0, 3),
    step=st.integers(1, 3),
    dealer=st.integers(0, 3),
    way=st.sampled_from(["self_draw", "discard", "rob_kong", "last_four", "kong_draw"]),
    laid=st.tuples(LAID, LAID, LAID, LAID),
    big=st.sets(st.sampled_from(BIG[:5])),
    hard=st.booleans(),
    feeders=st.lists(st.integers(1, 3), max_size=4),
    changes=CHANGES,
)
def test_payments_are_whole_and_sum_to_zero(
    winner, step, dealer, way, laid, big, hard, feeders, changes
) -> None:
    own = {"rob_kong": "抢杠", "last_four": "海底捞", "kong_draw": "杠上花"}
    ids = {*big, *([IDS[own[way]]] if way in own else [])}
    given_by = (winner + step) % 4 if way in ("discard", "rob_kong") else None
    fed = tuple((winner + feeder) % 4 for feeder in feeders)
    win = Win(winner, dealer, way, given_by, laid, tuple(sorted(ids)), hard, fed)
    settings = packed(changes)
    paid = settle(win, settings)
    assert sum(paid.deltas) == 0
    assert paid.deltas[winner] > 0
    assert paid.raw[winner] == paid.shares[winner] == 0
    assert all(isinstance(amount, int) for amount in (*paid.raw, *paid.shares, *paid.deltas))
    top = max(settings.cap, settings.liable_cap, settings.gold_cap)
    assert max(paid.shares) <= top * (paid.base if settings.cap_base == "hand" else 1)
    for loser in win.losers:
        assert paid.deltas[loser] <= 0
        assert paid.payer in (None, loser) or paid.deltas[loser] == 0
    if paid.payer is None:
        assert [-paid.deltas[loser] for loser in win.losers] == [paid.shares[loser] for loser in win.losers]
