"""The rule book handed to simulated players: is this a win, and is it enough."""

from __future__ import annotations

from collections.abc import Sequence

from protocols.vocabulary import Meld as MeldCode
from sim.view import ShownMeld, WinContext
from tablectl.rules.mcr.count import wins
from tablectl.rules.mcr.hand import WinHand
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.mcr.settings import ScoreSettings
from tablectl.rules.melds import Meld, MeldKind
from tablectl.rules.model import Ruleset
from tablectl.rules.tiles import WINDS, copies

KINDS: dict[MeldCode, MeldKind] = {
    MeldCode.CHOW: "chow",
    MeldCode.PUNG: "pung",
    MeldCode.KONG: "kong",
    MeldCode.CONCEALED_KONG: "concealed_kong",
    MeldCode.ADDED_KONG: "added_kong",
}


class RuleJudge:
    """Judges by a ruleset. Players never see the daemon: this is the book on their shelf."""

    def __init__(self, rules: Ruleset) -> None:
        assert isinstance(rules.score, McrScore)
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
            prevalent_wind=self._rounds[(context.hand - 1) // self._per_round % len(self._rounds)],
            flowers=context.flowers,
            last_of_kind=winning not in concealed
            and _open(context.visible, winning, context) == copies(winning) - 1,
            wall_last=context.last_tile,
            kong=context.replacement or context.robbed,
        )
        return wins(hand, self._settings)


def _open(visible: tuple[str, ...], tile: str, context: WinContext) -> int:
    """Copies of the tile that lie open, the one that is won not among them (MCR-S10)."""
    return visible.count(tile) - (0 if context.self_drawn else 1)


class ScriptJudge:
    """For a script: a win is where the script says it is."""

    def wins(
        self, concealed: Sequence[str], melds: Sequence[ShownMeld], winning: str, context: WinContext
    ) -> bool:
        """Never by itself."""
        return False
