"""A hand told in words before the judge and the cashier of 中国竞技麻将."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules import ccm
from tablectl.rules.ccm import bao, chips, pay, settled
from tablectl.rules.ccm.catalog import edition
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.errors import HandError
from tablectl.rules.model import Ruleset
from tablectl.rules.scoring.asked import Asked
from tablectl.rules.scoring.blessings import unknown
from tablectl.rules.scoring.hands import Shown, tile
from tablectl.rules.scoring.naming import Names, counted, left_out, names
from tablectl.rules.scoring.verdict import Reading, Verdict, by_part, by_seat, distinct
from tablectl.rules.tiles import WINDS

CONTAINED = "CJ-S2"
EXTRAS = "CJ-S4"
REASONS = {
    settled.NO_FAN: "win.no_fan",
    settled.PAYER_OUT: "win.payer_out",
    settled.OPPONENT_OUT: "win.opponent_out",
    settled.NOTHING_LEFT: "win.nothing_left",
    settled.NOT_FIRST: "win.not_first",
}


def judge(asked: Asked, rules: Ruleset, score: CcmScore) -> Verdict:
    """The count and what each pays of the chips he holds (CJ-S1 to CJ-S9). Raises `HandError`.

    Liability (CJ-S7) is seen in the winner's melds where all of them say who fed them, and in ``hung``;
    ``liable`` names the player instead.
    """
    settings = ccm.ScoreSettings.of(score)
    shown = asked.shown()
    counts = ccm.counts(_hand(asked, shown), settings)
    best = counts[0]
    known = names(edition(settings))
    readings = distinct(tuple(_reading(one, known) for one in counts))
    refusal = "" if best.legal else "win.no_shape" if best.form is None else "win.no_fan"
    begin = rules.session.start_points.value
    held = asked.chips or (begin, begin, begin, begin)
    settlement = _settle(asked, shown, best, held, settings) if best.legal else None
    if settlement is not None and settlement.reason:
        refusal = REASONS[settlement.reason]
    return Verdict(
        legal=not refusal,
        total=best.total,
        minimum_met=best.legal,
        refusal=refusal,
        best=readings[0],
        not_counted=(*left_out(best.not_counted, known, CONTAINED), *unknown(asked, EXTRAS, "heaven")),
        payments=None if settlement is None else _payments(asked, settlement, held),
        others=readings[1:],
        details={} if settlement is None or not _known(asked) else _details(settlement),
    )


def _hand(asked: Asked, shown: Shown) -> ccm.WinHand:
    return ccm.WinHand(
        shown.concealed,
        shown.melds,
        shown.winning,
        asked.self_draw,
        flowers=asked.flowers,
        last_of_kind=asked.last_of_kind,
        wall_last=asked.wall_last,
        kong=asked.kong,
        flower=asked.flower_win,
        mixed=asked.mixed,
        earth=asked.earth,
    )


def _settle(
    asked: Asked, shown: Shown, count: ccm.Count, held: chips.Four, settings: ccm.ScoreSettings
) -> settled.Settlement:
    liable = _liable(asked, shown, count, settings)
    giver = None if asked.self_draw else _discarder(asked)
    if asked.chips and giver is not None and asked.payer is None:
        raise HandError("hand.from_missing", "with chips the cashier must know who discarded: --from")
    mode: pay.Mode = "self_draw" if asked.self_draw else "rob" if asked.kong else "discard"
    winner = pay.Winner(asked.winner, count.total, liable=liable)
    return pay.settle(held, pay.Win(mode, (winner,), giver), asked.doubled, settings)


def _known(asked: Asked) -> bool:
    """True if it is said who gave the tile, or nobody did."""
    return asked.self_draw or asked.payer is not None


def _discarder(asked: Asked) -> int:
    return (asked.winner + 1) % 4 if asked.payer is None else asked.payer


def _liable(
    asked: Asked, shown: Shown, count: ccm.Count, settings: ccm.ScoreSettings
) -> tuple[bao.Liability, ...]:
    if asked.liable == "none":
        return ()
    if asked.liable is not None:
        return (bao.Liability(settings.bao_order[0], WINDS.index(asked.liable)),)
    takings = tuple(_takings(asked, shown))
    hung = tile(asked.hung, asked.notation) if asked.hung else ""
    won = bao.Won(asked.winner, asked.payer, shown.winning, [line.id for line in count.fans], hung)
    return bao.liabilities(won, takings, settings)


def _takings(asked: Asked, shown: Shown) -> Iterator[bao.Taking]:
    """The winner's melds in their order; none if one of them does not say who fed it."""
    if any(meld.digit is None and meld.kind != "concealed_kong" for meld in shown.melds):
        return
    for meld in shown.melds:
        yield bao.Taking(asked.winner, meld.feeder(asked.winner), meld.tiles)


def _payments(asked: Asked, settlement: settled.Settlement, held: chips.Four) -> dict[str, int]:
    first, second, third, fourth = (
        later - before for before, later in zip(held, settlement.chips, strict=True)
    )
    gains = first, second, third, fourth
    if _known(asked) or gains[_discarder(asked)] >= 0:
        return by_seat(gains)
    return by_part(gains, asked.winner, _discarder(asked))


def _details(settlement: settled.Settlement) -> dict[str, object]:
    (payment,) = settlement.payments
    return {
        "owed": by_seat(payment.raw),
        "chips": by_seat(settlement.chips),
        "off_table": by_seat(settlement.off_table),
        "end": settlement.end,
    }


def _reading(count: ccm.Count, known: Names) -> Reading:
    return Reading(count.total, counted(count.fans, known), count.reading)
