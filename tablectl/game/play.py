"""Facts of play: tiles drawn, discarded, laid open. A fact is never refused; what is wrong is flagged.

A table that senses draws tells each one; elsewhere a draw is inferred from the act that needs it.
"""

from __future__ import annotations

from tablectl.game import claims, clocks, immediate, waiting, wall
from tablectl.game.context import Step
from tablectl.game.hand import HAND, current
from tablectl.game.state import SINGLE, Discard, Meld, SeatState
from tablectl.game.watch import bars, counting, melds, penalty_tiles, told
from tablectl.game.watch.counting import own_size
from tablectl.rules.tiles import is_flower

KONGS = ("kong", "concealed_kong", "added_kong")


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


def draw(step: Step, side: int, tile: str, end: str) -> None:
    """A tile was drawn in play."""
    hand = step.hand
    begin_last_draws(step, side)
    if hand.phase == "last_draws":
        draw_last(step, side, tile)
        return
    claims.abandoned(step, side, end)
    expected = side == hand.turn and hand.phase in ("draw", "robbing")
    if hand.phase == "claims" and side == claims.next_side(hand):
        claims.next_seat_draws(step)
        expected = True
    take(step, side, tile, end)
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
    if hand.phase != "claims" or side != claims.next_side(hand) or hand.won or hand.left_for(side):
        return
    if hand.live_left <= 0 < hand.wall_left:
        claims.next_seat_draws(step)
        HAND.fire(step, "nobody_claims")


def draw_last(step: Step, side: int, tile: str) -> None:
    """One of the tiles that are drawn one by one after the last discard, to win by it or not (WH-W6)."""
    hand = step.hand
    right = (hand.turn + 1) % 4 if hand.fresh else hand.turn
    take(step, side, tile, "head")
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
        claims.next_seat_draws(step)
    step.irregular("act_without_draw", side)
    HAND.fire(step, "tile_drawn")


def use_early(step: Step, side: int) -> None:
    """It is this seat's draw now, and it holds a tile it drew too early."""
    hand = step.hand
    if hand.phase == "claims":
        claims.next_seat_draws(step)
    hand.seats[side].early -= 1
    hand.fresh = False
    if hand.draw_from == "head":
        melds.passed(step, (side + 3) % 4)
    HAND.fire(step, "tile_drawn")


def discard(step: Step, side: int, tile: str, *, sensed: bool) -> None:
    """A tile was discarded. A bare key press out of turn may be a slip: it is flagged, nothing moves."""
    hand = step.hand
    if hand.phase == "last_draws" and not sensed:  # the key says: drawn, and no win
        infer_last_draws(step, side)
        return
    if hand.phase != "decide" or hand.turn != side:
        infer_draw(step, side)
        if sensed and hand.phase == "claims" and hand.turn == side:
            act_without_draw(step, side)
    if hand.phase != "decide" or hand.turn != side:
        step.irregular("out_of_turn", side, act="discard", tile=tile)
        if not sensed:
            return
        drop(step, side, tile)
        counting.turn_over(step, side)
        return
    claims.overtaken(step)
    if hand.over:
        return
    check_discard(step, side, tile)
    drop(step, side, tile)
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
    claims.open_discard_window(step, side, tile)
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


def flower(step: Step, side: int, tile: str) -> None:
    """A flower is shown in the seat's own turn and replaced from the tail (MCR-W4)."""
    hand = step.hand
    infer_draw(step, side)
    if hand.phase != "decide" or hand.turn != side:
        step.irregular("out_of_turn", side, act="flower", tile=tile)
        return
    lay_flower(step, side, tile)
    hand.fresh = False
    HAND.fire(step, "flower_shown")


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
    infer_draw(step, side)
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
        claims.open_robbing_window(step, side, tile)
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
        forget(step, side, tiles[:1])
        seat.concealed -= 1
        seat.melds.append(Meld(SINGLE, tiles[:1], n=step.n))
    elif kind == "added_kong" and pungs:
        pungs[0].kind, pungs[0].tiles = kind, tiles
        penalty_tiles.laid_open(step, side, tiles[:1], kind)
        forget(step, side, tiles[:1])
        seat.concealed -= 1
    else:
        if kind == "added_kong":
            step.irregular("no_pung_for_kong", side, tile=tile)
        penalty_tiles.in_concealed_kong(step, side, tiles)
        forget(step, side, tiles)
        seat.concealed -= 4
        seat.melds.append(Meld("concealed_kong", tiles, n=step.n))


def kong_key(step: Step, side: int) -> str:
    """A kong key in the seat's own turn, where melds are not read: declare it. With an open pung it may be
    an added one, and nobody can tell, so it may be robbed."""
    infer_draw(step, side)
    reason = may_kong(step, side)
    if not reason:
        bars.refuse(step, side, bars.OWN_KONG)
        pungs = [m for m in step.seat(side).melds if m.kind == "pung"]
        own_kong(step, side, "added_kong" if pungs else "concealed_kong", [])
    return reason


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
        own_kong(step, side, kind, tiles)
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
    forget(step, side, own)
    meld.tiles, meld.shown = list(tiles), True
    if meld.kind == kind:
        melds.check(step, side, meld, own)
    claims.meld_shown(step, kind)
    clocks.meld_shown(step, side)
    step.publish("event.meld", side=side, word=kind, tiles=tiles)
