"""The section `score` of a ruleset judged by 国标麻将."""

from __future__ import annotations

from typing import Literal

from tablectl.rules.values import Rule, Section


class McrScore(Section, frozen=True, tag_field="judge", tag="mcr"):
    """How hands are counted, and the answers where editions of the book differ."""

    minimum: Rule[int]
    base: Rule[int]  # what each of the three pays of a win, whoever discarded
    mixed_kong: Rule[Literal[5, 6, 3]]  # one melded and one concealed kong; 3 = 1 + 2, no fan of its own
    two_concealed_kongs: Rule[Literal[6, 8]]
    knitted_wait: Rule[Literal["count", "skip"]]  # wait fan on a tile also in the knitted nine
    knitted_in_unrelated: Rule[Literal[24, 12]]  # 24 = 12 + 12
    seven_pairs_selfdraw: Rule[Literal["zimo", "buqiuren"]]
    nine_gates_terminal: Rule[Literal["one", "none", "both"]]  # terminal triplets implied in nine gates
    placing: Rule[Literal["1998", "ema"]]  # by the number of players ranked, or a table's shared out
    places: Rule[tuple[int, int, int, int]]  # standard points of the four places of a table
