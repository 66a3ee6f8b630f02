"""Hands of other rule systems under virtual time, daemon and table together: each ends, everything holds."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tablectl.rehearsal.room import Setting
from tests.rehearsal.played import play_session

PLAYED = ("zungjung", "ccm", "wuhan")
HANDS = 3


@pytest.mark.parametrize("system", PLAYED)
@pytest.mark.parametrize("fidelity", ["identity", "count"])
@pytest.mark.parametrize("seed", range(1, 4))
def test_hands_of_every_system_end_and_everything_holds(system: str, fidelity: str, seed: int) -> None:
    setting = Setting(rules=system, seed=seed, fidelity=fidelity)
    played = play_session(setting, HANDS, {"rules": system, "hands": HANDS})
    assert played.failures(HANDS) == []


@pytest.mark.rule("CJ-D1")
def test_a_dealer_who_wins_deals_again() -> None:
    setting = Setting(rules="ccm", seed=2)
    hands = play_session(setting, 6, {"rules": "ccm", "hands": 6}).report.hands
    for hand, following in pairwise(hands):
        again = hand["winner"] == hand["dealer"]
        assert (following["dealer"] == hand["dealer"]) is again
    assert any(hand["winner"] == hand["dealer"] for hand in hands)
