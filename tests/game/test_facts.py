"""Anything may happen at a table in any order: the core takes it, stays whole, and says it in words.

Boards send what they like, people ask what they like, links come and go, deadlines stand. Between the
nonsense play goes on, so that it happens in the middle of a hand as well as at its ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocols.vocabulary import (
    SIDES,
    TILE_NAMES,
    EventKind,
    Fault,
    Operation,
    Refusal,
    Source,
    Stage,
    StoreState,
    TopState,
)
from tablectl.api.answer import complete
from tablectl.api.registry import BY_NAME, COMMANDS, SEATS, Arg, CommandSpec
from tablectl.daemon.link.machine import STATES
from tablectl.daemon.link.words import Word
from tablectl.game import step as game
from tablectl.game.effects import Answer, Operate, Publish
from tablectl.game.inputs import (
    AnyInput,
    BoardEvent,
    BoardStatus,
    Command,
    Deadline,
    EventsLost,
    LinkChange,
    OperationReply,
    OperationSilent,
    Refused,
    Restarted,
)
from tablectl.game.invariants import violations
from tablectl.game.state import State
from tablectl.game.view import view
from tablectl.locale import catalog
from tablectl.rules.tiles import copies, is_flower
from tests.game.conftest import BOOK, COUNT, IDENTITY, SECOND

DEVICES = ("table", "panel")
BARE: tuple[str, ...] = ("dice",)
TWIN = 7  # every so many steps one is made from the state's JSON as well
# What false facts can break: a board may well say that it saw a fifth copy of a tile.
FALSE_FACTS = ("copies of",)


@dataclass(frozen=True)
class Raw:
    """An input as it stands."""

    item: AnyInput


@dataclass(frozen=True)
class Sensed:
    """An event of the board of this boot with the next number, or an old one."""

    event: str
    side: int | None
    value: int
    tiles: tuple[str, ...] = ()
    old: bool = False


@dataclass(frozen=True)
class Reply:
    """A stage of the order under way, or of any other."""

    stage: str
    value: int = 0
    other: bool = False


@dataclass(frozen=True)
class On:
    """Play goes on by one step; ``choice`` picks among what may happen, ``tile`` is what is touched."""

    choice: int
    tile: int


@dataclass(frozen=True)
class Rings:
    """The next deadline is passed."""


@dataclass(frozen=True)
class Online:
    """The board's link is up again; ``agrees`` = it shows what the record says."""

    agrees: bool = True
    boot: int = 1


Act = Raw | Sensed | Reply | On | Rings | Online


