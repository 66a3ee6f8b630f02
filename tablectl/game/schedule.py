"""The time of a session: its clock, its warning, its end, its breaks.

The clock starts with the first hand of a stage and stands in breaks unless the ruleset counts them. Holds do
not stop it: time the machine took is given back with `session extend`. A break ends when somebody says so or
when play goes on, whichever comes first, so its record is always as long as the break was.
"""

from __future__ import annotations

from tablectl.game.context import SECOND, RefusedCommand, Step
from tablectl.game.sessionstate import Break, SessionState
from tablectl.game.state import State
from tablectl.game.timestate import TimeOut

MINUTE = 60 * SECOND


def run_for(session: SessionState, now: int) -> int:
    """µs the clock of the stage has run so far."""
    clock = session.clock
    return clock.spent + (max(0, now - clock.since) if clock.since is not None else 0)


def given(session: SessionState) -> int:
    """µs a referee has given to the stage, or (negative) taken."""
    return sum(correction.us for correction in session.clock.corrections)


def spent(session: SessionState, now: int) -> int:
    """µs of the stage's time used so far, corrections counted."""
    return run_for(session, now) - given(session)


def left(session: SessionState, now: int) -> int | None:
    """µs left of the stage's time, None without a clock."""
    return max(0, session.clock.limit - spent(session, now)) if session.clock.limit else None


def deadlines(state: State) -> list[tuple[str, int]]:
    """(name, table time) of what the session waits for: the warning, its end, the end of a break."""
    found = []
    session, clock, rules = state.session, state.session.clock, state.ruleset
    if session.on and clock.limit and clock.since is not None and rules is not None:
        end = max(0, clock.since + clock.limit - clock.spent + given(session))
        if not clock.up:
            found.append(("session time", end))
        if not clock.warned and rules.session.warning_s.value:
            found.append(("session warning", max(0, end - rules.session.warning_s.value * SECOND)))
    running = current_break(session)
    if running is not None and running.planned and not running.told:
        found.append(("break time", running.started + running.planned))
    for timeout in away(state):
        if timeout.planned and not timeout.told:
            found.append(("timeout time", timeout.started + timeout.planned))
    return found


def away(state: State) -> list[TimeOut]:
    """The time-outs of players that run."""
    return [timeout for timeout in state.timeouts if timeout.ended is None]


def begin(step: Step) -> None:
    """A stage has its time before it; the clock waits for the first hand."""
    session = step.state.session
    session.clock.limit = step.rules.session.time_s.value * SECOND
    session.clock.spent, session.clock.since = 0, None
    session.clock.warned = session.clock.up = False
    session.clock.corrections = []


def run(step: Step) -> None:
    """Let the clock run, if it stands."""
    if step.state.session.clock.since is None:
        step.state.session.clock.since = step.at


def stand(step: Step) -> None:
    """Stop the clock where it is."""
    session = step.state.session
    session.clock.spent, session.clock.since = run_for(session, step.at), None


def warn(step: Step) -> None:
    """Say how long there is (MCR-T4, CJ-F3)."""
    session = step.state.session
    session.clock.warned = True
    step.publish("event.session_warning", left_s=(left(session, step.at) or 0) // SECOND)


def extend(step: Step, minutes: int, reason: str) -> dict[str, int]:
    """Give the stage more time. Raises ``RefusedCommand``."""
    session = step.state.session
    if not session.on or session.ended:
        raise RefusedCommand("refused.no_session")
    if not session.clock.limit:
        raise RefusedCommand("refused.no_session_clock")
    clock = session.clock
    clock.limit += minutes * MINUTE
    more = left(session, step.at) or 0
    clock.up = False
    if more > step.rules.session.warning_s.value * SECOND:
        clock.warned = False
    step.publish("event.session_extended", minutes=minutes, left_s=more // SECOND, reason=reason)
    return {"left_s": more // SECOND}


# breaks


def current_break(session: SessionState) -> Break | None:
    """The break that runs, if one does."""
    return session.breaks[-1] if session.breaks and session.breaks[-1].ended is None else None


def open_break(step: Step, kind: str, minutes: int | None) -> None:
    """A break begins. Without ``minutes`` a planned one is as long as the ruleset says."""
    session, rules = step.state.session, step.rules.session
    planned = rules.break_s.value * SECOND if kind == "planned" else 0
    if minutes is not None:
        planned = minutes * MINUTE
    session.breaks.append(Break(step.n, kind, step.at, planned))
    session.break_due = session.break_due and kind != "planned"
    if session.clock.since is not None and not rules.break_counts.value:
        stand(step)
    step.publish("event.break_started", kind=kind, planned_s=planned // SECOND)


def close_break(step: Step, by: str) -> None:
    """The break that runs is over; its length is what it was."""
    session = step.state.session
    running = current_break(session)
    if running is None:
        return
    running.ended, running.by = step.at, by
    if by != "session" and not session.ended and session.clock.spent:
        run(step)
    length = (running.ended - running.started) // SECOND
    step.publish("event.break_ended", kind=running.kind, length_s=length, by=by)


def break_time(step: Step) -> None:
    """A break has lasted as long as planned: say so; it ends when people are back."""
    running = current_break(step.state.session)
    if running is not None:
        running.told = True
        step.publish("event.break_time", kind=running.kind)
