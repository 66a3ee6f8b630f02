"""What the commands of calls and rulings do. Declared in the registry."""

from __future__ import annotations

from typing import Any

from tablectl.game import rulings, session
from tablectl.game.asking import Deed, second_person, side_of
from tablectl.game.cases import appeals, applying, calls, faults, page, ruling
from tablectl.game.cases.proposals import TABLE
from tablectl.game.casestate import Case
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.inputs import Command
from tablectl.game.state import SEATS

ENDS = ("void", "redeal")  # remedies that end the hand: two persons, or the chief


def text_of(command: Command, name: str) -> str:
    """A text argument, "" if it is not given."""
    return str(command.args.get(name) or "")


def number_of(command: Command, name: str) -> int:
    """A number argument, 0 if it is not given."""
    return int(command.args.get(name) or 0)


def case_of(step: Step, command: Command) -> int:
    """The case a command means: the one it names, the one its actor attends, or the only one that waits.
    Raises ``RefusedCommand`` if that is none or several."""
    if command.args.get("case") is not None:
        return int(command.args["case"])
    waiting = [case for case in step.state.cases if case.open and case.decision is None]
    own = [case for case in waiting if case.referee == command.actor]
    meant: list[Case] = own or waiting
    if not waiting:
        raise RefusedCommand("refused.no_open_case")
    if len(meant) != 1:
        known = ", ".join(str(case.no) for case in waiting) or "-"
        raise RefusedCommand("refused.which_case", open=known)
    return meant[0].no


def asked_of(command: Command) -> ruling.Asked:
    """How a referee wants to decide."""
    points = command.args.get("points")
    return ruling.Asked(
        offence=text_of(command, "article"),
        place=number_of(command, "step"),
        choice=number_of(command, "choice"),
        points=None if points is None else int(points),
        receiver=text_of(command, "to"),
        tiles=list(command.args.get("tiles") or []),
        reason=text_of(command, "reason"),
        reserve=bool(command.args.get("reserve")),
        anyway=text_of(command, "anyway"),
    )


def call(step: Step, command: Command) -> dict[str, Any]:
    side = side_of(step, command) if command.args.get("seat") else None
    case = calls.raise_call(step, str(command.args["kind"]), side, command.actor, text_of(command, "reason"))
    return {"case": case.no, "place": calls.queue_place(step, case)}


def attend(step: Step, command: Command) -> dict[str, Any]:
    return calls.attend(step, case_of(step, command), command.actor)


def handover(step: Step, command: Command) -> dict[str, Any]:
    return calls.hand_over(step, case_of(step, command), text_of(command, "referee"), command.actor)


def release(step: Step, command: Command) -> dict[str, Any]:
    return calls.release(step, case_of(step, command), command.actor)


def later(step: Step, command: Command) -> dict[str, Any]:
    return calls.queue(step, case_of(step, command), command.actor)


def hear(step: Step, command: Command) -> dict[str, Any]:
    seat, said = text_of(command, "seat"), text_of(command, "statement")
    return calls.hear(step, case_of(step, command), seat, said, command.actor)


def escalate(step: Step, command: Command) -> dict[str, Any]:
    return calls.escalate(step, case_of(step, command), text_of(command, "reason"), command.actor)


def withdraw(step: Step, command: Command) -> dict[str, Any]:
    case = calls.find(step, case_of(step, command))
    if command.role == "player" and case.by != command.actor:
        raise RefusedCommand("refused.not_your_call", case=case.no, by=case.by)
    return calls.withdraw(step, case.no, text_of(command, "reason"), command.actor)


def merge(step: Step, command: Command) -> dict[str, Any]:
    return calls.merge(step, int(command.args["case"]), int(command.args["into"]), command.actor)


def close(step: Step, command: Command) -> dict[str, Any]:
    return calls.close(step, int(command.args["case"]), text_of(command, "reason"), command.actor)


def sign(step: Step, command: Command) -> dict[str, Any]:
    no = int(command.args["case"])
    player = text_of(command, "player") or calls.find(step, no).player
    return calls.sign(step, no, player, text_of(command, "refuse"), command.actor)


def rule(step: Step, command: Command) -> dict[str, Any]:
    return ruling.rule(step, case_of(step, command), asked_of(command), command.actor, command.role)


def waive(step: Step, command: Command) -> dict[str, Any]:
    return ruling.waive(step, case_of(step, command), text_of(command, "reason"), command.actor, command.role)


def conclude(step: Step, command: Command) -> dict[str, Any]:
    return ruling.conclude(step, int(command.args["case"]), command.actor)


