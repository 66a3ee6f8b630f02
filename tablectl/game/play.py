"""Facts of play: tiles discarded, flowers and melds laid open. A fact is never refused; what is wrong is
flagged."""

from __future__ import annotations

from tablectl.game import claims, clocks, draws, handling, immediate, kongs, waiting, wall, windows
from tablectl.game.context import Step
from tablectl.game.hand import HAND, current
from tablectl.game.state import SINGLE
from tablectl.game.watch import bars, counting, melds, penalty_tiles, told
from tablectl.rules.tiles import is_flower


def discard(step: Step, side: int, tile: str, *, sensed: bool) -> None:
    """A tile was discarded. A bare key press out of turn may be a slip: it is flagged, nothing moves."""
    hand = step.hand
    if hand.phase == "last_draws" and not sensed:  # the key says: drawn, and no win
        draws.infer_last_draws(step, side)
        return
    if hand.phase != "decide" or hand.turn != side:
        draws.infer_draw(step, side)
        if sensed and hand.phase == "claims" and hand.turn == side:
            draws.act_without_draw(step, side)
    if hand.phase != "decide" or hand.turn != side:
        step.irregular("out_of_turn", side, act="discard", tile=tile)
        if not sensed:
            return
        handling.drop(step, side, tile)
        counting.turn_over(step, side)
        return
    claims.overtaken(step)
    if hand.over:
        return
    check_discard(step, side, tile)
    handling.drop(step, side, tile)
    counting.turn_over(step, side)
    if hand.kong_said:
        hand.kong_said = False
        if step.watches("empty_kong"):
            step.irregular("empty_kong", side)
    hand.fresh, hand.drawn_tile, hand.after_claim, hand.draw_from = False, "", False, "head"
    hand.drawn_at = None
    hand.replaces, hand.before_kong = "", []
    waiting.discarded(step)
    clocks.discarded(step, side)
    windows.open_discard_window(step, side, tile)
    if hand.live_left > 0 or hand.left_for(hand.turn):  # else nobody has anything to draw
        clocks.next_turn(step, hand.turn)
    step.publish("event.discarded", side=side, tile=tile, wall_left=hand.wall_left)
    HAND.fire(step, "tile_discarded")


def check_discard(step: Step, side: int, tile: str) -> None:
    """Flag a tile that may not be discarded (WH-W4, CJ-P5), or not by a seat in mechanical play (CJ-C5)."""
    hand, forbidden = step.hand, step.rules.discards.forbidden.value
    if is_flower(tile) and "flower" in forbidden:
        if not immediate.blocked_flower_kong(step, side, tile):
            step.irregular("flower_discarded", side, tile=tile)
    elif wall.is_one_of(tile, forbidden, hand.wild):
        step.irregular("forbidden_discard", side, tile=tile)
    if hand.drawn_tile and tile != hand.drawn_tile and not penalty_tiles.is_forced(hand.seats[side]):
        bars.flag_discard(step, side, tile)


def flower(step: Step, side: int, tile: str) -> None:
    """A flower is shown in the seat's own turn and replaced from the tail (MCR-W4)."""
    hand = step.hand
    draws.infer_draw(step, side)
    if hand.phase != "decide" or hand.turn != side:
        step.irregular("out_of_turn", side, act="flower", tile=tile)
        return
    handling.lay_flower(step, side, tile)
    hand.fresh = False
    HAND.fire(step, "flower_shown")


def lay_unasked(step: Step, side: int, kind: str, tiles: list[str]) -> None:
    """Tiles were laid open that nobody has called for: of a hand shown while another's win is looked at
    (MCR-P12, ZJ-P21), else a meld without a claim."""
    detail = told.moment(step.hand, side)
    if detail:
        step.irregular("exposed_tile", side, tiles=tiles, detail=detail)
    else:
        step.irregular("meld_without_claim", side, word=kind, tiles=tiles)


def show_meld(step: Step, side: int, kind: str, tiles: list[str]) -> None:
    """Tiles were laid open at a seat."""
    hand = current(step)
    if hand is None:
        return
    if kind in ("concealed_kong", "added_kong", SINGLE):
        kongs.own_kong(step, side, kind, tiles)
        return
    seat = hand.seats[side]
    unshown = [m for m in seat.melds if not m.shown]
    if not unshown:
        mended = melds.mended(seat)
        if mended is None and not claims.take_pending(step, side):
            lay_unasked(step, side, kind, tiles)
            return
        unshown = seat.melds[-1:] if mended is None else [mended]
    meld = next((m for m in reversed(unshown) if m.claimed in tiles), unshown[-1])
    if meld.kind != kind:
        step.irregular("other_meld", side, called=meld.kind, shown=kind)
    own = claims.own_of(tiles, meld.claimed)
    penalty_tiles.laid_open(step, side, own, kind)
    handling.forget(step, side, own)
    meld.tiles, meld.shown = list(tiles), True
    if meld.kind == kind:
        melds.check(step, side, meld, own)
    claims.meld_shown(step, kind)
    clocks.meld_shown(step, side)
    step.publish("event.meld", side=side, word=kind, tiles=tiles)
