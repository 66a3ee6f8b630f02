"""The judge of 武汉麻将: whether a hand wins, by which 大胡, and what it costs the others (WH-C, WH-S).

Settles every reading of the hand and keeps the one that brings the winner most (WH-C16).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tablectl.rules.counted import Line, NotCounted
from tablectl.rules.melds import SETS
from tablectl.rules.wuhan import catalog
from tablectl.rules.wuhan.hand import WinHand
from tablectl.rules.wuhan.laizi import RED, pi_of
from tablectl.rules.wuhan.pay import Payment, reaches_minimum, settle
from tablectl.rules.wuhan.readings import Reading, readings, shape
from tablectl.rules.wuhan.refuse import check
from tablectl.rules.wuhan.settings import ScoreSettings
from tablectl.rules.wuhan.win import Win

ONE_READING = "WH-C16"
OPENERS = ("chow", "pung", "added_kong")


@dataclass(frozen=True, slots=True)
class Count:
    """What a hand is worth under one of its readings.

    ``total`` is what the winner gets. ``reason``: why it is no win, an id of the catalogue, else empty.
    Below the minimum lines, ``hard`` and ``raw`` still say what was counted; for any other reason they are
    empty. ``reading``: the tiles of each group as read, melds first; ``stands_for``: what the laizi used
    as wild are in it (none where no sets are needed).
    """

    lines: tuple[Line, ...]
    total: int
    legal: bool
    reason: str
    hard: bool | None = None
    raw: tuple[int, ...] = ()
    payment: Payment | None = None
    reading: tuple[tuple[str, ...], ...] = ()
    stands_for: tuple[str, ...] = ()
    not_counted: tuple[NotCounted, ...] = ()

    @property
    def big(self) -> tuple[str, ...]:
        """The 大胡 that are counted."""
        return tuple(line.id for line in self.lines if line.id != catalog.SMALL)


def count(hand: WinHand, settings: ScoreSettings) -> Count:
    """The count of the best reading. Raises `HandError` for a hand that cannot lie on a table."""
    return counts(hand, settings)[0]


def wins(hand: WinHand, settings: ScoreSettings) -> bool:
    """True if the hand may win. Quick to say no, for players who ask at every tile.

    Raises `HandError` as `count` does.
    """
    return not _barred(hand, settings) and shape(hand) and count(hand, settings).legal


def counts(hand: WinHand, settings: ScoreSettings) -> tuple[Count, ...]:
    """A count for every reading that may win, the best first; the one of a hand that may not, alone.

    Raises `HandError` as `count` does.
    """
    check(hand, settings)
    if reason := _barred(hand, settings):
        return (_refused(reason),)
    found = [*readings(hand, settings)]
    judged = [(reading, big) for reading in found if (big := big_of(hand, reading, settings)) is not None]
    if not judged:
        return (_refused(_why(hand, found, settings)),)
    best: dict[tuple[tuple[str, ...], bool], Count] = {}
    for reading, big in judged:
        key = big, not reading.wild
        if key not in best:
            best[key] = _count(hand, reading, big, settings)
    ranked = sorted(best.values(), key=_rank, reverse=True)
    legal = [one for one in ranked if one.legal] or ranked[:1]
    return (replace(legal[0], not_counted=_not_counted(hand, legal, settings)), *legal[1:])


def _barred(hand: WinHand, settings: ScoreSettings) -> str:
    """Why no tiles of any shape would win: an id of the catalogue, or empty."""
    if RED not in hand.laizi and RED in hand.own:
        return "hongzhong_in_hand"
    if settings.pi and hand.indicator and not set(pi_of(hand.indicator, settings)).isdisjoint(hand.own):
        return "pi_in_hand"
    openers = (*OPENERS, "kong") if settings.open_by_kong else OPENERS
    if not any(meld.kind in openers for meld in hand.melds):
        return "not_opened"
    if not hand.self_drawn and hand.winning in hand.laizi:
        return "laizi_claimed"
    return ""


def big_of(hand: WinHand, reading: Reading, settings: ScoreSettings) -> tuple[str, ...] | None:
    """All 大胡 of the reading, none for a small win; None if it may not win (WH-C2, WH-C5, WH-C13)."""
    patterns = catalog.patterns()
    big = [*reading.patterns, *_by_way(hand, settings)]
    any_pair = any(patterns[pattern].any_pair for pattern in big)
    if _from_others(hand, settings) and (any_pair or reading.jiang_pair):
        big.append(catalog.FROM_OTHERS)
    if not (any_pair or reading.jiang_pair):
        return None
    if big:
        used = settings.laizi_max_used
        return tuple(sorted(big)) if used == "none" or reading.wild <= used else None
    return () if _laizi_held(hand, reading, settings) <= _laizi_in_small() else None


def _by_way(hand: WinHand, settings: ScoreSettings) -> Iterator[str]:
    """The 大胡 of the way to win (WH-C10, WH-C11, WH-W6)."""
    if hand.way == "rob_kong":
        yield catalog.ROBBED
    elif hand.way == "last_four":
        yield catalog.LAST_FOUR
    elif hand.way == "kong_draw" and (hand.ready_before_kong or settings.kong_ready == "any"):
        yield catalog.REPLACEMENT


def _from_others(hand: WinHand, settings: ScoreSettings) -> bool:
    """True for four open melds and one tile left that is no laizi, won by discard (WH-C13, WH-W5)."""
    won = hand.way == "discard" or (hand.self_drawn and settings.quanqiuren_selfdraw)
    return won and _waits_from_others(hand)


def _waits_from_others(hand: WinHand) -> bool:
    opened = [meld for meld in hand.melds if meld.kind != "concealed_kong"]
    return len(opened) == SETS and hand.concealed[0] not in hand.laizi


def _laizi_held(hand: WinHand, reading: Reading, settings: ScoreSettings) -> int:
    """How many laizi count towards "two or more" (WH-C5)."""
    if settings.laizi_count_face:
        return sum(tile in hand.laizi for tile in hand.own)
    return max(0, reading.wild - (hand.winning in hand.laizi))


def _laizi_in_small() -> int:
    return catalog.catalogue().counts.laizi_in_small.value


def _why(hand: WinHand, found: list[Reading], settings: ScoreSettings) -> str:
    """Why none of the readings may win; a 大胡 of the tiles only can where it uses too many laizi."""
    plain = [reading for reading in found if not reading.patterns]
    small = plain if not any(_by_way(hand, settings)) else []
    if any(_laizi_held(hand, reading, settings) > _laizi_in_small() for reading in small):
        return "two_laizi"
    return "pair_not_258" if any(not reading.jiang_pair for reading in plain) else "no_shape"


def _refused(reason: str) -> Count:
    return Count((), 0, legal=False, reason=reason)


def _count(hand: WinHand, reading: Reading, big: tuple[str, ...], settings: ScoreSettings) -> Count:
    win = Win(
        winner=hand.winner,
        dealer=hand.dealer,
        way=hand.way,
        discarder=hand.discarder,
        laid=hand.laid,
        big=big,
        hard=not reading.wild,
        feeders=tuple(meld.feeder for meld in hand.melds if meld.feeder is not None),
        jiang_fed=hand.winning in catalog.kinds().jiang,
        discarder_ready=hand.discarder_ready,
    )
    payment = settle(win, settings)
    legal = reaches_minimum(payment.raw, win.losers, settings)
    patterns = catalog.patterns()
    return Count(
        lines=tuple(Line(pattern, 1, patterns[pattern].points) for pattern in big or (catalog.SMALL,)),
        total=payment.deltas[hand.winner] if legal else 0,
        legal=legal,
        reason="" if legal else "minimum",
        hard=win.hard,
        raw=payment.raw,
        payment=payment if legal else None,
        reading=reading.groups,
        stands_for=reading.stands_for,
    )


def _rank(one: Count) -> tuple[bool, int, int, bool, int]:
    """Most for the winner, then the larger raw sum, then hard, then more 大胡 (WH-C16)."""
    return one.legal, one.total, sum(one.raw), bool(one.hard), len(one.big)


def _not_counted(hand: WinHand, ranked: list[Count], settings: ScoreSettings) -> tuple[NotCounted, ...]:
    chosen = ranked[0].big
    left_out = {pattern: ONE_READING for other in ranked[1:] for pattern in other.big}
    if hand.way == "kong_draw" and not any(_by_way(hand, settings)):
        left_out[catalog.REPLACEMENT] = catalog.patterns()[catalog.REPLACEMENT].rule
    if hand.self_drawn and _waits_from_others(hand):
        left_out.setdefault(catalog.FROM_OTHERS, catalog.patterns()[catalog.FROM_OTHERS].rule)
    return tuple(NotCounted(pattern, left_out[pattern]) for pattern in sorted(left_out.keys() - set(chosen)))
