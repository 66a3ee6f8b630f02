"""武汉麻将: the verdict on a win by what all four have laid out, with caps and 承包 (WH-C, WH-S)."""

from __future__ import annotations

from dataclasses import replace

from tablectl.rules import wuhan
from tablectl.rules.errors import HandError
from tablectl.rules.tiles import WINDS
from tablectl.rules.verdicts.facts import Facts
from tablectl.rules.verdicts.verdict import Verdict, four, left_out, listed, no_win
from tablectl.rules.wuhan.catalog import catalogue, patterns
from tablectl.rules.wuhan.hand import Way
from tablectl.rules.wuhan.laizi import RED, pi_of
from tablectl.rules.wuhan.ready import is_ready
from tablectl.rules.wuhan.score import WuhanScore

LIABLE = "WH-S8"
DEALT, SET = 13, 3  # tiles of a hand and of a set
SIDES = range(len(WINDS))


def verdict(score: WuhanScore, facts: Facts) -> Verdict:
    """The verdict. Raises `HandError` for tiles that cannot lie on a table."""
    if not facts.pools_read:  # a laizi thrown doubles
        raise HandError("hand.pools_unread", "which discards were laizi is not known")
    settings = wuhan.ScoreSettings.of(score)
    counted = _count(facts, settings)
    if not counted.legal or counted.payment is None:
        return no_win(counted.reason, catalogue().reasons[counted.reason].rule, max(counted.raw, default=0))
    kinds = patterns()
    payer = counted.payment.payer
    return Verdict(
        legal=True,
        total=counted.total,
        lines=listed(counted.lines, kinds),
        reading=counted.reading,
        not_counted=left_out(counted.not_counted, kinds),
        deltas=four(counted.payment.deltas),
        liable=payer,
        liable_rule="" if payer is None else LIABLE,
    )


def _count(facts: Facts, settings: wuhan.ScoreSettings) -> wuhan.Count:
    """Whether the hand waited before its kong is slow to find out: only where it matters (WH-C11)."""
    hand = _hand(facts, settings)
    plain = wuhan.count(replace(hand, ready_before_kong=False), settings)
    if hand.way != "kong_draw":
        return plain
    more = wuhan.count(hand, settings)
    if (more.legal, more.total, more.lines) == (plain.legal, plain.total, plain.lines):
        return plain
    return more if _was_ready(facts, hand, settings) else plain


def _was_ready(facts: Facts, hand: wuhan.WinHand, settings: wuhan.ScoreSettings) -> bool:
    before = facts.before_kong or ()
    melds = hand.melds[: (DEALT - len(before)) // SET]
    try:
        return is_ready(before, melds, hand.laizi, settings)
    except ValueError:  # several laid out one by one: too many are missing
        return False


def _hand(facts: Facts, settings: wuhan.ScoreSettings) -> wuhan.WinHand:
    return wuhan.WinHand(
        facts.concealed,
        tuple(wuhan.FedMeld(meld.kind, meld.tiles, meld.feeder) for meld in facts.own),
        facts.winning,
        facts.wild,
        winner=facts.winner,
        dealer=facts.dealer,
        way=_way(facts),
        discarder=facts.origin,
        laid=tuple(_laid(facts, side, settings) for side in SIDES),
        indicator=facts.indicator or None,
    )


def _way(facts: Facts) -> Way:
    if facts.how == "robbed_kong":
        return "rob_kong"
    if facts.how == "discard":
        return "discard"
    if facts.last_draws:
        return "last_four"
    return "kong_draw" if facts.replaced == "kong" else "self_draw"


def _laid(facts: Facts, side: int, settings: wuhan.ScoreSettings) -> wuhan.Laid:
    """What a side has laid out or thrown (WH-S3)."""
    alone = facts.singles[side]
    pi = pi_of(facts.indicator, settings) if facts.indicator else ()
    laid = wuhan.laid_of(
        [meld.plain for meld in facts.melds if meld.side == side],
        alone.count(RED),
        sum(tile in facts.wild for tile in alone),
        sum(one.side == side and one.tile in facts.wild for one in facts.discards),
    )
    return replace(laid, pi_kong=sum(tile in pi for tile in alone))
