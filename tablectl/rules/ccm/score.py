"""The section `[score]` of a ruleset of 中国竞技麻将: winning, counting, paying, standing."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tablectl.rules.values import Rule, Section

Shape = Literal["sets", "knitted", "pairs", "unrelated"]
BaoRule = Literal["a", "b_deal", "b_feed", "c"]
Event = Literal["championship", "elite"]
Points = Annotated[int, msgspec.Meta(ge=0)]


class FanValues(Section, frozen=True, rename="kebab"):
    """Points of the fan no source gives a number for (CJ-S3); `fans.toml` names them."""

    ccm_01: Points
    ccm_02: Points
    ccm_03: Points
    ccm_05: Points
    ccm_06: Points
    ccm_07: Points
    ccm_08: Points
    ccm_09: Points
    ccm_10: Points
    ccm_11: Points
    ccm_12: Points


class CcmScore(Section, frozen=True, tag_field="judge", tag="ccm"):
    """How a hand is counted and paid in chips."""

    shapes: Rule[tuple[Shape, ...]]
    selfdraw_vs_zero: Rule[bool]  # a self-draw is allowed while an opponent holds nothing
    multi_win_unpaid: Rule[Literal["stand", "void"]]  # later wins when the discarder's chips ran out
    fan_values: Rule[FanValues]
    dihe: Rule[int]
    wait_with_implied: Rule[bool]  # single wait added to fan that contain it, but for seven pairs
    menqing_on_discard: Rule[bool]
    menqing_with_implied: Rule[bool]  # concealed hand added to fan that contain it
    rob_is_selfdraw: Rule[bool]
    discard_shares: Rule[int]
    selfdraw_shares: Rule[int]  # of each of three
    robbed_shares: Rule[int]
    liable_shares: Rule[int]
    doubling: Rule[int]
    melded_kong: Rule[int]
    small_kong: Rule[int]
    small_kong_payer: Rule[Literal["each", "feeder"]]
    concealed_kong: Rule[int]
    flower_kong_points: Rule[int]
    flower_kong: Rule[Literal["set", "any_four"]]
    chase: Rule[int]
    bao_consecutive: Rule[bool]  # the first three melds, in a row; otherwise any three of one player
    bao_melds: Rule[int]
    bao_order: Rule[tuple[BaoRule, ...]]  # who pays where several are liable; a part left out is not played
    guapai: Rule[Literal["face_up", "none"]]
    guapai_reach: Rule[int]  # how far from the hung number a related one may be
    zero_win_fine: Rule[int]  # to each of three
    players_out: Rule[int]  # so many without chips end the session
    first_tie: Rule[bool]
    blocked_kong: Rule[Literal["off_table", "void"]]
    penalty_unit: Rule[int]
    penalty_most: Rule[int]
    double_penalties: Rule[bool]
    standard_points: Rule[dict[Event, int]]
    standard_step: Rule[int]
