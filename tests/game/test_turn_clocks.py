"""When the clock of a turn starts and stops, in each of the four systems, and what ends it."""

from __future__ import annotations

import msgspec
import pytest

from tablectl.game import clocks
from tablectl.game.view import view
from tests.game.conftest import COUNT, IDENTITY, SECOND

SYSTEMS = ("mcr", "zungjung", "ccm", "wuhan")


def playing(make, rules, capabilities=IDENTITY):
    """A hand in the dealer's first turn, whatever of the opening nobody looks at being over."""
    t = make(capabilities, rules=rules)
    if capabilities is COUNT:
        t.start()
        t.throw(*[(3, 4)] * t.state.ruleset.wall.throws.value)
        t.command("deal done")
    else:
        t.play()
    return t


def past_grace(t):
    """Time in which nobody is timed, and the claims of the first discard with it."""
    t.wait(15)


def last(t):
    """Who was measured last, how many seconds, what began and ended it."""
    line = t.hand.measurements[-1]
    return line.side, line.spent / SECOND, line.began_by, line.ended_by


def pung(t, side, tile):
    """A claim of the open tile that is awarded at once or after its window."""
    t.press(side, "pung")
    t.wait(3 if t.state.ruleset.claims.window_s.value else 1)
    assert (t.phase, t.hand.turn) == ("decide", side)


@pytest.mark.rule("MCR-T1")
@pytest.mark.rule("CJ-T1")
@pytest.mark.rule("WH-T1")
@pytest.mark.parametrize(
    ("rules", "first", "later"), [("mcr", 30, 15), ("ccm", 20, 10), ("wuhan", 30, 15)], ids=str
)
def test_the_first_window_is_of_the_deal_and_later_ones_of_the_upper_discard(table, rules, first, later):
    t = playing(table, rules)
    assert t.hand.clock.limit == first * SECOND
    t.wait(2)
    t.discard(0, "1p")
    assert last(t) == (0, 2, "deal", "discard")
    assert (t.hand.clock.side, t.hand.clock.limit, t.hand.clock.why) == (1, later * SECOND, "discard")
    t.wait(3)
    t.draw(1)
    t.wait(1)
    t.discard(1, "2p")
    assert last(t) == (1, 4, "discard", "discard")  # from the upper discard, not from the draw


@pytest.mark.rule("MCR-T1")
@pytest.mark.rule("CJ-T1")
@pytest.mark.parametrize("rules", ["mcr", "ccm"])
def test_flowers_and_kongs_give_no_time_of_their_own(table, rules):
    t = playing(table, rules)
    t.discard(0, "1p")
    t.wait(2)
    t.draw(1)
    t.wait(1)
    t.show(1, "flower", "f1")
    t.draw(1, end="tail")
    t.wait(1)
    t.show(1, "concealed_kong", "5555s")
    t.wait(1)
    t.draw(1, end="tail")
    t.wait(1)
    t.discard(1, "2p")
    assert last(t) == (1, 6, "discard", "discard")
    assert len(t.hand.measurements) == 2


@pytest.mark.rule("MCR-T1")
@pytest.mark.rule("CJ-T1")
@pytest.mark.parametrize("rules", ["mcr", "ccm"])
def test_a_claimed_turn_runs_from_the_claimed_discard_to_the_own_one(table, rules):
    t = playing(table, rules)
    t.discard(0, "1p")
    t.wait(1)
    pung(t, 2, "1p")
    assert last(t) == (1, 3, "discard", "taken")  # at the end of the window
    assert t.hand.measurements[-1].found == "no_turn"
    t.wait(1)
    t.show(2, "pung", "111p")
    t.discard(2, "3p")
    assert last(t) == (2, 5, "claim", "discard")


@pytest.mark.rule("ZJ-T2")
@pytest.mark.rule("ZJ-T5")
def test_a_clock_whose_start_falls_in_the_grace_starts_at_its_end(table):
    t = playing(table, "zungjung")
    t.wait(10)
    t.discard(0, "1p")
    assert last(t) == (0, 0, "deal", "discard")
    t.wait(7)
    t.draw(1)
    t.discard(1, "2p")
    assert last(t) == (1, 2, "discard", "discard")
    assert t.hand.measurements[-1].grace == 5 * SECOND
    assert [seat.bank for seat in t.hand.seats] == [0, 2 * SECOND, 0, 0]


@pytest.mark.rule("ZJ-T5")
def test_the_dealer_has_his_fifteen_seconds_after_the_grace(table):
    t = playing(table, "zungjung")
    t.wait(29.9)
    assert not t.published("event.overtime")
    t.wait(0.2)
    assert [said["side"] for said in t.published("event.overtime")] == [0]


