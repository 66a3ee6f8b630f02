"""A state that things happen to, one after the other, and everything that must hold after each of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

from protocols.vocabulary import TILE_NAMES, Operation
from tablectl.api.answer import complete
from tablectl.api.registry import BY_NAME
from tablectl.game import step as game
from tablectl.game.effects import Answer, Operate, Publish
from tablectl.game.inputs import (
    AnyInput,
    BoardEvent,
    BoardStatus,
    Command,
    Deadline,
    LinkChange,
    OperationReply,
)
from tablectl.game.invariants import violations
from tablectl.game.state import State
from tablectl.game.view import view
from tablectl.locale import catalog
from tablectl.rules.tiles import copies, is_flower
from tests.game.conftest import BOOK, SECOND

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
        kinds = [name for name in TILE_NAMES[1:] if BOOK[rules].flowers.used.value or not is_flower(name)]
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
            self.happen(Reply("done", BOOK[self.rules].wall.tiles.value), 0, 0)
        elif hand is None or hand.over:
            idle = self.state.session.phase != "running"
            self.command("session start" if idle else "hand start", rules=self.rules)
        elif hand.phase == "raising":
            self.sense(Sensed("walls_up", None, hand.deal))
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
        elif phase == "indicator":
            shown = (self.wall.pop(choice % len(self.wall)),) if self.wall else ()
            self.sense(Sensed("meld_shown", hand.dealer, 8, shown))
        elif phase == "last_draws" and hand.last_drawn == 4:
            self.happen(Rings(), 0, 0)
        elif phase == "last_draws":
            self.draw((turn + 1) % 4 if hand.fresh else turn, "head", choice)
        elif phase == "draw" or (phase == "claims" and choice % 4 and hand.live_left > 0):
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
        elif phase in ("claims", "robbing", "last_draws") and choice % 2:
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
