"""Drawing seats: by lot, by two throws and four wind tiles (执位, ZJ-W4), or by software.

Lots are drawn by people and entered; software commits itself before anybody chooses. What people found is a
fact: it is entered as found, and what contradicts the throws is flagged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablectl.game import fairdraw, seating
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.sessionstate import DrawState
from tablectl.game.state import SEATS


def draw_lots(step: Step, found: Mapping[str, str]) -> dict[str, Any]:
    """Seats were drawn by lot or by hand, and who drew what is entered. Raises ``RefusedCommand``."""
    wanted(step)
    order = order_of(step, found)
    seating.check_differ(step, order)
    open_draw(step, "lot")
    return finish(step, order, "lot")


def wanted(step: Step) -> None:
    """Are seats to be drawn? Raises ``RefusedCommand``."""
    if step.state.session.phase != "seating":
        raise RefusedCommand("refused.not_seating")


def open_draw(step: Step, by: str, secret: str = "") -> None:
    """Begin a draw; one that was begun before is given up. Raises ``RefusedCommand`` when no seats are to be
    drawn, or the software has no chance to draw with."""
    session = step.state.session
    wanted(step)
    if by == "software" and not secret:
        raise RefusedCommand("refused.no_secret")
    old = session.draw
    if old is not None and not old.done and old.by == "software":
        step.publish("event.draw_given_up", commitment=old.commitment, secret=old.secret)
    session.draw = DrawState(by, step.n, step.at)
    if by == "software":
        session.draw.secret, session.draw.commitment = secret, fairdraw.commitment(secret)
        step.publish("event.draw_committed", commitment=session.draw.commitment)
    elif by == "throws":
        step.publish("event.draw_throw", place=0, player=session.at(0).id)


def order_of(step: Step, found: Mapping[str, str]) -> list[str]:
    """Players at E, S, W, N from what was entered; the last seat follows from three. Raises
    ``RefusedCommand``."""
    ids = [player.id for player in step.state.session.players]
    if len(set(found.values())) < len(found):
        twice = next(id_ for id_ in found.values() if list(found.values()).count(id_) > 1)
        raise RefusedCommand("refused.seated_twice", player=twice)
    if len(found) < 3:
        raise RefusedCommand("refused.seats_incomplete", known=len(found))
    rest = next((id_ for id_ in ids if id_ not in found.values()), "")
    return [found.get(wind, rest) for wind in SEATS]


def throw(step: Step, side: int | None, faces: tuple[int, int]) -> bool:
    """Dice came to rest while seats are drawn by throws (ZJ-W4). False if no throw is awaited."""
    session = step.state.session
    draw = session.draw
    if draw is None or draw.by != "throws" or draw.done or len(draw.throws) == 2:
        return False
    total = sum(faces)
    if not draw.throws:  # anybody may throw first: the count begins with him
        first = draw.thrower if side is None else side
        draw.throws.append(faces)
        draw.thrower = (first + total - 1) % 4
        step.publish("event.draw_throw", place=draw.thrower, player=session.at(draw.thrower).id)
        return True
    if side is not None and side != draw.thrower:
        flag(step, "irregular.draw_thrower", player=session.at(side).id, wanted=session.at(draw.thrower).id)
    draw.throws.append(faces)
    draw.end = "odd" if total % 2 else "even"
    draw.taker = (draw.thrower + total - 1) % 4
    step.publish("event.draw_take", player=session.at(draw.taker).id, end=f"row.{draw.end}")
    return True


def take(step: Step, wind: str, id_: str) -> dict[str, Any]:
    """Somebody took a wind tile from the row and found ``wind``. Raises ``RefusedCommand`` where no row
    lies there."""
    session = step.state.session
    draw = session.draw
    if draw is None or draw.by != "throws" or draw.done:
        raise RefusedCommand("refused.no_row")
    if not draw.end:
        raise RefusedCommand("refused.throw_first", thrown=len(draw.throws))
    wanted = session.at(draw.taker).id
    player = id_ or wanted
    if player != wanted:
        flag(step, "irregular.draw_order", player=player, wanted=wanted)
    before = draw.taken.get(wind)
    if before not in (None, player):
        flag(step, "irregular.wind_twice", player=player, other=before, wind=wind)
    draw.taken = {w: p for w, p in draw.taken.items() if p != player and w != wind} | {wind: player}
    step.publish("event.draw_taken", player=player, wind=wind)
    if len(draw.taken) == 3:
        return finish(step, order_of(step, draw.taken), "throws")
    left = [
        s % 4 for s in range(draw.taker, draw.taker + 4) if session.at(s % 4).id not in draw.taken.values()
    ]
    draw.taker = left[0]
    step.publish("event.draw_take", player=session.at(draw.taker).id, end=f"row.{draw.end}")
    return {"next": session.at(draw.taker).id}


def contribute(step: Step, id_: str, number: int) -> dict[str, Any]:
    """A player's number for the draw by software; the fourth shows the secret. Raises ``RefusedCommand``."""
    session = step.state.session
    draw = session.draw
    if draw is None or draw.by != "software" or draw.done:
        raise RefusedCommand("refused.no_software_draw")
    if id_ in draw.numbers:
        raise RefusedCommand("refused.contributed", player=id_)
    draw.numbers[id_] = number
    step.publish("event.draw_number", player=id_, number=number)
    if len(draw.numbers) < 4:
        return {"missing": 4 - len(draw.numbers)}
    differ = step.rules.session.seats_differ.value
    ids = sorted(draw.numbers)
    earlier = seating.earlier_orders(session) if differ else []
    among = fairdraw.orders(ids, earlier)
    order = list(fairdraw.outcome(draw.secret, draw.numbers, among or fairdraw.orders(ids)))
    numbers = [draw.numbers[player] for player in ids]
    step.publish(
        "event.draw_revealed",
        secret=draw.secret,
        commitment=draw.commitment,
        numbers=numbers,
        earlier=earlier,
    )
    return finish(step, order, "software")


def press(step: Step, side: int | None, at: int, board_us: int) -> bool:
    """A key at a seat while software draws: its time is the number. False if it means nothing here."""
    session = step.state.session
    draw = session.draw
    if side is None or draw is None or draw.by != "software" or draw.done or at < draw.at:
        return False
    player = session.at(side).id
    if player in draw.numbers:
        return False
    contribute(step, player, board_us)
    return True


def finish(step: Step, order: list[str], how: str) -> dict[str, Any]:
    """The draw is over: people sit down."""
    seating.sit(step, order, how)
    return {"seats": dict(zip(SEATS, order, strict=True))}


def flag(step: Step, key: str, **facts: Any) -> None:
    """Say what contradicts the way seats are drawn; it stands as it was found."""
    step.publish("event.irregular", what=key, side=None, rule=step.rules.session.seats.rule, facts=facts)
