"""One input in, effects out: the only way the state of a table changes.

Pure: no I/O, no clock, no chance. The same inputs in the same order give the same state, byte for byte.
"""

from __future__ import annotations

from tablectl.game import (
    claims,
    clocks,
    commands,
    draws,
    events,
    holds,
    immediate,
    links,
    orders,
    schedule,
    session,
    timeouts,
)
from tablectl.game.asking import PendingApproval
from tablectl.game.cases import appeals, applying, calls, proposals, ruling
from tablectl.game.clocks import deadlines
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.effects import Answer, Effect, Publish
from tablectl.game.form import form
from tablectl.game.inputs import (
    AnyInput,
    BoardEvent,
    BoardStatus,
    ClockStep,
    Command,
    Deadline,
    EventsLost,
    LinkChange,
    OperationReply,
    OperationSilent,
    Refused,
    Restarted,
)
from tablectl.game.state import State, digest, from_json, to_json
from tablectl.rules.book import RuleBook

__all__ = ["deadlines", "digest", "form", "from_json", "new_state", "step", "to_json"]


def new_state() -> State:
    """A table nobody has spoken to yet."""
    return State()


def step(state: State, n: int, at: int, unc: int, item: AnyInput, book: RuleBook) -> list[Effect]:
    """Apply one input. ``n`` is its record, ``at`` the table time it happened (µs), ``unc`` its uncertainty.

    Mutates ``state``. An exception means a bug: the caller rebuilds the state without this input.
    """
    now = Step(state, book, n, at, unc)
    state.now = max(state.now, at)
    match item:
        case BoardEvent():
            events.board_event(now, item)
        case Command():
            _command(now, item)
        case Deadline():
            _deadline(now, item)
        case OperationReply():
            orders.reply(now, item)
        case OperationSilent():
            orders.silent(now, item)
        case LinkChange():
            links.change(now, item)
        case BoardStatus():
            links.reconcile(now, item)
        case EventsLost():
            links.lost_events(now, item)
        case Restarted():
            links.restarted(now, item)
        case ClockStep():
            now.publish("event.clock_step", ms=item.ms)
        case Refused():
            links.raised(now, item)
    immediate.settle(now)
    _look_for_cases(now)
    if session.break_off(now):
        _look_for_cases(now)  # the end of a hand makes what is due at it, before the stage is summed up
    session.settle(now)
    calls.settle(now)
    holds.settle(now)
    ruling.measure_again(now)
    told = next((effect for effect in reversed(now.effects) if isinstance(effect, Publish)), None)
    if told is not None:
        state.changed, state.change = n, {"key": told.key, "data": told.data}
    return now.effects


def _look_for_cases(now: Step) -> None:
    proposals.look(now)
    applying.settle(now)


def _command(now: Step, command: Command) -> None:
    try:
        commands.run(now, command)
    except RefusedCommand as refused:
        now.effects.append(Answer(command.actor, command.id, "refused", refused.key, refused.data))
    except PendingApproval as pending:
        now.effects.append(Answer(command.actor, command.id, "pending", pending.key, pending.data))


def _deadline(now: Step, deadline: Deadline) -> None:
    """A deadline that no longer stands, because something beat it, changes nothing: one outcome each."""
    if (deadline.name, deadline.due) not in deadlines(now.state):
        return
    match deadline.name:
        case "window":
            claims.time_out(now)
        case "turn":
            if not draws.last_draws_over(now):
                clocks.passed(now, deadline.due)
        case "turn warning":
            clocks.warn(now, deadline.due)
        case "timeout time":
            timeouts.time_over(now, deadline.due)
        case "order":
            orders.expire(now)
        case "session time":
            session.time_up(now)
        case "session warning":
            schedule.warn(now)
        case "break time":
            schedule.break_time(now)
        case appeal if appeal.startswith("appeal "):
            appeals.time_up(now, int(appeal.removeprefix("appeal ")))
