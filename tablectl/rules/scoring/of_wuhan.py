"""A hand told in words before the judge of 武汉麻将.

``indicator`` names the tile turned up and so the laizi, ``laizi`` the laizi alone. ``laid`` is what the four
have laid out or thrown that multiplies (WH-S3), the winner's melds left out: ``S chow 2 pung, E laizi_kong``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from tablectl.rules import wuhan
from tablectl.rules.errors import HandError
from tablectl.rules.model import Ruleset
from tablectl.rules.scoring.asked import Asked
from tablectl.rules.scoring.blessings import unknown
from tablectl.rules.scoring.hands import Shown, tile
from tablectl.rules.scoring.verdict import Counted, LeftOut, Name, Reading, Verdict, by_seat, distinct
from tablectl.rules.tiles import WINDS
from tablectl.rules.wuhan.catalog import patterns
from tablectl.rules.wuhan.hand import Laid, Way
from tablectl.rules.wuhan.score import WuhanScore

PATTERNS = "WH-S2"
DEALER = 0  # East
CALLED = ("chow", "pung", "direct_kong", "added_kong", "concealed_kong")
WORDS = tuple(field.name for field in fields(Laid))
MOST = 16  # of a thing one player can have laid out


def judge(asked: Asked, rules: Ruleset, score: WuhanScore) -> Verdict:
    """Whether it is a win, and what each pays (WH-C, WH-S). Raises `HandError`."""
    if asked.liable:
        raise HandError("hand.nobody_liable", f"in {rules.id} the melds say who pays for all", rules=rules.id)
    settings = wuhan.ScoreSettings.of(score)
    counts = wuhan.counts(_hand(asked, settings), settings)
    best = counts[0]
    readings = distinct(tuple(map(_reading, counts)))
    return Verdict(
        legal=best.legal,
        total=best.total,
        minimum_met=best.legal,
        refusal=f"win.{best.reason}" if best.reason else "",
        best=readings[0],
        not_counted=(*_left_out(best), *unknown(asked, PATTERNS, "heaven", "earth", "last_of_kind")),
        payments=None if best.payment is None else by_seat(_four(best.payment.deltas)),
        others=readings[1:],
        details=_details(best),
    )


def _hand(asked: Asked, settings: wuhan.ScoreSettings) -> wuhan.WinHand:
    shown = asked.shown()
    melds = tuple(wuhan.FedMeld(meld.kind, meld.tiles, meld.feeder(asked.winner)) for meld in shown.melds)
    indicator = tile(asked.indicator, asked.notation) if asked.indicator else None
    return wuhan.WinHand(
        concealed=shown.concealed,
        melds=melds,
        winning=shown.winning,
        laizi=_laizi(asked, indicator, settings),
        winner=asked.winner,
        dealer=DEALER,
        way=_way(asked),
        discarder=asked.payer,
        laid=_laid(asked, shown),
        indicator=indicator,
        ready_before_kong=not asked.not_ready,
    )


def _laizi(asked: Asked, indicator: str | None, settings: wuhan.ScoreSettings) -> tuple[str, ...]:
    if asked.laizi:
        return tuple(tile(one, asked.notation) for one in asked.laizi.replace(",", " ").split())
    if indicator is None:
        raise HandError("hand.laizi_missing", "nobody says which tile is wild: --indicator or --laizi")
    return wuhan.laizi_of(indicator, settings)


def _way(asked: Asked) -> Way:
    if not asked.self_draw:
        if asked.wall_last:
            raise HandError("hand.last_discarded", "of the last four tiles none is discarded (WH-W6)")
        if asked.giver is None:
            raise HandError("hand.from_missing", "nobody says whose tile it was: --from SEAT")
        return "rob_kong" if asked.kong else "discard"
    if asked.kong and asked.wall_last:
        raise HandError("hand.kong_among_last", "among the last four tiles there is no kong (WH-W6)")
    return "kong_draw" if asked.kong else "last_four" if asked.wall_last else "self_draw"


def _laid(asked: Asked, shown: Shown) -> tuple[Laid, ...]:
    """What everybody has laid out: the winner's melds are seen, and a robbed kong lies on a pung."""
    told = _told(asked.laid)
    own = wuhan.laid_of(shown.melds)
    told[asked.winner] |= {word: getattr(own, word) for word in CALLED}
    if asked.kong and asked.payer is not None:
        told[asked.payer]["pung"] = max(1, told[asked.payer].get("pung", 0))
    return tuple(Laid(**one) for one in told)


def _told(text: str) -> list[dict[str, int]]:
    """``S chow 2 pung, E laizi_kong`` by player. Raises `HandError`."""
    laid: list[dict[str, int]] = [{} for _ in WINDS]
    for part in filter(str.strip, text.split(",")):
        seat, *words = part.replace(":", " ").split()
        if seat not in WINDS or not words:
            raise HandError("hand.laid_form", f"{part.strip()!r} is not a seat and what it laid", given=part)
        own, last = laid[WINDS.index(seat)], ""
        for word in words:
            if last and word.isdecimal() and len(word) < 3 and int(word) <= MOST:
                own[last] += int(word) - 1
                last = ""
            elif word in WORDS:
                own[word] = own.get(word, 0) + 1
                last = word
            else:
                raise HandError("hand.laid_word", f"{word!r} is none of {' '.join(WORDS)}",
                                given=word, valid=" ".join(WORDS))  # fmt: skip
    return laid


def _four(numbers: tuple[int, ...]) -> tuple[int, int, int, int]:
    first, second, third, fourth = numbers
    return first, second, third, fourth


def _details(count: wuhan.Count) -> dict[str, object]:
    details: dict[str, object] = {}
    if count.hard is not None:
        details |= {"hard": count.hard, "raw": by_seat(_four(count.raw)), "laizi_as": [*count.stands_for]}
    if count.payment is not None:
        paid = count.payment
        details |= {
            "base": paid.base,
            "factor": paid.factor,
            "gold": paid.gold,
            "payer": None if paid.payer is None else WINDS[paid.payer],
        }
    return details


def _name(id_: str) -> Name:
    pattern = patterns()[id_]
    return Name(id_, pattern.zh, pattern.en, pattern.rule)


def _reading(count: wuhan.Count) -> Reading:
    counted = (Counted(_name(line.id), line.points, line.times) for line in count.lines)
    return Reading(count.total, tuple(counted), count.reading)


def _left_out(count: wuhan.Count) -> Iterator[LeftOut]:
    return (LeftOut(_name(one.id), one.because) for one in count.not_counted)
