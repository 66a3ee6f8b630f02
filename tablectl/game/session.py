"""The session machine: *idle* → *running* → *over*, and what one hand hands to the next.

Sixteen hands, the deal moving on after each whatever its result (MCR-D1); the prevalent wind changes with
every round of four.
"""

from __future__ import annotations

from typing import Any, ClassVar

from transitions import EventData

from tablectl.game import faults
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.flow import Flow, row
from tablectl.game.hand import provide
from tablectl.game.state import SEATS, HandState, Player, SeatState, SessionState


class SessionFlow(Flow):
    """Triggers of the session machine."""

    states = ("idle", "running", "over")
    transitions: ClassVar[list[dict[str, Any]]] = [
        row("session_started", ["idle", "over"], "running"),
        row("hand_started", "running", None, after="open_hand"),
        row("hand_ended", "running", "over", conditions="was_last_hand"),
        row("hand_ended", "running", None),
        row("session_stopped", "running", "over"),
    ]

    def read(self) -> str:
        return self.step.state.session.phase

    def write(self, value: str) -> None:
        self.step.state.session.phase = value
        self.step.publish("event.session", phase=value)

    def was_last_hand(self, event: EventData) -> bool:
        """Has the session played all its hands?"""
        session = self.step.state.session
        return session.hand_no >= session.hands

    def open_hand(self, event: EventData) -> None:
        """Set up the next hand: dealer, winds, walls wanted."""
        step, session, rules = self.step, self.step.state.session, self.step.rules
        first = session.hand_no == 0
        session.hand_no += 1
        if not first:
            session.dealer = (session.dealer + 1) % 4
        rounds, per_round = rules.session.rounds.value, rules.session.hands_per_round.value
        if not session.fixed_round:
            session.round = rounds[(session.hand_no - 1) // per_round % len(rounds)]
        step.state.hand = HandState(
            no=session.hand_no,
            dealer=session.dealer,
            round=session.round,
            total=rules.wall.tiles.value - rules.wall.dead_tiles.value,
            started=step.at,
            turn=session.dealer,
            thrower=session.dealer,
            seats=[SeatState(SEATS[(side - session.dealer) % 4]) for side in range(4)],
        )
        step.publish("event.hand_opened", hand=session.hand_no, dealer=session.dealer, round=session.round)
        faults.doubt(step)
        provide(step)


SESSION = SessionFlow()


def start(step: Step, args: dict[str, Any]) -> None:
    """Seat four players and choose the rules. Raises ``RefusedCommand``."""
    state = step.state
    hand = state.hand
    if state.session.phase == "running" or (hand is not None and not hand.over):
        raise RefusedCommand("refused.session_running")
    rules_id = str(args.get("rules", "mcr"))
    if rules_id not in step.book:
        raise RefusedCommand("refused.unknown_rules", rules=rules_id, known=", ".join(step.book))
    rules = step.book[rules_id]
    names = [str(args.get(f"p{i}") or f"p{i}") for i in range(4)]
    east = str(args.get("east") or "p0")
    state.ruleset, state.hand, state.results = rules, None, []  # those of an earlier one are in the record
    state.session = SessionState(
        phase=state.session.phase,
        rules=rules_id,
        players=[Player(f"p{i}", name, i, rules.session.start_points.value) for i, name in enumerate(names)],
        hands=int(args.get("hands") or rules.session.hands.value),
        dealer=int(east[1:]),
        round=str(args.get("round") or rules.session.rounds.value[0]),
        fixed_round=bool(args.get("round")),
        started=step.at,
    )
    SESSION.fire(step, "session_started")


def open_hand(step: Step) -> None:
    """Start the next hand. Raises ``RefusedCommand`` while one is played or the session is not on."""
    hand = step.state.hand
    if step.state.session.phase != "running":
        raise RefusedCommand("refused.no_session")
    if hand is not None and not hand.over:
        raise RefusedCommand("refused.hand_running", hand=hand.no)
    SESSION.fire(step, "hand_started")


def settle(step: Step) -> None:
    """A hand that has just closed may have been the last."""
    hand = step.state.hand
    if hand is not None and hand.over and step.state.session.phase == "running":
        SESSION.fire(step, "hand_ended")


def stop(step: Step) -> None:
    """End the session. Raises ``RefusedCommand``."""
    hand = step.state.hand
    if hand is not None and not hand.over:
        raise RefusedCommand("refused.hand_running", hand=hand.no)
    if not SESSION.fire(step, "session_stopped"):
        raise RefusedCommand("refused.no_session")
