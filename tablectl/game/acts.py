"""What the commands of the session do: seats, points, breaks, people, machine. Declared in the registry."""

from __future__ import annotations

from typing import Any

from tablectl.game import (
    ledger,
    notes,
    official,
    people,
    reseat,
    schedule,
    seatdraw,
    seating,
    session,
    sessionstart,
    settlement,
    signing,
    swap,
)
from tablectl.game.asking import Deed
from tablectl.game.cases import proposals
from tablectl.game.context import SECOND, RefusedCommand, Step
from tablectl.game.inputs import Command
from tablectl.game.session import SESSION

PLAYERS = ("p0", "p1", "p2", "p3")


def words(command: Command, *names: str) -> list[str]:
    """Text arguments of a command, "" where one is not given."""
    return [str(command.args.get(name) or "") for name in names]


def points_of(command: Command) -> dict[str, int]:
    """The points a command gives to players, those that were given."""
    return {id_: int(command.args[id_]) for id_ in PLAYERS if command.args.get(id_) is not None}


def winds_of(command: Command) -> dict[str, str]:
    """The players a command names for winds."""
    return {
        wind: str(command.args[place]) for place, wind in seating.PLACES.items() if command.args.get(place)
    }


def have_session(step: Step) -> None:
    """Is there a session, if only one that is over? Raises ``RefusedCommand``."""
    if not step.state.session.players:
        raise RefusedCommand("refused.no_session")


# the session


def session_start(step: Step, command: Command) -> dict[str, Any]:
    return sessionstart.start(step, command.args)


def session_stop(step: Step, command: Command) -> None:
    session.stop(step, cancel=bool(command.args.get("cancel")))


def session_last_hand(step: Step, command: Command) -> dict[str, Any]:
    return dict(session.last_hand(step))


def session_extend(step: Step, command: Command) -> dict[str, Any]:
    return dict(schedule.extend(step, int(command.args["minutes"]), *words(command, "reason")))


def session_machine(step: Step, command: Command) -> None:
    swap.switch(step, command.args["state"] == "on")


def hand_cancel(step: Step, command: Command) -> dict[str, Any]:
    return dict(session.cancel_hand(step))


def walls_ready(step: Step, command: Command) -> dict[str, Any]:
    return swap.walls_ready(step, *words(command, "anyway"))


def break_start(step: Step, command: Command) -> None:
    hand = step.state.hand
    if hand is not None and not hand.over:
        raise RefusedCommand("refused.hand_running", hand=hand.no)
    if not step.state.session.on:
        raise RefusedCommand("refused.no_session")
    if schedule.current_break(step.state.session) is not None:
        raise RefusedCommand("refused.break_running")
    minutes = command.args.get("minutes")
    SESSION.fire(step, "break_started")  # between two stages it is still seats that are waited for
    schedule.open_break(step, str(command.args["kind"]), None if minutes is None else int(minutes))


def break_end(step: Step, command: Command) -> None:
    if schedule.current_break(step.state.session) is None:
        raise RefusedCommand("refused.no_break")
    SESSION.fire(step, "break_ended")
    schedule.close_break(step, "command")


# seats


def seat_draw(step: Step, command: Command) -> dict[str, Any] | None:
    rules = step.rules.session
    found = winds_of(command)
    by = str(command.args.get("by") or ("lot" if found else rules.seats.value))
    if by == "lot":
        return seatdraw.draw_lots(step, found)
    if found:  # who sits where is what this draw will find out
        raise RefusedCommand("refused.names_with_draw", by=by)
    seatdraw.open_draw(step, by, command.secret)
    return None


def seat_throw(step: Step, command: Command) -> None:
    faces = (int(command.args["first"]), int(command.args["second"]))
    by = str(command.args.get("player") or "")
    side = step.state.session.player(by).side if by and step.state.session.players else None
    if not seatdraw.throw(step, side, faces):
        raise RefusedCommand("refused.no_throw_awaited")


def seat_take(step: Step, command: Command) -> dict[str, Any]:
    return seatdraw.take(step, str(command.args["wind"]), *words(command, "player"))


def seat_contribute(step: Step, command: Command) -> dict[str, Any]:
    return seatdraw.contribute(step, str(command.args["player"]), int(command.args["number"]))


def seat_swap(step: Step, command: Command) -> None:
    seating.swap(step, str(command.args["player"]), str(command.args["other"]))


def seat_move(step: Step, command: Command) -> None:
    have_session(step)
    there = step.state.session.at(int(command.args["side"])).id
    seating.swap(step, str(command.args["player"]), there)


