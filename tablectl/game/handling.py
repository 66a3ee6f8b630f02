"""Tiles change hands: from the wall, to the pool, in front of a hand. Counted always, named where read."""

from __future__ import annotations

from tablectl.game.context import Step
from tablectl.game.state import Discard
from tablectl.game.watch import penalty_tiles
from tablectl.game.watch.counting import own_size


def missing(step: Step, side: int) -> int:
    """Tiles the seat lacks for its 13 (the dealer's 14 before his first discard)."""
    hand = step.hand
    full = 14 if side == hand.turn and hand.phase in ("flowers", "decide") else 13
    return max(0, full - own_size(hand.seats[side]))


def take(step: Step, side: int, tile: str, end: str) -> None:
    """Put one drawn tile into a hand and count it off the wall, unless it lay before the seat already."""
    hand = step.hand
    seat = hand.seats[side]
    seat.concealed += 1
    if tile:
        seat.tiles.append(tile)
    if end == "tail":
        hand.tail += 1
    elif hand.left_for(side):
        hand.lifted = None  # counted when it was left there
    else:
        hand.head += 1
        if hand.lifted is not None and not hand.lifted.left:
            hand.lifted = None  # drawn in the ordinary way after all
    believe_tiles(step, side)


def believe_tiles(step: Step, side: int) -> None:
    """A tile that was drawn was there: if the wall was counted empty, the count was wrong."""
    hand = step.hand
    if hand.wall_left < 0:
        step.irregular("draw_past_end", side)
        hand.corrected += hand.wall_left


def forget(step: Step, side: int, tiles: list[str]) -> None:
    """Take read tiles out of a hand; one the hand was not known to hold is flagged."""
    seat = step.seat(side)
    for tile in tiles:
        if not tile or not step.can("tile_read"):
            continue
        if tile in seat.tiles:
            seat.tiles.remove(tile)
        else:
            step.irregular("unknown_tile", side, tile=tile)


def drop(step: Step, side: int, tile: str) -> None:
    """Move a tile from the hand to the pool."""
    hand = step.hand
    seat = hand.seats[side]
    penalty_tiles.discarded(step, side, tile)
    forget(step, side, [tile])
    seat.concealed -= 1
    hand.turns += 1
    seat.discards.append(Discard(tile, n=hand.turns))


def lay_flower(step: Step, side: int, tile: str) -> None:
    """A flower is laid in front of the hand."""
    seat = step.seat(side)
    forget(step, side, [tile])
    seat.concealed -= 1
    seat.flowers.append(tile)
    step.publish("event.flower", side=side, tile=tile)
