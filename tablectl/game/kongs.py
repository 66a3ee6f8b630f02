"""A kong (杠) in the own turn: concealed, added to an open pung, or a tile laid out alone (WH-W4)."""

from __future__ import annotations

from tablectl.game import claims, draws, handling, wall, windows
from tablectl.game.context import Step
from tablectl.game.hand import HAND
from tablectl.game.state import SINGLE, Meld
from tablectl.game.watch import bars, penalty_tiles


def may_kong(step: Step, side: int) -> str:
    """Why the seat may not declare a kong in its own turn; "" if it may (MCR-C2, MCR-W4)."""
    hand, rules = step.hand, step.rules
    if hand.phase != "decide" or hand.turn != side:
        return "not_your_turn"
    if hand.after_claim and not rules.kongs.in_claimed_turn.value:
        return "kong_after_claim"
    if hand.live_left <= 0 and not rules.kongs.on_last_tile.value:
        return "kong_on_last_tile"
    return ""


def own_kong(step: Step, side: int, kind: str, tiles: list[str]) -> None:
    """A kong was declared in the seat's own turn: concealed, or added to an open pung. An added one, or one
    that might be, opens the robbing window (MCR-C2)."""
    hand = step.hand
    draws.infer_draw(step, side)
    reason = may_kong(step, side)
    if reason:
        step.irregular(reason, side)
        if hand.phase != "decide" or hand.turn != side:
            return
    tile = tiles[0] if tiles else ""
    bars.flag_kong(step, side, tile)
    flag_unsaid(step, side, kind, tile)
    remember_hand(step, side, kind, tile)
    lay_kong(step, side, kind, tiles)
    claims.overtaken(step)
    hand.fresh = False
    robbable = kind in step.rules.claims.robbable.value
    seen = kind != "concealed_kong" or step.rules.kongs.concealed_shown.value
    step.publish("event.kong", side=side, word=kind, tile=tile if seen else "")
    if robbable:
        HAND.fire(step, "kong_opened")
        windows.open_robbing_window(step, side, tile)
    else:
        HAND.fire(step, "kong_shown")


def flag_unsaid(step: Step, side: int, kind: str, tile: str) -> None:
    """A tile was added to a pung without a word, where there is a key to say it with (ZJ-P23)."""
    hand = step.hand
    silent = not hand.kong_said and step.can("seat_keys") and step.can("tile_read")
    if silent and kind == "added_kong" and step.watches("kong_unsaid"):
        step.irregular("kong_unsaid", side, tile=tile)
    hand.kong_said = False


def remember_hand(step: Step, side: int, kind: str, tile: str) -> None:
    """Keep what the seat held before the first kong of its turn, without the tile drawn and without tiles
    laid out one by one: a win on a replacement asks whether that was ready (WH-C11)."""
    hand = step.hand
    gone = [] if hand.before_kong else [hand.drawn_tile]
    if not hand.before_kong:
        hand.before_kong = list(hand.seats[side].tiles)
    if kind == SINGLE and tile != hand.drawn_tile:
        gone.append(tile)
    for name in gone:
        if name in hand.before_kong:
            hand.before_kong.remove(name)


def lay_kong(step: Step, side: int, kind: str, tiles: list[str]) -> None:
    """Move the tiles of a kong from the hand to the melds; what cannot be as it is called is flagged."""
    seat = step.seat(side)
    tile = tiles[0] if tiles else ""
    pungs = [m for m in seat.melds if m.kind == "pung" and (not tile or not m.tiles or m.tiles[0] == tile)]
    if kind == SINGLE:
        if tile and not wall.is_one_of(tile, step.rules.kongs.single.value, step.hand.wild):
            step.irregular("no_single_kong", side, tile=tile)
        handling.forget(step, side, tiles[:1])
        seat.concealed -= 1
        seat.melds.append(Meld(SINGLE, tiles[:1], n=step.n))
    elif kind == "added_kong" and pungs:
        pungs[0].kind, pungs[0].tiles = kind, tiles
        penalty_tiles.laid_open(step, side, tiles[:1], kind)
        handling.forget(step, side, tiles[:1])
        seat.concealed -= 1
    else:
        if kind == "added_kong":
            step.irregular("no_pung_for_kong", side, tile=tile)
        penalty_tiles.in_concealed_kong(step, side, tiles)
        handling.forget(step, side, tiles)
        seat.concealed -= 4
        seat.melds.append(Meld("concealed_kong", tiles, n=step.n))


def kong_key(step: Step, side: int) -> str:
    """A kong key in the seat's own turn, where melds are not read: declare it. With an open pung it may be
    an added one, and nobody can tell, so it may be robbed."""
    draws.infer_draw(step, side)
    reason = may_kong(step, side)
    if not reason:
        bars.refuse(step, side, bars.OWN_KONG)
        pungs = [m for m in step.seat(side).melds if m.kind == "pung"]
        own_kong(step, side, "added_kong" if pungs else "concealed_kong", [])
    return reason
