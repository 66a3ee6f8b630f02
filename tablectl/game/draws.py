"""Draws: a sensed one is a fact, elsewhere it is inferred from the act that needs it.

A tile drawn too early is flagged and stays with its drawer until it is his turn (MCR-P5).
"""

from __future__ import annotations

from tablectl.game import awards, claims, clocks, handling, waiting, windows
from tablectl.game.context import Step
from tablectl.game.hand import HAND
from tablectl.game.state import SeatState
from tablectl.game.watch import counting, melds
from tablectl.rules.tiles import is_flower


def draw(step: Step, side: int, tile: str, end: str) -> None:
    """A tile was drawn in play."""
    hand = step.hand
    begin_last_draws(step, side)
    if hand.phase == "last_draws":
        draw_last(step, side, tile)
        return
    awards.abandoned(step, side, end)
    expected = side == hand.turn and hand.phase in ("draw", "robbing")
    if hand.phase == "claims" and side == windows.next_side(hand):
        windows.next_seat_draws(step)
        expected = True
    handling.take(step, side, tile, end)
    if not expected:
        draw_early(step, side, end)
        return
    if hand.draw_from == "head":
        melds.passed(step, (side + 3) % 4)
    elif unshown_kong(hand.seats[side]):
        step.irregular("replacement_before_kong", side)
    if end != hand.draw_from:
        step.irregular("wrong_end", side, end=end)
    hand.drawn_tile, hand.fresh = tile, hand.draw_from == "head" == end
    hand.drawn_at = clocks.played(step) if step.can("draw_sense") else None
    if hand.phase == "robbing":
        claims.kong_replaced(step)
    HAND.fire(step, "replacement_drawn" if hand.phase == "robbing" else "tile_drawn")
    if step.can("draw_sense"):
        clocks.replacement(step)
    waiting.drawn(step, side)
    step.publish("event.drawn", side=side, end=end, wall_left=hand.wall_left)  # its face is hidden


def draw_early(step: Step, side: int, end: str) -> None:
    """A tile was drawn that is not the seat's to draw yet: before the upper seat's discard (MCR-P5), or as
    the replacement of a kong that does not lie there (ZJ-P22). A second one in the own turn is one too many
    (MCR-P15, ZJ-P12)."""
    hand = step.hand
    seat = hand.seats[side]
    own_turn = side == hand.turn and hand.phase == "decide"
    if own_turn and end == "head" and not hand.after_claim:
        counting.drawn_too_many(step, side)
        return
    seat.early += 1
    if own_turn and end == "tail" and not any(map(is_flower, seat.tiles)):
        step.irregular("replacement_before_kong", side)
    else:
        step.irregular("early_draw", side)


def unshown_kong(seat: SeatState) -> bool:
    """Has the seat claimed a kong that does not lie there?"""
    return any(meld.kind == "kong" and not meld.shown for meld in seat.melds)


def begin_last_draws(step: Step, side: int) -> None:
    """The next seat draws while the last ordinary discard lies open: with that the last draws begin (WH-W6).
    In their time the others may still win the tile."""
    hand = step.hand
    if hand.phase != "claims" or side != windows.next_side(hand) or hand.won or hand.left_for(side):
        return
    if hand.live_left <= 0 < hand.wall_left:
        windows.next_seat_draws(step)
        HAND.fire(step, "nobody_claims")


def draw_last(step: Step, side: int, tile: str) -> None:
    """One of the tiles that are drawn one by one after the last discard, to win by it or not (WH-W6)."""
    hand = step.hand
    right = (hand.turn + 1) % 4 if hand.fresh else hand.turn
    handling.take(step, side, tile, "head")
    if side != right or hand.last_drawn >= len(hand.seats):
        hand.seats[side].early += 1
        step.irregular("early_draw", side)
        return
    hand.turn, hand.fresh, hand.drawn_tile = side, True, tile
    hand.last_drawn += 1
    clocks.end(step, "last_draws")
    clocks.start(step, side, step.rules.turn.discard_s.value, "last_draws")
    step.publish("event.drawn", side=side, end="head", wall_left=hand.wall_left)


def infer_last_draws(step: Step, side: int) -> None:
    """The seat declares a win by one of the last tiles: all up to it have drawn, sensed or not."""
    hand = step.hand
    if hand.phase != "last_draws" or step.can("draw_sense"):
        return
    while hand.last_drawn < len(hand.seats) and not (hand.fresh and hand.turn == side):
        draw_last(step, (hand.turn + 1) % 4 if hand.fresh else hand.turn, "")


def last_draws_over(step: Step) -> bool:
    """The time of the last draws is over: all have drawn and nobody has won. False in any other turn."""
    hand = step.hand
    if hand.phase != "last_draws":
        return False
    infer_last_draws(step, (hand.turn + 3) % 4)
    return hand.last_drawn >= len(hand.seats) and HAND.fire(step, "wall_ended")


def infer_draw(step: Step, side: int) -> None:
    """The seat acted, so it has drawn; counted here if nobody sensed it."""
    hand = step.hand
    claims.act_on(step, side)
    if hand.phase in ("claims", "draw", "robbing") and hand.turn == side:
        if hand.seats[side].early:
            use_early(step, side)
        elif not step.can("draw_sense") and (hand.live_left > 0 or hand.left_for(side)):
            draw(step, side, "", hand.draw_from)
        elif hand.phase == "draw":
            act_without_draw(step, side)


def act_without_draw(step: Step, side: int) -> None:
    """The seat plays on without having drawn; calls are open as if it had (ZJ-P2)."""
    if step.hand.phase == "claims":
        windows.next_seat_draws(step)
    step.irregular("act_without_draw", side)
    HAND.fire(step, "tile_drawn")


def use_early(step: Step, side: int) -> None:
    """It is this seat's draw now, and it holds a tile it drew too early."""
    hand = step.hand
    if hand.phase == "claims":
        windows.next_seat_draws(step)
    hand.seats[side].early -= 1
    hand.fresh = False
    if hand.draw_from == "head":
        melds.passed(step, (side + 3) % 4)
    HAND.fire(step, "tile_drawn")
