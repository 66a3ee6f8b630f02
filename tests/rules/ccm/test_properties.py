"""What holds of every hand, whatever it is, and of every payment."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from tablectl.rules.ccm import Meld, count, wins
from tablectl.rules.ccm.catalog import edition
from tablectl.rules.ccm.chips import is_first
from tablectl.rules.ccm.immediate import chase, kong, penalty
from tablectl.rules.ccm.pay import Win, Winner, settle
from tablectl.rules.tiles import SUITS, full_set, suit
from tests.rules.ccm.brute import best

HANDS = 300


@pytest.fixture
def random() -> Random:
    return Random(12)


@pytest.mark.rule("CJ-S2")
@pytest.mark.rule("CJ-S11")
def test_count_is_the_highest_of_all_readings(random, random_win, settings) -> None:
    for _ in range(HANDS):
        hand = random_win(random)
        counted = count(hand, settings)
        assert (counted.legal, counted.total) == best(hand), hand
        assert wins(hand, settings) == counted.legal


@pytest.mark.rule("CJ-S1")
def test_tiles_at_random_win_only_if_they_are_a_shape(random, settings, random_win) -> None:
    for _ in range(HANDS):
        hand = random_win(random)
        other = replace(hand, winning=random.choice(full_set(False)), last_of_kind=False, kong=False)
        if (*other.concealed, *(t for meld in other.melds for t in meld.tiles)).count(other.winning) < 4:
            assert wins(other, settings) == best(other)[0]


def test_order_of_tiles_and_melds_does_not_matter(random, random_win, settings) -> None:
    for _ in range(HANDS):
        hand = random_win(random)
        shuffled = replace(
            hand,
            concealed=tuple(random.sample(hand.concealed, len(hand.concealed))),
            melds=tuple(
                Meld(meld.kind, tuple(random.sample(meld.tiles, len(meld.tiles))))
                for meld in random.sample(hand.melds, len(hand.melds))
            ),
        )
        assert count(shuffled, settings).fans == count(hand, settings).fans


def test_suits_are_alike(random, random_win, settings) -> None:
    others = list(permutations(SUITS))[1:]
    for _ in range(HANDS):
        hand = random_win(random)
        names = dict(zip(SUITS, random.choice(others), strict=True))

        def other(tile: str, names: dict[str, str] = names) -> str:
            return tile[0] + names[tile[1]] if suit(tile) else tile

        changed = replace(
            hand,
            concealed=tuple(map(other, hand.concealed)),
            melds=tuple(Meld(meld.kind, tuple(map(other, meld.tiles))) for meld in hand.melds),
            winning=other(hand.winning),
        )
        assert count(changed, settings).fans == count(hand, settings).fans


def test_lines_add_up_and_a_contained_fan_is_not_added(random, random_win, settings) -> None:
    catalogue = edition(settings)
    for _ in range(HANDS):
        hand = random_win(random)
        counted = count(hand, settings)
        added = {line.id for line in counted.fans}
        assert counted.total == sum(line.points for line in counted.fans)
        assert not any(fan in catalogue[other].contains for fan in added for other in added)
        assert not added & {one.id for one in counted.not_counted}
        tiles = sorted(tile for group in counted.reading for tile in group)
        melded = [tile for meld in hand.melds for tile in meld.tiles]
        assert tiles == sorted([*hand.concealed, hand.winning, *melded])


@pytest.mark.rule("CJ-S8")
@pytest.mark.rule("CJ-S9")
def test_chips_are_never_lost_nor_below_zero_and_only_the_first_ends_a_session(random, settings) -> None:
    for _ in range(2000):
        chips = _chips(random)
        doubled = random.random() < 0.3
        player, giver = random.sample(range(4), 2)
        if random.random() < 0.5:
            result = settle(chips, _win(random, player, giver), doubled, settings)
            gainers = result.winners[:1] or (giver,)
        else:
            kind = random.choice(["melded", "small", "concealed", "flower"])
            result = kong(chips, kind, player, giver, doubled, settings)
            gainers = (player,)
        assert sum(result.chips) == 400
        assert min(result.chips) >= 0
        assert sum(result.off_table) == 0
        assert result.end == (result.chips.count(0) >= 2)
        if result.end:
            assert len(gainers) == 1
            assert is_first(gainers[0], result.chips, settings) or len(result.winners) > 1


@pytest.mark.rule("CJ-P10")
def test_only_a_penalty_to_nobody_takes_chips_off_the_table(random, settings) -> None:
    for _ in range(500):
        chips = _chips(random)
        payer, payee = random.sample(range(4), 2)
        points = random.choice([10, 20, 30, 40, 50])
        paid = penalty(chips, payer, payee, points, False, settings)
        dead = penalty(chips, payer, None, points, False, settings)
        first = chase(chips, payer, False, settings)
        assert sum(paid.chips) == sum(first.chips) == 400
        assert sum(paid.off_table) == sum(first.off_table) == 0
        assert sum(dead.chips) == 400 - sum(dead.payments[0].paid)
        assert not dead.end
        assert not first.end


def _chips(random: Random) -> tuple[int, int, int, int]:
    """Four that hold 400 together, at most one of them nothing."""
    while True:
        cuts = sorted(2 * random.choice([0, random.randrange(30), random.randrange(201)]) for _ in range(3))
        chips = (cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 400 - cuts[2])
        if chips.count(0) <= 1:
            return tuple(random.sample(chips, 4))


def _win(random: Random, player: int, giver: int) -> Win:
    mode = random.choice(["self_draw", "discard", "discard", "rob"])
    total = 2 * random.randrange(10, 60)
    if mode == "self_draw":
        return Win(mode, (Winner(player, total),))
    winners = random.sample([one for one in range(4) if one != giver], random.choice([1, 1, 2, 3]))
    return Win(mode, tuple(Winner(one, total) for one in winners), giver)
