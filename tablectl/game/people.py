"""Who is there and who is not: late, gone, replaced, or played for by nobody (CJ-F6).

Points always belong to the seat's player of record: a substitute plays for him, a mechanical partner draws
and discards for him.
"""

from __future__ import annotations

from tablectl.game.casestate import Bar
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.sessionstate import Player, Substitution

GONE = ("withdrawn", "forfeited")
BYE_LEFT = 2  # so many players or fewer make no game: those who came have a bye


def on(step: Step, id_: str) -> Player:
    """A player of the running session. Raises ``RefusedCommand``."""
    if not step.state.session.on:
        raise RefusedCommand("refused.no_session")
    return step.state.session.player(id_)


def late(step: Step, id_: str) -> None:
    """A player is not there yet."""
    player = on(step, id_)
    if player.status != "present":
        raise RefusedCommand("refused.player_is", player=id_, status=player.status)
    player.status = "late"
    step.publish("event.player", player=id_, name=player.name, status=f"status.{player.status}")


def arrive(step: Step, id_: str) -> None:
    """A player who was late, or gone, takes his seat; a mechanical partner ends with the hand in play."""
    player = on(step, id_)
    if player.status == "present":
        raise RefusedCommand("refused.player_is", player=id_, status=player.status)
    if player.status == "forfeited":
        raise RefusedCommand("refused.forfeited", player=id_)
    player.status, player.mechanical = "present", False
    step.publish("event.player", player=id_, name=player.name, status="status.present")


def come_back(step: Step, id_: str) -> None:
    """A ruling had sent a player away and was set aside: he sits there again as if he had never gone."""
    player = on(step, id_)
    player.status, player.mechanical = "present", False
    hand = step.state.hand
    if hand is not None and not hand.over:
        seat = hand.seats[player.side]
        seat.bars = [bar for bar in seat.bars if bar.case or bar.effect != "mechanical"]
        step.publish("event.plays_again", side=player.side)
    step.publish("event.player", player=id_, name=player.name, status="status.present")


def leave(step: Step, id_: str, status: str, *, mechanical: bool) -> dict[str, object]:
    """A player goes for good. Before the first hand two absent players end the game with byes for those who
    came; later the seat is played mechanically if the ruleset or the referee says so (CJ-F6)."""
    session = step.state.session
    player = on(step, id_)
    if player.status in GONE:
        raise RefusedCommand("refused.player_is", player=id_, status=player.status)
    hand = step.state.hand
    player.status = status
    step.publish("event.player", player=id_, name=player.name, status=f"status.{status}")
    here = [p for p in session.players if p.status not in GONE or p.substitute]
    rule = step.rules.session.absence
    partner = mechanical or (rule.value == "bye" and session.hand_no > 0 and len(here) == 3)
    if partner and not player.substitute:
        player.mechanical = True
        if hand is not None and not hand.over:
            hand.seats[player.side].bars.append(Bar("mechanical", step.article("mechanical")))
        step.publish("event.mechanical", player=id_, name=player.name)
    byes = rule.value == "bye" and session.hand_no == 0 and 0 < len(here) <= BYE_LEFT
    if byes:
        session.byes = [p.id for p in here]
        session.ended = "bye"
        for p in here:
            step.publish("event.bye", player=p.id, name=p.name, rule=rule.rule)
    return {"byes": session.byes, "mechanical": player.mechanical}


def all_here(step: Step) -> None:
    """Is every seat played by somebody, or mechanically? Raises ``RefusedCommand`` naming who is missing."""
    for player in step.state.session.players:
        if player.status != "present" and not player.substitute and not player.mechanical:
            raise RefusedCommand("refused.player_missing", player=player.id, status=player.status)


def substitute_in(step: Step, id_: str, name: str, person: str) -> None:
    """Somebody plays for a player of record from the next hand on. The points stay the player's."""
    session = step.state.session
    player = on(step, id_)
    hand = step.state.hand
    if hand is not None and not hand.over:
        raise RefusedCommand("refused.hand_running", hand=hand.no)
    if player.substitute:
        raise RefusedCommand("refused.substituted", player=id_, name=player.substitute)
    player.substitute, player.mechanical = name, False
    session.substitutions.append(Substitution(id_, name, person, session.hand_no + 1))
    step.publish("event.substitute_in", player=id_, name=player.name, by=name)


def substitute_out(step: Step, id_: str) -> None:
    """The player of record plays again. Raises ``RefusedCommand``."""
    player = on(step, id_)
    hand = step.state.hand
    if hand is not None and not hand.over:
        raise RefusedCommand("refused.hand_running", hand=hand.no)
    if not player.substitute:
        raise RefusedCommand("refused.no_substitute", player=id_)
    name, player.substitute = player.substitute, ""
    for line in step.state.session.substitutions:
        if line.player == id_ and line.until is None:
            line.until = step.state.session.hand_no
    step.publish("event.substitute_out", player=id_, name=player.name, by=name)


def ask_score(step: Step, id_: str) -> dict[str, int]:
    """A player asks how he stands: as often as the ruleset allows, and only in the last of several stages
    (CJ-F8). Raises ``RefusedCommand``."""
    session, rule = step.state.session, step.rules.session.questions
    player = on(step, id_)
    if rule.value and session.stages > 1 and session.stage < session.stages:
        raise RefusedCommand("refused.not_last_stage", stage=session.stage, rule=rule.rule)
    if rule.value and player.asked >= rule.value:
        raise RefusedCommand("refused.asked_enough", player=id_, limit=rule.value, rule=rule.rule)
    player.asked += 1
    return {"points": player.points, "asked": player.asked}
