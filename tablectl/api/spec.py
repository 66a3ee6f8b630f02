"""What a command is: its arguments, who may give it and when, how it is taken back. The table of all of them
is `tablectl.api.registry`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "seat",  # wind of a side in this hand: E S W N
    "side",  # place at the table, 0-3 counter-clockwise
    "tile",  # a canonical tile name
    "tiles",  # some of them
    "choice",  # one of `choices`
    "name",  # an identifier: ruleset, hold
    "text",  # anything a person writes, at most 200 characters
    "path",  # of a file, port or socket on this computer; only on the command line
    "paths",  # of files, an option that may be given again
    "number",  # an integer from `low` to `high`
    "flag",  # present or not
]
Role = Literal["anyone", "player", "operator", "referee", "chief"]
Undo = Literal["stop", "ordinary", "destructive", "two_person"]
When = Literal["always", "no_session", "session", "no_hand", "hand", "deal", "play", "win", "hold", "order"]

ROLES: tuple[Role, ...] = ("anyone", "player", "operator", "referee", "chief")  # in order of power
SEATS = ("E", "S", "W", "N")
PLAYERS = ("p0", "p1", "p2", "p3")
MAX_STACKS = 18  # of one side
MAX_TABLE_TILES = 144
MAX_HANDS = 999
MAX_HELD = 20  # tiles somebody may count in a hand, far too many
MAX_MELDS = 5  # of a seat, one too many
MAX_STAGES = 16
MAX_NAME = 40  # characters of a person's name
MAX_POINTS = 99_999
MAX_NUMBER = 2**53
MAX_CORRECTION = 24 * 3600  # seconds of a clock


FACTS = (  # that a rule speaks of and no sensor sees; `notes` of a ruleset names the article
    "forbidden_throw", "tile_turned_up", "win_apart", "win_mixed", "laid_out", "help_asked", "points_short",
    "readings_compared", "readings_mixed", "appeal",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Arg:
    """One argument. ``default`` is filled in where it is not given; a required one has none."""

    name: str
    kind: Kind
    required: bool = False
    default: str | int | None = None
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 2**53
    positional: bool = False  # on the command line
    help: str = ""  # text key; `arg.<name>` unless said
    short: str = ""  # another way the command line spells it

    @property
    def key(self) -> str:
        """Text key of the sentence that explains it."""
        return self.help or f"arg.{self.name}"

    @property
    def option(self) -> str:
        """How the command line spells it."""
        return self.name if self.positional else "--" + self.name.replace("_", "-")


@dataclass(frozen=True, slots=True)
class Spec:
    """What any command of the command line has."""

    name: str
    args: tuple[Arg, ...] = ()

    @property
    def key(self) -> str:
        """Text key of the sentence that explains it."""
        return "command." + self.name.replace(" ", "_").replace("-", "_")

    def arg(self, name: str) -> Arg | None:
        """The argument of that name."""
        return next((arg for arg in self.args if arg.name == name), None)


@dataclass(frozen=True, slots=True)
class CommandSpec(Spec):
    """A command of the API. ``role`` is the least that may give it; a query changes and records nothing."""

    role: Role = "referee"
    when: tuple[When, ...] = ("always",)
    undo: Undo = "ordinary"
    query: bool = False
    sound: str = ""  # what a screen plays when it is accepted
    chance: bool = False  # it is given a secret from the system's generator: the core has no chance

    @property
    def method(self) -> str:
        """Its JSON-RPC method."""
        return self.name.replace(" ", ".")
