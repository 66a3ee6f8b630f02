"""How a simulated referee may deal with a case: the courses a ruling can take, to its last act.

What a course asks for is worked out from the case as the screen shows it and the offence of the ruleset.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from tablectl.rules.model import Ruleset
from tablectl.rules.offences import Offence

CASE = dict[str, Any]  # a case of the state document


class Course(StrEnum):
    """What becomes of a proposal."""

    PROPOSED = "proposed"  # ruled as the article says
    CHANGED = "changed"  # ruled otherwise: a choice of the article, another step, other points
    WAIVED = "waived"
    RESERVE = "reserve"  # under reserve, final after the hand
    LATER = "later"  # the article is filled in after the hand
    CORRECTED = "corrected"  # found wrong later: previewed, then struck by the chief
    APPEALED = "appealed"  # and upheld by a jury of three
    OVERTURNED = "overturned"  # appealed against, and decided otherwise


APPEALS = (Course.APPEALED, Course.OVERTURNED)
AFTERWARDS = (Course.RESERVE, Course.LATER, Course.CORRECTED, *APPEALS)  # with acts that come after the hand


def offence_of(rules: Ruleset, case: CASE) -> Offence | None:
    """The offence a case is proposed as."""
    finding = case.get("finding") or {}
    return rules.offences.get(finding.get("offence", ""))


def otherwise(offence: Offence) -> dict[str, Any]:
    """The arguments of a ruling that departs from what is proposed."""
    if offence.choices:
        measure = offence.choices[0]
        return {"choice": 1, "points": measure.amounts()[0]} if measure.up_to else {"choice": 1}
    if len(offence.ladder) > 1:
        return {"step": 2}
    return {"points": 0}


def milder(rules: Ruleset, name: str) -> str:
    """The offence nearest to one that would end somebody's session and is the chief's to decide: what the
    same sign comes to where nobody knows its details. "" if there is none."""
    signs = {sign.partition(".")[0] for sign in rules.offences[name].signs}
    found = (
        other
        for other, offence in rules.offences.items()
        if not offence.chief and not offence.off and signs & set(offence.signs)
    )
    return next(found, "")
