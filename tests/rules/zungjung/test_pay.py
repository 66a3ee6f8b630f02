"""Who is responsible for a win, and match points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.rules.tiles import WINDS
from tablectl.rules.zungjung import HandError
from tablectl.rules.zungjung.pay import Discard, Win, match_points, payments, responsible
from tablectl.rules.zungjung.settings import changed, packed

E, S, W, N = range(4)


def discards(text: str) -> list[Discard]:
    """``S 5p, W 5p!``: who discarded what, ``!`` if it was claimed."""
    pairs = (one.split() for one in text.split(",") if one)
    return [Discard(WINDS.index(seat), tile.rstrip("!"), tile.endswith("!")) for seat, tile in pairs]


# South wins on 5p: the discards, who gave the tile, a changed setting, who is responsible.
WINDOWS = {
    "nobody else discarded it": ("S 1m, W 2m, N 5p", N, "", N),
    "somebody did before the window": ("W 5p, N 1m, E 1m, S 1m, W 2m, N 5p", N, "", N),
    "an older own discard does not count": ("S 5p, W 1m, N 1m, E 1m, S 2m, W 5p", W, "", W),
    "the own last discard frees all": ("S 5p, W 1m, N 1m, E 5p", E, "", None),
    "the own last discard frees all, claimed too": ("S 5p!, W 1m, N 1m, E 5p", E, "", None),
    "the first of two": ("S 1m, W 5p, N 5p, E 5p", E, "", W),
    "twice the same player": ("S 1m, W 5p, S 1s!, W 5p", W, "", W),
    "claimed, and still the first": ("S 1m, W 5p!, N 2m, E 5p", E, "", W),
    "claimed does not count": ("S 1m, W 5p!, N 2m, E 5p", E, "zj.immunity_counts_claimed=false", E),
    "claimed does not count, a later does": (
        "S 1m, W 5p!, E 2m!, N 5p, E 5p",
        E,
        "zj.immunity_counts_claimed=false",
        N,
    ),
    "unclaimed counts under that setting": (
        "S 1m, W 5p, N 2m, E 5p",
        E,
        "zj.immunity_counts_claimed=false",
        W,
    ),
    "the winner has not discarded": ("E 5p!, W 1m, N 5p", N, "", E),
    "no immunity before the own first discard": ("E 5p!, W 1m, N 5p", N, "zj.immunity_first_round=none", N),
    "immunity after it all the same": ("S 1m, W 5p, N 5p", N, "zj.immunity_first_round=none", W),
}


@pytest.mark.rule("ZJ-S13")
@pytest.mark.parametrize(("text", "by", "setting", "payer"), WINDOWS.values(), ids=WINDOWS.keys())
def test_window_of_same_round_immunity(text, by, setting, payer, settings) -> None:
    chosen = changed(settings, setting) if setting else settings
    assert responsible(discards(text), Win(S, "discard", "5p", by), chosen) == payer


@pytest.mark.rule("ZJ-C9")
@pytest.mark.parametrize("text", ["S 1m, W 5p, N 5p", "S 5p, W 1m, N 5p"])
def test_immunity_must_be_invoked(text: str, settings) -> None:
    assert responsible(discards(text), Win(S, "discard", "5p", N, invoked=False), settings) == N


@pytest.mark.rule("ZJ-S11")
@pytest.mark.rule("ZJ-C17")
def test_nobody_is_responsible_for_a_drawn_tile(settings) -> None:
    """Nor the feeder of the kong whose replacement it was."""
    assert responsible(discards("S 1m, W 5p!"), Win(S, "self_draw", "E"), settings) is None


@pytest.mark.rule("ZJ-S14")
@pytest.mark.parametrize(
    ("text", "payer"), [("S 5p!, N 1m", None), ("S 1m, W 5p!, N 1m", W), ("W 5p!, N 1m, E 1m, S 2m", N)]
)
def test_window_before_a_robbed_kong(text: str, payer: int | None, settings) -> None:
    assert responsible(discards(text), Win(S, "robbed_kong", "5p", N), settings) == payer


IMPOSSIBLE = {
    "another tile was discarded": ("S 1m, W 2m", Win(S, "discard", "5p", W), "pay.not_last"),
    "another side discarded": ("S 1m, W 5p", Win(S, "discard", "5p", N), "pay.not_last"),
    "it was claimed for a meld": ("S 1m, W 5p!", Win(S, "discard", "5p", W), "pay.not_last"),
    "no discard at all": ("", Win(S, "discard", "5p", W), "pay.not_last"),
    "own discard": ("S 5p", Win(S, "discard", "5p", S), "pay.own_tile"),
    "drawn from somebody": ("W 5p", Win(S, "self_draw", "5p", W), "pay.by"),
    "discarded by nobody": ("W 5p", Win(S, "discard", "5p"), "pay.by"),
    "no such side": ("W 5p", Win(4, "discard", "5p", W), "pay.no_side"),
    "five copies": ("W 5p, N 5p, E 5p, W 5p", Win(S, "self_draw", "5p"), "hand.too_many_alike"),
    "no such tile": ("W f1", Win(S, "discard", "f1", W), "hand.no_tile"),
    "robbed tile in the river": ("W 5p, N 1m", Win(S, "robbed_kong", "5p", N), "pay.robbed_discarded"),
    "robbed tile claimed twice": ("W 5p!, E 5p!", Win(S, "robbed_kong", "5p", N), "pay.robbed_discarded"),
    "robbed side claimed its own": ("N 5p!", Win(S, "robbed_kong", "5p", N), "pay.robbed_discarded"),
}


@pytest.mark.rule("ZJ-S14")
@pytest.mark.parametrize(("text", "win", "key"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_record_that_contradicts_itself_is_refused(text, win, key, settings) -> None:
    with pytest.raises(HandError) as caught:
        responsible(discards(text), win, settings)
    assert caught.value.key == key


@pytest.mark.rule("ZJ-S10")
@pytest.mark.rule("ZJ-C8")
@given(value=st.integers(1, 480), winner=st.integers(0, 3), payer=st.none() | st.integers(0, 3))
def test_winner_gets_three_times_the_value_whoever_is_east(
    value: int, winner: int, payer: int | None
) -> None:
    if payer == winner:
        payer = None
    gains = payments(value, winner, payer)
    assert gains[winner] == 3 * value
    assert sum(gains) == 0
    others = [gain for side, gain in enumerate(gains) if side not in (winner, payer)]
    assert all(gain == -(value if payer is None else min(value, 25)) for gain in others)


@pytest.mark.rule("ZJ-F3")
@pytest.mark.parametrize(
    ("total", "hundredths"),
    [(0, 0), (100, 1000), (-100, -1000), (1, 100), (2, 141), (3, 173), (-3, -173), (1234, 3513)],
)
def test_match_points_are_the_signed_root(total: int, hundredths: int, settings) -> None:
    assert match_points(total, settings) == hundredths


@pytest.mark.rule("ZJ-F3")
@given(total=st.integers(-(10**6), 10**6))
def test_match_points_are_rounded_to_the_nearest_hundredth(total: int) -> None:
    points = match_points(total, packed())
    assert match_points(-total, packed()) == -points
    twice = 2 * abs(points)
    assert max(0, twice - 1) ** 2 <= 4 * 10_000 * abs(total) < (twice + 1) ** 2


@pytest.mark.rule("ZJ-F3")
def test_match_points_may_be_the_total_itself(settings) -> None:
    assert match_points(-70, changed(settings, "zj.match_points=raw_total")) == -7000
