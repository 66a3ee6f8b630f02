"""A player keeps to what a referee has told him."""

from __future__ import annotations

from random import Random

import pytest

from protocols.vocabulary import Meld, SeatKey
from sim.errors import PlanError
from sim.players import Player
from sim.ruled import Ruled
from sim.view import Discard, Draw, OpenHand, OwnKong, Seen, SelfDrawn


class Yes:
    """A judge to whom everything wins."""

    def wins(self, concealed, melds, winning, context) -> bool:
        return True


READY = ["1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "2s", "2s", "5s", "6s"]


def seen(words: str, concealed: list[str]) -> Seen:
    hand = OpenHand(1, 0, wall_left=60)
    return Seen(1, hand, list(concealed), ruled=Ruled.of(words.split()))


def player() -> Player:
    return Player(Yes(), Random(1))


def test_words_are_read() -> None:
    ruled = Ruled.of(["no_win", "5m", "3p-", "E!"])
    assert (ruled.live, ruled.dead, ruled.forced) == (["5m"], ["3p"], ["E"])
    with pytest.raises(PlanError):
        Ruled.of(["no_wine"])


@pytest.mark.rule("ZJ-P11", "MCR-P3")
@pytest.mark.parametrize(
    ("words", "wins"), [("", True), ("no_claims", True), ("no_win", False), ("mechanical", False)]
)
def test_a_dead_hand_does_not_call_a_win(words, wins) -> None:
    claim = player().on_discard(seen(words, READY), "4s", 0)
    assert (claim is not None and claim.key is SeatKey.WIN) == wins
    act = player().on_turn(seen(words, [*READY, "4s"]), Draw("4s"))
    assert isinstance(act, SelfDrawn) == wins


@pytest.mark.rule("ZJ-P12", "CJ-C5")
@pytest.mark.parametrize("words", ["no_claims no_win", "mechanical"])
def test_without_claims_nothing_is_claimed(words) -> None:
    hand = ["2s", "2s", "5s", "6s", "1m", "2m", "3m", "E", "E", "W", "9p", "8p", "1p"]
    calls = {name: player().on_discard(seen(words, hand), name, 0) for name in ("2s", "4s", "7s", "E", "7p")}
    assert not any(calls.values())
    assert any(player().on_discard(seen("no_win", hand), name, 0) for name in calls)


@pytest.mark.rule("CJ-C5")
def test_mechanical_play_is_to_discard_what_was_drawn() -> None:
    assert player().on_turn(seen("mechanical", [*READY, "4s"]), Draw("4s")) == Discard("4s")


@pytest.mark.rule("ZJ-P12")
@pytest.mark.parametrize(("words", "kongs"), [("no_win", True), ("no_win no_kongs", False)])
def test_without_kongs_none_is_declared(words, kongs) -> None:
    hand = ["5p", "5p", "5p", "5p", "1m", "2m", "3m", "E", "E", "E", "9s", "9s", "1s", "2s"]
    acts = [Player(Yes(), Random(seed)).on_turn(seen(words, hand), Draw("5p")) for seed in range(30)]
    assert any(act == OwnKong("5p", Meld.CONCEALED_KONG) for act in acts) == kongs


@pytest.mark.rule("MCR-P11", "CJ-P2")
def test_a_forced_tile_goes_first() -> None:
    assert player().on_turn(seen("no_win 1m!", [*READY, "W"]), Draw("W")) == Discard("1m")
    assert player().on_turn(seen("mechanical 1m!", [*READY, "W"]), Draw("W")) == Discard("1m")


@pytest.mark.rule("ZJ-P7")
def test_a_dead_tile_is_never_discarded_and_a_live_one_that_stays_is_dead() -> None:
    sees = seen("no_win W-", [*READY, "W"])
    act = player().on_turn(sees, Draw("W"))
    assert isinstance(act, Discard)
    assert act.tile != "W"
    ruled = Ruled.of(["5m", "6m"])
    ruled.discarded("5m")
    assert (ruled.live, ruled.dead) == ([], ["6m"])
    assert ruled.may_discard("6m", ["6m", "6m"])
    assert not ruled.may_discard("6m", ["6m"])


@pytest.mark.rule("ZJ-P8")
def test_a_penalty_tile_is_no_part_of_what_he_claims() -> None:
    hand = ["2s", "2s", "5s", "6s", "1m", "2m", "5m", "E", "E", "W", "7p", "8p", "9p"]
    minds = [Player(Yes(), Random(seed)) for seed in range(20)]
    assert any(mind.on_discard(seen("no_win", hand), "7s", 0) for mind in minds)
    assert not any(mind.on_discard(seen("no_win 6s", hand), "7s", 0) for mind in minds)
