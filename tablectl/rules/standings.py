"""Who stands where after one or several stages of a session, by the rules of each system.

国标麻将 gives standard points for each stage and ranks by them (MCR-S4, MCR-S5); 中庸麻雀 match points
from the total of each stage (ZJ-F2, ZJ-F3); 中国竞技麻将 ranks the table by its points and gives standard
points to who advances (CJ-F5, CJ-F7, CJ-F10); 武汉麻将 knows the money alone. A warning is no points: it
moves nobody.

Points are integers; standard points are integers too, in parts (`Standings.per`) that divide without a rest.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, cast

from tablectl.rules.ccm import ScoreSettings as CcmSettings
from tablectl.rules.ccm import standing as ccm
from tablectl.rules.ccm.chips import four
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.ccm.score import Event as EventClass
from tablectl.rules.mcr import pay as mcr
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.model import Ruleset
from tablectl.rules.zungjung import ScoreSettings as ZungjungSettings
from tablectl.rules.zungjung import standing as zungjung
from tablectl.rules.zungjung.score import ZungjungScore

Unit = Literal["standard", "match", ""]  # what the system calls them; "" = it has none
Totals = Mapping[str, int]  # points of a stage, by player
SHARED = 12  # parts a standard point divides into: two, three or four may share a place alike
HUNDREDTHS = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A place from 1; equal ones share it and the next is free. ``total``: points of all stages.

    ``standard``: of each finished stage, in parts; where they are given for the whole session, once.
    """

    place: int
    player: str
    total: int
    standard: tuple[int, ...] = ()
    advances: bool = False
    wildcard: bool = False  # may be called later, and gets his standard points then (CJ-F5)

    @property
    def sum(self) -> int:
        """Standard points of all stages together, in parts."""
        return sum(self.standard)


@dataclass(frozen=True, slots=True)
class Standings:
    """The places of a session, best first. ``lot``: equal ones only a lot can part (ZJ-F2)."""

    places: tuple[Place, ...]
    unit: Unit = ""
    per: int = 1  # parts of one standard point
    rules: tuple[str, ...] = ()
    provisional: bool = False  # no book gives how the standard points are reckoned
    lot: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """What an event makes of a table: standard points for who advances, 0 = none are given (CJ-F5)."""

    worth: int = 0
    advancing: int = 1


def standings(
    rules: Ruleset,
    stages: Sequence[Totals],
    finished: int,
    *,
    last: Collection[str] = (),
    event: Event | None = None,
    over: bool = False,
) -> Standings:
    """Places after ``stages``, of which the first ``finished`` are over; ``over``: so is the session.

    ``last``: who gave up the session, behind all others whatever his points.
    """
    done = stages[:finished]
    match rules.score:
        case McrScore() as score:
            return _mcr(score, stages, done, last)
        case ZungjungScore() as score:
            return _zungjung(score, stages, done, last)
        case CcmScore():
            return _ccm(stages, last, event or Event(), over)
        case _:
            totals = _sum(stages)
            order = {player: (player not in last, total) for player, total in totals.items()}
            return Standings(_placed(order, totals, dict.fromkeys(totals, ())))


def worth(rules: Ruleset, event: str, stage: int, stages: int) -> int:
    """Standard points for who advances from a stage of an event of this class (CJ-F5).

    Raises `ValueError` where there is no such class or stage.
    """
    if not isinstance(rules.score, CcmScore):
        raise ValueError(f"{rules.id} knows no classes of events")
    return ccm.standard_points(cast(EventClass, event), stages, stage, CcmSettings.of(rules.score))


def _mcr(
    score: McrScore, stages: Sequence[Totals], done: Sequence[Totals], last: Collection[str]
) -> Standings:
    standard: dict[str, list[Fraction]] = {player: [] for player in _sum(stages)}
    for stage in done:
        ranks = _ranks({player: (player not in last, points) for player, points in stage.items()})
        for player, worth_ in zip(ranks, mcr.standard_points(list(ranks.values()), score), strict=True):
            standard[player].append(worth_)
    results = {
        player: mcr.Result(tuple(given), tuple(stage[player] for stage in stages))
        for player, given in standard.items()
    }
    order = {one.name: (one.name not in last, -one.place) for one in mcr.ranking(results)}
    parts = {player: tuple(int(one * SHARED) for one in given) for player, given in standard.items()}
    rules = (score.places.rule, "MCR-S5")
    return Standings(_placed(order, _sum(stages), parts), "standard", SHARED, rules)


def _zungjung(
    score: ZungjungScore, stages: Sequence[Totals], done: Sequence[Totals], last: Collection[str]
) -> Standings:
    settings, totals = ZungjungSettings.of(score), _sum(stages)
    parts = {
        player: tuple(zungjung.result([stage[player]], settings).match for stage in done) for player in totals
    }
    results = {player: zungjung.Result(sum(parts[player]), total) for player, total in totals.items()}
    ranked = zungjung.ranking(results)
    order = {one.name: (one.name not in last, -one.place) for one in ranked}
    places = _placed(order, totals, parts)
    by_place: dict[int, list[str]] = {}
    for one in places:
        by_place.setdefault(one.place, []).append(one.player)
    lot = tuple(tuple(names) for names in by_place.values() if len(names) > 1)
    rules, provisional = ("ZJ-F2", score.match_points.rule), score.match_points.provisional
    return Standings(places, "match", HUNDREDTHS, rules, provisional, lot if done else ())


def _ccm(stages: Sequence[Totals], last: Collection[str], event: Event, over: bool) -> Standings:
    totals = _sum(stages)
    order = {player: (player not in last, total) for player, total in totals.items()}
    rules = ("CJ-F5", "CJ-F7")
    if not over:
        return Standings(_placed(order, totals, dict.fromkeys(totals, ())), "standard", 1, rules)
    worth_ = ccm.awarded(four(enumerate(_ranks(order).values())), event.worth, event.advancing)
    parts = {player: (one,) if event.worth else () for player, one in zip(order, worth_, strict=True)}
    places = tuple(
        replace(
            one,
            advances=one.place <= event.advancing and one.player not in last,
            wildcard=one.place == event.advancing + 1 == 2 and one.player not in last,
        )
        for one in _placed(order, totals, parts)
    )
    return Standings(places, "standard", 1, rules)


def _sum(stages: Sequence[Totals]) -> dict[str, int]:
    return {player: sum(stage[player] for stage in stages) for player in stages[0]}


def _ranks(order: Mapping[str, tuple[bool, int]]) -> dict[str, int]:
    """How many different keys lie below each: an order as numbers."""
    keys = sorted(set(order.values()))
    return {player: keys.index(key) for player, key in order.items()}


def _placed(
    order: Mapping[str, tuple[bool, int]], totals: Totals, standard: Mapping[str, tuple[int, ...]]
) -> tuple[Place, ...]:
    """Places by the keys of the order, the highest first; equal keys in the order of the players."""
    best = sorted(sorted(order), key=lambda player: order[player], reverse=True)
    return tuple(
        Place(
            place=1 + sum(other > order[player] for other in order.values()),
            player=player,
            total=totals[player],
            standard=standard[player],
        )
        for player in best
    )
