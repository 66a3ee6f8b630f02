"""Melds that are none, are shown too late, or were replaced before they were shown (ZJ-P13, ZJ-P17, ZJ-P18).

What lies there is a fact. A wrong meld seen at once may be mended by showing the right tiles; its owner is
told by the sign which of the shown ones do not belong to it.
"""

from __future__ import annotations

from tablectl.game.context import Step
from tablectl.game.state import KONGS, HandState, Meld, SeatState
from tablectl.game.watch.calls import HIGHEST
from tablectl.rules.tiles import number, suit

SIZE = {"chow": 3, "pung": 3, "kong": 4}


def is_meld(kind: str, tiles: list[str], claimed: str) -> bool:
    """Are the tiles the meld they are called? A tile that is not read may be any."""
    if "" in tiles or not tiles:
        return True
    return (not claimed or claimed in tiles) and sorted(tiles) in _melds(kind, tiles[0])


def check(step: Step, side: int, meld: Meld, own: list[str]) -> None:
    """The tiles of a claimed meld lie open: flag one that is none."""
    meld.wrong = not is_meld(meld.kind, meld.tiles, meld.claimed)
    if meld.wrong:
        strange = strangers(meld.kind, meld.claimed, own, step.seat(side).tiles)
        step.irregular("wrong_meld", side, detail="at_once", word=meld.kind, tiles=strange)


def strangers(kind: str, claimed: str, own: list[str], held: list[str]) -> list[str]:
    """The shown own tiles that do not belong to the meld, as it can be made right with the fewest others.
    ``held``: what is still in the hand."""
    best = list(own)
    for tiles in _melds(kind, claimed) if claimed else []:
        wanted = list(tiles)
        wanted.remove(claimed)
        spare, left = list(held), list(own)
        missing = 0
        for tile in wanted:
            if tile in left:
                left.remove(tile)
            elif tile in spare:
                spare.remove(tile)
            else:
                missing += 1
        if not missing and len(left) < len(best):
            best = left
    return best


def mended(seat: SeatState) -> Meld | None:
    """The wrong meld whose place other tiles may take; its own tiles are back in the hand."""
    meld = next((meld for meld in reversed(seat.melds) if meld.wrong), None)
    if meld is None:
        return None
    own = list(meld.tiles)
    if meld.claimed in own:
        own.remove(meld.claimed)
    seat.tiles += own
    meld.shown = False
    return meld


def passed(step: Step, side: int) -> None:
    """Others have gone on after the seat's discard: its melds are past mending, and what it has not shown by
    now it must show (ZJ-P17, ZJ-P18)."""
    for meld in step.seat(side).melds:
        if not meld.past and not meld.shown and step.watches("discard_before_show"):
            step.irregular("discard_before_show", side, word=meld.kind)
        meld.past = True


def stage(hand: HandState, side: int, meld: Meld) -> str:
    """How late it is for a wrong meld that a person has found: `at_once` until others have gone on after its
    owner's discard, `after_replacement` once a replacement was drawn for it (ZJ-P17)."""
    unreplaced = hand.turn == side and hand.phase in ("draw", "robbing")
    if meld.kind in KONGS and not unreplaced:
        return "after_replacement"
    return "late" if meld.past else "at_once"


def _melds(kind: str, tile: str) -> list[list[str]]:
    """Every meld of a kind with the tile in it, each sorted."""
    if kind != "chow":
        return [[tile] * SIZE.get(kind, 0)]
    low = number(tile)
    starts = [start for start in range(low - 2, low + 1) if 0 < start <= HIGHEST - 2] if low else []
    return [[f"{start + step}{suit(tile)}" for step in range(3)] for start in starts]
