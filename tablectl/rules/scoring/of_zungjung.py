"""A hand told in words before the judge of 中庸麻雀."""

from __future__ import annotations

from tablectl.rules import zungjung
from tablectl.rules.errors import HandError
from tablectl.rules.model import Ruleset
from tablectl.rules.scoring.asked import Asked
from tablectl.rules.scoring.blessings import unknown
from tablectl.rules.scoring.naming import Names, counted, left_out, names
from tablectl.rules.scoring.verdict import Reading, Verdict, by_part, by_seat, distinct
from tablectl.rules.tiles import WINDS
from tablectl.rules.zungjung.catalog import catalogue
from tablectl.rules.zungjung.hand import EAST, check, check_seat
from tablectl.rules.zungjung.pay import payments
from tablectl.rules.zungjung.score import ZungjungScore

ONE_OF_A_SERIES = "ZJ-S2"
PATTERNS = "ZJ-S9"


def judge(asked: Asked, rules: Ruleset, score: ZungjungScore) -> Verdict:
    """The count and what each pays (ZJ-S1 to ZJ-S12).

    Who answers for the win is the discarder, or ``liable``: the immunity of ZJ-S13 needs the discards.
    Raises `HandError`.
    """
    settings = zungjung.ScoreSettings.of(score)
    hand = _hand(asked)
    check(hand)
    check_seat(hand)
    if asked.earth and asked.giver not in (None, EAST):
        raise HandError(
            "hand.earth_from", f"{asked.giver} cannot make East's first discard", seat=asked.giver
        )
    counts = zungjung.counts(hand, settings)
    best = counts[0]
    known = names(catalogue())
    readings = distinct(tuple(_reading(one, known) for one in counts))
    return Verdict(
        legal=best.legal,
        total=best.total,
        minimum_met=best.refusal != "win.below_minimum" and best.form is not None,
        refusal=best.refusal,
        best=readings[0],
        not_counted=(
            *left_out(best.not_counted, known, ONE_OF_A_SERIES),
            *unknown(asked, PATTERNS, "last_of_kind"),
        ),
        payments=_payments(asked, best.total) if best.legal else None,
        others=readings[1:],
        details={"added": best.added, "limit": best.limit},
    )


def _hand(asked: Asked) -> zungjung.WinHand:
    shown = asked.shown()
    return zungjung.WinHand(
        shown.concealed,
        shown.melds,
        shown.winning,
        asked.self_draw,
        seat_wind=asked.seat,
        wall_last=asked.wall_last,
        kong=asked.kong,
        heaven=asked.heaven,
        earth=asked.earth,
        kept_apart=not asked.mixed,
    )


def _payments(asked: Asked, value: int) -> dict[str, int]:
    if asked.self_draw or asked.liable == "none":
        return by_seat(payments(value, asked.winner, None))
    answers = asked.payer if asked.liable is None else WINDS.index(asked.liable)
    if answers is None and asked.earth:
        answers = WINDS.index(EAST)  # it is East's first discard
    if answers is not None:
        return by_seat(payments(value, asked.winner, answers))
    discarder = (asked.winner + 1) % 4
    return by_part(payments(value, asked.winner, discarder), asked.winner, discarder)


def _reading(count: zungjung.Count, known: Names) -> Reading:
    return Reading(count.total, counted(count.patterns, known), count.reading)