@pytest.mark.rule("ZJ-T4")
@pytest.mark.parametrize("kind", ["concealed_kong", "kong"])
def test_the_replacement_of_a_kong_starts_a_new_turn(table, kind):
    t = playing(table, "zungjung")
    past_grace(t)
    t.discard(0, "1p")
    t.wait(4)
    if kind == "kong":
        t.press(1, "kong")
        t.wait(1)
        t.show(1, "kong", "1111p")
    else:
        t.draw(1)
        t.wait(1)
        t.show(1, "concealed_kong", "5555s")
    t.wait(2)
    t.draw(1, end="tail")
    assert last(t) == (1, 7, "claim" if kind == "kong" else "discard", "replacement")
    t.wait(3)
    t.discard(1, "2p")
    assert last(t) == (1, 3, "replacement", "discard")
    assert t.hand.seats[1].bank == 10 * SECOND


@pytest.mark.rule("ZJ-T4")
def test_unsensed_the_replacement_is_taken_to_follow_the_kong_at_once(table):
    t = playing(table, "zungjung", COUNT)
    past_grace(t)
    t.discard(0)
    t.wait(3)
    t.press(1, "kong")
    t.wait(5)
    t.discard(1)
    assert [m.ended_by for m in t.hand.measurements if m.side == 1] == ["replacement", "discard"]
    assert t.hand.seats[1].bank == 8 * SECOND


@pytest.mark.rule("ZJ-T4")
@pytest.mark.rule("ZJ-C2")
def test_a_claimed_turn_stops_when_the_meld_is_shown_and_a_tile_discarded(table):
    t = playing(table, "zungjung")
    past_grace(t)
    t.discard(0, "1p")
    t.wait(1)
    pung(t, 2, "1p")
    t.wait(1)
    t.show(2, "pung", "111p")
    t.wait(1)
    t.discard(2, "3p")
    assert last(t) == (2, 4, "claim", "discard")


@pytest.mark.rule("ZJ-T4")
@pytest.mark.rule("ZJ-C13")
def test_who_discards_first_and_shows_later_pays_for_the_time_the_others_wait(table):
    t = playing(table, "zungjung")
    past_grace(t)
    t.discard(0, "1p")
    t.wait(1)
    pung(t, 2, "1p")
    t.discard(2, "3p")
    assert [m.side for m in t.hand.measurements] == [0, 1]  # the turn of side 2 has not ended
    t.wait(5)
    assert clocks.spent(t.state, t.now) == 0  # side 3 waits
    t.show(2, "pung", "111p")
    assert last(t) == (2, 7, "claim", "meld")
    t.wait(2)
    t.draw(3)
    t.discard(3, "4p")
    assert last(t) == (3, 2, "meld", "discard")


@pytest.mark.rule("ZJ-T4")
def test_a_meld_that_is_never_seen_ends_with_the_owners_next_turn(table):
    t = playing(table, "zungjung")
    past_grace(t)
    t.discard(0, "1p")
    pung(t, 1, "1p")
    t.discard(1, "3p")
    for side in (2, 3, 0):
        t.wait(2)
        t.draw(side)
        t.discard(side, "4p")
    assert not t.hand.unshown
    assert [(m.side, m.spent) for m in t.hand.measurements if m.side == 1] == [(1, 7 * SECOND)]
    assert all(m.spent == 0 for m in t.hand.measurements if m.side in (2, 3))


@pytest.mark.rule("ZJ-T6")
def test_on_complaint_only_the_seat_complained_of_is_timed(table):
    t = playing(table, "zungjung")
    assert t.command("clock watch", seat="S").key == "refused.all_are_timed"
    complain(t)
    t.wait(40)
    t.discard(0, "1p")
    assert (t.hand.measurements[-1].found, t.hand.seats[0].bank) == ("untimed", 0)
    t.wait(40)
    assert not t.published("event.overtime")
    assert t.command("clock watch", seat="S").outcome == "accepted"
    t.wait(16)
    assert len(t.published("event.overtime")) == 1
    t.draw(1)
    t.discard(1, "2p")
    assert last(t) == (1, 16, "complaint", "discard")  # from the complaint, not from the discard
    assert t.command("clock watch", seat="S", off=True).outcome == "accepted"
    assert t.hand.timed == []


