"""The start of a session: rules chosen, players named, seats given or to be drawn."""

from __future__ import annotations

from typing import Any

from tablectl.game import official, schedule, seating, standings
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.session import SESSION
from tablectl.game.sessionstate import Player, SessionState
from tablectl.rules import standings as rulebook
from tablectl.rules.model import Ruleset


def start(step: Step, args: dict[str, Any]) -> dict[str, Any]:
    """Choose the rules and name four players; they sit as given, or seats are to be drawn. Raises
    ``RefusedCommand``."""
    state = step.state
    hand = state.hand
    if state.session.on or (hand is not None and not hand.over):
        raise RefusedCommand("refused.session_running")
    rules_id = str(args.get("rules", "mcr"))
    if rules_id not in step.book:
        raise RefusedCommand("refused.unknown_rules", rules=rules_id, known=", ".join(step.book))
    rules = official.effective(state, step.book[rules_id])
    if args.get("official"):
        official.demand(state, step.book[rules_id])
    names = [str(args.get(f"p{i}") or f"p{i}") for i in range(4)]
    draw = bool(args.get("draw"))
    east = 0 if draw else int(str(args.get("east") or "p0")[1:])
    if state.session.players:
        state.history.append(standings.summary(state))
    state.ruleset, state.hand, state.results = rules, None, []
    state.cases = [case for case in state.cases if case.open]
    state.session = SessionState(
        phase=state.session.phase,
        rules=rules_id,
        rules_hash=official.hash_of(rules),
        official=bool(args.get("official")),
        players=[Player(f"p{i}", name, i, rules.session.start_points.value) for i, name in enumerate(names)],
        hands=int(args.get("hands") or rules.session.hands.value),
        stages=int(args.get("stages") or rules.session.stages.value),
        dealer=east,
        east=east,
        round=str(args.get("round") or rules.session.rounds.value[0]),
        fixed_round=bool(args.get("round")),
        drawn=draw,
        started=step.at,
        scored=not args.get("unscored"),
        event=str(args.get("event") or ""),
        worth=_worth(rules, args),
        advancing=int(args.get("advancing") or 1),
    )
    state.results, state.timeouts = [], []
    schedule.begin(step)
    if draw:
        SESSION.fire(step, "seating_opened")
    else:
        seating.remember(step, "given")
        SESSION.fire(step, "session_started")
    return {"rules": rules_id, "rules_hash": state.session.rules_hash}


def _worth(rules: Ruleset, args: dict[str, Any]) -> int:
    """Standard points for who advances, by the class of the event and how far it is (CJ-F5). Raises
    ``RefusedCommand`` where the rules know no such event."""
    event = str(args.get("event") or "")
    if not event:
        return 0
    of = int(args.get("event_rounds") or 1)
    number = int(args.get("event_round") or of)
    try:
        return rulebook.worth(rules, event, number, of)
    except ValueError as error:
        raise RefusedCommand("refused.no_event", rules=rules.id, event=event, round=number, of=of) from error
