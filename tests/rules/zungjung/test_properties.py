"""What holds of every hand: order, copies and suits do not matter, and the lines add up."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from tablectl.rules.tiles import KINDS, SUITS, suit
from tablectl.rules.zungjung import Meld, count, counts, wins
from tablectl.rules.zungjung.catalog import catalogue
from tablectl.rules.zungjung.settings import changed

HANDS = 300


@pytest.fixture
def random() -> Random:
    return Random(44)


@pytest.mark.rule("ZJ-S3")
def test_order_of_tiles_and_melds_does_not_matter(random, random_win, settings) -> None:
    for _ in range(HANDS):
        hand = random_win(random)
        shuffled = replace(
            hand,
            concealed=tuple(random.sample(hand.concealed, len(hand.concealed))),
            melds=tuple(random.sample(hand.melds, len(hand.melds))),
        )
        one, other = count(hand, settings), count(shuffled, settings)
        assert (one.total, one.patterns) == (other.total, other.patterns)


def test_suits_are_alike(random, random_win, settings) -> None:
    others = list(permutations(SUITS))[1:]
    for _ in range(HANDS):
        hand = random_win(random)
        names = dict(zip(SUITS, random.choice(others), strict=True))

        def other(tile: str, names: dict[str, str] = names) -> str:
            return tile[0] + names[tile[1]] if suit(tile) else tile

        other_suits = replace(
            hand,
            concealed=tuple(map(other, hand.concealed)),
            melds=tuple(Meld(meld.kind, tuple(map(other, meld.tiles))) for meld in hand.melds),
            winning=other(hand.winning),
        )
        one, same = count(hand, settings), count(other_suits, settings)
        assert (one.total, one.patterns) == (same.total, same.patterns)


@pytest.mark.rule("ZJ-S6")
def test_a_drawn_tile_is_any_of_its_kind_and_of_the_hand(random, random_win, settings) -> None:
    for _ in range(HANDS):
        hand = replace(random_win(random), self_drawn=True, kong=False, heaven=False, earth=False)
        tiles = [*hand.concealed, hand.winning]
        winning = tiles.pop(random.randrange(len(tiles)))
        drawn = replace(hand, concealed=tuple(tiles), winning=winning)
        totals = [count(one, settings).total for one in (hand, drawn)]
        assert totals[0] == totals[1] or 480 in totals  # Nine Gates asks for the wait


@pytest.mark.rule("ZJ-S2")
@pytest.mark.rule("ZJ-S4")
def test_lines_add_up_to_the_limit_with_one_pattern_of_a_series(random, random_win, settings) -> None:
    patterns = catalogue()
    for _ in range(HANDS):
        hand = random_win(random)
        for counted in counts(hand, settings):
            lines = counted.patterns
            assert counted.added == sum(line.points for line in lines)
            assert all(line.points == line.times * patterns[line.id].points for line in lines)
            series = [patterns[line.id].series for line in lines]
            assert len(series) == len(set(series))
            if counted.limit == "listed":
                assert len(lines) == 1
                assert counted.total == counted.added >= 320
            else:
                assert counted.total == max(1, min(counted.added, 320))
            assert (counted.limit == "compound") == (counted.total < counted.added)
            left_out = {one.id for one in counted.not_counted}
            assert left_out.isdisjoint(line.id for line in lines)
            melded = [tile for meld in hand.melds for tile in meld.tiles]
            tiles = [tile for group in counted.reading for tile in group]
            assert sorted(tiles) == sorted([*hand.concealed, hand.winning, *melded])


def test_claiming_a_set_conceals_nothing(random, random_win, settings) -> None:
    hidden = {"zj-1.2", "zj-2.2", "zj-4.2.3", "zj-9.4.1", "zj-9.4.2", "zj-10.1", "zj-10.2"}
    for _ in range(HANDS):
        hand = random_win(random)
        if not hand.hidden:
            assert hidden.isdisjoint(line.id for line in count(hand, settings).patterns)


@pytest.mark.rule("ZJ-S1")
@pytest.mark.rule("ZJ-S5")
def test_wins_says_what_the_count_says(random, random_win, settings) -> None:
    five = changed(settings, "zj.min_points=5")
    answers = Counter()
    for _ in range(HANDS):
        hand = random_win(random)
        melded = [tile for meld in hand.melds for tile in meld.tiles]
        others = [tile for tile in KINDS if (*hand.concealed, *melded).count(tile) < 4]
        drawn = replace(
            hand,
            winning=random.choice(others),
            self_drawn=True,
            kong=False,
            heaven=False,
            earth=False,
        )
        for one in (hand, drawn):
            for chosen in (settings, five):
                assert wins(one, chosen) == count(one, chosen).legal
                answers[wins(one, chosen)] += 1
    assert min(answers.values()) > HANDS / 2
