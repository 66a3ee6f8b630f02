"""The session machine: *idle* → (*seating*) → *running* ⇄ *break* → … → *over*, and what one hand hands on.

- *seating*: seats are drawn: before the first hand, before every further stage (局), and in mid-stage where
  the ruleset has them drawn again (ZJ-F4).
- *running*: hands are played; the deal moves on or stays as the ruleset says (MCR-D1, CJ-D1, WH-D1), a round
  (圈) is over when it has gone round, and players change seats between rounds by its table (MCR-D2).
- *break*: nobody plays; a hand that starts ends it.
- *over*: all hands are played, time is up, players are without points, or somebody ended it.

A stage starts with the points of the ruleset; the ledger keeps those of all stages (CJ-S10).
"""

from __future__ import annotations

from typing import Any, ClassVar

from transitions import EventData

from tablectl.game import (
    faults,
    holds,
    ledger,
    people,
    progress,
    schedule,
    seating,
    settlement,
    signing,
    timeouts,
    wall,
)
from tablectl.game.casestate import Bar
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.flow import Flow, row
from tablectl.game.hand import HAND, provide, walls_seen
from tablectl.game.state import SEATS, HandState, SeatState

ON = ["seating", "running", "break"]


class SessionFlow(Flow):
    """Triggers of the session machine."""

    states = ("idle", "seating", "running", "break", "over")
    transitions: ClassVar[list[dict[str, Any]]] = [
        row("session_started", ["idle", "over"], "running", after="begin_stage"),
        row("seating_opened", ["idle", "over"], "seating"),
        row("seats_taken", "seating", "running", conditions="goes_on", after="go_on_seated"),
        row("seats_taken", "seating", "running", after="begin_stage"),
        row("hand_started", "running", None, after="open_hand"),
        row("hand_reopened", "running", None, after="lay_out_hand"),
        row("hand_started", "break", "running", after="open_hand"),
        row("break_started", "running", "break"),
        row("break_ended", "break", "running"),
        row("hand_ended", "running", "over", conditions=["stage_is_over", "is_last_stage"], after="sum_up"),
        row("hand_ended", "running", "seating", conditions="stage_is_over", after="sum_up"),
        row("hand_ended", "running", "seating", conditions="seats_are_drawn_again", after="turn_round"),
        row("hand_ended", "running", None, after="turn_round"),
        row("stage_ended", ["running", "break"], "over", conditions="is_last_stage", after="sum_up"),
        row("stage_ended", ["running", "break"], "seating", after="sum_up"),
        row("session_stopped", ON, "over", after="sum_up"),
        row("session_reopened", ["over", "seating"], "running", after="take_up"),
    ]

    def read(self) -> str:
        return self.step.state.session.phase

    def write(self, value: str) -> None:
        self.step.state.session.phase = value
        self.step.publish("event.session", phase=value)

    # questions
    def goes_on(self, event: EventData) -> bool:
        """Were seats drawn in mid-stage?"""
        return self.step.state.session.redraw

    def stage_is_over(self, event: EventData) -> bool:
        """Is there a reason to play no further hand in this stage?"""
        session = self.step.state.session
        session.ended = session.ended or progress.why_over(self.step)
        return bool(session.ended)

    def is_last_stage(self, event: EventData) -> bool:
        """Has the event no further stage?"""
        session = self.step.state.session
        return session.stage >= session.stages

    def seats_are_drawn_again(self, event: EventData) -> bool:
        """Has the half of a session ended whose seats were drawn (ZJ-F4)?"""
        session, every = self.step.state.session, self.step.rules.session.redraw_after.value
        session.redraw = bool(
            session.drawn and every and session.played % every == 0 and progress.counted(self.step)
        )
        return session.redraw

    # effects
    def begin_stage(self, event: EventData) -> None:
        """A stage begins: points anew, its time before it (CJ-S10)."""
        step, session = self.step, self.step.state.session
        if session.ended:
            session.stage += 1
            session.stage_starts.append(session.hand_no + 1)
            session.rounds_before += progress.rounds_done(step)
        session.ended, session.last_hand, session.break_due = "", 0, False
        session.passed = session.played = session.voided = 0
        session.moves = session.doubled = session.doubles_next = False
        for player in session.players:
            player.asked = 0
        ledger.refresh(step)
        schedule.begin(step)
        step.publish("event.stage", stage=session.stage, stages=session.stages)

    def go_on_seated(self, event: EventData) -> None:
        """Other seats, the same stage: the round goes on with its new East (ZJ-W13)."""
        session = self.step.state.session
        session.redraw = False
        session.dealer = (session.east - 1) % 4 if session.moves else session.east

    def open_hand(self, event: EventData) -> None:
        """Set up the next hand: dealer, winds, walls wanted."""
        step, session, rules = self.step, self.step.state.session, self.step.rules
        schedule.close_break(step, "play")  # who plays has none, whether somebody said so or not
        session.prior = [session.dealer, session.passed, int(session.moves), int(session.doubled)]
        session.doubled = session.doubles_next
        if session.moves:
            session.dealer = (session.dealer + 1) % 4
            session.passed += 1
        session.moves = False
        session.hand_no += 1
        session.hand_open = True
        rounds = rules.session.rounds.value
        if not session.fixed_round:
            session.round = rounds[session.passed // len(SEATS) % len(rounds)]
        self.lay_out_hand(event)

    def lay_out_hand(self, event: EventData) -> None:
        """The hand at its beginning: the same after a redeal."""
        step, session, rules = self.step, self.step.state.session, self.step.rules
        seats = [SeatState(SEATS[(side - session.dealer) % 4]) for side in range(4)]
        for player in session.players:
            if player.mechanical:
                seats[player.side].bars.append(Bar("mechanical", step.article("mechanical")))
        before = step.state.hand
        taken_back = before is not None and (before.result or {}).get("result") == "cancelled"
        if not taken_back:
            step.state.deals += 1
        holds.forget(step.state)
        step.state.hand = HandState(
            no=session.hand_no,
            deal=step.state.deals,
            dealer=session.dealer,
            round=session.round,
            total=wall.drawable(rules),
            draw_only=rules.wall.draw_only.value,
            tail_parity=rules.wall.tail_parity.value,
            started=step.at,
            turn=session.dealer,
            thrower=session.dealer,
            seats=seats,
            raise_ordered=taken_back and before is not None and before.raise_ordered,
        )
        schedule.run(step)
        step.publish("event.hand_opened", hand=session.hand_no, dealer=session.dealer, round=session.round)
        if session.machine:
            faults.doubt(step)
            order = step.state.table.order
            if taken_back and order is not None and order.operation == "raise":
                HAND.fire(step, "set_complete")  # the walls of the false start are on their way up
            elif not (taken_back and walls_seen(step)):  # or stand there, and nobody has touched them
                provide(step)
        else:
            step.publish("event.shuffle_by_hand", hand=session.hand_no)

    def turn_round(self, event: EventData) -> None:
        """The hand was not the last: a round may be over, seats may change, a break may be due."""
        step, session, rules = self.step, self.step.state.session, self.step.rules.session
        if session.redraw:
            session.draw = None
        if not progress.round_over(step):
            return
        done = (session.passed + 1) // len(SEATS)
        changes = rules.seat_changes.value
        if done <= len(changes) and not session.fixed_round:
            seating.change(step, changes[done - 1])
        every = rules.break_after.value
        if every and (session.rounds_before + done) % every == 0:
            session.break_due = True
            step.publish("event.break_due", minutes=rules.break_s.value // 60)

    def sum_up(self, event: EventData) -> None:
        """The stage is over: its clock stands, its result is what the ledger says."""
        step, session = self.step, self.step.state.session
        session.closed_at = step.at
        schedule.close_break(step, "session")
        timeouts.close_all(step)
        if session.clock.since is not None:
            schedule.stand(step)
        missing = ledger.missing(step.state)
        step.publish(
            "event.stage_ended",
            stage=session.stage,
            why=f"ended.{session.ended}",
            points=[player.points for player in session.players],
            missing=missing,
        )
        if missing:
            step.publish("event.points_missing", hands=missing)
        session.draw = None
        every = step.rules.session.break_after.value
        played = session.rounds_before + progress.rounds_done(step)
        session.break_due = bool(every and session.phase == "seating" and played % every == 0)
        if session.break_due:
            step.publish("event.break_due", minutes=step.rules.session.break_s.value // 60)

    def take_up(self, event: EventData) -> None:
        """What had ended the stage was set right: it goes on where it was."""
        session = self.step.state.session
        session.ended, session.draw, session.break_due = "", None, False
        if session.clock.spent:
            schedule.run(self.step)


SESSION = SessionFlow()


# acts


def open_hand(step: Step, anyway: str = "") -> None:
    """Start the next hand; ``anyway``: why, though something is not settled. Raises ``RefusedCommand`` while
    one is played, the session is not on, or something is open."""
    hand, session = step.state.hand, step.state.session
    if session.phase == "seating":
        raise RefusedCommand("refused.seats_not_drawn")
    if session.phase not in ("running", "break"):
        raise RefusedCommand("refused.no_session")
    if hand is not None and not hand.over:
        raise RefusedCommand("refused.hand_running", hand=hand.no)
    people.all_here(step)
    settlement.gate(step, anyway)
    SESSION.fire(step, "hand_started")


def open_again(step: Step) -> None:
    """Deal the newest hand anew."""
    SESSION.fire(step, "hand_reopened")


def break_off(step: Step) -> bool:
    """End the hand in play where the time or a player's points are up; True if it ended here."""
    session, hand = step.state.session, step.state.hand
    if session.phase not in ("running", "break") or hand is None or hand.over:
        return False
    why = must_end(step)
    if why:
        HAND.fire(step, "time_called", why=f"ended.{why}")
    return bool(why)


def settle(step: Step) -> None:
    """What the end of a draw, of a hand, of the time or of a player's points means; called once a step."""
    session, hand = step.state.session, step.state.hand
    if session.phase == "seating" and session.draw is not None and session.draw.done:
        SESSION.fire(step, "seats_taken")
    if session.phase not in ("running", "break"):
        return
    if session.hand_open and hand is not None and hand.over:
        session.hand_open = False
        session.moves = progress.deal_moves(step)
        if progress.counted(step):
            session.played += 1
            signing.lay_out(step)
            won = (hand.result or {}).get("result") == "win"
            session.doubles_next = won and not session.moves and step.rules.session.doubles.value
        else:
            session.voided += 1  # it is dealt again as it was
        SESSION.fire(step, "hand_ended")
    elif not session.hand_open and (ledger.broke(step) or session.clock.up):
        session.ended = "broke" if ledger.broke(step) else "time"
        SESSION.fire(step, "stage_ended")


def must_end(step: Step) -> str:
    """Why the hand in play is broken off, "" if it goes on. A win before the referee is judged first."""
    session, hand = step.state.session, step.hand
    if hand.phase == "adjudication":
        return ""
    if ledger.broke(step):
        return "broke"
    aborts = session.clock.up and step.rules.session.end_of_time.value == "abort"
    return "time" if aborts else ""


def time_up(step: Step) -> None:
    """The time of the stage is over: the hand in play is finished or broken off as the ruleset says."""
    step.state.session.clock.up = True
    playing = step.state.hand is not None and not step.state.hand.over
    finish = playing and step.rules.session.end_of_time.value == "finish_hand"
    step.publish("event.last_hand" if finish else "event.time_up", hand=step.state.session.hand_no)


def last_hand(step: Step) -> dict[str, int]:
    """The hand in play, or the next, is the last of the stage. Raises ``RefusedCommand``."""
    session, hand = step.state.session, step.state.hand
    if session.phase not in ("running", "break"):
        raise RefusedCommand("refused.no_session")
    session.last_hand = session.hand_no if hand is not None and not hand.over else session.hand_no + 1
    step.publish("event.last_hand", hand=session.last_hand)
    return {"hand": session.last_hand}


def stop(step: Step, *, cancel: bool = False) -> None:
    """End the session and the whole event; a cancelled one counts for nothing and stays visible (B088).
    Raises ``RefusedCommand``."""
    hand, session = step.state.hand, step.state.session
    if hand is not None and not hand.over:
        raise RefusedCommand("refused.hand_running", hand=hand.no)
    if not session.on:
        raise RefusedCommand("refused.no_session")
    session.ended = "cancelled" if cancel else "stop"
    SESSION.fire(step, "session_stopped")


def cancel_hand(step: Step) -> dict[str, int]:
    """Take back the accidental start of a hand: the session is as before it, and the next start opens the
    same hand again (B081). Raises ``RefusedCommand`` once a tile may have been taken."""
    session, hand = step.state.session, step.hand
    if hand.over:
        raise RefusedCommand("refused.hand_over", hand=hand.no)
    if hand.phase not in ("building", "raising", "dice") or hand.head + hand.tail:
        raise RefusedCommand("refused.too_late_to_cancel", hand=hand.no)
    HAND.fire(step, "cancelled")
    session.hand_open = False
    session.hand_no -= 1
    session.dealer, session.passed = session.prior[:2]
    session.moves, session.doubled = bool(session.prior[2]), bool(session.prior[3])
    if hand.no == session.stage_starts[-1]:
        session.clock.spent, session.clock.since = 0, None  # it had started the clock
    return {"hand": hand.no}
