"""By which signs the record, or a referee, shows an offence: the words a catalogue may propose it by.

Most are irregularities the game tells; some only a referee sees, and names. A sign may be narrowed by what
the record knows of it, ``wrong_meld.late``.
"""

from __future__ import annotations

from difflib import get_close_matches

TOLD = frozenset(
    {
        "act_without_draw", "changed_call", "claim_after_replacement", "discard_before_show",
        "draw_against_wait", "draw_past_end", "early_draw", "empty_claim",
        "empty_kong", "exposed_other", "exposed_tile", "false_win", "flower_discarded", "flower_order",
        "forbidden_discard", "forced_discard_ignored", "kong_after_claim", "kong_on_last_tile", "kong_unsaid",
        "late", "late_claim", "long_hand", "mechanical", "meld_without_claim", "misdeal", "named_tile",
        "needless_draw", "no_flowers_here", "no_kongs", "no_pung_for_kong", "no_single_kong", "not_your_turn",
        "other_meld", "out_of_turn", "overtime", "overtime_bank", "overtime_forfeit",
        "penalty_tile_discarded", "penalty_tile_used", "replacement_before_kong", "short_hand",
        "win_cancelled", "wrong_dealer", "wrong_end", "wrong_meld", "wrong_thrower",
    }
)  # fmt: skip
SEEN = frozenset({"claim_not_taken", "draw_in_wait", "early_build", "early_look", "wrong_break"})
# Told too, but no case is made of them: nobody's act, or one of the draw for seats, before any hand.
NO_CASE = frozenset(
    {"claim_overtaken", "draw_order", "draw_thrower", "unknown_tile", "unseen_throws", "wind_twice"}
)
NARROWER = frozenset(
    {
        "exposed_tile.before_confirmed", "exposed_tile.dealing",
        "false_win.below_minimum", "false_win.far", "false_win.near", "false_win.wrong_tile",
        "late_claim.self_drawn", "named_tile.wrong",
        "wrong_meld.after_replacement", "wrong_meld.at_once", "wrong_meld.late",
    }
)  # fmt: skip
SIGNS = TOLD | SEEN | NARROWER


def nearest(given: str) -> str:
    """The sign most like what was written."""
    return "".join(get_close_matches(given, sorted(SIGNS), n=1, cutoff=0.0))
