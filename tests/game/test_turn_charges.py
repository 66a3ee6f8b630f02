"""What a turn costs: the two clocks of Zung Jung, one offence a turn elsewhere, and what is not certain."""

from __future__ import annotations

from collections import Counter
from math import ceil

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tablectl.game import step as game
from tablectl.game.inputs import BoardEvent
from tests.game.conftest import BOOK, SECOND, Table

ZJ_TURN, ZJ_BANK = 15, 180


def begin(rules: str) -> Table:
    """A table in the dealer's first turn, at the end of whatever grace there is."""
    t = Table(rules=rules)
    t.play()
    return t


def turn(t: Table, seconds: float, unc: int = 0, more_us: int = 0) -> None:
    """The turn seat draws, if it must, and discards so long after the discard before it."""
    side = t.hand.turn
    if t.phase != "decide":
        t.draw(side)
    t.wait(seconds)
    t.now += more_us
    t.number += 1
    thrown = BoardEvent("table", "tile_discarded", t.number, t.boot, t.now, side, tiles=("1p",))
    t.n += 1
    t.effects += game.step(t.state, t.n, t.now, unc, thrown, BOOK)


def told(t: Table, what: str) -> list[tuple[int, int]]:
    return [(i.side, i.data["points"]) for i in t.hand.irregularities if i.key == f"irregular.{what}"]


@pytest.mark.rule("ZJ-T2")
@pytest.mark.parametrize(
    ("seconds", "points"), [(15, 0), (15.1, 5), (30, 5), (30.1, 10), (45, 10)], ids=lambda value: str(value)
)
def test_five_points_for_every_started_fifteen_seconds(seconds, points):
    t = begin("zungjung")
    t.wait(15)
    turn(t, seconds)
    assert t.hand.measurements[-1].points == points
    assert told(t, "overtime") == ([(0, points)] if points else [])


@pytest.mark.rule("ZJ-T1")
@pytest.mark.rule("ZJ-T3")
@pytest.mark.parametrize(("last", "points"), [(15, 0), (15.1, 5), (30, 5), (30.1, 10)], ids=str)
def test_the_bank_is_charged_once_at_the_end_of_the_hand_beside_the_turns(last, points):
    t = begin("zungjung")
    t.wait(15)
    for at in range(45):
        turn(t, (15 if at < 44 else last) if at % 4 == 0 else 1)
    assert not told(t, "overtime_bank")
    close(t)
    assert told(t, "overtime_bank") == ([(0, points)] if points else [])
    assert told(t, "overtime") == ([(0, points)] if points else [])  # cumulative: both for the same time
    assert not t.hand.seats[1].overtime


def close(t: Table) -> None:
    """The last discard is won: the hand is over."""
    t.press((t.hand.turn + 1) % 4, "win")
    t.wait(1)
    assert t.phase == "adjudication"
    assert t.command("win confirm", overrule="tiles nobody spelt out").outcome == "accepted"


@pytest.mark.rule("ZJ-T1")
def test_a_hand_that_does_not_count_charges_no_bank():
    t = begin("zungjung")
    t.wait(15)
    turn(t, 300)
    t.command("hand void", actor="kim", reason="fire")
    t.command("hand void", actor="lee", reason="fire")
    assert t.hand.over
    assert not told(t, "overtime_bank")


@pytest.mark.rule("ZJ-T7")
@pytest.mark.rule("ZJ-P24")
def test_more_than_eighty_points_of_overtime_in_a_hand_are_a_forfeit():
    t = begin("zungjung")
    t.wait(15)
    turn(t, 15 + 12 * 15)  # 60 points of the turn, and the bank is overdrawn by 15 s: 5
    assert not told(t, "overtime_forfeit")
    for _ in range(3):
        turn(t, 1)
    turn(t, 30)  # 65 and 15: not more than 80
    assert not told(t, "overtime_forfeit")
    for _ in range(3):
        turn(t, 1)
    turn(t, 15.1)
    assert told(t, "overtime_forfeit") == [(0, 95)]
    close(t)
    assert told(t, "overtime_forfeit") == [(0, 95)]  # said once


