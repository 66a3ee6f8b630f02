"""The score section of the Zung Jung ruleset: how hands are counted and paid where there is a choice."""

from __future__ import annotations

from typing import Literal

from tablectl.rules.values import Rule, Section

MinPoints = Literal[0, 5]  # 5: a hand without a pattern is a false win
HeavenNineGates = Literal["rest_adds", "heaven_only"]  # beside the blessing: the other patterns, or nothing
ImmunityFirstRound = Literal["hand_start", "none"]  # before the winner discarded: from there, or no immunity
MatchPoints = Literal["signed_sqrt", "raw_total"]  # root of the session's total with its sign, or the total


class ZungjungScore(Section, frozen=True, tag_field="judge", tag="zungjung"):
    """How hands are counted and paid: the judge, and its answers where sources differ."""

    min_points: Rule[MinPoints]
    seven_pairs_four_alike: Rule[bool]  # four equal tiles not konged are two pairs
    heaven_nine_gates: Rule[HeavenNineGates]
    immunity_counts_claimed: Rule[bool]  # a claimed discard makes its discarder the first of the window
    immunity_first_round: Rule[ImmunityFirstRound]
    immunity_robbed_kong: Rule[bool]  # false: a robbed player is always responsible
    match_points: Rule[MatchPoints]
