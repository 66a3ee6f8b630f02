"""Who sits where: sitting down, changing seats, and who sat at which side from which hand on.

East sits at side 0, the others counter-clockwise from there, unless people sit as they were named.
"""

from __future__ import annotations

from collections.abc import Mapping

from tablectl.game.context import RefusedCommand, Step
from tablectl.game.sessionstate import Seating, SessionState
from tablectl.game.state import SEATS

PLACES = dict(zip(("east", "south", "west", "north"), SEATS, strict=True))


def coming_stage(session: SessionState) -> int:
    """The stage seats are drawn for."""
    return session.stage + (1 if session.phase == "seating" and session.ended else 0)


def remember(step: Step, how: str, *, hand: int = 0) -> None:
    """Note who sits at each side from a hand on, the next one unless said."""
    session = step.state.session
    sides = [session.at(side).id for side in range(4)]
    number = hand or session.hand_no + 1
    session.seatings.append(Seating(step.n, number, coming_stage(session), sides, session.east, how))


def seating_of(session: SessionState, hand: int) -> Seating:
    """The line for a hand, as it is known now: later lines for the same hand set earlier ones right."""
    known = [(line.hand, at) for at, line in enumerate(session.seatings) if line.hand <= hand]
    return session.seatings[max(known)[1]]


def sides_of(session: SessionState, hand: int) -> list[str]:
    """Who sat at each side in a hand, as it is known now."""
    return seating_of(session, hand).sides


def earlier_orders(session: SessionState) -> list[list[str]]:
    """Who had E, S, W, N at the start of each earlier stage, those that can still be avoided."""
    stage = coming_stage(session)
    lines = [seating_of(session, session.stage_starts[at]) for at in range(stage - 1)]
    found = [[line.sides[(line.east + place) % 4] for place in range(4)] for line in lines]
    return found[len(found) - len(found) % 4 :]  # after four stages everybody has sat everywhere


def check_differ(step: Step, order: list[str]) -> None:
    """Nobody sits in the same seat twice (CJ-F2). Raises ``RefusedCommand``."""
    rule = step.rules.session.seats_differ
    if not rule.value:
        return
    for old in earlier_orders(step.state.session):
        for wind, (now, before) in zip(SEATS, zip(order, old, strict=True), strict=True):
            if now == before:
                raise RefusedCommand("refused.seat_again", player=now, wind=wind, rule=rule.rule)


def sit(step: Step, order: list[str], how: str) -> None:
    """Seat players, given as E S W N: East at side 0, who deals first (ZJ-W13)."""
    session = step.state.session
    for side, id_ in enumerate(order):
        session.player(id_).side = side
    session.east = session.dealer = 0
    session.drawn = True
    remember(step, how)
    if session.draw is not None:
        session.draw.done = True
    tell(step)


def tell(step: Step) -> None:
    """Say to everybody where each player sits: his place and the wind he has there first."""
    session = step.state.session
    for side in range(4):
        place = (session.east + side) % 4
        player = session.at(place)
        step.publish("event.seat", player=player.id, name=player.name, place=place, wind=SEATS[side])


def change(step: Step, moves: Mapping[str, str]) -> None:
    """Between rounds: who started at one wind goes to the place of another (MCR-D2)."""
    session = step.state.session
    was = [session.at((session.east + place) % 4) for place in range(4)]
    for old, new in moves.items():
        was[SEATS.index(old)].side = (session.east + SEATS.index(new)) % 4
    remember(step, "change")
    step.publish("event.seats_change", rule=step.rules.session.seat_changes.rule)
    tell(step)


def swap(step: Step, one: str, other: str) -> None:
    """Two players change places. Raises ``RefusedCommand`` while a hand is played."""
    session, hand = step.state.session, step.state.hand
    if not session.on:
        raise RefusedCommand("refused.no_session")
    if hand is not None and not hand.over:
        raise RefusedCommand("refused.hand_running", hand=hand.no)
    first, second = session.player(one), session.player(other)
    first.side, second.side = second.side, first.side
    remember(step, "move")
    tell(step)
