"""A hand told in words before the judge of 国标麻将."""

from __future__ import annotations

from tablectl.rules import mcr
from tablectl.rules.errors import HandError
from tablectl.rules.mcr.catalog import edition
from tablectl.rules.mcr.pay import payments
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.model import Ruleset
from tablectl.rules.scoring.asked import Asked
from tablectl.rules.scoring.blessings import unknown
from tablectl.rules.scoring.naming import Names, counted, left_out, names
from tablectl.rules.scoring.verdict import Reading, Verdict, by_part, by_seat, distinct

EXCLUSIONS = "MCR-S7"
FAN_LIST = "MCR-S15"  # which knows no fan for the first tiles of a hand


def judge(asked: Asked, rules: Ruleset, score: McrScore) -> Verdict:
    """The count and what each pays (MCR-S1, MCR-S2). Raises `HandError`."""
    if asked.liable:
        raise HandError("hand.nobody_liable", f"in {rules.id} the discarder pays", rules=rules.id)
    settings = mcr.ScoreSettings.of(score)
    counts = mcr.counts(_hand(asked), settings)
    best = counts[0]
    known = names(edition(settings))
    readings = distinct(tuple(_reading(one, known) for one in counts))
    refusal = "" if best.legal else "win.no_shape" if best.form is None else "win.below_minimum"
    return Verdict(
        legal=best.legal,
        total=best.total,
        minimum_met=best.without_flowers >= settings.minimum,
        refusal=refusal,
        best=readings[0],
        not_counted=(*left_out(best.not_counted, known, EXCLUSIONS), *unknown(asked, FAN_LIST)),
        payments=_payments(asked, best.total, score) if best.legal else None,
        others=readings[1:],
        details={"without_flowers": best.without_flowers, "minimum": settings.minimum},
    )


def _hand(asked: Asked) -> mcr.WinHand:
    shown = asked.shown()
    return mcr.WinHand(
        shown.concealed,
        shown.melds,
        shown.winning,
        asked.self_draw,
        seat_wind=asked.seat,
        prevalent_wind=asked.round,
        flowers=asked.flowers,
        last_of_kind=asked.last_of_kind,
        wall_last=asked.wall_last,
        kong=asked.kong,
    )


def _payments(asked: Asked, total: int, score: McrScore) -> dict[str, int]:
    if asked.self_draw or asked.payer is not None:
        return by_seat(payments(total, asked.winner, asked.payer, score))
    discarder = (asked.winner + 1) % 4
    return by_part(payments(total, asked.winner, discarder, score), asked.winner, discarder)


def _reading(count: mcr.Count, known: Names) -> Reading:
    return Reading(count.total, counted(count.fans, known), count.reading)
