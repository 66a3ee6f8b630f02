"""What a referee knows of the rules before the first hand: how seats are drawn and what lies before a player.

Where people draw by hand, chance is the house's own, from a seed; the software's chance is the daemon's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from tablectl.api.spec import PLAYERS
from tablectl.game.seating import PLACES
from tablectl.rules.model import Ruleset

Act = tuple[str, dict[str, Any]]  # a command and its arguments
DIE = 6
LARGEST = 999  # number anybody thinks of for a draw by software


class House:
    """The rules of the house. ``seed`` is for lots, throws and the numbers people think of; ``stake`` is what
    each loser of a hand pays; ``by`` draws seats otherwise than the ruleset would."""

    def __init__(self, rules: Ruleset, seed: int | str = 1, *, stake: int = 2, by: str = "") -> None:
        session = rules.session
        self.by = by or session.seats.value
        self.stake = stake
        self._bounded = session.chips_bound.value
        self._start = session.start_points.value
        self._rng = Random(f"{seed}/house")
        self._lots = self._rng.sample(PLAYERS, len(PLAYERS))

    def draw(self) -> Iterator[Act]:
        """The acts by which four people get their seats."""
        match self.by:
            case "lot":
                yield "seat draw", {"by": "lot", **dict(zip(PLACES, self._lots, strict=True))}
                self._lots = [*self._lots[1:], self._lots[0]]  # next time everybody has another seat (CJ-F2)
            case "throws":
                yield "seat draw", {"by": "throws"}
                for _ in range(2):
                    yield "seat throw", {"first": self._die(), "second": self._die()}
                for wind in self._rng.sample([*PLACES.values()], len(PLACES))[:-1]:
                    yield "seat take", {"wind": wind}
            case _:
                yield "seat draw", {"by": "software"}
                for player in PLAYERS:
                    yield "seat contribute", {"player": player, "number": self._rng.randint(1, LARGEST)}

    def _die(self) -> int:
        return self._rng.randint(1, DIE)

    def held(self, players: list[Mapping[str, Any]]) -> dict[str, int] | None:
        """What each player can pay at most; None where payments have no bound (CJ-S8)."""
        if not self._bounded:
            return None
        return {player["id"]: player.get("points", self._start) for player in players}
