"""In the grace of Zung Jung others may ask the next seat to wait with drawing (ZJ-T5)."""

from __future__ import annotations

import pytest

from tests.game.conftest import COUNT, IDENTITY, Table

pytestmark = pytest.mark.rule("ZJ-T5")


@pytest.fixture
def zj(table):
    """East has discarded 5 s after the deal."""

    def make(wait: float = 5, capabilities=IDENTITY) -> Table:
        t: Table = table(capabilities, rules="zungjung")
        if capabilities is COUNT:
            t.start()
            t.throw((3, 4), (3, 4))
            t.command("deal done")
        else:
            t.play()
        t.wait(wait)
        t.discard(0, "1p" if capabilities is IDENTITY else "")
        return t

    return make


def ask(t: Table, seat: str):
    return t.command("wait", seat=seat, role="player")


def flagged(t: Table) -> list[tuple[int, str, str]]:
    found = [i for i in t.hand.irregularities if i.key == "irregular.draw_against_wait"]
    return [(i.side, i.data["by"], i.rule) for i in found]


@pytest.mark.parametrize("asker", ["W", "N"])
def test_west_or_north_may_ask_south_to_wait(zj, asker):
    t = zj()
    assert ask(t, asker).data["seat"] == "S"
    t.wait(4)
    t.draw(1)
    assert flagged(t) == [(1, asker, "ZJ-T5")]
    assert t.phase == "decide"  # a fact is never refused


def test_after_the_grace_the_asked_seat_draws_freely(zj):
    t = zj()
    ask(t, "W")
    t.wait(10)
    t.draw(1)
    assert not flagged(t)


def test_after_south_has_discarded_north_may_ask_west(zj):
    t = zj()
    t.wait(2)
    t.draw(1)
    t.discard(1, "2p")
    assert ask(t, "E").key == "refused.wait_not_yours"
    assert ask(t, "N").data["seat"] == "W"
    t.wait(1)
    t.draw(2)
    assert flagged(t) == [(2, "N", "ZJ-T5")]


def test_unsensed_a_discard_in_the_grace_says_that_he_has_drawn(zj):
    t = zj(capabilities=COUNT)
    ask(t, "W")
    t.wait(4)
    t.discard(1)
    assert flagged(t) == [(1, "W", "ZJ-T5")]


def test_east_may_not_ask_nor_anybody_once_south_has_drawn(zj):
    t = zj()
    assert ask(t, "E").key == "refused.wait_not_yours"
    assert ask(t, "S").key == "refused.wait_not_yours"
    t.draw(1)
    assert ask(t, "W").key == "refused.wait_has_drawn"


@pytest.mark.parametrize("wait", [15, 20])
def test_a_dealer_who_discards_after_the_grace_can_keep_nobody_waiting(zj, wait):
    assert ask(zj(wait), "W").key == "refused.wait_too_late"


def test_before_east_has_discarded_there_is_nobody_to_ask(table):
    t = table(rules="zungjung")
    t.play()
    assert ask(t, "W").key == "refused.wait_too_late"


@pytest.mark.parametrize("rules", ["mcr", "ccm", "wuhan"])
def test_other_systems_know_no_such_request(table, rules):
    t = table(rules=rules)
    t.play()
    t.discard(0, "1p")
    assert ask(t, "W").key == "refused.no_wait_here"


def test_a_pause_in_the_grace_takes_none_of_it_away(zj):
    t = zj()
    t.command("pause", reason="a look")
    t.wait(60)
    t.command("resume")
    assert ask(t, "N").outcome == "accepted"
    t.wait(9)
    t.draw(1)
    assert flagged(t) == [(1, "N", "ZJ-T5")]
    assert t.hand.clock.started == t.now + 1_000_000
