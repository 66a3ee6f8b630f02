"""国标麻将: the verdict on a win, and who pays it (MCR-S1, S2, S10, S13, S14)."""

from __future__ import annotations

from tablectl.rules.mcr import ScoreSettings, WinHand, count
from tablectl.rules.mcr.catalog import edition
from tablectl.rules.mcr.pay import payments
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.tiles import copies
from tablectl.rules.verdicts.facts import NOTHING, Facts
from tablectl.rules.verdicts.verdict import Verdict, left_out, listed, no_win


def verdict(score: McrScore, facts: Facts) -> Verdict:
    """The verdict. Raises `HandError` for tiles that cannot lie on a table."""
    settings = ScoreSettings.of(score)
    counted = count(_hand(facts), settings)
    if counted.form is None:
        return no_win("no_shape", "MCR-S13")
    fans = edition(settings)
    return Verdict(
        legal=counted.legal,
        total=counted.total,
        reason="" if counted.legal else "win.below_minimum",
        rule="" if counted.legal else score.minimum.rule,
        lines=listed(counted.fans, fans),
        reading=counted.reading,
        not_counted=left_out(counted.not_counted, fans),
        deltas=payments(counted.total, facts.winner, facts.origin, score) if counted.legal else NOTHING,
    )


def _hand(facts: Facts) -> WinHand:
    winning = facts.winning
    last = facts.last_of_kind
    if last is None:
        last = winning not in facts.concealed and facts.lying_open(winning) == copies(winning) - 1
    return WinHand(
        facts.concealed,
        tuple(meld.plain for meld in facts.own),
        winning,
        facts.self_drawn,
        seat_wind=facts.winds[facts.winner],
        prevalent_wind=facts.round,
        flowers=len(facts.flowers[facts.winner]),
        last_of_kind=last,
        wall_last=facts.left <= 0,
        kong=facts.by_kong,
    )