def penalty_add(step: Step, command: Command) -> dict[str, Any]:
    wind, hand = text_of(command, "seat"), step.state.hand
    if hand is None:  # before the first hand the seats are those it will have
        side = (step.state.session.dealer + SEATS.index(wind)) % len(SEATS)
    else:
        side = next(side for side, one in enumerate(hand.seats) if one.wind == wind)
    return ruling.add(step, side, asked_of(command), command.actor, command.role)


def penalty_fill(step: Step, command: Command) -> dict[str, Any]:
    return ruling.fill(step, int(command.args["case"]), asked_of(command), command.actor, command.role)


def penalty_cancel(step: Step, command: Command) -> dict[str, Any]:
    """A slip of the referee's own, while its hand is played; later it is a ruling to be corrected."""
    no = int(command.args["case"])
    case = calls.find(step, no)
    hand = step.state.hand
    now = hand is not None and hand.no == case.hand
    own = case.decision is not None and case.decision.actor in (command.actor, TABLE)
    if command.role != "chief" and (not own or not now):
        raise RefusedCommand(
            "refused.for_the_chief", rule=case.decision.rule if case.decision else "", case=no
        )
    return ruling.correct(
        step, no, ruling.Asked(reason=text_of(command, "reason")), command.actor, command.role
    )


def ruling_correct(step: Step, command: Command) -> dict[str, Any]:
    strike = bool(command.args.get("strike"))
    asked = asked_of(command)
    return ruling.correct(step, int(command.args["case"]), asked, command.actor, command.role, strike=strike)


def ruling_preview(step: Step, command: Command) -> dict[str, Any]:
    """What a correction would change. It is recorded that somebody looked; nothing else changes."""
    strike = bool(command.args.get("strike"))
    no = int(command.args["case"])
    return page.preview(step.state, step.book, no, asked_of(command), strike=strike)


def appeal_open(step: Step, command: Command) -> dict[str, Any]:
    return appeals.open_appeal(
        step,
        int(command.args["case"]),
        str(command.args["player"]),
        number_of(command, "jury") or 1,
        text_of(command, "reason"),
        command.actor,
    )


def appeal_vote(step: Step, command: Command) -> dict[str, Any]:
    return appeals.vote(step, int(command.args["case"]), str(command.args["ballot"]), command.actor)


def appeal_decide(step: Step, command: Command) -> dict[str, Any]:
    outcome = str(command.args["outcome"])
    asked = asked_of(command)
    return appeals.decide(step, int(command.args["case"]), outcome, asked, command.actor, command.role)


def fault_report(step: Step, command: Command) -> dict[str, Any]:
    side = side_of(step, command) if command.args.get("seat") else None
    row, text = text_of(command, "fault"), text_of(command, "reason")
    return faults.report(step, row, side, command.actor, text)


def fault_seen(step: Step, command: Command) -> dict[str, Any]:
    tiles = command.args.get("count")
    seen = None if tiles is None else int(tiles)
    return faults.describe(step, int(command.args["case"]), seen, lost=bool(command.args.get("lost")))


def fault_decide(step: Step, command: Command) -> dict[str, Any]:
    """Decide what becomes of the hand; a void or a new deal happens with it."""
    no, reason = int(command.args["case"]), text_of(command, "reason")
    final = faults.choose(step, no, text_of(command, "remedy"), command.role)
    hand = applying.hand_of(step, faults.machine_case(step, no))  # None once that hand is over
    if final in ENDS and command.role != "chief" and hand is not None:
        second_person(step, command, f"fault decide {final}", hand.no)
    answer = faults.decide(step, no, final, reason, command.actor)
    if final in ENDS and hand is not None:
        rulings.abandon(step, "redealt" if final == "redeal" else "void", reason)
        if final == "redeal":
            session.open_again(step)
    return answer


DEEDS: dict[str, Deed] = {
    "call": call,
    "attend": attend,
    "handover": handover,
    "release": release,
    "later": later,
    "hear": hear,
    "escalate": escalate,
    "case withdraw": withdraw,
    "case merge": merge,
    "case close": close,
    "case sign": sign,
    "case decide": conclude,
    "fault report": fault_report,
    "fault seen": fault_seen,
    "fault decide": fault_decide,
    "rule": rule,
    "waive": waive,
    "penalty add": penalty_add,
    "penalty fill": penalty_fill,
    "penalty cancel": penalty_cancel,
    "ruling preview": ruling_preview,
    "ruling correct": ruling_correct,
    "appeal open": appeal_open,
    "appeal vote": appeal_vote,
    "appeal decide": appeal_decide,
}
