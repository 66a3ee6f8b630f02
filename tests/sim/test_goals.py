"""What a hand is built towards: distances worked out by hand, and the discards that follow."""

from __future__ import annotations

import pytest

from protocols.vocabulary import Meld
from sim.customs import Customs
from sim.goals import (
    NEVER,
    FromOthers,
    Goal,
    Laid,
    OneSuit,
    Only,
    Pairs,
    Pungs,
    Sets,
    Straights,
    Unrelated,
    dragons,
    most_apart,
)
from sim.plan import HONOURS, JIANG, JIANG_HEADS, plan_of
from sim.shape import count
from sim.view import OpenHand, ShownMeld

CHOW = ShownMeld(Meld.CHOW, ("1m", "2m", "3m"), "2m", 0)
PUNG = ShownMeld(Meld.PUNG, ("E",) * 3, "E", 0)
HIDDEN = ShownMeld(Meld.CONCEALED_KONG, ("9p",) * 4)


def tiles(text: str) -> list[str]:
    """``123m 55p E E``: numbers of a suit together, honours one by one."""
    return [
        name
        for word in text.split()
        for name in ([f"{n}{word[-1]}" for n in word[:-1]] if word[0].isdigit() else [word])
    ]


HALF_FLUSH, FULL_FLUSH = OneSuit(0, honours=True), OneSuit(0, honours=False)
STRAIGHTS = Straights(dragons())


@pytest.mark.parametrize(
    ("goal", "hand", "melds", "wild", "cost"),
    [
        pytest.param(HALF_FLUSH, "123m 456m 789m E E E S S", [], 0, -1, id="half flush there"),
        pytest.param(HALF_FLUSH, "123m 456m 789m E E E S 9p", [], 0, 0, id="one tile of another suit"),
        pytest.param(HALF_FLUSH, "456m 789m S S E 9p 9p", [CHOW], 0, 1, id="with a meld"),
        pytest.param(HALF_FLUSH, "456m 789m S S E E E", [HIDDEN], 0, NEVER, id="a meld of another suit"),
        pytest.param(FULL_FLUSH, "123m 456m 789m 11m E E E", [], 0, 2, id="honours do not count"),
        pytest.param(FULL_FLUSH, "123m 456m 789m 11m E E", [], 1, 1, id="a wild tile helps"),
        pytest.param(Pungs(), "111m 222p 333s E E S S 9p", [], 0, 0, id="waits for a triplet"),
        pytest.param(Pungs(), "111m 222p 333s E E E S S", [], 0, -1, id="all triplets"),
        pytest.param(Pungs(), "111m 222p E E S S 9p", [PUNG], 0, 0, id="triplets with a meld"),
        pytest.param(Pungs(), "111m 222p E E S S 9p", [CHOW], 0, NEVER, id="a run rules them out"),
        pytest.param(Pungs(), "111m 222p 333s E E S 9p", [], 1, 0, id="triplets with a wild tile"),
        pytest.param(Pairs(), "11m 22p 33s E E S S 99p 8m 7m", [], 0, 0, id="six pairs"),
        pytest.param(Pairs(), "11m 22p 33s E E S", [PUNG], 0, NEVER, id="pairs are concealed"),
        pytest.param(FromOthers(), "7s", [CHOW, CHOW, PUNG, PUNG], 0, 0, id="four claimed, waits"),
        pytest.param(FromOthers(), "77s", [CHOW, CHOW, PUNG, PUNG], 0, -1, id="four claimed and a pair"),
        pytest.param(FromOthers(), "77s", [CHOW, CHOW, PUNG, HIDDEN], 0, NEVER, id="one of them hidden"),
        pytest.param(STRAIGHTS, "123m 456p 789s E E E S S", [], 0, -1, id="in three suits"),
        pytest.param(STRAIGHTS, "147m 258p 369s E E E S S", [], 0, -1, id="knitted"),
        pytest.param(STRAIGHTS, "123456788m E E S S S", [], 0, 0, id="one missing"),
        pytest.param(STRAIGHTS, "456m 789m 9p 9p 9p S S", [CHOW], 0, -1, id="a third of it claimed"),
        pytest.param(STRAIGHTS, "456m 789m S S", [PUNG, HIDDEN], 0, NEVER, id="no room for three sets"),
        pytest.param(Unrelated(), "147m 258p 369s E S W N C", [], 0, -1, id="fourteen singles"),
        pytest.param(Unrelated(), "148m 258p 369s E S W N 4m", [], 0, 0, id="one double"),
        pytest.param(Only(JIANG), "222m 555p 888s 25m 58p 2s", [], 0, -1, id="nothing but 2 5 8"),
        pytest.param(Only(HONOURS), "E E S S W W N F F P 9m", [PUNG], 0, 0, id="honours but one"),
        pytest.param(Sets(JIANG_HEADS, 1), "123m 456m 789m E E E 55p", [], 0, -1, id="head of fives"),
        pytest.param(Sets(JIANG_HEADS, 1), "123m 456m 789m E E E 66p", [], 0, 0, id="head of sixes"),
        pytest.param(Sets(JIANG_HEADS, 1), "123m 456m 789m E E 5p", [], 2, 0, id="only one wild helps"),
    ],
)
def test_what_a_goal_costs(goal: Goal, hand: str, melds: list[ShownMeld], wild: int, cost: int) -> None:
    assert goal.cost(count(tiles(hand)), Laid.of(melds), wild) == cost


