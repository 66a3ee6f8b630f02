"""A table whose ruleset has a few offences of its own, for tests of what becomes of them."""

from __future__ import annotations

from typing import Any

from tablectl.game.casestate import Case
from tablectl.game.effects import Answer
from tablectl.game.inputs import Command
from tablectl.rules.book import load_book
from tests.game.evening import Evening

HOUSE = """
id = "house"
extends = "mcr"

[offences.house_dead]
rule = "MCR-P15"
zh = "相公"
en = "wrong count"
ladder = [{ effects = ["no_win"] }]

[offences.house_scale]
rule = "MCR-P13"
zh = "亮他人牌"
en = "showed another's tiles"
ladder = [{ points = 5, up_to = 60, unit = 5, scale = [5, 10, 25, 60], to = "damaged" }]
choices = [{ points = 10, to = "each", when = "now" }]

[offences.house_out]
rule = "MCR-P17"
zh = "扰乱"
en = "refused the referee"
chief = true
ladder = [{ effects = ["disqualify", "report"] }]

[offences.house_name]
rule = "MCR-P14"
zh = "误报"
en = "a wrong name"
ladder = [{ effects = ["pays_all"] }]

[offences.house_tile]
rule = "MCR-P11"
zh = "罚张"
en = "own tile exposed"
ladder = [{ effects = ["forced_discard"] }]

[offences.house_automatic]
rule = "MCR-P12"
zh = "推牌"
en = "lay down"
automatic = true
per = "session"
ladder = [{ warning = true }, { points = 30, to = "each" }]
"""


class Court(Evening):
    """A table with a referee, who rules by the house's offences. East has made his first discard."""

    book = load_book([("house.toml", HOUSE)])

    def __init__(self) -> None:
        super().__init__("house")
        self.hand_on()

    def hand_on(self) -> None:
        """Start the next hand and bring it to its first discard."""
        self.ok("hand start")
        self.ok("walls ready")
        self.throw((3, 4), (3, 4))
        self.ok("deal done")
        self.press(self.hand.dealer, "discard")

    def end_hand(self) -> None:
        """North wins, or who may, and the hand is worth nothing to anybody."""
        sides = [(self.hand.dealer + place) % 4 for place in (3, 2, 1)]
        self.press(next(side for side in sides if not self.hand.seats[side].no_win), "win")
        self.wait(4)
        self.ok("win confirm")
        self.ok("score enter", kind="hand", anyway="only penalties are looked at here")

    @property
    def cases(self) -> list[Case]:
        """All of them."""
        return self.state.cases

    @property
    def case(self) -> Case:
        """The newest case."""
        return self.state.cases[-1]

    def won(self) -> dict[str, int]:
        """Won and lost so far."""
        return {player.id: player.points - 500 for player in self.session.players}

    def expecting(self, name: str, expect: str, **args: Any) -> Answer:
        """A command that was meant for what a screen showed."""
        effects = self.put(Command(f"c{self.n}", "kim", "referee", name, args, expect))
        return next(e for e in effects if isinstance(e, Answer))

    def draws_early(self, wind: str) -> Case:
        """Somebody enters a draw out of turn; the case the record makes of it."""
        before = len(self.state.cases)
        self.ok("draw", seat=wind)
        assert len(self.state.cases) == before + 1
        return self.case
