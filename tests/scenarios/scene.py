"""The table a scenario is played at: four seats by their winds, a referee, and time that passes."""

from __future__ import annotations

from typing import Any

from tablectl.game.casestate import Case
from tablectl.game.effects import Answer, Effect, Publish
from tablectl.game.state import SEATS
from tests.game.conftest import BOOK, COUNT, IDENTITY, Table
from tests.scenarios.corpus import Scenario

SEATED = (3, 4)  # dice whose sum breaks the wall somewhere ordinary


class Refused(AssertionError):
    """Something a scenario did was refused though it does not say so."""


class Scene(Table):
    """A hand of the scenario's ruleset, begun as far as the scenario says."""

    def __init__(self, scenario: Scenario, hands: dict[str, str]) -> None:
        sensed = scenario.fidelity == "identity"
        super().__init__(IDENTITY if sensed else COUNT, scenario.rules)
        self.sensed = sensed
        self.refusals: list[str] = []
        self.start()
        if scenario.begins == "throws":
            return
        self.throw(*[SEATED] * BOOK[self.rules].wall.throws.value)
        if scenario.begins == "deal":
            return
        if sensed:
            self.deal(*(hands.get(wind, "") for wind in SEATS))
        elif self.phase == "dealing":
            self.done_dealing()
        if self.phase == "indicator":
            self.show(0, "indicator", "W")
        assert self.phase in ("decide", "flowers"), (
            f"{scenario.id}: the hands do not bring it to the first discard"
        )

    def done_dealing(self) -> None:
        """The deal is over; where nobody reads tiles somebody says so."""
        assert self.command("deal done").outcome == "accepted"
        if self.phase == "indicator":
            assert self.command("indicator", tile="W").outcome == "accepted"

    def side(self, wind: str) -> int:
        """The side of a seat; the dealer sits at side 0."""
        return (self.hand.dealer + SEATS.index(wind)) % 4

    def wind(self, side: int) -> str:
        """The seat of a side."""
        return SEATS[(side - self.hand.dealer) % 4]

    def put(self, *args: Any, **more: Any) -> list[Effect]:
        """One input; what it was refused for is kept for the step that did it."""
        effects = super().put(*args, **more)
        for effect in effects:
            if isinstance(effect, Publish) and effect.key == "event.refused":
                self.refusals.append(str(effect.data["reason"]))
            if isinstance(effect, Answer) and effect.outcome == "refused":
                self.refusals.append(effect.key)
        return effects

    def order(self, name: str, role: str = "referee", actor: str = "kim", **args: Any) -> None:
        """A command; None means the argument is not given."""
        given = {key: value for key, value in args.items() if value is not None}
        self.command(name, actor, role, **given)

    @property
    def waiting(self) -> Case:
        """The newest case nobody has decided."""
        open_ = [case for case in self.state.cases if case.open and case.decision is None]
        assert open_, "no case waits for a ruling"
        return open_[-1]

    def finish(self) -> None:
        """The hand ends without a winner: the wall is empty, and nobody claims the last discard."""
        for _ in range(3):  # an awarded call makes one more turn, and a claim of that discard another
            if self.phase in ("decide", "flowers"):
                self.throw_away(self.hand.turn)
            self.wait(4)
        self.command("wall correct", left=0, reason="the wall is empty")
        self.wait(16)
        assert self.hand.over, f"the hand cannot be ended in {self.phase}"

    def throw_away(self, side: int) -> None:
        """The seat discards whatever it may."""
        seat = self.hand.seats[side]
        bound = [one.tile for one in seat.penalty_tiles if one.forced]
        dead = [one.tile for one in seat.penalty_tiles if not one.live]
        free = [tile for tile in (*bound, *reversed(seat.tiles)) if tile not in dead]
        self.discard(side, free[0] if self.sensed and free else "")
