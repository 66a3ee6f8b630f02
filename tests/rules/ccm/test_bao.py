"""包付 (CJ-S7): who is liable, by the melds of the hand, the tile hung and the tile dealt in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.rules.ccm.bao import Liability, Taking, Won, choose, liabilities, related


def take(player: int, giver: int | None, tiles: str) -> Taking:
    return Taking(player, giver, tuple(f"{number}{tiles[-1]}" for number in tiles[:-1]))


def honour(player: int, giver: int, tile: str) -> Taking:
    return Taking(player, giver, (tile,) * 3)


MIXED = (take(0, 3, "123m"), take(0, 3, "456p"), take(0, 3, "777s"))
ONE_SUIT = (take(0, 3, "123m"), take(0, 1, "777m"), take(0, 3, "456m"))
PLAIN = Won(0, 2, "5p", {"ccm-05"})
FLUSH = Won(0, 2, "9m", {"ccm-10"})
HUNG = Won(0, 2, "5p", {"ccm-07"}, hung="5p")


@pytest.mark.rule("CJ-S7")
@pytest.mark.parametrize(
    ("takings", "winner", "liable"),
    [
        (MIXED, 0, [3]),
        (MIXED, 3, [0]),
        (MIXED, 1, []),
        (MIXED[:2], 0, []),
        ((*MIXED[:2], honour(0, 1, "E"), MIXED[2]), 0, []),
        ((MIXED[0], honour(1, 0, "E"), *MIXED[1:]), 0, [3]),
        ((MIXED[0], Taking(0, None, ("E",) * 4), *MIXED[1:]), 0, [3]),
        ((*MIXED, honour(0, 1, "E")), 0, [3]),
        ((honour(0, 2, "E"), honour(0, 2, "S"), honour(0, 2, "C")), 2, [0]),
    ],
    ids=[
        "taker wins",
        "giver wins: mutual",
        "another wins",
        "two only",
        "another's tile between",
        "another's meld between does not matter",
        "an own concealed kong between does not matter",
        "a fourth of another",
        "three pungs of the player opposite",
    ],
)
def test_first_three_melds_of_one_player(takings, winner, liable, settings) -> None:
    won = replace(PLAIN, winner=winner, giver=None)
    assert [one.player for one in liabilities(won, takings, settings) if one.rule == "a"] == liable


@pytest.mark.rule("CJ-S7")
def test_any_three_melds_where_so_ruled(settings) -> None:
    takings = (*MIXED[:2], honour(0, 1, "E"), MIXED[2])
    loose = replace(settings, bao_consecutive=False)
    assert liabilities(replace(PLAIN, giver=None), takings, loose) == (Liability("a", 3),)
    assert liabilities(replace(PLAIN, giver=None), takings[:3], loose) == ()


@pytest.mark.rule("CJ-S7")
@pytest.mark.parametrize(
    ("won", "takings", "liable"),
    [
        (FLUSH, ONE_SUIT, [("b_deal", 2)]),
        (replace(FLUSH, fans={"ccm-04"}), ONE_SUIT, []),
        (replace(FLUSH, giver=None), ONE_SUIT, []),
        (FLUSH, ONE_SUIT[:2], []),
        (FLUSH, (*ONE_SUIT, take(0, 1, "999m")), [("b_deal", 2), ("b_feed", 1)]),
        (replace(PLAIN, giver=None), (*ONE_SUIT, take(0, 1, "999m")), [("b_feed", 1)]),
        (replace(PLAIN, giver=None), (*ONE_SUIT, honour(0, 1, "E")), []),
        (replace(PLAIN, giver=None), (*ONE_SUIT, Taking(0, None, ("9m",) * 4)), []),
        (replace(PLAIN, giver=None, winner=2), (*ONE_SUIT, take(0, 1, "999m")), []),
    ],
    ids=[
        "dealt into a real flush",
        "no real flush",
        "self-drawn",
        "two melds shown",
        "dealt in after a further meld",
        "fed a further meld; the rest need not be shown",
        "the further meld is of honours",
        "the further meld is his own",
        "another wins",
    ],
)
def test_board_of_one_suit(won, takings, liable, settings) -> None:
    found = liabilities(won, takings, settings)
    assert [(one.rule, one.player) for one in found if one.rule != "a"] == liable


@pytest.mark.rule("CJ-S7")
@pytest.mark.parametrize(
    ("hung", "tiles"),
    [
        ("5p", "3p 4p 5p 6p 7p"),
        ("1s", "1s 2s 3s"),
        ("2m", "1m 2m 3m 4m"),
        ("8m", "6m 7m 8m 9m"),
        ("9m", "7m 8m 9m"),
        ("S", "E S W N"),
        ("F", "C F P"),
    ],
)
def test_related_tiles_of_a_hung_one(hung, tiles, settings) -> None:
    assert related(hung, settings) == set(tiles.split())


@pytest.mark.rule("CJ-S7")
@pytest.mark.parametrize(
    ("won", "liable"),
    [
        (HUNG, [2]),
        (replace(HUNG, winning="7p"), [2]),
        (replace(HUNG, winning="8p"), []),
        (replace(HUNG, winning="5s"), []),
        (replace(HUNG, hung=""), []),
        (replace(HUNG, giver=None), []),
        (replace(HUNG, fans={"ccm-05"}), []),
    ],
    ids=[
        "the tile",
        "two away",
        "three away",
        "another suit",
        "not hung, or changed",
        "self-drawn",
        "no 全求独钓",
    ],
)
def test_dealt_into_a_hung_tile(won, liable, settings) -> None:
    assert [one.player for one in liabilities(won, (), settings)] == liable


@pytest.mark.rule("CJ-S7")
def test_hanging_that_is_not_played(settings) -> None:
    assert liabilities(HUNG, (), replace(settings, guapai="none")) == ()


@pytest.mark.rule("CJ-S7")
def test_one_of_several_liable_pays(settings) -> None:
    """The dealer-in before a feeder, (c) before (b) before (a)."""
    several = [Liability("a", 1), Liability("b_feed", 3), Liability("b_deal", 2), Liability("c", 2)]
    for left in range(4, 0, -1):
        assert choose(several[:left], settings) == several[left - 1]
    assert choose((), settings) is None
    other = replace(settings, bao_order=("a", "b_feed"))
    assert choose(several, other) == several[0]
    assert choose(several[2:], other) is None
