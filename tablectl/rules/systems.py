"""What differs by rule system and needs code: one door to the judges of all four."""

from __future__ import annotations

from tablectl.rules import wuhan
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.errors import HandError
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.model import Ruleset
from tablectl.rules.scoring import of_ccm, of_mcr, of_wuhan, of_zungjung
from tablectl.rules.scoring.asked import Asked, check
from tablectl.rules.scoring.verdict import Verdict
from tablectl.rules.tiles import FLOWERS
from tablectl.rules.wuhan.score import WuhanScore
from tablectl.rules.zungjung.score import ZungjungScore


def wild_kinds(rules: Ruleset, indicator: str) -> list[str]:
    """The wild kinds (癞子) an indicator tile names (WH-W2); empty for one not read, or where none are."""
    if not isinstance(rules.score, WuhanScore) or not indicator:
        return []
    try:
        return list(wuhan.laizi_of(indicator, wuhan.ScoreSettings.of(rules.score)))
    except HandError:  # a flower was read: a fact that names nothing
        return []


def score(asked: Asked, rules: Ruleset) -> Verdict:
    """What a hand told in words is worth and who pays it, by the judge of the ruleset.

    Raises `HandError` for a hand or circumstances that cannot be.
    """
    check(asked)
    if not 0 <= asked.flowers <= len(FLOWERS):
        raise HandError("hand.flowers", f"{asked.flowers} flowers: there are eight", count=asked.flowers)
    if asked.flowers and not rules.flowers.used.value:
        raise HandError("hand.no_flowers", f"{rules.id} is played without flowers", rules=rules.id)
    match rules.score:
        case McrScore() as section:
            return of_mcr.judge(asked, rules, section)
        case ZungjungScore() as section:
            return of_zungjung.judge(asked, rules, section)
        case CcmScore() as section:
            return of_ccm.judge(asked, rules, section)
        case WuhanScore() as section:
            return of_wuhan.judge(asked, rules, section)
