"""Standing time: every hold kept to the µs, none of it charged, all of it to be had back by the session."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.game import clocks, holds
from tablectl.game.inputs import ClockStep, LinkChange, Restarted
from tablectl.game.repeats import AT_ONCE
from tablectl.game.view import view
from tablectl.locale import catalog
from tests.game.conftest import IDENTITY, SECOND, Table
from tests.game.test_claims import opened

BOARD = {"boot": 7, "capabilities": IDENTITY, "serial": "S1"}


def back(t: Table) -> None:
    assert t.state.hand is not None
    t.online(top="walls_up", hand=t.state.hand.deal)


# name of the hold: how it begins, how it ends
CAUSES = {
    "referee": (lambda t: t.command("pause", reason="x"), lambda t: clear(t, "referee")),
    "call 3": (lambda t: t.press(3, "referee"), lambda t: clear(t, "call 3")),
    "fault cover_open": (
        lambda t: t.event("fault_set", None, 0x81),
        lambda t: t.event("fault_cleared", None, 0x81),
    ),
    "timeout 2": (
        lambda t: t.command("timeout grant", seat="W", kind="toilet"),
        lambda t: t.command("timeout end", seat="W"),
    ),
    "win": (lambda t: t.press(t.hand.turn, "win"), lambda t: t.command("win reject", reason="no shape")),
    "link keypad": (
        lambda t: t.put(LinkChange("keypad", "lost", "cable_pulled")),
        lambda t: t.put(LinkChange("keypad", "online", boot=3)),
    ),
}


def clear(t: Table, name: str) -> None:
    kind, _, side = name.partition(" ")
    if kind == "call":  # the hold has the number of its case
        name = next(
            n
            for n, hold in t.state.holds.items()
            if hold.key == "hold.call" and hold.data["side"] == int(side)
        )
    assert t.command("hold clear", hold=name, reason="x").outcome == "accepted"


changes = st.lists(
    st.tuples(st.sampled_from([*CAUSES, "play"]), st.integers(0, 80).map(lambda tenths: tenths / 10)),
    min_size=1,
    max_size=24,
)


@settings(max_examples=60, deadline=None)
@given(changes)
def test_running_and_standing_time_are_the_time_of_the_hand(played):
    """Holds of every kind come and go, overlapping as they like, while people play on or do not."""
    t = Table(rules="zungjung")
    t.play()
    t.put(LinkChange("keypad", "online", boot=3))
    t.wait(20)
    standing: dict[str, int] = {}
    kept: list[tuple[str, int, int]] = []
    moments = [(t.now, False)]  # when it changed whether anything stands
    pressed = 0
    for cause, wait in played:
        t.wait(wait)
        if cause.startswith("call") and cause not in standing:
            t.wait(max(0, pressed + AT_ONCE - t.now) / SECOND)  # else it is the same press, told twice
            pressed = t.now
        if cause == "play":
            play_on(t)
        elif cause in standing:
            CAUSES[cause][1](t)
            kept.append((cause, standing.pop(cause), t.now))
        elif cause != "win" or t.phase == "decide":
            CAUSES[cause][0](t)
            standing[cause] = t.now
        assert clocks.standing(t.state) == bool(standing)
        moments.append((t.now, bool(standing)))
    t.wait(1)
    for cause in [*standing]:
        CAUSES[cause][1](t)
        kept.append((cause, standing.pop(cause), t.now))
    moments.append((t.now, False))
    found = [
        (
            "call 3" if held.name.startswith("call") else held.name,
            held.since,
            held.until,
        )  # it has its case's number
        for held in t.state.held
        if held.since >= moments[0][0]
    ]
    assert sorted(found) == sorted(kept)
    stood = sum(after - before for (before, stands), (after, _) in pairwise(moments) if stands)
    assert sum(until - since for since, until in t.hand.stood) == stood
    for line in t.hand.measurements:
        assert line.spent + line.stood + line.grace == line.stopped - line.started
        inside = sum(max(0, min(line.stopped, b) - max(line.started, a)) for a, b in t.hand.stood)
        assert line.stood == inside
    clock = t.hand.clock
    assert clock is not None
    inside = sum(max(0, b - max(clock.began, a)) for a, b in t.hand.stood)
    assert clocks.spent(t.state, t.now) == t.now - clock.began - inside - clock.grace
    for name in CAUSES:
        assert holds.stood(t.state, name.partition(" ")[0] if "call" in name else name) == sum(
            until - since for cause, since, until in kept if cause == name
        )


def play_on(t: Table) -> None:
    """The turn seat plays, whether a hold stands or not: facts are recorded."""
    if t.phase == "adjudication":
        return
    if t.phase != "decide":
        t.draw(t.hand.turn)
    t.discard(t.hand.turn, "1p")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 200), st.integers(1, 300), st.integers(0, 200), st.integers(0, 200))
def test_nobody_is_charged_inside_a_hold_however_late_it_is_heard_of(before, held, after, lag):
    """A turn of (before + after) tenths, a hold in it, the discard told only ``lag`` tenths later."""
    t = Table(rules="mcr")
    t.play()
    t.discard(0, "1p")
    t.draw(1)
    t.wait(before / 10)
    t.command("pause", reason="x")
    t.wait(held / 10)
    t.command("resume")
    t.wait(after / 10)
    stamped = t.now
    t.now += lag * SECOND // 10
    t.discard(1, "2p", at=stamped)
    used = (before + after) * SECOND // 10
    line = t.hand.measurements[-1]
    assert (line.spent, line.over) == (used, max(0, used - 15 * SECOND))
    assert line.stood == held * SECOND // 10
    assert bool([i for i in t.hand.irregularities if i.key == "irregular.overtime"]) == (used > 15 * SECOND)


late = st.lists(
    st.tuples(
        st.sampled_from(["referee", "fault cover_open", "late call", "late call", "play"]),
        st.integers(0, 60).map(lambda tenths: tenths / 10),
        st.integers(0, 100),  # of the turn so far, where in it a call is stamped that is heard now
    ),
    min_size=1,
    max_size=16,
)


@settings(max_examples=120, deadline=None)
@given(late)
def test_what_stood_before_it_was_known_is_charged_to_nobody(played):
    """Calls pressed in the running turn and heard only now, before, in and after other holds of that turn."""
    t = Table(rules="zungjung")
    t.play()
    t.wait(20)
    play_on(t)  # the time of grace is over
    standing: set[str] = set()
    for cause, wait, share in played:
        t.wait(wait)
        clock = t.hand.clock
        assert clock is not None
        if cause == "play":
            if not clocks.standing(t.state):
                play_on(t)
        elif cause == "late call":
            t.press(3, "referee", at=clock.began + (t.now - clock.began) * share // 100)
        elif cause in standing:
            standing.discard(cause)
            CAUSES[cause][1](t)
        else:
            standing.add(cause)
            CAUSES[cause][0](t)
        called = any(name.startswith("call ") for name in t.state.holds)
        if cause == "late call" and share % 2 and called:  # a key pressed twice within a moment is one
            clear(t, "call 3")
        nothing_is_charged_twice_or_never(t)
    t.wait(1)
    nothing_is_charged_twice_or_never(t)


def nothing_is_charged_twice_or_never(t: Table) -> None:
    """What every turn took, and the running one has taken, is its time less what stood in it."""
    assert t.hand is not None
    assert t.broken == []
    spans = holds.measuring.merged(
        [(one.since, t.now if one.until is None else one.until) for one in t.state.held]
    )

    def stood(since: int, until: int) -> int:
        return sum(max(0, min(until, b) - max(since, a)) for a, b in spans)

    for line in t.hand.measurements:
        assert line.stood == stood(line.started, line.stopped)
        assert line.spent + line.stood + line.grace == line.stopped - line.started
    clock = t.hand.clock
    assert clock is not None
    assert clocks.spent(t.state, t.now) == t.now - clock.began - stood(clock.began, t.now) - clock.grace


def test_a_press_from_before_a_hold_that_is_heard_after_it_starts_no_clock_in_it(table):
    """The discard lay in the keypad while the link was down: the next player does not pay for that."""
    t = opened(table)
    t.wait(4)
    t.draw(1, "7p")
    t.wait(2)
    stamped = t.now
    t.wait(1)
    t.command("pause", reason="the link")
    t.wait(100)
    t.command("resume")
    t.wait(3)
    t.discard(1, "7p", at=stamped)
    assert t.hand.measurements[-1].spent == 6 * SECOND
    assert clocks.spent(t.state, t.now) == 4 * SECOND
    assert t.hand.window is not None
    assert t.hand.window.until == t.now - SECOND  # its three seconds began with the discard


def test_overlapping_calls_count_once_and_every_length_is_exact(table):
    t = opened(table)
    t.press(3, "referee")
    t.wait(10)
    t.press(1, "referee")
    t.wait(5.5)
    clear(t, "call 3")
    assert holds.stood(t.state, "call") == 15_500_000  # up to now: one still stands
    t.wait(4)
    clear(t, "call 1")
    assert holds.stood(t.state, "call") == 19_500_000
    assert [(held.name, held.time_credit) for held in t.state.held if held.until] == [
        ("call 1", 15_500_000),
        ("call 2", 9_500_000),
    ]
    assert holds.stood(t.state, "call 2", since=t.now - SECOND) == SECOND
    released = t.published("event.released")
    assert [said["stood_us"] for said in released] == [15_500_000, 9_500_000]
    assert [(said["reason"], said["facts"]) for said in released] == [
        ("hold.call", {"side": 3}),
        ("hold.call", {"side": 1}),
    ]


def test_what_stood_is_remembered_up_to_the_hand_after_the_next(table):
    t = opened(table)
    t.press(3, "referee")
    t.wait(10)
    clear(t, "call 3")
    for no in (2, 3):
        t.command("session machine", state="off")
        t.command("hand void", actor="kim", reason="x")
        t.command("hand void", actor="lee", reason="x")
        t.wait(1)
        t.command("hand start")
        assert t.hand.deal == no
        assert bool(holds.stood(t.state, "call")) == (no == 2)


@pytest.mark.report("B091")
def test_the_gap_of_a_restart_is_said_shown_and_charged_to_nobody(table):
    t = opened(table)
    t.wait(4)
    spent = clocks.spent(t.state, t.now)
    t.put(Restarted("0.1.0", gap_s=95))
    t.wait(7)
    back(t)
    (said,) = t.published("event.restarted")
    assert said["gap_s"] == 95
    assert "95 s" in catalog.text("event.restarted", "en", **said)
    assert "95" in catalog.text("event.restarted", "zh-Hans", **said)
    assert view(t.state, t.now)["restart"] == {"at": t.now - 7 * SECOND, "gap_s": 95}
    assert holds.stood(t.state, "restart") == 7 * SECOND
    assert [held.time_credit for held in t.state.held if held.name == "restart"] == [7 * SECOND]
    assert clocks.spent(t.state, t.now) == spent


@pytest.mark.report("B105")
@pytest.mark.parametrize("ms", [3 * 3_600_000, -3 * 3_600_000, 50 * 365 * 86_400_000, -50 * 365 * 86_400_000])
def test_a_step_of_the_date_is_a_note_and_nothing_else(table, ms):
    t = opened(table)
    t.wait(4)
    before = (clocks.deadlines(t.state), clocks.spent(t.state, t.now), t.state.holds, t.hand.irregularities)
    t.put(ClockStep(ms))
    after = (clocks.deadlines(t.state), clocks.spent(t.state, t.now), t.state.holds, t.hand.irregularities)
    assert before == after
    assert t.published("event.clock_step") == [{"ms": ms}]