class World:
    """A state, and a table that tells it things."""

    def __init__(self, capabilities: tuple[str, ...], rules: str) -> None:
        self.state: State = game.new_state()
        self.capabilities = capabilities
        self.rules = rules
        self.n = 1
        self.now = SECOND
        self.boot = 1
        self.number = 0
        kinds = [name for name in TILE_NAMES[1:] if rules == "mcr" or not is_flower(name)]
        self.wall = [name for name in kinds for _ in range(copies(name))]

    def happen(self, act: Act, wait: int, lag: int) -> None:
        """One act, ``wait`` µs after the last and known ``lag`` µs later."""
        self.now += wait
        match act:
            case Raw(item):
                self.put(item, lag)
            case Sensed():
                self.sense(act, lag)
            case Reply(stage, value, other):
                order = self.state.table.order
                id = 7 if order is None or other else order.id
                self.put(OperationReply("table", id, stage, value=value))
            case Rings():
                for due in game.deadlines(self.state)[:1]:
                    self.now = max(self.now, due[1])
                    self.put(Deadline(*due), self.now - due[1])
            case Online(agrees, boot):
                self.online(agrees, boot)
            case On(choice, tile):
                self.go_on(choice, TILE_NAMES[1 + tile % 42])

    def sense(self, sensed: Sensed, lag: int = 0) -> None:
        if not sensed.old:
            self.number += 1
        self.put(
            BoardEvent(
                "table",
                sensed.event,
                self.number,
                self.boot,
                self.now,
                sensed.side,
                value=sensed.value,
                tiles=sensed.tiles,
            ),
            lag,
        )

    def online(self, agrees: bool, boot: int) -> None:
        table = self.state.table
        self.boot = boot
        who = {"boot": boot, "capabilities": self.capabilities, "serial": "S1"}
        self.put(LinkChange("table", "reconcile", limits={"build": 240 * SECOND}, **who))
        top = table.top if agrees else "clear"
        order = table.order
        self.put(
            BoardStatus(
                "table", boot, top, table.store, False, True, table.hand if agrees else 0, 144,
                order.id if order and agrees else 0, "", self.number,
            )
        )  # fmt: skip
        self.put(LinkChange("table", "online", **who))

    def go_on(self, choice: int, tile: str) -> None:
        """What people at a table do next, most of the time."""
        hand, order = self.state.hand, self.state.table.order
        if order is not None:
            self.happen(Reply("done", 144 if self.rules == "mcr" else 136), 0, 0)
        elif hand is None or hand.over:
            idle = self.state.session.phase != "running"
            self.command("session start" if idle else "hand start", rules=self.rules)
        elif hand.phase == "raising":
            self.sense(Sensed("walls_up", None, hand.no))
        elif hand.phase == "building":
            self.command("resume")
        elif hand.phase == "dice":
            self.sense(Sensed("dice_result", hand.thrower, 0x21 + choice % 4))
        elif hand.phase == "adjudication":
            self.command("win reject" if choice % 2 else "win confirm", reason="x")
        else:
            self.play(hand.phase, hand.turn, choice, tile)

    def play(self, phase: str, turn: int, choice: int, tile: str) -> None:
        hand = self.state.hand
        assert hand is not None
        if "tile_read" not in self.capabilities:
            self.play_by_keys(phase, turn, choice)
        elif phase == "dealing":
            self.draw((hand.dealer + (hand.head // 4 if hand.head < 48 else hand.head)) % 4, "head", choice)
        elif phase == "flowers":
            self.replace_flowers(choice)
        elif phase == "draw" or (phase == "claims" and choice % 4 and hand.wall_left):
            self.draw(turn, hand.draw_from, choice)
        elif phase == "decide":
            held = hand.seats[turn].tiles
            tile = held[choice % len(held)] if held else tile
            kinds = [name for name in held if held.count(name) == 4]
            if kinds and choice % 2:
                self.sense(Sensed("meld_shown", turn, 4, (kinds[0],) * 4))
            elif is_flower(tile):
                self.sense(Sensed("meld_shown", turn, 6, (tile,)))
            else:
                self.sense(Sensed("tile_discarded", turn, 0, (tile,)))
        elif choice % 2:
            self.happen(Rings(), 0, 0)
        else:
            self.sense(Sensed("seat_key", (turn + choice) % 4, 2 + choice % 3))

    def play_by_keys(self, phase: str, turn: int, choice: int) -> None:
        if phase == "dealing" and choice % 2:
            self.command("deal done")
        elif phase in ("claims", "robbing") and choice % 2:
            self.happen(Rings(), 0, 0)
        elif choice % 8 < 5:
            self.sense(Sensed("seat_key", turn, 1))
        else:
            self.sense(Sensed("seat_key", (turn + choice) % 4, 2 + choice % 4))

    def draw(self, side: int, end: str, choice: int) -> None:
        """The next tile of the wall; when the count is wrong there may be none."""
        tile = (self.wall.pop(choice * 13 % len(self.wall)),) if self.wall else ()
        self.sense(Sensed("tile_drawn", side, ("head", "tail").index(end), tile))

    def replace_flowers(self, choice: int) -> None:
        hand = self.state.hand
        assert hand is not None
        for side, seat in enumerate(hand.seats):
            flowers = [name for name in seat.tiles if is_flower(name)]
            if flowers:
                self.sense(Sensed("meld_shown", side, 6, (flowers[0],)))
                return
            if seat.concealed + 3 * len(seat.melds) < (14 if side == hand.turn else 13):
                self.draw(side, "tail", choice)
                return
        self.sense(Sensed("seat_key", hand.dealer, 1))

    def command(self, name: str, **args: Any) -> None:
        self.put(Command(f"c{self.n}", "kim", "referee", name, args))

    def put(self, item: AnyInput, lag: int = 0) -> None:
        """One input, and everything that must hold whatever it was."""
        self.n += 1
        twin = game.from_json(game.to_json(self.state)) if self.n % TWIN == 0 else None
        at = max(0, self.now - lag)
        effects = game.step(self.state, self.n, at, 0, item, BOOK)
        if twin is not None:
            assert game.step(twin, self.n, at, 0, item, BOOK) == effects
            assert game.to_json(twin) == game.to_json(self.state)
            assert shown(twin, at) == shown(self.state, at)
        assert self.state.now >= at
        broken = [v for v in violations(self.state) if not any(word in v for word in FALSE_FACTS)]
        assert not broken, (broken, item)
        assert all(due >= 0 for _, due in game.deadlines(self.state))
        for effect in effects:
            if isinstance(effect, Publish):
                assert_said(effect.key, effect.data)
            if isinstance(effect, Answer) and isinstance(item, Command):
                answer = {"outcome": effect.outcome, "key": effect.key, "data": effect.data}
                sentences = complete(BY_NAME[item.name], item.args, answer, self.n, at)
                assert "{" not in f"{sentences['text']} {sentences.get('help')}".replace("{'", "")
            if isinstance(effect, Operate):
                assert effect.operation.upper() in Operation.__members__
        if isinstance(item, Command):
            assert [e.id for e in effects if isinstance(e, Answer)] == [item.id], item
        document = view(self.state, self.now)
        json.dumps(document)
        for hold in document["holds"]:
            assert_said(hold["key"], hold["data"])


def shown(state: State, now: int) -> str:
    return json.dumps(view(state, now), sort_keys=True)


def assert_said(key: str, data: dict[str, Any]) -> None:
    """Both languages have words for it and all their places are filled."""
    for lang in catalog.LANGUAGES:
        assert catalog.known(key), key
        sentence = catalog.text(key, lang, **data)
        assert "{" not in sentence, (key, data, sentence)


# ---- what may happen


def of(kind: Any) -> st.SearchStrategy[str]:
    return st.sampled_from([member.name.lower() for member in kind])


sides = st.sampled_from([None, *SIDES])
any_side = st.one_of(sides, st.integers(0, 255))
tiles = st.sampled_from(TILE_NAMES[1:])
read = st.lists(tiles, max_size=4).map(tuple)
values = st.one_of(st.integers(0, 8), st.integers(0, 2**32 - 1))
numbers = st.integers(0, 2**16)
boots = st.integers(1, 2)
devices = st.sampled_from(DEVICES)
shown_tiles = st.lists(tiles, min_size=1, max_size=4).map(tuple)
MINE = {"seat_key": range(1, 8), "tile_drawn": (0, 1), "meld_shown": range(1, 7)}


def sensible(event: str) -> st.SearchStrategy[Sensed]:
    value = st.sampled_from(MINE.get(event, range(6)))
    return st.builds(Sensed, st.just(event), st.sampled_from(SIDES), value, shown_tiles)


def arguments(spec: CommandSpec) -> st.SearchStrategy[dict[str, Any]]:
    required = {arg.name: argument(arg) for arg in spec.args if arg.required}
    optional = {arg.name: argument(arg) for arg in spec.args if not arg.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda args: defaults(spec) | args)


def defaults(spec: CommandSpec) -> dict[str, Any]:
    return {arg.name: arg.default for arg in spec.args if arg.default is not None}


def argument(arg: Arg) -> st.SearchStrategy[Any]:
    kinds: dict[str, Callable[[], st.SearchStrategy[Any]]] = {
        "seat": lambda: st.sampled_from(SEATS),
        "side": lambda: st.sampled_from(SIDES),
        "tile": lambda: tiles,
        "tiles": lambda: st.lists(tiles, min_size=1, max_size=5),
        "choice": lambda: st.sampled_from(arg.choices),
        "name": lambda: st.sampled_from([*BOOK, "nope"]),
        "text": lambda: st.sampled_from(["stopped", "link table", "order", "張三 🀄"]),
        "number": lambda: st.integers(arg.low, min(arg.high, 200)),
        "flag": lambda: st.just(True),
    }
    return kinds[arg.kind]()


ASKED = [spec for spec in COMMANDS if not spec.query]
commands = st.sampled_from(ASKED).flatmap(
    lambda spec: st.builds(
        Command,
        st.integers(0, 9).map(str),
        st.sampled_from(["kim", "lee"]),
        st.sampled_from(["referee", "chief"]),
        st.just(spec.name),
        arguments(spec),
    )
)
words = st.sampled_from([word.value for word in Word])
inputs: st.SearchStrategy[AnyInput] = st.one_of(
    commands,
    st.builds(
        BoardEvent,
        devices,
        st.one_of(of(EventKind), st.just("event_of_a_newer_board")),
        numbers,
        boots,
        numbers,
        any_side,
        of(Source),
        values,
        read,
    ),
    st.builds(
        LinkChange,
        devices,
        st.sampled_from([state["name"] for state in STATES]),
        words,
        boot=boots,
        capabilities=st.sampled_from([IDENTITY, COUNT, BARE]),
        limits=st.just({"build": SECOND}),
    ),
    st.builds(
        BoardStatus,
        devices,
        boots,
        of(TopState),
        of(StoreState),
        st.booleans(),
        st.booleans(),
        st.integers(0, 3),
        st.sampled_from([0, 136, 144]),
        numbers,
        of(Operation),
        numbers,
        faults=st.lists(st.tuples(of(Fault), st.sampled_from([0, 3, 255])), max_size=2).map(tuple),
    ),
    st.builds(
        OperationReply,
        devices,
        numbers,
        of(Stage),
        st.integers(0, 100),
        of(Refusal),
        of(Fault),
        sides,
        values,
        st.booleans(),
    ),
    st.builds(OperationSilent, devices, numbers, st.integers(1, 8)),
    st.builds(EventsLost, devices, boots, st.integers(1, 9), st.integers(9, 20)),
    st.builds(Restarted, st.just("0.2"), st.booleans()),
    st.builds(Refused, numbers, st.just("ValueError: x")),
    st.builds(Deadline, st.sampled_from(["window", "turn", "order", "nothing"]), numbers),
)
acts: st.SearchStrategy[Act] = st.one_of(
    st.builds(On, st.integers(0, 63), st.integers(0, 41)),
    st.builds(On, st.integers(0, 63), st.integers(0, 41)),
    st.one_of(*map(sensible, ["seat_key", "tile_drawn", "tile_discarded", "meld_shown"])),
    st.builds(Sensed, of(EventKind), any_side, values, read, st.booleans()),
    st.builds(Reply, of(Stage), values, st.booleans()),
    st.builds(Rings),
    st.builds(Online, st.booleans(), boots),
    st.builds(Raw, inputs),
)
times = st.sampled_from([0, 1, SECOND // 2, 2 * SECOND, 4 * SECOND, 40 * SECOND])
lags = st.sampled_from([0, 0, 0, 1, SECOND // 2, 3 * SECOND])
courses = st.lists(st.tuples(acts, times, lags), max_size=50)

BEGINNINGS: dict[str, Callable[[State], bool]] = {
    "a table nobody has spoken to": lambda state: True,
    "the walls are being built": lambda state: state.table.order is not None,
    "the dice are to be thrown": lambda state: state.hand is not None and state.hand.phase == "dice",
    "the hands are being dealt": lambda state: state.hand is not None and state.hand.phase == "dealing",
    "a hand is being played": lambda state: state.hand is not None and state.hand.turns > 5,
    "the hand is over": lambda state: state.hand is not None and state.hand.over,
}


@cache
def begun_world(begun: str, capabilities: tuple[str, ...], rules: str) -> World:
    world = World(capabilities, rules)
    world.online(True, 1)
    at = 0
    while not BEGINNINGS[begun](world.state):
        at += 1
        world.happen(On(7 * at, 5 * at), SECOND, 0)
        assert at < 2000, "it never comes to that"
    return world


def begin(begun: str, capabilities: tuple[str, ...], rules: str) -> World:
    """A world of one's own; how it came there is played only once."""
    world = copy(begun_world(begun, capabilities, rules))
    world.wall = [*world.wall]
    world.state = game.from_json(game.to_json(world.state))
    return world


def course(begun: str, capabilities: tuple[str, ...], rules: str, what: list[tuple[Act, int, int]]) -> None:
    world = begin(begun, capabilities, rules)
    for act, wait, lag in what:
        world.happen(act, wait, lag)


CAPABILITIES = st.sampled_from([IDENTITY, COUNT, BARE, (*IDENTITY, "lamps")])
RULES = st.sampled_from(["mcr", "mcr-136"])
relaxed = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("begun", BEGINNINGS)
@settings(relaxed, max_examples=150)
@given(CAPABILITIES, RULES, courses)
def test_whatever_happens_the_core_stays_whole(
    begun: str, capabilities: tuple[str, ...], rules: str, what: list[tuple[Act, int, int]]
) -> None:
    course(begun, capabilities, rules, what)


@pytest.mark.long
@pytest.mark.parametrize("begun", BEGINNINGS)
@settings(relaxed, max_examples=4000)
@given(CAPABILITIES, RULES, courses)
def test_whatever_happens_at_length(
    begun: str, capabilities: tuple[str, ...], rules: str, what: list[tuple[Act, int, int]]
) -> None:
    course(begun, capabilities, rules, what)
