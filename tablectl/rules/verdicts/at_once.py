"""What is paid in mid-hand, where a system knows such payments: kongs, flower kongs, 追牌 (CJ-S6, CJ-S9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tablectl.rules.ccm import ScoreSettings, flowers, immediate
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.ccm.settled import Settlement
from tablectl.rules.model import Ruleset
from tablectl.rules.verdicts.ccm import moved
from tablectl.rules.verdicts.facts import NOTHING, Four, Thrown

Kind = Literal["kong", "added_kong", "concealed_kong", "flower_kong", "chase"]
KINDS: dict[Kind, immediate.KongKind] = {
    "kong": "melded",
    "added_kong": "small",
    "concealed_kong": "concealed",
    "flower_kong": "flower",
}


@dataclass(frozen=True, slots=True)
class Due:
    """What a payment moves on the table, or else what is booked beside it."""

    deltas: Four = NOTHING
    off_table: Four = NOTHING


def played(rules: Ruleset) -> bool:
    """Does the system pay in mid-hand?"""
    return isinstance(rules.score, CcmScore)


def due(kind: Kind, side: int, giver: int | None, chips: Four, doubled: bool, rules: Ruleset) -> Due:
    """What a kong brings its side, or 追牌 costs it. Raises `HandError` for one that cannot be."""
    settings = _settings(rules)
    if kind == "chase":
        return _of(immediate.chase(chips, side, doubled, settings))
    return _of(immediate.kong(chips, KINDS[kind], side, giver, doubled, settings))


def flower_kongs(laid: Sequence[str], rules: Ruleset) -> int:
    """How many flower kongs a side's flowers are."""
    if len(laid) < flowers.KONG:  # asked at every step, and seldom so many
        return 0
    return flowers.laid(laid, _settings(rules)).kongs


def chased(discards: Sequence[Thrown]) -> int | None:
    """Who pays for 追牌 after the last of the discards; None if there is none."""
    if not all(one.tile for one in discards[-len(NOTHING) :]):
        return None
    return immediate.chased([immediate.Discarded(one.side, one.tile, one.claimed) for one in discards])


def _settings(rules: Ruleset) -> ScoreSettings:
    assert isinstance(rules.score, CcmScore)
    return ScoreSettings.of(rules.score)


def _of(settlement: Settlement) -> Due:
    (payment,) = settlement.payments
    return Due(moved(payment), payment.off_table)
