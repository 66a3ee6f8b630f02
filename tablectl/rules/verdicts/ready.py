"""How far a declared win was from ready, over the shapes its system allows: what a false win is judged by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import assert_never

from tablectl.rules import ccm, distance, zungjung
from tablectl.rules.ccm.forms import Form
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.distance import Shape
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.model import Ruleset
from tablectl.rules.verdicts.facts import Facts
from tablectl.rules.wuhan.catalog import kinds
from tablectl.rules.wuhan.laizi import RED
from tablectl.rules.wuhan.score import WuhanScore
from tablectl.rules.zungjung.score import ZungjungScore

CCM = {
    Form.SETS: distance.sets,
    Form.KNITTED: distance.knitted,
    Form.PAIRS: distance.pairs,
    Form.UNRELATED: distance.scattered,
}


def to_ready(rules: Ruleset, facts: Facts) -> int:
    """Exchanges between the winner's tiles, the winning one left out, and a hand that waits; 0 = it waited,
    -1 = and for this tile.

    A pair that must be of certain tiles, an opening, points: what a complete hand needs besides is not asked.
    """
    shapes = shapes_of(rules, [tile for meld in facts.own for tile in meld.tiles])
    useless = RED if isinstance(rules.score, WuhanScore) and RED not in facts.wild else ""
    held = [tile for tile in facts.concealed if tile != useless]
    if distance.to_ready([*held, facts.winning], len(facts.own), shapes, facts.wild) < 0:
        return -1
    return distance.to_ready(held, len(facts.own), shapes, facts.wild)


def shapes_of(rules: Ruleset, open_tiles: Sequence[str] = ()) -> list[Shape]:
    """The winning shapes of a ruleset. ``open_tiles``: those of the sets on the table."""
    match rules.score:
        case McrScore():
            return [
                distance.sets,
                distance.pairs,
                distance.orphans,
                distance.unrelated,
                distance.knitted,
            ]
        case ZungjungScore() as score:
            four_alike = zungjung.ScoreSettings.of(score).seven_pairs_four_alike
            return [distance.sets, partial(distance.pairs, four_alike=four_alike), distance.orphans]
        case CcmScore() as score:
            return [CCM[Form(shape)] for shape in ccm.ScoreSettings.of(score).shapes]
        case WuhanScore():
            alone = (kinds().jiang, kinds().honours)
            return [distance.sets, *(distance.only_of(sorted(one), open_tiles) for one in alone)]
        case _:
            assert_never(rules.score)
