"""中国竞技麻将: the verdict on a win by the chips on the table, with 包付 and 倍打 (CJ-S1 to S9)."""

from __future__ import annotations

from tablectl.rules.ccm import Count, ScoreSettings, WinHand, bao, count, pay, settled
from tablectl.rules.ccm.bao import Liability, Taking, Won
from tablectl.rules.ccm.catalog import edition
from tablectl.rules.ccm.chips import PLAYERS
from tablectl.rules.ccm.flowers import laid
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.ccm.settled import Payment
from tablectl.rules.verdicts.facts import Facts, Four
from tablectl.rules.verdicts.verdict import Verdict, four, left_out, listed, no_win

LIABLE = "CJ-S7"
REFUSED = {
    settled.PAYER_OUT: ("payer_out", "CJ-S8"),
    settled.OPPONENT_OUT: ("opponent_out", "CJ-S1"),
    settled.NOTHING_LEFT: ("nothing_left", "CJ-C1"),
    settled.NOT_FIRST: ("not_first", "CJ-S9"),
}


def verdict(score: CcmScore, facts: Facts) -> Verdict:
    """The verdict. Raises `HandError` for tiles or chips that cannot be."""
    settings = ScoreSettings.of(score)
    counted = count(_hand(facts, settings), settings)
    if counted.form is None:
        return no_win("no_shape", "CJ-S1")
    if not counted.legal:
        return no_win("no_fan", "CJ-S1", counted.total)
    liable = _liable(facts, counted, settings)
    payment = _payment(facts, counted.total, liable, settings)
    reason, rule = REFUSED.get(payment.reason, ("", ""))
    fans = edition(settings)
    return Verdict(
        legal=not reason,
        total=counted.total,
        reason=reason and f"win.{reason}",
        rule=rule,
        lines=listed(counted.fans, fans),
        reading=counted.reading,
        not_counted=left_out(counted.not_counted, fans),
        deltas=moved(payment),
        off_table=payment.off_table,
        liable=None if liable is None else liable.player,
        liable_rule="" if liable is None else LIABLE,
        by_chips=bool(reason),
    )


def moved(payment: Payment) -> Four:
    """What a payment moves on the table."""
    gains = [0] * PLAYERS
    for one in payment.transfers:
        gains[one.payer] -= one.paid
        if one.payee is not None:
            gains[one.payee] += one.paid
    return four(gains)


def _payment(facts: Facts, total: int, liable: Liability | None, settings: ScoreSettings) -> Payment:
    winner = pay.Winner(facts.winner, total, True, () if liable is None else (liable,))
    mode: pay.Mode = "self_draw" if facts.self_drawn else "rob" if facts.how == "robbed_kong" else "discard"
    held = four(chips + gain for chips, gain in zip(facts.chips, facts.gained, strict=True))
    win = pay.Win(mode, (winner,), facts.origin)
    return pay.payment(winner, win, facts.chips, held, facts.doubled, settings)


def _liable(facts: Facts, counted: Count, settings: ScoreSettings) -> Liability | None:
    takings = [Taking(meld.side, meld.feeder, meld.tiles) for meld in facts.melds]
    fans = {line.id for line in counted.fans}
    won = Won(facts.winner, facts.origin, facts.winning, fans)
    return bao.choose(bao.liabilities(won, takings, settings), settings)


def _hand(facts: Facts, settings: ScoreSettings) -> WinHand:
    pungs = [meld.tiles[0] for meld in facts.melds if meld.kind == "pung" and meld.tiles]
    last = facts.winning in pungs if facts.last_of_kind is None else facts.last_of_kind
    return WinHand(
        facts.concealed,
        tuple(meld.plain for meld in facts.own),
        facts.winning,
        facts.self_drawn,
        flowers=laid(facts.flowers[facts.winner], settings).scoring,
        last_of_kind=last,
        wall_last=facts.left < PLAYERS,  # one of the last tiles, one for each player (CJ-S4)
        kong=facts.by_kong,
        mixed=facts.mixed and facts.self_drawn,
        flower=facts.self_drawn and facts.replaced == "flower",
    )
