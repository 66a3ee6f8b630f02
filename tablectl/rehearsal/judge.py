"""The rule books handed to simulated players, one a system: is this a win, and is it enough.

Players never see the daemon: this is the book on their shelf. What it must know of the hand is what all see
at the table, and how the tile came. Whose points suffice to pay is left to the referee.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from protocols.vocabulary import SIDES
from protocols.vocabulary import Meld as MeldCode
from sim.customs import RED
from sim.view import Judge, OpenHand, ShownMeld, WinContext
from tablectl.rules import ccm, wuhan, zungjung
from tablectl.rules.ccm import flowers
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.errors import HandError
from tablectl.rules.mcr.count import wins
from tablectl.rules.mcr.hand import WinHand
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.mcr.settings import ScoreSettings
from tablectl.rules.melds import Meld, MeldKind
from tablectl.rules.model import Ruleset
from tablectl.rules.tiles import WINDS, copies
from tablectl.rules.wuhan.ready import is_ready
from tablectl.rules.wuhan.score import WuhanScore
from tablectl.rules.zungjung.score import ZungjungScore

KINDS: dict[MeldCode, MeldKind] = {
    MeldCode.CHOW: "chow",
    MeldCode.PUNG: "pung",
    MeldCode.KONG: "kong",
    MeldCode.CONCEALED_KONG: "concealed_kong",
    MeldCode.ADDED_KONG: "added_kong",
}
LAST_ROUND = 4  # tiles of the wall, one for each player (CJ-S4)


Shown = Callable[[], str]


def judge_of(rules: Ruleset, shown: Shown | None = None) -> Judge:
    """The judge of a ruleset, by what its score section is made for. ``shown`` tells the prevalent wind that
    a screen at the table shows, "" as long as there is none; without it hands are counted."""
    match rules.score:
        case McrScore():
            return McrJudge(rules, shown)
        case ZungjungScore() as score:
            return ZungjungJudge(score)
        case CcmScore() as score:
            return CcmJudge(score)
        case WuhanScore() as score:
            return WuhanJudge(score)


class McrJudge:
    """Judges by the international rules. A hand that is dealt again moves no wind on, and only who is told
    the round knows that; counted walls are right while every hand counts."""

    def __init__(self, rules: Ruleset, shown: Shown | None = None) -> None:
        assert isinstance(rules.score, McrScore)
        self._shown = shown
        self._settings = ScoreSettings.of(rules.score)
        self._rounds = rules.session.rounds.value
        self._per_round = len(WINDS)

    def wins(
        self, concealed: Sequence[str], melds: Sequence[ShownMeld], winning: str, context: WinContext
    ) -> bool:
        """True when the tile completes the hand and its fan reach the minimum (MCR-S1, MCR-S13)."""
        hand = WinHand(
            tuple(concealed),
            tuple(Meld(KINDS[meld.kind], meld.tiles) for meld in melds),
            winning,
            context.self_drawn,
            seat_wind=context.seat_wind,
            prevalent_wind=self._prevalent(context.hand),
            flowers=context.flowers,
            last_of_kind=winning not in concealed
            and _open(context.visible, winning, context) == copies(winning) - 1,
            wall_last=context.last_tile,
            kong=context.replacement or context.robbed,
        )
        return wins(hand, self._settings)

    def _prevalent(self, hand: int) -> str:
        """The prevalent wind: what is shown, else what the number of the hand comes to (MCR-D1)."""
        shown = self._shown() if self._shown is not None else ""
        return shown or self._rounds[(hand - 1) // self._per_round % len(self._rounds)]


def _open(visible: tuple[str, ...], tile: str, context: WinContext) -> int:
    """Copies of the tile that lie open, the one that is won not among them (MCR-S10)."""
    return visible.count(tile) - (0 if context.self_drawn else 1)


class ZungjungJudge:
    """Judges by 中庸麻雀."""

    def __init__(self, score: ZungjungScore) -> None:
        self._settings = zungjung.ScoreSettings.of(score)

    def wins(
        self, concealed: Sequence[str], melds: Sequence[ShownMeld], winning: str, context: WinContext
    ) -> bool:
        """True when the tile completes the hand and it reaches the minimum, if any (ZJ-S1, ZJ-S5)."""
        table = _table(context)
        untouched = not any(table.melds)
        hand = zungjung.WinHand(
            tuple(concealed),
            tuple(Meld(KINDS[meld.kind], meld.tiles) for meld in melds),
            winning,
            context.self_drawn,
            seat_wind=context.seat_wind,
            wall_last=context.last_tile,
            kong=context.replacement or context.robbed,
            heaven=untouched and context.self_drawn and table.discards == 0,
            earth=untouched and not context.self_drawn and table.discards == 1,
        )
        try:
            return zungjung.wins(hand, self._settings)
        except HandError:  # what cannot lie on a table wins nothing
            return False


class CcmJudge:
    """Judges by 中国竞技麻将."""

    def __init__(self, score: CcmScore) -> None:
        self._settings = ccm.ScoreSettings.of(score)

    def wins(
        self, concealed: Sequence[str], melds: Sequence[ShownMeld], winning: str, context: WinContext
    ) -> bool:
        """True when the tile completes the hand and it has a technical fan (CJ-S1)."""
        table = _table(context)
        pungs = [meld.tiles[0] for row in table.melds for meld in row if meld.kind is MeldCode.PUNG]
        hand = ccm.WinHand(
            tuple(concealed),
            tuple(Meld(KINDS[meld.kind], meld.tiles) for meld in melds),
            winning,
            context.self_drawn,
            flowers=flowers.laid(table.flowers[context.side], self._settings).scoring,
            last_of_kind=winning in pungs,
            wall_last=table.live < LAST_ROUND,
            kong=context.replacement or context.robbed,
            flower=context.flower,
        )
        try:
            return ccm.wins(hand, self._settings)
        except HandError:  # what cannot lie on a table wins nothing
            return False


class WuhanJudge:
    """Judges by 武汉麻将: the openings and kongs of all four count, and who paid what is not asked."""

    def __init__(self, score: WuhanScore) -> None:
        self._settings = wuhan.ScoreSettings.of(score)

    def wins(
        self, concealed: Sequence[str], melds: Sequence[ShownMeld], winning: str, context: WinContext
    ) -> bool:
        """True when the hand is opened, has its pair or a 大胡, and somebody pays enough (WH-C1 to C7)."""
        table = _table(context)
        hand = wuhan.WinHand(
            tuple(concealed),
            tuple(map(_fed, melds)),
            winning,
            table.wild,
            winner=context.side,
            dealer=context.dealer,
            way=_way(table, context),
            discarder=None if context.self_drawn else context.source,
            laid=tuple(_laid(table, side, winning, context) for side in SIDES),
            ready_before_kong=False,
        )
        try:
            if wuhan.wins(hand, self._settings):
                return True
            if not context.replacement:
                return False
            ready = replace(hand, ready_before_kong=True)  # seldom worth more, and slow to find out (WH-C11)
            return wuhan.wins(ready, self._settings) and self._was_ready(context, hand)
        except HandError:  # what cannot lie on a table wins nothing
            return False

    def _was_ready(self, context: WinContext, hand: wuhan.WinHand) -> bool:
        """Whether the hand waited before the first kong of this turn (WH-C11)."""
        before = len(context.before_kong)
        melds = hand.melds[: (DEALT - before) // SET]
        try:
            return is_ready(context.before_kong, melds, hand.laizi, self._settings)
        except ValueError:  # several laid out one by one: too many are missing
            return False


DEALT, SET = 13, 3  # tiles of a hand and of a set


def _table(context: WinContext) -> OpenHand:
    assert context.open is not None
    return context.open


def _way(table: OpenHand, context: WinContext) -> wuhan.hand.Way:
    if context.robbed:
        return "rob_kong"
    if not context.self_drawn:
        return "discard"
    if context.replacement:
        return "kong_draw"
    return "last_four" if table.draw_only else "self_draw"


def _fed(meld: ShownMeld) -> wuhan.FedMeld:
    concealed = meld.kind is MeldCode.CONCEALED_KONG
    return wuhan.FedMeld(KINDS[meld.kind], meld.tiles, None if concealed else meld.source)


def _laid(table: OpenHand, side: int, winning: str, context: WinContext) -> wuhan.Laid:
    """What a player has laid out or thrown; a kong that is robbed is a pung still (WH-S10)."""
    melds = [Meld(KINDS[meld.kind], meld.tiles) for meld in table.melds[side]]
    if context.robbed and side == context.source:
        robbed = next(meld for meld in melds if meld.kind == "added_kong" and meld.tiles[0] == winning)
        melds[melds.index(robbed)] = Meld("pung", robbed.tiles[:SET])
    return wuhan.laid_of(
        melds,
        table.singles[side].count(RED),
        sum(name in table.wild for name in table.singles[side]),
        sum(name in table.wild for name in table.pools[side]),
    )


class ScriptJudge:
    """For a script: a win is where the script says it is."""

    def wins(
        self, concealed: Sequence[str], melds: Sequence[ShownMeld], winning: str, context: WinContext
    ) -> bool:
        """Never by itself."""
        return False
