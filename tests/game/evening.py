"""A session played fast: hands without a machine, won or drawn by a few commands."""

from __future__ import annotations

from typing import Any

from tablectl.game import ledger, standings
from tablectl.game.effects import Answer
from tablectl.game.inputs import Command
from tablectl.game.sessionstate import SessionState
from tablectl.game.state import SEATS
from tests.game.conftest import COUNT, Table

SECRET = "5e" * 32
ORDER = ("east", "south", "west", "north")


class Evening(Table):
    """A table whose hands take a few commands each."""

    def __init__(self, rules: str = "mcr", **session: Any) -> None:
        super().__init__(COUNT, rules)
        self.online()
        self.ok("session start", rules=rules, **session)
        self.ok("session machine", state="off")

    @property
    def session(self) -> SessionState:
        return self.state.session

    def ok(self, name: str, **args: Any) -> dict[str, Any]:
        """A command that is accepted; what it answers."""
        answer = self.command(name, **args)
        assert answer.outcome == "accepted", (name, args, answer)
        return answer.data

    def no(self, name: str, **args: Any) -> Answer:
        """A command that is refused, and leaves no trace in points and seats."""
        before = (self.points, self.seats, len(self.session.ledger), self.session.phase)
        answer = self.command(name, **args)
        assert answer.outcome == "refused", (name, args, answer)
        assert before == (self.points, self.seats, len(self.session.ledger), self.session.phase)
        return answer

    def chance(self, secret: str = SECRET) -> None:
        """Open a draw by software with a known secret."""
        self.put(Command(f"c{self.n}", "kim", "referee", "seat draw", {"by": "software"}, secret=secret))

    def lots(self, *order: str) -> None:
        """Who drew E, S, W, N."""
        self.ok("seat draw", **dict(zip(ORDER, order, strict=True)))

    @property
    def points(self) -> list[int]:
        """Points of p0 to p3."""
        return [player.points for player in self.session.players]

    @property
    def seats(self) -> list[str]:
        """Who sits at sides 0 to 3."""
        return [self.session.at(side).id for side in range(4)]

    @property
    def ranking(self) -> list[tuple[int, str]]:
        """Place and player, the first first."""
        assert self.state.ruleset is not None
        return [(one.place, one.player) for one in standings.of(self.session, self.state.ruleset).places]

    # hands
    def open(self) -> int:
        """A hand up to the first discard of its dealer; its number."""
        self.ok("hand start", **({"anyway": "counted later"} if ledger.missing(self.state) else {}))
        self.ok("walls ready")
        while self.phase == "dice":
            self.throw((1, 2))
        self.ok("deal done")
        return self.hand.no

    def play(self, winner: str | None = "S", minutes: float = 0) -> int:
        """A whole hand: the seat that wins it, E by self-draw, S from East; None = drawn."""
        no = self.open()
        self.wait(60 * minutes)
        if self.hand.over:
            return no
        if winner == "E":
            self.ok("claim", word="win", seat="E")
        elif winner is None and self.rules == "ccm":  # claims have no time there: a flower ends the wall
            self.ok("discard", seat="E")
            self.ok("draw", seat="S")
            self.ok("wall correct", left=0, reason="the wall is empty")
            self.ok("flower", seat="S")
            assert self.hand.over
            return no
        else:
            self.ok("discard", seat="E")
        if winner is None:
            self.wait(4)
            self.ok("wall correct", left=0, reason="the wall is empty")
            assert self.hand.over
        elif winner != "E":
            self.ok("claim", word="win", seat=winner)
            self.wait(4)
        if winner is not None:
            self.ok("win confirm")
        return no

    def score(self, *points: int, **more: Any) -> dict[str, Any]:
        """Enter the points of p0 to p3 for the newest hand, whoever has won it."""
        more = {"anyway": "the numbers count here, not the winner"} | more
        return self.ok("score enter", kind="hand", **self.four(*points), **more)

    @staticmethod
    def four(*points: int) -> dict[str, int]:
        return {f"p{at}": delta for at, delta in enumerate(points)}

    def winds(self) -> dict[str, str]:
        """Who has which wind in the newest hand."""
        return {SEATS[(side - self.hand.dealer) % 4]: id_ for side, id_ in enumerate(self.seats)}
