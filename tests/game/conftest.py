"""A table in the words of the table: what each side does, with the time passing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tablectl.game import step as game
from tablectl.game.effects import Answer, Effect, Operate, Publish
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
from tablectl.game.state import HandState, State
from tablectl.rules.book import load_book

SECOND = 1_000_000
COUNT = ("dice", "seat_keys", "result_memory", "host_stop")
IDENTITY = (*COUNT, "tile_read", "draw_sense", "discard_sense")
KEYS = {"discard": 1, "chow": 2, "pung": 3, "kong": 4, "flower": 5, "win": 6, "referee": 7}
MELDS = {
    "chow": 1,
    "pung": 2,
    "kong": 3,
    "concealed_kong": 4,
    "added_kong": 5,
    "flower": 6,
    "single_kong": 7,
    "indicator": 8,
}
BOOK = load_book()


class Table:
    """Steps a state by hand and keeps everything that came of it."""

    book = BOOK

    def __init__(self, capabilities: tuple[str, ...] = IDENTITY, rules: str = "mcr") -> None:
        self.state: State = game.new_state()
        self.capabilities = capabilities
        self.rules = rules
        self.now = 0
        self.n = 0
        self.number = 0
        self.boot = 7
        self.effects: list[Effect] = []
        self.broken: list[str] = []

    # plumbing
    def put(self, item: AnyInput, at: int | None = None, unc: int = 0) -> list[Effect]:
        self.n += 1
        effects = game.step(self.state, self.n, self.now if at is None else at, unc, item, self.book)
        self.effects += effects
        self.broken += [f"after {item}: {v}" for v in violations(self.state)]
        return effects

    def wait(self, seconds: float) -> None:
        """Let time pass; deadlines that fall in it stand."""
        end = self.now + round(seconds * SECOND)
        while due := [d for d in game.deadlines(self.state) if d[1] <= end]:
            self.now = due[0][1]
            self.put(Deadline(*due[0]))
        self.now = end

    def event(
        self, event: str, side: int | None = None, value: int = 0, tiles: tuple[str, ...] = (), **more: Any
    ) -> None:
        self.number += 1
        board_us = more.get("board_us", self.now)
        self.put(
            BoardEvent("table", event, self.number, self.boot, board_us, side, value=value, tiles=tiles),
            more.get("at"),
            more.get("unc", 0),
        )

    def command(self, name: str, actor: str = "kim", role: str = "referee", **args: Any) -> Answer:
        effects = self.put(Command(f"c{self.n}", actor, role, name, args))
        return next(e for e in effects if isinstance(e, Answer))

    def published(self, key: str) -> list[dict[str, Any]]:
        return [e.data for e in self.effects if isinstance(e, Publish) and e.key == key]

    def orders(self, *skip: str) -> list[str]:
        return [e.operation for e in self.effects if isinstance(e, Operate) and e.operation not in skip]

    @property
    def hand(self) -> HandState:
        assert self.state.hand is not None
        return self.state.hand

    @property
    def phase(self) -> str:
        return self.hand.phase

    # words of the table
    def online(self, *, boot: int | None = None, **more: Any) -> None:
        self.boot = boot or self.boot
        identity = {"boot": self.boot, "capabilities": self.capabilities, "serial": "S1"}
        self.put(
            LinkChange("table", "reconcile", limits={"build": 240 * SECOND, "raise": 60 * SECOND}, **identity)
        )
        table = self.state.table
        seen = {
            "top": table.top if table.top != "unknown" else "clear",
            "store": "empty",
            "stopped": False,
            "homed": True,
            "hand": table.hand,
            "profile": self.book[self.rules].wall.tiles.value,
            "running_id": 0,
            "running": "",
            "last_event": self.number,
            **more,
        }
        self.put(BoardStatus("table", self.boot, **seen))
        self.put(LinkChange("table", "online", **identity))

    def done(self, value: int = 0) -> None:
        """The order under way succeeds."""
        order = self.state.table.order
        assert order is not None
        self.put(OperationReply("table", order.id, "done", value=value))

    def start(self, **session: Any) -> None:
        """Seat four players and bring the hand to the throws."""
        self.online()
        assert self.command("session start", rules=self.rules, **session).outcome == "accepted"
        assert self.command("hand start").outcome == "accepted"
        self.done(self.book[self.rules].wall.tiles.value)
        self.event("walls_up", value=self.hand.deal)
        self.done()

    def throw(self, *throws: tuple[int, int]) -> None:
        for a, b in throws:
            self.event("dice_result", self.hand.thrower, a | b << 4)

    def deal(self, *hands: str) -> None:
        """Deal four hands given as text (``"123m 44p E"``), dealer's first."""
        dealer = self.hand.dealer
        for offset, text in enumerate(hands):
            for tile in tiles(text):
                self.event("tile_drawn", (dealer + offset) % 4, 0, (tile,))

    def play(self, **session: Any) -> None:
        """Start a hand and bring it to the dealer's first turn, nobody having looked at any tile."""
        self.start(**session)
        self.throw(*[(3, 4)] * self.book[self.rules].wall.throws.value)
        for side in [s % 4 for s in range(self.hand.dealer, self.hand.dealer + 4)]:
            for _ in range(14 if side == self.hand.dealer else 13):
                self.draw(side)

    def draw(self, side: int, tile: str = "", end: str = "head") -> None:
        self.event("tile_drawn", side, ("head", "tail").index(end), (tile,) if tile else ())

    def discard(self, side: int, tile: str = "", **more: Any) -> None:
        if tile:
            self.event("tile_discarded", side, tiles=(tile,), **more)
        else:
            self.press(side, "discard")

    def press(self, side: int, key: str, **more: Any) -> None:
        self.event("seat_key", side, KEYS[key], **more)

    def show(self, side: int, meld: str, text: str) -> None:
        self.event("meld_shown", side, MELDS[meld], tuple(tiles(text)))


def tiles(text: str) -> list[str]:
    """``"123m EE f1"`` → canonical tiles."""
    found: list[str] = []
    for word in text.split():
        if word[0] == "f":
            found.append(word)
        elif word[-1] in "mps" and word[0].isdigit():
            found += [digit + word[-1] for digit in word[:-1]]
        else:
            found += list(word)
    return found


@pytest.fixture
def table() -> Callable[..., Table]:
    """Make tables; whatever the test did, no invariant may have broken."""
    made: list[Table] = []

    def make(*args: Any, **kwargs: Any) -> Table:
        made.append(Table(*args, **kwargs))
        return made[-1]

    yield make  # type: ignore[misc]
    assert not [v for t in made for v in t.broken]