@pytest.mark.parametrize(
    ("ranks", "most"), [("", 0), ("123", 1), ("14", 2), ("13579", 3), ("147", 3), ("258", 3), ("1469", 3)]
)
def test_ranks_that_are_far_enough_from_one_another(ranks: str, most: int) -> None:
    assert most_apart(tuple(str(rank) in ranks for rank in range(1, 10))) == most


@pytest.mark.rule("WH-C1")
def test_a_closed_hand_is_one_further_away_where_it_must_be_opened() -> None:
    table = OpenHand(1, 0, 60, customs=Customs(aims="opened"))
    plan = plan_of("opened")
    hand = tiles("123m 456m 789m E E E 55p")
    assert plan.distance(hand, [], table) == 0
    assert not plan.complete(hand, [], table)
    assert plan.complete(hand[3:], [CHOW], table)
    assert not plan.complete(hand[3:], [HIDDEN], table)


@pytest.mark.rule("WH-W4", "WH-W5")
def test_red_is_no_part_of_a_hand_and_a_wild_tile_any() -> None:
    customs = Customs(singles=("C", "wild"), wild_kinds=1, aims="opened")
    table = OpenHand(1, 0, 60, customs=customs, indicator="2p", wild=("3p",))
    plan = plan_of("opened")
    assert plan.complete(tiles("456m 789m E E 55p 3p"), [CHOW], table)
    assert not plan.complete(tiles("456m 789m C C C 55p"), [CHOW], table)
    ranked = plan.after_discards(tiles("456m 789m E E 5p 3p C"), [CHOW], table)
    assert "C" not in ranked  # nobody may discard it
    assert "3p" not in ranked


@pytest.mark.rule("CJ-S1")
def test_what_is_no_use_for_the_goal_goes_first() -> None:
    table = OpenHand(1, 0, 60, customs=Customs(aims="fan"))
    plan = plan_of("fan")
    hand = tiles("123m 456m 77m 88m E E 5p 6p")
    ranked = plan.after_discards(hand, [], table)
    best = [name for name in ranked if ranked[name] == min(ranked.values())]
    assert {"5p", "6p"} <= set(best)
    least = min(best, key=lambda name: plan.worth(name, count(hand)))
    assert least in ("5p", "6p")


@pytest.mark.rule("WH-C2")
def test_tiles_that_can_be_the_head_are_kept_among_equals() -> None:
    goal = Sets(JIANG_HEADS, 1)
    hand = count(tiles("123m 456m 789m E E 5p 6p"))
    assert [name for name in ("2m", "5p", "8s", "6p", "E", "1m") if goal.keeps(name, hand)] == [
        "2m",
        "5p",
        "8s",
    ]
