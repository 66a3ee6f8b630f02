"""What people say they have seen, where no sensor does: tiles exposed, a name said, tiles counted, a meld
found wrong. The word of a referee is a fact; what it is a sign of is the same as if the table had seen it.
"""

from __future__ import annotations

from typing import Any

from tablectl.game.asking import Deed, playing, side_of, tile_of
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.inputs import Command
from tablectl.game.state import SINGLE, HandState, Meld
from tablectl.game.watch import counting, melds, penalty_tiles

BEFORE_PLAY = ("dice", "dealing", "flowers", "indicator")


def expose(step: Step, command: Command) -> dict[str, Any]:
    """Tiles lie open that should not: own ones, or with ``of`` another player's (MCR-P11, MCR-P13, ZJ-P7).
    Before the first discard and while another's win is looked at that is something of its own (ZJ-P10,
    ZJ-P21); the moment is the record's unless it is said."""
    hand, side = playing(step), side_of(step, command)
    tiles = list(command.args["tiles"])
    owner = str(command.args.get("of") or "")
    if owner and owner != hand.seats[side].wind:
        of = next(place for place, seat in enumerate(hand.seats) if seat.wind == owner)
        step.irregular("exposed_other", side, tiles=tiles, owner=of)
        return {"detail": ""}
    detail = str(command.args.get("moment") or "") or moment(hand, side)
    detail = "" if detail == "play" else detail
    if detail:
        step.irregular("exposed_tile", side, tiles=tiles, detail=detail)
    else:
        step.irregular("exposed_tile", side, tiles=tiles)
    return {"detail": detail}


def moment(hand: HandState, side: int) -> str:
    """When a seat exposes tiles: `dealing`, `before_confirmed`, or "" in play."""
    if hand.phase in BEFORE_PLAY:
        return "dealing"
    others_win = hand.phase == "adjudication" and hand.win is not None and hand.win.side != side
    return "before_confirmed" if others_win else ""


def name(step: Step, command: Command) -> None:
    """A tile's name was said with a discard, or a wrong one (MCR-P14, ZJ-P6, CJ-P6)."""
    playing(step)
    side, tile = side_of(step, command), tile_of(command)
    if command.args.get("wrong"):
        step.irregular("named_tile", side, tile=tile, detail="wrong")
    else:
        step.irregular("named_tile", side, tile=tile)


def hand_count(step: Step, command: Command) -> dict[str, Any]:
    """Somebody has counted a hand: concealed tiles and melds together, a kong as three (ZJ-C18)."""
    hand, side = playing(step), side_of(step, command)
    counted = int(command.args["tiles"])
    right = counting.HAND + (1 if side == hand.turn and hand.phase in ("flowers", "decide") else 0)
    step.publish("event.hand_counted", side=side, counted=counted, right=right)
    counting.compare(step, side, counted, right)
    return {"counted": counted, "right": right}


def tile_read(step: Step, command: Command) -> dict[str, Any]:
    """Somebody says which tile the newest discard of a seat is, where it was not read: only then is it known
    what becomes of the seat's penalty tiles (ZJ-P7). Raises ``RefusedCommand``."""
    hand, side, tile = playing(step), side_of(step, command), tile_of(command)
    seat = hand.seats[side]
    newest = seat.discards[-1] if seat.discards else None
    if newest is None:
        raise RefusedCommand("refused.no_discard", seat=seat.wind)
    if newest.tile and newest.tile != tile:
        raise RefusedCommand("refused.other_tile", tile=tile, was=newest.tile)
    if not newest.tile:
        newest.tile = tile
        window = hand.window
        if window is not None and window.kind == "discard" and window.side == side:
            window.tile = tile
        penalty_tiles.discarded(step, side, tile)
    return {"tile": tile}


def meld_wrong(step: Step, command: Command) -> dict[str, Any]:
    """Somebody has found that a seat's newest meld, or one with certain tiles, is none (MCR-P3, ZJ-P13,
    ZJ-P17). How late it is follows from what has been done since. Raises ``RefusedCommand``."""
    hand, side = playing(step), side_of(step, command)
    tiles = list(command.args.get("tiles") or [])
    meld = _meld(hand, side, int(command.args.get("meld") or 0))
    stage = melds.stage(hand, side, meld)
    meld.wrong = True
    step.irregular("wrong_meld", side, detail=stage, word=meld.kind, tiles=tiles)
    return {"detail": stage}


def _meld(hand: HandState, side: int, place: int) -> Meld:
    laid = [meld for meld in hand.seats[side].melds if meld.kind != SINGLE]
    if not laid or place > len(laid):
        raise RefusedCommand("refused.no_such_meld", seat=hand.seats[side].wind, known=len(laid))
    return laid[place - 1]


DEEDS: dict[str, Deed] = {
    "expose": expose,
    "name": name,
    "hand count": hand_count,
    "meld wrong": meld_wrong,
    "tile read": tile_read,
}
