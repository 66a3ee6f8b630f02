"""Whether a hand waits: asked before a kong (WH-C11), of a discarder (WH-S8), at a draw (WH-D2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from tablectl.rules.tiles import KINDS, copies
from tablectl.rules.wuhan.count import big_of
from tablectl.rules.wuhan.hand import FedMeld, WinHand
from tablectl.rules.wuhan.laizi import RED
from tablectl.rules.wuhan.readings import readings, shape
from tablectl.rules.wuhan.settings import ScoreSettings

SET = 3


def is_ready(
    concealed: Sequence[str], melds: Sequence[FedMeld], laizi: Sequence[str], settings: ScoreSettings
) -> bool:
    """True if some tile completes the hand to one that may win; opening and minimum are not asked.

    The tiles are those without the tile drawn in this turn. A 红中 or laizi that is then laid out is left
    out of them (WH-C11), and the hand is judged as if another tile had come in its place: one tile more
    may be missing. Raises `ValueError` for a hand as long as a complete one.
    """
    missing = -(len(concealed) + 1) % SET
    if not missing:
        raise ValueError(f"{len(concealed)} concealed tiles leave none to wait for")
    if RED in concealed and RED not in laizi:
        return False
    own = (*concealed, *(tile for meld in melds for tile in meld.tiles))
    kinds = [kind for kind in KINDS if kind != RED and own.count(kind) < copies(kind)]
    for *others, winning in combinations_with_replacement(kinds, missing):
        hand = WinHand(
            concealed=(*concealed, *others),
            melds=tuple(melds),
            winning=winning,
            laizi=tuple(laizi),
            winner=0,
            dealer=0,
            way="self_draw",
            discarder=None,
            laid=(),
        )
        if shape(hand) and any(big_of(hand, one, settings) is not None for one in readings(hand, settings)):
            return True
    return False
