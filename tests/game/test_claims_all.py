"""Every set of simultaneous claims, in every order of arrival, from every discarder, under every system,
against what the rule books say in a few lines."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

import pytest

from tablectl.game import step as game
from tests.game.conftest import BOOK, COUNT, Table

SYSTEMS = {  # where counting begins among several wins, and how many of them win
    "mcr": ("discarder", 1),  # MCR-C1
    "zungjung": ("discarder", 1),  # ZJ-C1
    "ccm": ("discarder", 3),  # CJ-C1
    "wuhan": ("dealer", 1),  # WH-C8
}
DEALER = 0
Calls = dict[int, str]


def by_the_book(rules: str, discarder: int, calls: Calls) -> list[tuple[int, str]]:
    """Who gets the tile: win before pung and kong before chow; among equals counted counter-clockwise."""
    first, winners = SYSTEMS[rules]
    start = DEALER if first == "dealer" else discarder + 1
    won = [side % 4 for side in range(start, start + 4) if calls.get(side % 4) == "win"]
    if won:
        return [(side, "win") for side in won[:winners]]
    for words in (("pung", "kong"), ("chow",)):
        for side in range(discarder + 1, discarder + 4):
            if calls.get(side % 4) in words:
                return [(side % 4, calls[side % 4])]
    return []


@cache
def discarded(rules: str, discarder: int) -> Table:
    """A table that counts only, a discard of this side lying open."""
    t = Table(COUNT, rules=rules)
    t.play()
    t.wait(1)
    for side in range(discarder + 1):
        if side:
            t.wait(4)
        t.press(side, "discard")
    assert t.hand.window.side == discarder
    return t


def played(rules: str, discarder: int, arrivals: list[tuple[int, str]]) -> list[tuple[int, str]]:
    made = discarded(rules, discarder)
    t = Table(COUNT, rules=rules)
    t.state = game.from_json(game.to_json(made.state))
    t.now, t.n, t.number = made.now, made.n, made.number
    for side, word in arrivals:
        t.press(side, word)
    t.wait(3)
    got = []
    while t.phase == "adjudication":
        got.append((t.hand.win.side, "win"))
        t.command("win confirm")
        if not t.hand.over:
            t.wait(3)
    assert not t.broken
    if got:
        assert [(w["side"], "win") for w in t.hand.result["winners"]] == got
        return got
    meld = t.hand.seats[t.hand.turn].melds
    return [(t.hand.turn, meld[-1].kind)] if meld else []


def every_set(discarder: int) -> list[Calls]:
    words = (None, "pung", "kong", "win")
    lower, across, upper = ((discarder + step) % 4 for step in (1, 2, 3))
    sets = product((*words, "chow"), words, words)
    return [
        {side: word for side, word in zip((lower, across, upper), chosen, strict=True) if word}
        for chosen in sets
    ]


@pytest.mark.rule("MCR-C1", "ZJ-C1", "CJ-C1", "WH-C8", "WH-C15")
@pytest.mark.report("B034")
@pytest.mark.parametrize("discarder", range(4))
@pytest.mark.parametrize("rules", SYSTEMS)
def test_whoever_calls_what_in_any_order_the_book_decides(rules, discarder):
    wrong = []
    for calls in every_set(discarder):
        for arrivals in permutations(calls.items()):
            right, got = by_the_book(rules, discarder, calls), played(rules, discarder, list(arrivals))
            if got != right:
                wrong.append((arrivals, right, got))
    assert not wrong, wrong[:3]


def test_the_reference_knows_all_systems():
    assert set(SYSTEMS) <= set(BOOK)
