"""中庸麻雀: the verdict on a win, who answers for it, and who pays (ZJ-S1 to S14)."""

from __future__ import annotations

from typing import Literal

from tablectl.rules.verdicts.facts import Facts, How
from tablectl.rules.verdicts.verdict import Verdict, left_out, listed, no_win
from tablectl.rules.zungjung import ScoreSettings, WinHand, count, pay
from tablectl.rules.zungjung.catalog import catalogue
from tablectl.rules.zungjung.pay import Discard, Win
from tablectl.rules.zungjung.score import ZungjungScore

HOW: dict[How, Literal["self_draw", "discard", "robbed_kong"]] = {
    "self_drawn": "self_draw",
    "discard": "discard",
    "robbed_kong": "robbed_kong",
}
REFUSED = {
    "win.no_shape": "ZJ-S1",
    "win.four_alike": "ZJ-S7",
    "win.below_minimum": "ZJ-S5",
    "win.penalty_tile": "ZJ-P8",
}


def verdict(score: ZungjungScore, facts: Facts) -> Verdict:
    """The verdict. Raises `HandError` for tiles or a record that cannot be."""
    settings = ScoreSettings.of(score)
    counted = count(_hand(facts), settings)
    if counted.refusal:
        reason = counted.refusal.removeprefix("win.")
        return no_win(reason, REFUSED[counted.refusal], counted.total)
    payer = _responsible(facts, settings)
    patterns = catalogue()
    return Verdict(
        legal=True,
        total=counted.total,
        lines=listed(counted.patterns, patterns),
        reading=counted.reading,
        not_counted=left_out(counted.not_counted, patterns),
        deltas=pay.payments(counted.total, facts.winner, payer),
        liable=payer,
        liable_rule="" if payer is None else "ZJ-S11" if payer == facts.origin else "ZJ-S13",
    )


def _responsible(facts: Facts, settings: ScoreSettings) -> int | None:
    """Who answers for the win, by the order of the discards (ZJ-S13). Where they were not read nobody can
    say who threw the tile first: it is whose tile it was."""
    if not facts.pools_read:
        return facts.origin
    thrown = [Discard(one.side, one.tile, one.claimed) for one in facts.discards]
    win = Win(facts.winner, HOW[facts.how], facts.winning, facts.origin, facts.immunity)
    return pay.responsible(thrown, win, settings)


def _hand(facts: Facts) -> WinHand:
    dealt = facts.untouched and not facts.flowers[facts.winner]
    return WinHand(
        facts.concealed,
        tuple(meld.plain for meld in facts.own),
        facts.winning,
        facts.self_drawn,
        seat_wind=facts.winds[facts.winner],
        wall_last=facts.left <= 0,
        kong=facts.by_kong,
        kept_apart=not facts.mixed,
        heaven=dealt and facts.self_drawn and not facts.discards,
        earth=dealt and facts.how == "discard" and len(facts.discards) == 1,
        penalty_tiles=facts.penalty_tiles,
    )