def seat_correct(step: Step, command: Command) -> dict[str, Any]:
    have_session(step)
    order = seatdraw.order_of(step, winds_of(command))
    return reseat.correct(step, int(command.args["hand"]), order)


# points


def score_enter(step: Step, command: Command) -> dict[str, Any]:
    have_session(step)
    now = step.state.session
    hand = command.args.get("hand")
    number = now.hand_no if hand is None else int(hand)
    kind = str(command.args["kind"])
    answer = ledger.enter(step, kind, number, points_of(command), *words(command, "reason", "anyway"))
    if kind in ledger.ONCE:
        signing.entered(step, number)
    return answer


def score_correct(step: Step, command: Command) -> dict[str, Any]:
    have_session(step)
    entry = int(command.args["entry"])
    answer = ledger.correct(step, entry, points_of(command), *words(command, "reason", "anyway"))
    signing.corrected(step, int(answer["hand"]))
    if step.state.session.ended == "broke" and not ledger.broke(step):
        SESSION.fire(step, "session_reopened")
    return answer


def score_count(step: Step, command: Command) -> dict[str, Any]:
    have_session(step)
    hand, counted = step.state.hand, points_of(command)
    if hand is not None and not hand.over:
        raise RefusedCommand("refused.hand_running", hand=hand.no)
    if not counted:
        raise RefusedCommand("refused.nothing_counted")
    return settlement.count(step, counted)


def note(step: Step, command: Command) -> dict[str, Any]:
    have_session(step)
    fact, wind, text = words(command, "fact", "seat", "text")
    return notes.note(step, fact, wind, text)


def win_count(step: Step, command: Command) -> dict[str, Any]:
    return notes.count(step, str(command.args["seat"]), int(command.args["points"]))


def sign(step: Step, command: Command) -> dict[str, Any]:
    have_session(step)
    wind, refusal = words(command, "seat", "refuse")
    return signing.sign(step, wind, refusal, int(command.args.get("hand") or 0))


def score_ask(step: Step, command: Command) -> dict[str, Any]:
    return dict(people.ask_score(step, str(command.args["player"])))


# people


def player_late(step: Step, command: Command) -> None:
    people.late(step, str(command.args["player"]))


def player_arrive(step: Step, command: Command) -> None:
    player = people.on(step, str(command.args["player"]))
    was_late = player.status == "late"
    people.arrive(step, player.id)
    if was_late:
        proposals.came_late(step, player.side, (step.at - step.state.session.started) // SECOND)


def leaving(status: str) -> Deed:
    """The deed of a player who goes for good."""

    def deed(step: Step, command: Command) -> dict[str, Any]:
        player = str(command.args["player"])
        answer = people.leave(step, player, status, mechanical=bool(command.args.get("mechanical")))
        if step.state.session.ended == "bye":
            SESSION.fire(step, "session_stopped")
        return dict(answer)

    return deed


def substitute_in(step: Step, command: Command) -> None:
    people.substitute_in(step, *words(command, "player", "substitute", "person"))


def substitute_out(step: Step, command: Command) -> None:
    people.substitute_out(step, str(command.args["player"]))


def rules_confirm(step: Step, command: Command) -> dict[str, Any]:
    return official.confirm(step, *words(command, "rules", "key", "value"))


def machine_swap(step: Step, command: Command) -> None:
    swap.adopt(step)


ACTS: dict[str, Deed] = {
    "session start": session_start,
    "session stop": session_stop,
    "session last-hand": session_last_hand,
    "session extend": session_extend,
    "session machine": session_machine,
    "hand cancel": hand_cancel,
    "walls ready": walls_ready,
    "break start": break_start,
    "break end": break_end,
    "seat draw": seat_draw,
    "seat throw": seat_throw,
    "seat take": seat_take,
    "seat contribute": seat_contribute,
    "seat swap": seat_swap,
    "seat move": seat_move,
    "seat correct": seat_correct,
    "score enter": score_enter,
    "score correct": score_correct,
    "score count": score_count,
    "note": note,
    "win count": win_count,
    "score ask": score_ask,
    "sign": sign,
    "player late": player_late,
    "player arrive": player_arrive,
    "player withdraw": leaving("withdrawn"),
    "player forfeit": leaving("forfeited"),
    "substitute in": substitute_in,
    "substitute out": substitute_out,
    "rules confirm": rules_confirm,
    "machine swap": machine_swap,
}
