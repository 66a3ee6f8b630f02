"""The kinds of incidents of a demonstration: what is said to the simulated table, and by what it shows.

Players dawdle, draw early, call too late or without the tiles, show tiles, miscount, declare false wins and
call the referee; the machine jams in its store, its lift fails, its power sinks.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.rules.model import Ruleset

DAWDLES_S = 8  # beyond the limit of a turn
SIDE_NAMES = ("East", "South", "West", "North")  # places at the simulated table, as its sentences name them


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind. ``says``: a sentence of a fault plan, with the seconds ``{slow}`` and the place ``{side}`` of
    a player who is not on turn. ``signs``: irregularities of which one must be recorded. ``calls``: a player
    calls the referee. ``faults``: of the machine, of which one must be reported. ``opening``: said before the
    deal, while the other set is built, not after a discard. ``told``: the offence it is where nothing but the
    players' word shows it."""

    name: str
    says: str
    signs: tuple[str, ...] = ()
    calls: bool = False
    faults: tuple[str, ...] = ()
    opening: bool = False
    told: str = ""

    def only_told(self, rules: Ruleset) -> bool:
        """True where nothing but the players' word shows it: no sign of the record proposes it, or a call is
        late only when somebody has played on, and then it is one for the next tile."""
        late = "late_claim" in self.signs and not rules.claims.window_s.value
        return bool(self.told) and (late or not self.offences(rules))

    def offences(self, rules: Ruleset) -> list[str]:
        """The offences of a ruleset that the kind may be proposed as."""
        return [
            name
            for name, offence in rules.offences.items()
            if any(sign.partition(".")[0] in self.signs for sign in offence.signs)
        ]


KINDS: tuple[Kind, ...] = (
    Kind("dawdle", "now: dawdle, for {slow} s", ("overtime", "overtime_bank")),
    Kind("draw_early", "now: draw_first", ("early_draw",)),
    Kind("call_late", "now: call_late {side}, for 3.4 s", ("late_claim",), told="late_claim"),
    Kind("call_empty", "now: call_empty", ("empty_claim", "claim_not_taken")),
    Kind("expose", "now: exposed {side}", ("meld_without_claim",), told="wrong_meld"),
    Kind("drop_tile", "now: drop_tile {side}", ("exposed_tile",), calls=True),
    Kind("too_few", "now: too_few", ("short_hand", "act_without_draw")),
    Kind("too_many", "now: too_many", ("long_hand",)),
    Kind("false_win", "now: false_win", ("false_win",)),
    Kind("call_referee", "now: call_referee {side}", calls=True),
    Kind("store_jam", "next stack of South: head_jam, do not self-clear, help after 60 s",
         faults=("head_jam",), opening=True),
    Kind("lift_fault", "now: limits_conflict {side}, help after 40 s", faults=("limits_conflict",)),
    Kind("power", "now: undervoltage, help after 20 s", faults=("undervoltage",)),
)  # fmt: skip
BY_NAME = {kind.name: kind for kind in KINDS}
