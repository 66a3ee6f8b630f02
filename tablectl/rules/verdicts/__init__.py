"""One door to the verdicts of all four systems: what the record knows goes in, who pays comes out."""

from __future__ import annotations

from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.model import Ruleset
from tablectl.rules.verdicts import ccm, mcr, wuhan, zungjung
from tablectl.rules.verdicts.facts import Facts
from tablectl.rules.verdicts.verdict import Verdict
from tablectl.rules.wuhan.score import WuhanScore
from tablectl.rules.zungjung.score import ZungjungScore


def verdict(rules: Ruleset, facts: Facts) -> Verdict:
    """What the rules say of a declared win.

    Raises `HandError` for tiles or a record that cannot be: then nobody but a referee can say.
    """
    match rules.score:
        case McrScore() as score:
            return mcr.verdict(score, facts)
        case ZungjungScore() as score:
            return zungjung.verdict(score, facts)
        case CcmScore() as score:
            return ccm.verdict(score, facts)
        case WuhanScore() as score:
            return wuhan.verdict(score, facts)
