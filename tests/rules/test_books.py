"""The rulesets of Zung Jung, the chip game and Wuhan say what their rules say; numbers are typed in again."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.rules.book import load_book
from tablectl.rules.show import rows
from tablectl.rules.tiles import WINDS

BOOK = load_book()
ALL_CLAIMS = ["chow", "pung", "kong", "win"]
RANKS = [["win"], ["kong", "pung"], ["chow"]]

# ruleset, section.field, value, article
VALUES: list[tuple[str, str, Any, str]] = [
    ("zungjung", "wall.tiles", 136, "ZJ-W1"),
    ("zungjung", "flowers.used", False, "ZJ-W1"),
    ("zungjung", "wall.indicator", "none", "ZJ-W1"),
    ("zungjung", "wall.stacks_per_side", 17, "ZJ-W2"),
    ("zungjung", "session.seats", "throws", "ZJ-W4"),
    ("zungjung", "wall.throws", 2, "ZJ-W5"),
    ("zungjung", "wall.dice", 2, "ZJ-W5"),
    ("zungjung", "wall.break_at", "after", "ZJ-W5"),
    ("zungjung", "deal.blocks", [4, 4, 4], "ZJ-W6"),
    ("zungjung", "deal.jump", True, "ZJ-W6"),
    ("zungjung", "deal.check", True, "ZJ-W6"),
    ("zungjung", "wall.dead_tiles", 14, "ZJ-W7"),
    ("zungjung", "kongs.on_last_tile", False, "ZJ-W8"),
    ("zungjung", "claims.last_discard", ["win"], "ZJ-W8"),
    ("zungjung", "claims.priority", RANKS, "ZJ-C1"),
    ("zungjung", "claims.order_from", "discarder", "ZJ-C1"),
    ("zungjung", "claims.winners", 1, "ZJ-C1"),
    ("zungjung", "claims.settle_s", 1, "ZJ-C2"),
    ("zungjung", "claims.window_s", 0, "ZJ-C3"),
    ("zungjung", "claims.lifted_tile", "choice", "ZJ-C3"),
    ("zungjung", "claims.draw_closes", ALL_CLAIMS, "ZJ-C4"),
    ("zungjung", "claims.claim_reopens", ["win"], "ZJ-C4"),
    ("zungjung", "claims.unclaimable", [], "ZJ-C5"),
    ("zungjung", "kongs.in_claimed_turn", False, "ZJ-C6"),
    ("zungjung", "claims.robbable", ["added_kong"], "ZJ-C7"),
    ("zungjung", "session.dealer_keeps", [], "ZJ-C8"),
    ("zungjung", "session.prevalent", False, "ZJ-C8"),
    ("zungjung", "discards.forbidden", [], "ZJ-C10"),
    ("zungjung", "articles.chow_not_from_left", None, "ZJ-C12"),
    ("zungjung", "session.rounds", [*WINDS], "ZJ-F1"),
    ("zungjung", "session.hands", 16, "ZJ-F2"),
    ("zungjung", "score.match_points", "signed_sqrt", "ZJ-F3"),
    ("zungjung", "session.start_points", 0, "ZJ-F4"),
    ("zungjung", "session.redraw_after", 8, "ZJ-F4"),
    ("zungjung", "session.broke_ends", 0, "ZJ-F4"),
    ("zungjung", "turn.grace_counts", False, "ZJ-T5"),
    ("zungjung", "turn.wait_requests", True, "ZJ-T5"),
    ("zungjung", "turn.stops_at", "discard_and_meld", "ZJ-T4"),
    ("zungjung", "turn.replacement_restarts", True, "ZJ-T4"),
    ("zungjung", "turn.timing_scope", "all", "ZJ-T6"),
    ("zungjung", "turn.overtime_step_s", 15, "ZJ-T2"),
    ("zungjung", "turn.overtime_points", 5, "ZJ-T2"),
    ("zungjung", "turn.forfeit_above", 80, "ZJ-T7"),
    ("zungjung", "turn.bank_s", 180, "ZJ-T1"),
    ("zungjung", "turn.discard_s", 15, "ZJ-T2"),
    ("zungjung", "turn.grace_s", 15, "ZJ-T5"),
    ("zungjung", "session.time_s", 0, "ZJ-T8"),
    ("ccm", "wall.tiles", 144, "CJ-F1"),
    ("ccm", "wall.stacks_per_side", 18, "CJ-F1"),
    ("ccm", "session.stages", 1, "CJ-F2"),
    ("ccm", "session.rounds", [*WINDS], "CJ-F2"),
    ("ccm", "session.time_s", 2 * 3600, "CJ-F2"),
    ("ccm", "session.break_s", 15 * 60, "CJ-F2"),
    ("ccm", "session.seats_differ", True, "CJ-F2"),
    ("ccm", "session.warning_s", 5 * 60, "CJ-F3"),
    ("ccm", "session.end_of_time", "finish_hand", "CJ-F3"),
    ("ccm", "session.broke_ends", 2, "CJ-F4"),
    ("ccm", "score.standard_points", {"championship": 10, "elite": 8}, "CJ-F5"),
    ("ccm", "score.standard_step", 1, "CJ-F5"),
    ("ccm", "session.seats", "lot", "CJ-F9"),
    ("ccm", "wall.throws", 1, "CJ-W1"),
    ("ccm", "wall.dice", 2, "CJ-W1"),
    ("ccm", "wall.break_at", "at", "CJ-W1"),
    ("ccm", "deal.blocks", [4, 4, 4], "CJ-W1"),
    ("ccm", "flowers.used", True, "CJ-W2"),
    ("ccm", "wall.dead_tiles", 0, "CJ-W2"),
    ("ccm", "flowers.hold", False, "CJ-W3"),
    ("ccm", "kongs.concealed_shown", True, "CJ-W4"),
    ("ccm", "session.dealer_keeps", ["win"], "CJ-D1"),
    ("ccm", "session.doubles", True, "CJ-D1"),
    ("ccm", "score.doubling", 2, "CJ-D1"),
    ("ccm", "claims.priority", RANKS, "CJ-C1"),
    ("ccm", "claims.order_from", "discarder", "CJ-C1"),
    ("ccm", "claims.winners", 3, "CJ-C1"),
    ("ccm", "score.dihe", 0, "CJ-C3"),
    ("ccm", "articles.no_win", None, "CJ-C5"),
    ("ccm", "turn.first_discard_s", 20, "CJ-T1"),
    ("ccm", "turn.discard_s", 10, "CJ-T1"),
    ("ccm", "session.start_points", 100, "CJ-S8"),
    ("ccm", "session.chips", [[50, 1], [10, 4], [2, 5]], "CJ-S8"),
    ("wuhan", "wall.tiles", 136, "WH-W1"),
    ("wuhan", "wall.stacks_per_side", 17, "WH-W1"),
    ("wuhan", "wall.throws", 2, "WH-W1"),
    ("wuhan", "flowers.used", False, "WH-W1"),
    ("wuhan", "wall.indicator", "head", "WH-W2"),
    ("wuhan", "score.laizi_next", "skip_zhong", "WH-W2"),
    ("wuhan", "score.laizi_kinds", 1, "WH-W2"),
    ("wuhan", "score.pi", False, "WH-W3"),
    ("wuhan", "kongs.single", ["C", "wild"], "WH-W4"),
    ("wuhan", "discards.forbidden", ["C"], "WH-W4"),
    ("wuhan", "claims.unclaimable", ["C", "wild"], "WH-W5"),
    ("wuhan", "score.laizi_kong", 4, "WH-W5"),
    ("wuhan", "wall.dead_tiles", 10, "WH-W6"),
    ("wuhan", "wall.draw_only", 4, "WH-W6"),
    ("wuhan", "wall.tail_parity", True, "WH-W6"),
    ("wuhan", "claims.last_discard", ["chow", "pung", "win"], "WH-W6"),
    ("wuhan", "session.dealer_keeps", ["win", "draw"], "WH-D1"),
    ("wuhan", "score.chadajiao", False, "WH-D2"),
    ("wuhan", "score.open_by_kong", True, "WH-C1"),
    ("wuhan", "score.laizi_count_face", True, "WH-C5"),
    ("wuhan", "score.laizi_max_used", "none", "WH-C5"),
    ("wuhan", "score.min_points", 20, "WH-C7"),
    ("wuhan", "score.min_rule", "any_loser", "WH-C7"),
    ("wuhan", "claims.order_from", "dealer", "WH-C8"),
    ("wuhan", "claims.winners", 1, "WH-C8"),
    ("wuhan", "claims.robbable", ["added_kong"], "WH-C10"),
    ("wuhan", "score.rob_value", "winner", "WH-C10"),
    ("wuhan", "score.kong_ready", "before", "WH-C11"),
    ("wuhan", "articles.no_pung_for_kong", None, "WH-C12"),
    ("wuhan", "score.quanqiuren_selfdraw", False, "WH-C13"),
    ("wuhan", "claims.window_s", 3, "WH-C15"),
    ("wuhan", "kongs.in_claimed_turn", False, "WH-C15"),
    ("wuhan", "score.reading", "max", "WH-C16"),
    ("wuhan", "turn.first_discard_s", 30, "WH-T1"),
    ("wuhan", "turn.discard_s", 15, "WH-T1"),
    ("wuhan", "session.hands", 16, "WH-T1"),
    ("mcr", "articles.other_meld", None, "MCR-C7"),
]


@pytest.mark.parametrize(
    ("id_", "path", "value", "article"),
    [pytest.param(*row, id=f"{row[0]}-{row[1]}", marks=pytest.mark.rule(row[3])) for row in VALUES],
)
def test_a_ruleset_says_what_its_rules_say(id_: str, path: str, value: Any, article: str) -> None:
    (row,) = [row for row in rows(BOOK[id_]) if f"{row.section}.{row.field}" == path]
    assert (row.value, row.rule) == (value, article)


# Rules of which some number has no source.
PROVISIONAL = {
    "zungjung": {"ZJ-C7", "ZJ-F3", "ZJ-F4", "ZJ-T2", "ZJ-T7", "ZJ-T8"},
    "ccm": {"CJ-W1", "CJ-W2", "CJ-T1", "CJ-T2", "CJ-P6", "CJ-P8", "CJ-C1", "CJ-C3", "CJ-S1", "CJ-S3", "CJ-S5"}
    | {"CJ-S6"},
    "wuhan": {"WH-W1", "WH-D1", "WH-C15", "WH-T1", "WH-P1"},
}


@pytest.mark.parametrize("id_", PROVISIONAL)
def test_what_no_source_gives_is_marked(id_: str) -> None:
    assert {row.rule for row in rows(BOOK[id_], provisional_only=True)} == PROVISIONAL[id_]
