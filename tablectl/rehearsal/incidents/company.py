"""Who makes and who settles the incidents: the director, the chief, a jury of three, players who sign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tablectl.api.client import Client
from tablectl.api.spec import PLAYERS
from tablectl.rehearsal.courses import CASE
from tablectl.rehearsal.docket import Court
from tablectl.rehearsal.incidents.director import Director, Say
from tablectl.rehearsal.incidents.schedule import schedule
from tablectl.rehearsal.referee import Referee
from tablectl.rehearsal.voice import Voice
from tablectl.rules.model import Ruleset

JURY = ("judge 1", "judge 2", "judge 3")
SECOND = "second"  # the other person of a two-person act
Role = tuple[str, str]  # an actor and his role
Seen = Callable[[str, dict[str, Any]], None]

STATEMENTS = {
    "dawdle": "said.dawdle",
    "draw_early": "said.draw_early",
    "call_late": "said.call_late",
    "call_empty": "said.call_empty",
    "expose": "said.expose",
    "drop_tile": "said.drop_tile",
    "too_few": "said.too_few",
    "too_many": "said.too_many",
    "false_win": "said.false_win",
    "call_referee": "said.call_referee",
}


class Company:
    """All who take part in a session with incidents besides the referee and the players at the table."""

    def __init__(self, seed: int | str, rules: Ruleset, hands: int) -> None:
        self.rules = rules
        self.plan = schedule(seed, hands)
        self.director: Director | None = None
        self._clients: Mapping[str, Client] = {}
        self._say: Say | None = None

    @staticmethod
    def people() -> list[Role]:
        """Who is to be connected."""
        judges = [(member, "referee") for member in (*JURY, SECOND)]
        return [("chief", "chief"), *judges, *((player, "player") for player in PLAYERS)]

    def arrive(self, clients: Mapping[str, Client], say: Say) -> None:
        """Take places: ``clients`` by actor, ``say`` speaks to the table."""
        self._clients, self._say = clients, say
        self.director = Director(self.plan, self.rules, say)

    @property
    def second(self) -> Client:
        """The other person of a two-person act."""
        return self._clients[SECOND]

    def hearing(self, seen: Seen) -> Seen:
        """``seen``, the director hearing it first."""
        assert self.director is not None
        director = self.director

        def both(kind: str, what: dict[str, Any]) -> None:
            director.seen(kind, what)
            seen(kind, what)

        return both

    def court(self, referee: Referee) -> Court:
        """Who rules on cases together with a referee."""
        assert self.director is not None

        def voice(actor: str) -> Voice:
            return Voice(self._clients[actor], referee.report, referee.voice.lang)

        return Court(
            referee.voice,
            self.rules,
            referee.wait,
            chief=voice("chief"),
            jury=[voice(member) for member in JURY],
            players={player: voice(player) for player in PLAYERS},
            seen=self._seen,
            course=self.director.course,
            statements=self._statements,
            told=self.director.told,
            became=self.director.became,
        )

    async def _seen(self) -> str:
        assert self._say is not None
        return await self._say("dropped")

    def _statements(self, case: CASE) -> Sequence[tuple[str, str]]:
        """What the table says about a case."""
        assert self.director is not None
        incident = self.director.of(case["no"])
        said = STATEMENTS.get(incident.kind.name, "") if incident is not None else ""
        return [("", said)] if said else []
