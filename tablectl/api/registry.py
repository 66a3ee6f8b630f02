"""Every command there is, declared once.

The command line, its help and completion, the JSON-RPC methods and the access list are made from this
table; a surface never lists commands of its own. What a command does is the core's; whether it may be done
now is the core's too: ``when`` only tells a reader.
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

    @property
    def method(self) -> str:
        """Its JSON-RPC method."""
        return self.name.replace(" ", ".")


REASON = Arg("reason", "text")
WHY = Arg("reason", "text", required=True)
SEAT = Arg("seat", "seat", required=True)
TILE = Arg("tile", "tile")
TILES = Arg("tiles", "tiles")
OPEN = Arg("open", "flag")

# fmt: off
COMMANDS: tuple[CommandSpec, ...] = (
    # session and hand
    CommandSpec("session start", (
        Arg("rules", "name", default="mcr"),
        *(Arg(player, "text", help="arg.player") for player in PLAYERS),
        Arg("east", "choice", default="p0", choices=PLAYERS),
        Arg("hands", "number", low=1, high=MAX_HANDS, help="arg.session_hands"),
        Arg("round", "choice", choices=SEATS),
    ), "referee", ("no_session",), sound="gong"),
    CommandSpec("session stop", (REASON,), "referee", ("session",), "destructive", sound="gong"),
    CommandSpec("hand start", (), "referee", ("no_hand",)),
    CommandSpec("hand void", (WHY,), "referee", ("hand",), "two_person", sound="gong"),
    CommandSpec("hand redeal", (WHY,), "referee", ("hand",), "two_person", sound="gong"),
    CommandSpec("throw void", (WHY,), "referee", ("deal",)),
    CommandSpec("wall break", (
        Arg("side", "number", True, high=3), Arg("stack", "number", True, high=MAX_STACKS),
    ), "referee", ("deal",)),
    CommandSpec("deal done", (), "player", ("deal",)),
    CommandSpec("deal dealer", (SEAT, WHY), "referee", ("deal",)),
    CommandSpec("indicator", (TILE,), "player", ("deal", "play")),
    CommandSpec("pause", (REASON,), "referee", ("hand",), sound="halt"),
    CommandSpec("resume", (), "referee", ("hold",), sound="ready"),
    # at the seats of a table without keys
    CommandSpec("claim", (
        Arg("word", "choice", True, choices=("chow", "pung", "kong", "win"), positional=True),
        SEAT, TILES, Arg("late", "flag"),
    ), "player", ("play",), sound="call"),
    CommandSpec("draw", (
        SEAT, Arg("end", "choice", default="head", choices=("head", "tail")), TILE,
    ), "player", ("play",)),
    CommandSpec("discard", (SEAT, TILE), "player", ("play",)),
    CommandSpec("flower", (SEAT, TILE), "player", ("deal", "play")),
    CommandSpec("kong", (
        Arg("meld", "choice", True, choices=("concealed", "added", "single", "melded"), positional=True),
        SEAT, TILES,
    ), "player", ("play",)),
    # rulings
    CommandSpec("wall leave", (), "player", ("play",)),
    CommandSpec("wall correct", (
        Arg("left", "number", True, high=MAX_TABLE_TILES, positional=True), WHY,
    ), "referee", ("hand",)),
    CommandSpec("win confirm", (
        Arg("how", "choice", choices=("self_drawn", "discard", "robbed_kong")),
    ), "referee", ("win",), sound="win"),
    CommandSpec("win reject", (WHY,), "referee", ("win",)),
    CommandSpec("hold clear", (
        Arg("hold", "text", True, positional=True), WHY,
    ), "referee", ("hold",)),
    # the machine
    CommandSpec("order retry", (Arg("order", "number", positional=True),), "referee", ("order",)),
    CommandSpec("machine stop", (), "anyone", undo="stop", sound="halt"),
    CommandSpec("machine home", (), "operator"),
    CommandSpec("machine build", (), "operator"),
    CommandSpec("machine raise", (), "operator"),
    CommandSpec("machine lower", (), "operator", ("no_hand",)),
    CommandSpec("machine dice", (Arg("side", "side"),), "operator"),
    CommandSpec("machine clear", (), "operator"),
    CommandSpec("machine insert", (), "operator"),
    CommandSpec("machine continue", (), "operator"),
    CommandSpec("machine purge", (), "operator"),
    CommandSpec("machine abort", (), "operator"),
    # queries
    CommandSpec("status", (OPEN,), "anyone", query=True),
    CommandSpec("watch", (Arg("since", "number"), OPEN), "anyone", query=True),
    CommandSpec("link status", (), "anyone", query=True),
)
# fmt: on

BY_NAME: dict[str, CommandSpec] = {spec.name: spec for spec in COMMANDS}
BY_METHOD: dict[str, CommandSpec] = {spec.method: spec for spec in COMMANDS}