def complain(t):
    """The same hand under a house rule: clocks run on complaint."""
    turn = t.state.ruleset.turn
    scope = msgspec.structs.replace(turn.timing_scope, value="complaint")
    turn = msgspec.structs.replace(turn, timing_scope=scope)
    t.state.ruleset = msgspec.structs.replace(t.state.ruleset, turn=turn)
    t.hand.clock.timed = False


@pytest.mark.report("B076")
@pytest.mark.parametrize("rules", SYSTEMS)
def test_the_next_clock_is_the_same_whichever_way_the_act_was_entered(table, rules):
    """A key, a sensed tile, a referee's command: whose clock runs, from when, how long, is one thing."""
    found = []
    for way in ("key", "sensed", "command"):
        t = playing(table, rules, IDENTITY if way == "sensed" else COUNT)
        for _ in range(3):
            t.wait(6)
            side = t.hand.turn
            if way == "key":
                t.discard(side)
            elif way == "sensed":
                if t.phase != "decide":
                    t.draw(side)
                t.discard(side, "1p")
            else:
                t.command("discard", seat=t.hand.seats[side].wind)
        clock = t.hand.clock
        since = t.now - clock.started
        found.append((clock.side, clock.limit, since, clock.why, [m.spent for m in t.hand.measurements]))
    assert found[0] == found[1] == found[2]


@pytest.mark.report("B034")
@pytest.mark.rule("MCR-C1")
def test_a_pung_that_a_win_beats_has_had_no_turn(table):
    t = playing(table, "mcr")
    t.discard(0, "1p")
    t.press(1, "pung")
    t.press(2, "win")
    t.wait(3)
    assert (t.phase, t.hand.win.side) == ("adjudication", 2)
    t.wait(60)
    t.command("win confirm", overrule="tiles nobody spelt out")
    assert [(m.side, m.found) for m in t.hand.measurements] == [(0, "in_time"), (1, "no_turn")]


@pytest.mark.report("B048")
@pytest.mark.rule("MCR-T2")
def test_a_window_that_passes_costs_nobody_and_the_claimers_neighbour_is_next(table):
    t = playing(table, "mcr")
    t.discard(0, "1p")
    t.wait(3)
    assert (t.phase, t.hand.turn, t.hand.clock.side) == ("draw", 1, 1)  # a time-out is a pass
    t.draw(1)
    t.discard(1, "2p")
    pung(t, 3, "2p")
    t.show(3, "pung", "222p")
    t.wait(1)
    t.discard(3, "4p")
    assert (t.hand.turn, t.hand.clock.side, t.hand.clock.why) == (0, 0, "discard")
    assert not [i for i in t.hand.irregularities if i.key.startswith("irregular.overtime")]


@pytest.mark.rule("MCR-T1")
def test_a_win_ends_the_turn_when_it_is_declared(table):
    t = playing(table, "mcr")
    t.wait(20)
    t.press(0, "win")
    t.wait(300)
    t.command("win confirm", overrule="tiles nobody spelt out")
    assert last(t) == (0, 20, "deal", "win")
    assert t.hand.measurements[-1].stood == 300 * SECOND


def test_the_warning_comes_once_and_the_view_shows_it(table):
    t = playing(table, "mcr")
    t.discard(0, "1p")
    t.wait(9.9)
    clock = view(t.state, t.now)["hand"]["clock"]
    assert (clock["left_us"], clock["warned"]) == (5_100_000, False)
    t.wait(0.2)
    (said,) = t.published("event.turn_warning")
    assert (said["side"], said["left_s"], said["sound"]) == (1, 5, "warning")
    assert view(t.state, t.now)["hand"]["clock"]["warned"]
    t.wait(10)
    assert len(t.published("event.turn_warning")) == 1
    assert view(t.state, t.now)["hand"]["clock"]["left_us"] == -5_100_000


def test_a_player_who_acts_before_it_is_not_warned(table):
    t = playing(table, "ccm")
    for side in range(4):
        if side:
            t.draw(side)
        t.wait(6)
        t.discard(side, "1p")
    assert not t.published("event.turn_warning")


def test_the_view_shows_what_is_left_of_each_bank(table):
    t = playing(table, "zungjung")
    past_grace(t)
    t.wait(10)
    t.discard(0, "1p")
    t.wait(4)
    left = [seat["bank_left_us"] for seat in view(t.state, t.now)["hand"]["seats"]]
    assert left == [170 * SECOND, 176 * SECOND, 180 * SECOND, 180 * SECOND]
    seats = view(playing(table, "mcr").state, 0)["hand"]["seats"]
    assert [seat["bank_left_us"] for seat in seats] == [None] * 4