@pytest.mark.rule("MCR-T3")
@pytest.mark.rule("CJ-T2")
@pytest.mark.rule("WH-T1")
@pytest.mark.parametrize(("rules", "limit"), [("mcr", 15), ("ccm", 10), ("wuhan", 15)], ids=str)
def test_one_offence_a_turn_however_long_it_was(rules, limit):
    t = begin(rules)
    for seconds in (1, limit, limit + 0.1, 5 * limit):
        turn(t, seconds)
    assert told(t, "overtime") == [(2, 0), (3, 0)]  # what it costs is the ladder's to say
    fact = next(i for i in t.hand.irregularities if i.side == 3 and i.key == "irregular.overtime")
    assert fact.data["over_us"] == 4 * limit * SECOND
    assert fact.rule == BOOK[rules].articles.overtime
    assert len(t.published("event.overtime")) == 2
    assert not told(t, "overtime_bank")


@pytest.mark.parametrize(
    ("over_us", "unc_us", "found", "points"),
    [
        (0, 0, "in_time", 0),
        (0, 900, "in_time", 0),
        (800, 900, "doubt", 0),
        (900, 900, "doubt", 0),
        (901, 900, "over", 5),
        (15 * SECOND + 800, 900, "over", 5),  # only what is certain: the second step is not
        (15 * SECOND + 901, 900, "over", 10),
    ],
)
@pytest.mark.rule("ZJ-T2")
def test_what_is_less_than_the_uncertainty_is_not_charged_and_said_to_be(over_us, unc_us, found, points):
    t = begin("zungjung")
    t.wait(15)
    turn(t, 1, unc=unc_us // 3)
    turn(t, 15, unc=unc_us - unc_us // 3, more_us=over_us)
    line = t.hand.measurements[-1]
    assert (line.unc, line.over, line.found, line.points) == (unc_us, over_us, found, points)
    assert told(t, "overtime") == ([(1, points)] if found == "over" else [])


@pytest.mark.rule("MCR-T1")
def test_a_press_stamped_before_the_limit_is_in_time_however_late_it_arrives():
    t = begin("mcr")
    turn(t, 1)
    t.draw(1)
    t.wait(14.9)
    stamped = t.now
    t.now += 60 * SECOND  # the board is asked first: nothing is decided while an event of it is missing
    t.discard(1, "2p", at=stamped)
    assert t.hand.measurements[-1].spent == 14_900_000
    assert not told(t, "overtime")


def test_a_hold_that_is_known_late_takes_back_what_it_had_cost():
    """The referee was called at 10 s; the discard at 16 s was heard before that call was."""
    t = begin("mcr")
    turn(t, 1)
    turn(t, 16)
    assert told(t, "overtime") == [(1, 0)]
    t.press(3, "referee", at=t.now - 6 * SECOND)
    line = t.hand.measurements[-1]
    assert (line.spent, line.found, line.stood) == (10 * SECOND, "in_time", 6 * SECOND)
    assert t.published("event.measured_again")[0]["cut_us"] == 6 * SECOND
    assert t.hand.irregularities[-1].data["over_us"] == 0
    (case,) = [case for case in t.state.cases if case.finding and case.finding.offence == "overtime"]
    assert (case.finding.facts["over_us"], case.phase, case.log[-1].text) == (0, "closed", "case.in_time")


def test_what_was_ruled_of_it_is_set_aside_as_well():
    t = begin("zungjung")
    t.wait(15)
    turn(t, 1)
    turn(t, 21)
    t.command("rule")
    (case,) = [case for case in t.state.cases if case.finding and case.finding.offence == "overtime"]
    assert case.decision.points == 5
    t.press(3, "referee", at=t.now - 10 * SECOND)
    assert (case.decision.waived, case.decision.actor) == (True, "table")


# the reference


def reference(turns, holds, grace):
    """What the two clocks of Zung Jung say of turns (seat, from, to), nobody being timed in a hold or before
    ``grace`` (seconds of play): points by seat for turns, and for the bank."""

    def play(at):
        return at - sum(min(at, until) - since for since, until in holds if since < at)

    points, used = Counter(), Counter()
    for seat, begun, ended in turns:
        time = round(max(0, play(ended) - max(play(begun), grace)), 3)  # binary fractions are not exact
        points[seat] += 5 * ceil(max(0, time - ZJ_TURN) / 15)
        used[seat] = round(used[seat] + time, 3)
    return points, {seat: 5 * ceil(max(0, time - ZJ_BANK) / 15) for seat, time in used.items()}


seconds = st.integers(0, 400).map(lambda tenths: tenths / 10)
acts = st.tuples(
    st.sampled_from(["draw", "draw", "kong", "show then discard", "discard then show"]),
    seconds,
    seconds,
    st.sampled_from([0, 0, 0.5, 70]),  # how long the referee stops it, in the middle of the turn
)


class Session:
    """A hand played by acts, and the same written down as a list of turns."""

    def __init__(self) -> None:
        self.t = begin("zungjung")
        self.zero = self.t.now / SECOND  # of the grace: the end of the deal
        self.turns: list[tuple[int, float, float]] = []
        self.holds: list[tuple[float, float]] = []
        self.discarded = self.now

    @property
    def now(self) -> float:
        return round(self.t.now / SECOND - self.zero, 3)

    def hold(self, length: float) -> None:
        if length:
            since = self.now
            assert self.t.command("pause", reason="a look").outcome == "accepted"
            self.t.wait(length)
            assert self.t.command("resume").outcome == "accepted"
            self.holds.append((since, self.now))

    def act(self, kind: str, before: float, after: float, held: float) -> None:
        t, opened = self.t, self.discarded
        side = t.hand.turn
        if t.phase == "decide":  # the dealer's first
            kind = "draw"
        if kind in ("draw", "kong"):
            t.wait(before)
            if t.phase != "decide":
                t.draw(side)
            if kind == "kong":
                t.show(side, "concealed_kong", "5555s")
                t.wait(1)
                t.draw(side, end="tail")
                self.turns.append((side, opened, self.now))
                opened = self.now
            self.hold(held)
            t.wait(after)
            t.discard(side, "1p")
            self.discarded = self.now
            self.turns.append((side, opened, self.now))
        else:
            self.claim(kind, (side + 1) % 4, before, after, held)

    def claim(self, kind: str, side: int, before: float, after: float, held: float) -> None:
        t, opened = self.t, self.discarded
        t.wait(before)
        t.press(side, "pung")
        t.wait(1)
        assert t.hand.turn == side
        first, second = kind.split(" then ")
        for at, deed in enumerate((first, second)):
            if deed == "show":
                t.show(side, "pung", "111p")
            else:
                t.discard(side, "1p")
            if not at:
                self.hold(held)
                t.wait(after)
        self.discarded = self.now  # the next clock starts when both are done
        self.turns.append((side, opened, self.now))


@pytest.mark.rule("ZJ-T1")
@pytest.mark.rule("ZJ-T2")
@pytest.mark.rule("ZJ-T3")
@pytest.mark.rule("ZJ-T5")
@settings(max_examples=40, deadline=None)
@given(st.lists(acts, min_size=1, max_size=16))
@example([("draw", 0.0, 26.4, 0), ("draw", 5.0, 40.0, 0)])  # 45 s to the µs
def test_the_two_clocks_are_those_of_the_reference(played):
    hand = Session()
    for act in played:
        hand.act(*act)
    t = hand.t
    points, bank = reference(hand.turns, hand.holds, 15)
    assert [seat.overtime for seat in t.hand.seats] == [points[side] for side in range(4)]
    before = t.now
    close(t)
    told_bank = dict(told(t, "overtime_bank"))
    assert told_bank == {side: charged for side, charged in bank.items() if charged}
    sums_up(t, hand, before)


def sums_up(t: Table, hand: Session, closed: int) -> None:
    """Running and standing time are the time that passed, of every turn and of the whole hand."""
    for line in t.hand.measurements:
        assert line.spent >= 0
        assert line.spent + line.stood + line.grace == line.stopped - line.started
    stood = sum(until - since for since, until in t.hand.stood)
    looked = t.hand.result["ended"] - closed - SECOND  # at the win
    assert stood == round(sum(until - since for since, until in hand.holds) * SECOND) + looked
    timed = [m for m in t.hand.measurements if m.found != "no_turn"]
    assert len(timed) == len(hand.turns)
    spans = [(m.started / SECOND - hand.zero, m.stopped / SECOND - hand.zero) for m in timed]
    assert [(round(a, 3), round(b, 3)) for a, b in spans] == [(a, b) for _, a, b in hand.turns]
