"""The sheet of a hand: four signatures or refusals, on the record, and nothing waits for them."""

from __future__ import annotations

import pytest

from tablectl.game.view import view
from tests.game.evening import Evening


@pytest.fixture
def evening():
    """One hand won and scored."""
    made = Evening("mcr")
    hand(made)
    return made


def hand(t: Evening) -> None:
    t.ok("hand start")
    t.ok("walls ready")
    t.throw((3, 4), (3, 4))
    t.press(t.hand.dealer, "win")
    t.ok("win confirm")
    t.ok(
        "score enter",
        kind="hand",
        **{player.id: 24 if player.side == t.hand.dealer else -8 for player in t.session.players},
    )


def unsigned(t: Evening) -> list[int]:
    return view(t.state, t.now)["session"]["unsigned"]


def phases(t: Evening) -> list[str]:
    return [sheet.phase for sheet in t.session.sheets]


@pytest.mark.rule("CJ-C4", "ZJ-C9")
def test_a_hand_is_signed_once_all_four_have(evening):
    for number, wind in enumerate("ESWN"):
        assert (unsigned(evening), phases(evening)) == ([1], ["signing" if number else "unsigned"])
        evening.ok("sign", seat=wind)
    assert (unsigned(evening), phases(evening)) == ([], ["closed"])
    assert evening.published("event.sheet_signed") == [{"hand": 1, "players": []}]


def test_a_refusal_is_recorded_with_its_reason_and_completes_the_sheet_too(evening):
    for wind in "ESW":
        evening.ok("sign", seat=wind)
    evening.ok("sign", seat="N", refuse="the flower was not counted")
    assert evening.session.sheets[0].answers["p3"] == "the flower was not counted"
    assert evening.published("event.sheet_refused") == [{"hand": 1, "players": ["p3"]}]


def test_who_refused_may_sign_while_others_are_missing(evening):
    evening.ok("sign", seat="N", refuse="I count again")
    evening.ok("sign", seat="N")
    assert evening.session.sheets[0].answers == {"p3": ""}
    assert evening.no("sign", seat="N").key == "refused.signed_already"


@pytest.mark.report("B084")
def test_a_correction_asks_for_all_signatures_anew(evening):
    for wind in "ESWN":
        evening.ok("sign", seat=wind)
    assert evening.no("sign", seat="E", refuse="too late").key == "refused.sheet_closed"
    entry = evening.session.ledger[-1].n
    evening.ok("score correct", entry=entry, reason="nine fan", p0=27, p1=-9, p2=-9, p3=-9)
    assert (unsigned(evening), evening.session.sheets[0].answers) == ([1], {})
    assert evening.published("event.sheet_open") == [{"hand": 1}]


def test_play_goes_on_and_an_earlier_hand_is_signed_by_its_number_with_its_winds(evening):
    hand(evening)
    assert unsigned(evening) == [1, 2]
    assert evening.ok("sign", seat="E", hand=1)["player"] == "p0"
    assert evening.ok("sign", seat="E")["player"] == "p1"  # the deal has moved on
    assert evening.no("sign", seat="E", hand=7).key == "refused.no_sheet"


def test_a_hand_that_does_not_count_has_no_sheet():
    t = Evening("mcr")
    t.ok("hand start")
    t.command("hand void", actor="kim", reason="a jam", confirm=True)
    t.command("hand void", actor="lee", reason="a jam", confirm=True)
    assert t.no("sign", seat="E").key == "refused.no_sheet"


def test_a_hand_that_was_dealt_anew_counts_once():
    t = Evening("mcr")
    t.ok("hand start")
    for actor in ("kim", "lee"):
        t.command("hand redeal", actor=actor, reason="a tile fell", confirm=True)
    t.ok("walls ready")
    t.throw((3, 4), (3, 4))
    t.press(0, "win")
    t.ok("win confirm")
    assert [result["result"] for result in t.state.results] == ["redealt", "win"]
    assert [sheet.hand for sheet in t.session.sheets] == [1]
    t.ok("session stop")
    t.ok("session start", rules="mcr")
    assert t.state.history[-1]["hands"] == 1
