"""One hand scored by each judge: every reading, with reasons, as `tablectl score` and a batch do it.

MCR stands beside PyMahjongGB, where it is installed (extra ``oracle``): that counts one system, in C++, and
gives no reasons. Typical are hands of sets with an open meld; the worst are the slowest of many made at
random: one-suit hands with many readings, four laizi.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sim.timebase import wall_seconds
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, Samples
from tablectl.rules.scoring.asked import Asked
from tablectl.rules.systems import score

TYPICAL_S, WORST_S = 1e-3, 20e-3

Theirs = Callable[[], object]


class Hand(NamedTuple):
    """A hand, the limit on its time, and the same hand as PyMahjongGB is asked for it."""

    key: str
    asked: Asked
    limit_s: float
    theirs: tuple[Any, ...] | None = None


HANDS = (
    Hand(
        "bench.score_mcr",
        Asked("[EEE,3] 234m 567m 345p 8s 8s", "mcr", giver="S"),
        TYPICAL_S,
        ((("PENG", "F1", 3),), ("W2", "W3", "W4", "W5", "W6", "W7", "B3", "B4", "B5", "T8"), "T8"),
    ),
    Hand(
        "bench.score_mcr_worst",
        Asked("53245363416123m", "mcr", giver="S"),
        WORST_S,
        ((), tuple(f"W{number}" for number in "5324536341612"), "W3"),
    ),
    Hand("bench.score_zungjung", Asked("[EEE,3] 234m 567m 345p 8s 8s", "zungjung", giver="S"), TYPICAL_S),
    Hand("bench.score_zungjung_worst", Asked("76658878575766m", "zungjung", giver="S"), WORST_S),
    Hand("bench.score_ccm", Asked("[EEE,3] 234m 567m 345m 8m 8m", "ccm", giver="S"), TYPICAL_S),
    Hand("bench.score_ccm_worst", Asked("97976877688866m", "ccm", giver="S"), WORST_S),
    Hand(
        "bench.score_wuhan",
        Asked("[123m,1] 456p 789m 234s 5p 5p", "wuhan", giver="S", indicator="E", laid="S chow 2 pung"),
        TYPICAL_S,
    ),
    Hand(
        "bench.score_wuhan_worst",
        Asked("[234p,1] 1111s 3653722p", "wuhan", self_draw=True, laizi="1s"),
        WORST_S,
    ),
)


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure, the median of each hand."""
    return [row for hand in HANDS for row in _rows(hand, lab)]


def _rows(hand: Hand, lab: Lab) -> list[Row]:
    rules = lab.book[hand.asked.rules]
    assert score(hand.asked, rules).best.reading, hand.key
    ours = _timed(lambda: score(hand.asked, rules), lab)
    theirs = _second_opinion(hand)
    beside = None if theirs is None else _timed(theirs, lab).at(0.5)
    return [Row(hand.key, "p50", ours.at(0.5), beside=beside, limit=hand.limit_s)]


def _timed(call: Callable[[], object], lab: Lab) -> Samples:
    samples = Samples()
    for _ in range(lab.sizes.rounds):
        samples.begin()
        for _ in range(lab.sizes.scores):
            began = wall_seconds()
            call()
            samples.add(wall_seconds() - began)
    return samples


def _second_opinion(hand: Hand) -> Theirs | None:
    if hand.theirs is None:
        return None
    try:
        from MahjongGB import MahjongFanCalculator
    except ImportError:
        return None
    melds, held, winning = hand.theirs
    drawn = hand.asked.self_draw
    return lambda: MahjongFanCalculator(melds, held, winning, 0, drawn, False, False, False, 0, 0)
