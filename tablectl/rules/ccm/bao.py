"""包付 (CJ-S7): who is liable for a win and pays the three shares alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tablectl.rules.ccm.catalog import FULL_FLUSH, SINGLE_TILE
from tablectl.rules.ccm.score import BaoRule
from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.tiles import DRAGONS, KINDS, WINDS, number, suit


@dataclass(frozen=True, slots=True)
class Liability:
    """A player who pays for all, by which part of CJ-S7: ``a``, ``b_deal``, ``b_feed`` or ``c``."""

    rule: BaoRule
    player: int


@dataclass(frozen=True, slots=True)
class Taking:
    """A meld laid out, in the order of the hand: by whom, from whom (None: a concealed kong), which tiles."""

    player: int
    giver: int | None
    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Won:
    """A win as 包付 looks at it. ``giver``: the discarder or the robbed konger. ``hung``: the tile hung on
    the wall and not changed since, or empty."""

    winner: int
    giver: int | None
    winning: str
    fans: Collection[str]
    hung: str = ""


def liabilities(won: Won, takings: Sequence[Taking], settings: ScoreSettings) -> tuple[Liability, ...]:
    """Everybody liable for the win, by the melds of the whole hand in their order."""
    found: list[Liability] = []
    if won.giver is not None:
        found += _dealt(won, won.giver, takings, settings)
    found += _fed_one_suit(won.winner, takings, settings)
    found += _fed_throughout(won.winner, takings, settings)
    return tuple(found)


def choose(found: Sequence[Liability], settings: ScoreSettings) -> Liability | None:
    """The one of several who pays: by the ruleset's order of the parts, then by the order of the melds."""
    played = [one for one in found if one.rule in settings.bao_order]
    return min(played, key=lambda one: settings.bao_order.index(one.rule), default=None)


def related(hung: str, settings: ScoreSettings) -> frozenset[str]:
    """The kinds a hung tile warns of: near numbers of the suit; for a wind any wind, for a dragon any."""
    for honours in (WINDS, DRAGONS):
        if hung in honours:
            return frozenset(honours)
    near = (tile for tile in KINDS if suit(tile) == suit(hung))
    return frozenset(tile for tile in near if abs(number(tile) - number(hung)) <= settings.guapai_reach)


def is_hung_for(hung: str, winning: str, settings: ScoreSettings) -> bool:
    """True if a hung tile warned of the tile dealt in (CJ-S7 c)."""
    return settings.guapai == "face_up" and bool(hung) and winning in related(hung, settings)


def _dealt(won: Won, giver: int, takings: Sequence[Taking], settings: ScoreSettings) -> Iterator[Liability]:
    """(c) Into a single tile hung on the wall; (b) into a real full flush behind a board of one suit."""
    if SINGLE_TILE in won.fans and is_hung_for(won.hung, won.winning, settings):
        yield Liability("c", giver)
    own = [one for one in takings if one.player == won.winner]
    if FULL_FLUSH in won.fans and _shows_one_suit(own, settings):
        yield Liability("b_deal", giver)


def _fed_one_suit(winner: int, takings: Sequence[Taking], settings: ScoreSettings) -> Iterator[Liability]:
    """(b) With a further meld for a board of one suit, whatever the rest of the hand turns out to be."""
    own = [one for one in takings if one.player == winner]
    for place, one in enumerate(own):
        showed = _shows_one_suit(own[:place], settings) and _shows_one_suit(own[: place + 1], settings)
        if showed and one.giver is not None:
            yield Liability("b_feed", one.giver)


def _shows_one_suit(own: Sequence[Taking], settings: ScoreSettings) -> bool:
    claimed = sum(one.giver is not None for one in own)
    suits = {suit(tile) for one in own for tile in one.tiles}
    return claimed >= settings.bao_melds and len(suits) == 1 and "" not in suits


def _fed_throughout(winner: int, takings: Sequence[Taking], settings: ScoreSettings) -> Iterator[Liability]:
    """(a) Mutual: with the first three melds of the other, all from one player and in a row."""
    for taker in dict.fromkeys(one.player for one in takings):
        givers = [one.giver for one in takings if one.player == taker and one.giver is not None]
        giver = _feeder(givers, settings)
        if giver is not None and winner in (taker, giver):
            yield Liability("a", giver if winner == taker else taker)


def _feeder(givers: Sequence[int], settings: ScoreSettings) -> int | None:
    if settings.bao_consecutive:
        first = givers[: settings.bao_melds]
        return first[0] if len(first) == settings.bao_melds and len(set(first)) == 1 else None
    return next((one for one in givers if givers.count(one) >= settings.bao_melds), None)
