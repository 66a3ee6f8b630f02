"""The section `score` of a ruleset judged by 武汉麻将."""

from __future__ import annotations

from typing import Literal

from tablectl.rules.values import Rule, Section


class WuhanScore(Section, frozen=True, tag_field="judge", tag="wuhan"):
    """How hands are judged and paid, and the answers where sources differ. Amounts in units of money."""

    laizi_next: Rule[Literal["skip_zhong", "cycle_all"]]  # cycle of the honours: without 红中 or with it
    laizi_kinds: Rule[Literal[1, 2]]
    pi: Rule[bool]  # 皮: the indicator's kind and the one before are one-tile kongs
    laizi_kong: Rule[Literal[4, 2]]  # factor
    laizi_discard: Rule[Literal["x2", "kong"]]  # a discarded laizi doubles, or counts as its kong
    wild_fifth_copy: Rule[bool]  # a laizi may stand for a fifth copy
    chadajiao: Rule[bool]  # at a draw the unready pay the ready
    open_by_kong: Rule[bool]  # a direct kong alone opens
    laizi_count_face: Rule[bool]  # laizi at face value and the winning tile count towards "two or more"
    laizi_max_used: Rule[Literal["none", 2]]  # most laizi used as wild in a 大胡
    min_points: Rule[Literal[20, 0, 16, 32, 64]]
    min_rule: Rule[Literal["any_loser", "smallest_loser"]]  # who must reach it
    min_measure: Rule[Literal["raw_share"]]  # uncapped shares, before 承包
    rob_value: Rule[Literal["winner", "konger"]]  # whose factors size a robbed kong
    kong_ready: Rule[Literal["before", "any"]]  # 杠上花 needs a hand ready before the kong, or not
    quanqiuren_selfdraw: Rule[bool]  # 全求人 is scored on a self-draw too
    reading: Rule[Literal["max"]]  # the one that brings the winner most
    big_sum: Rule[Literal["additive", "doubling"]]  # 10, 20, 30 or 10, 20, 40
    open_mode: Rule[Literal["koukou", "kaikou"]]  # x2 for every opening, or once
    kong_opening: Rule[Literal["both", "once"]]  # a direct kong is opening and kong, or kong only
    cap: Rule[int]  # of a share
    cap_base: Rule[Literal["unit", "hand"]]  # caps are in units of money, or of the hand's base
    liable_cap: Rule[int]  # of a share at 抢杠 and 承包
    gold_cap: Rule[int]  # of a share when all three reach the cap
    gold: Rule[Literal["flat", "raise_cap"]]  # at gold each pays the gold cap, or at most that
    gold_before_liable: Rule[bool]  # gold also at 抢杠 and 承包
    bao_cap: Rule[Literal["per_share", "total"]]  # what the cap at 抢杠 and 承包 is the cap of
    bao_third: Rule[Literal["third_feeder", "all_three"]]  # 承包 of 清一色: the third meld, or three melds
    quanqiuren_bao: Rule[Literal["always", "not_ready"]]  # when the discarder of 全求人 pays all
    robbed_kong_pays_all: Rule[bool]
