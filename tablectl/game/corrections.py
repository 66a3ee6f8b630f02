"""A referee sets a clock right: the turn of a seat, its bank, or the session's time.

A correction is a line of a list, with its owner and reason. Nothing else is changed: every reading is
reckoned from the clock and its lines, so a clock that stands, and those of the others, stay where they were
(B079).
"""

from __future__ import annotations

from typing import Any

from tablectl.game import clocks, measuring, schedule
from tablectl.game.asking import Deed, playing, reason_of, side_of
from tablectl.game.cases import calls
from tablectl.game.context import SECOND, RefusedCommand, Step
from tablectl.game.inputs import Command
from tablectl.game.timestate import Clock, Correction

SAID = {
    "turn": "event.clock_turn_corrected",
    "bank": "event.clock_bank_corrected",
    "session": "event.clock_session_corrected",
}


def correct(how: str) -> Deed:
    """The deed that gives time (``add``), takes it (``sub``), or says what is left (``set``)."""

    def deed(step: Step, command: Command) -> dict[str, Any]:
        us = int(command.args["seconds"]) * SECOND
        seat, session = command.args.get("seat"), bool(command.args.get("session"))
        if (seat is None) != session:
            raise RefusedCommand("refused.which_clock")
        return _session(step, command, how, us) if session else _seat(step, command, how, us)

    return deed


def _seat(step: Step, command: Command, how: str, us: int) -> dict[str, Any]:
    """A seat's running turn; its bank where no turn of it runs."""
    hand = playing(step)
    side = side_of(step, command)
    clock = next((clock for clock in clocks.running(hand) if clock.side == side), None)
    if clock is not None:
        left = clocks.left_of(hand, clock, step.at)
    else:
        bank = measuring.bank_left(hand, step.rules.turn, side)
        if bank is None:
            raise RefusedCommand("refused.no_turn_clock", seat=hand.seats[side].wind)
        left = bank
    line = _line(step, command, "turn" if clock is not None else "bank", _change(how, us, left))
    line.side, line.clock = side, clock.no if clock is not None else 0
    hand.corrections.append(line)
    if clock is not None:
        _warn_again(step, clock, left + line.us)
    return _say(step, line, left + line.us, how)


def _warn_again(step: Step, clock: Clock, left: int) -> None:
    """A clock with more time left warns, and says that it is over, once more."""
    clock.over = clock.over and left <= 0
    clock.warned = clock.warned and left <= step.rules.turn.warning_s.value * SECOND


def _session(step: Step, command: Command, how: str, us: int) -> dict[str, Any]:
    session = step.state.session
    left = schedule.left(session, step.at)
    if not session.on or session.ended:
        raise RefusedCommand("refused.no_session")
    if left is None:
        raise RefusedCommand("refused.no_session_clock")
    line = _line(step, command, "session", _change(how, us, left))
    if left > 0 >= left + line.us:  # nobody ends a session by a slip of the hand
        raise RefusedCommand("refused.would_end_session", left_s=left // SECOND)
    return _set_session(step, line, how)


def _set_session(step: Step, line: Correction, how: str) -> dict[str, Any]:
    """Enter a line of the session's clock; with more time left it warns, and is up, once more."""
    clock = step.state.session.clock
    clock.corrections.append(line)
    left = schedule.left(step.state.session, step.at) or 0
    clock.up = clock.up and left <= 0
    clock.warned = clock.warned and left <= step.rules.session.warning_s.value * SECOND
    return _say(step, line, left, how)


def _change(how: str, us: int, left: int) -> int:
    return {"add": us, "sub": -us, "set": us - left}[how]


def _line(step: Step, command: Command, of: str, us: int) -> Correction:
    case = int(command.args.get("case") or 0)
    return Correction(step.n, step.at, of, us, command.actor, reason_of(command), case=case)


def _say(step: Step, line: Correction, left: int, how: str) -> dict[str, Any]:
    step.publish(
        SAID[line.of],
        side=line.side,
        how=how,
        change_us=line.us,
        left_us=left,
        actor=line.actor,
        reason=line.reason,
    )
    return {"left_us": left, "change_us": line.us}


def credit(step: Step, command: Command) -> dict[str, Any]:
    """Give the exact time the table stood for a case back to the session's clock, once. Raises
    ``RefusedCommand``."""
    session = step.state.session
    case = calls.find(step, int(command.args["case"]))
    if schedule.left(session, step.at) is None:
        raise RefusedCommand("refused.no_session_clock")
    due = calls.stood(step, case) - case.credited
    if due <= 0:
        raise RefusedCommand("refused.nothing_to_credit", case=case.no)
    case.credited += due
    return {"case": case.no, **_set_session(step, _line(step, command, "session", due), "add")}


def watch(step: Step, command: Command) -> dict[str, Any]:
    """Time the turns of a seat from now on, where that is done on complaint only (ZJ-T6); or no longer.
    Raises ``RefusedCommand``."""
    hand = playing(step)
    side, off = side_of(step, command), bool(command.args.get("off"))
    if step.rules.turn.timing_scope.value == "all":
        raise RefusedCommand("refused.all_are_timed")
    hand.timed = [other for other in hand.timed if other != side] + ([] if off else [side])
    for clock in clocks.running(hand):
        if clock.side == side and not off and not clock.timed:  # it counts from the complaint
            clock.timed = True
            clocks.begin_now(step, clock, "complaint")
        elif clock.side == side and off:
            clock.timed = False
    step.publish("event.timed" if not off else "event.not_timed", side=side)
    return {"seat": hand.seats[side].wind}


DEEDS: dict[str, Deed] = {
    "clock set": correct("set"),
    "case credit": credit,
    "clock add": correct("add"),
    "clock sub": correct("sub"),
    "clock watch": watch,
}
