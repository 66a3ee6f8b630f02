"""Penalty tiles (罚张, 罚牌): open before their owner, used only so far (ZJ-P7, ZJ-P8, MCR-P11, CJ-P2).

A *live* one may be discarded now or at the next own discard; as soon as its owner discards another tile it
is *dead* and may never be discarded. Either may stand in a concealed set only. A *forced* one must be the
next own discard and has no other limit. It is over once the tile is discarded or in a concealed kong. Equal
tiles that are none may be used freely, so only a use for which those do not suffice is one of a penalty tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tablectl.game.casestate import PenaltyTile
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.state import SeatState
from tablectl.game.watch import calls
from tablectl.rules.tiles import copies

PUNG_OWN, KONG_OWN = 2, 3  # equal tiles of the claimer's own


def limited(seat: SeatState) -> list[PenaltyTile]:
    """Those that may not be used freely in a hand, as far as they are read."""
    return [one for one in seat.penalty_tiles if one.tile and not one.forced]


def is_forced(seat: SeatState) -> bool:
    """Must the next own discard be a certain tile?"""
    return any(one.forced for one in seat.penalty_tiles)


def discarded(step: Step, side: int, tile: str) -> None:
    """The seat is discarding a tile it still holds. Where it is not read nothing can be said of it."""
    seat = step.seat(side)
    if not tile or not seat.penalty_tiles:
        return
    forced = [one for one in seat.penalty_tiles if one.forced]
    if forced and not any(one.tile in (tile, "") for one in forced):
        must = ", ".join(one.tile for one in forced)
        step.refused_by(forced[0])
        step.irregular("forced_discard_ignored", side, rule=forced[0].rule, tile=tile, must=must)
    thrown = next((one for one in seat.penalty_tiles if one.tile == tile and one.live), None)
    if thrown is None and _is_dead(step, seat, tile):
        thrown = next(one for one in seat.penalty_tiles if one.tile == tile)
        step.refused_by(thrown)
        step.irregular("penalty_tile_discarded", side, rule=thrown.rule, tile=tile)
    if thrown is not None:
        seat.penalty_tiles.remove(thrown)
    for one in seat.penalty_tiles:
        if one.live and not one.forced:
            one.live = False
            step.publish("event.penalty_tile_dead", side=side, tile=one.tile, rule=one.rule)


def _is_dead(step: Step, seat: SeatState, tile: str) -> bool:
    """Is every equal tile the seat holds a dead one?"""
    dead = sum(one.tile == tile for one in limited(seat))
    return dead > 0 and (not step.can("tile_read") or seat.tiles.count(tile) <= dead)


def refuse(step: Step, side: int, word: str, tile: str, own: Sequence[str]) -> None:
    """Refuse a call that could not be met without a penalty tile (ZJ-P8). ``own``: tiles the caller names
    for it, if any. Raises ``RefusedCommand``."""
    seat = step.seat(side)
    found = limited(seat)
    if not found or not tile:
        return
    needed = own or (tile,) * {"pung": PUNG_OWN, "kong": KONG_OWN}.get(word, 0)
    if word == "chow" and not own:
        used = _needed_for_chow(step, seat, tile)
    else:
        used = _used(step, seat, needed, open_besides=1)
    if used is not None:
        step.refused_by(used)
        facts = {"seat": seat.wind, "word": word, "tile": tile, "penalty": used.tile, "rule": used.rule}
        raise RefusedCommand("refused.penalty_tile", **facts)


def laid_open(step: Step, side: int, own: Sequence[str], word: str) -> None:
    """Own tiles were laid open in a meld: a fact, flagged if a penalty tile is among them (ZJ-P9). They are
    still in the hand."""
    seat = step.seat(side)
    used = _used(step, seat, own)
    while used is not None:
        step.refused_by(used)
        step.irregular("penalty_tile_used", side, rule=used.rule, word=word, tile=used.tile)
        seat.penalty_tiles.remove(used)
        own = [*own]
        own.remove(used.tile)
        used = _used(step, seat, own)
    for one in [one for one in seat.penalty_tiles if one.forced and one.tile in own]:
        if _free(step, seat, one.tile) < own.count(one.tile):  # what had to be discarded is gone
            step.refused_by(one)
            step.irregular("forced_discard_ignored", side, rule=one.rule, tile="", must=one.tile)
            seat.penalty_tiles.remove(one)


def in_concealed_kong(step: Step, side: int, tiles: Iterable[str]) -> None:
    """Into a concealed kong goes a penalty tile like any other, and is none any more (ZJ-P8)."""
    kinds = set(tiles) - {""}
    seat = step.seat(side)
    seat.penalty_tiles = [one for one in seat.penalty_tiles if one.forced or one.tile not in kinds]


def _used(step: Step, seat: SeatState, own: Sequence[str], *, open_besides: int = 0) -> PenaltyTile | None:
    """The penalty tile that so many own tiles cannot do without; ``open_besides``: equal ones of others."""
    needed = Counter(own)
    for one in limited(seat):
        if needed[one.tile] > _free(step, seat, one.tile, open_besides):
            return one
    return None


def _free(step: Step, seat: SeatState, tile: str, open_besides: int = 0) -> int:
    """Equal own tiles that are no penalty tiles; where hands are not read, the most there can be."""
    held = seat.tiles.count(tile) if step.can("tile_read") else copies(tile) - open_besides
    return max(0, held - sum(one.tile == tile for one in seat.penalty_tiles))


def _needed_for_chow(step: Step, seat: SeatState, tile: str) -> PenaltyTile | None:
    """The penalty tile without which the seat has no chow of the tile, its hand being read."""
    if not step.can("tile_read") or len(seat.tiles) != seat.concealed:
        return None
    used = [_used(step, seat, pair) for pair in calls.chow_pairs(seat.tiles, tile)]
    return used[0] if used and all(one is not None for one in used) else None
