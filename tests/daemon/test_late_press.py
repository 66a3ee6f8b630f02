"""A press stamped before a limit is in time however late it arrives; after it, it is not.

A real core, with its deadlines and its questions to the boards, and a board behind a line that is slow: what
it sensed is on its way while the limit passes at the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from sim.timebase import VirtualLoop
from tablectl.daemon.core import Core
from tablectl.daemon.journal import MemoryJournal
from tablectl.daemon.timebase import TableClock
from tablectl.game import clocks
from tablectl.game.inputs import BoardEvent, ClockStep
from tablectl.game.state import HandState
from tests.game.conftest import BOOK, COUNT, IDENTITY, KEYS, Table

SYSTEMS = ("mcr", "zungjung", "ccm", "wuhan")
UNC = 400  # µs, of every board time


@dataclass(frozen=True)
class Line:
    """Seconds a frame takes each way, at most how much longer; how long until a lost event is sent again;
    µs the board's clock is judged to be behind."""

    latency: float
    jitter: float = 0.0
    again: float = 0.0
    behind: int = 0


LINES = {
    "quick": Line(0.002),
    "at random": Line(0.002, jitter=0.02),
    "slow": Line(0.35),
    "very slow": Line(0.8),
    "loses the press": Line(0.002, again=0.3),
    "behind": Line(0.0002, behind=8_000),
}
EARLY, LATE = -5_000, 5_000  # µs from the limit
Setting = tuple[Table, int, str, int]  # a table, who presses what, and the limit


class SlowBoard:
    """Stamps at once and tells late, in order; asked for its clock it says which event is its newest."""

    def __init__(self, core: Core, loop: VirtualLoop, table: Table, line: Line) -> None:
        self.core, self.loop, self.table, self.line = core, loop, table, line
        self.number = table.number
        self._chance = Random(3)
        self._free_at = 0.0

    def press_at(self, at: int, side: int, key: str) -> None:
        """Press at that moment of the board's clock."""
        self.loop.call_at(self.core.clock.loop_time_of(at + self.line.behind), self._press, at, side, key)

    def _press(self, at: int, side: int, key: str) -> None:
        self.number += 1
        event = BoardEvent("table", "seat_key", self.number, self.table.boot, at, side, value=KEYS[key])
        if self.line.again:
            self.loop.call_later(self.line.again, self.core.emit, event, at, UNC)
        else:
            self._send(lambda: self.core.emit(event, at, UNC))

    def ask_clock(self, callback: Callable[[int, int, int], None]) -> bool:
        def read() -> None:
            at, newest = self.core.clock.now_us() - self.line.behind, self.number
            self._send(lambda: callback(at, newest, UNC))

        self.loop.call_later(self._late(), read)
        return True

    def _late(self) -> float:
        return self.line.latency + self._chance.uniform(0, self.line.jitter)

    def _send(self, arrives: Callable[[], object]) -> None:
        self._free_at = max(self._free_at, self.loop.time() + self._late())
        self.loop.call_at(self._free_at, arrives)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *args, **kwargs: {}  # orders, acknowledgements: nobody is interested here


class Hall:
    """A table brought to where a limit runs, and from there on in the hands of a core."""

    def __init__(self, table: Table, line: Line) -> None:
        self.loop = VirtualLoop()
        clock = TableClock(self.loop.time, table.now)
        journal = MemoryJournal(self.loop, Random(1))
        self.core = Core(journal, clock, BOOK, state=table.state, loop=self.loop)
        self.board = SlowBoard(self.core, self.loop, table, line)
        self.core.devices["table"] = self.board
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.core.feed.subscribe(lambda event: self.told.append((event["key"], event["data"])), None)
        self.core.emit(ClockStep(0), table.now, 0)  # anything: from here on its deadlines are armed

    @property
    def hand(self) -> HandState:
        assert self.core.state.hand is not None
        return self.core.state.hand

    def press_at(self, table_us: int, side: int, key: str) -> None:
        """Press at that moment, then let everything arrive."""
        self.board.press_at(table_us, side, key)
        self.loop.call_at(self.core.clock.loop_time_of(table_us) + 2.9, self.loop.stop)
        self.loop.run_forever()

    def flagged(self) -> list[str]:
        """What was flagged, but for tiles nobody spelt out."""
        found = [facts["what"] for key, facts in self.told if key == "event.irregular"]
        return [what for what in found if what not in ("irregular.unknown_tile", "irregular.empty_claim")]


def playing(rules: str, capabilities: tuple[str, ...] = COUNT) -> Table:
    table = Table(capabilities, rules)
    table.play()
    if rules == "wuhan":
        table.show(0, "indicator", "3m")
    table.wait(20)  # a grace at the beginning is over
    return table


def a_discard(rules: str) -> Setting:
    """The second seat has to discard."""
    table = playing(rules)
    table.discard(0)
    table.wait(4)
    assert table.hand.clock is not None
    return table, 1, "discard", clocks.due(table.hand, table.hand.clock)


def a_call(rules: str) -> Setting:
    """A discard lies open; where no number closes the window a chow waits for a better call."""
    table = playing(rules)
    table.discard(0)
    if rules == "zungjung":
        table.press(1, "chow")
    assert table.hand.window is not None
    return table, 2, "pung", table.hand.window.until


def a_robbery(rules: str) -> Setting:
    """An added kong lies open."""
    table = playing(rules, IDENTITY)
    table.discard(0, "E")
    table.press(2, "pung")
    table.wait(3.1)
    table.show(2, "pung", "EEE")
    table.discard(2, "9m")
    for side in (3, 0, 1, 2):
        table.wait(3.1)
        table.draw(side)
        if side != 2:
            table.discard(side, "9m")
    table.show(2, "added_kong", "EEEE")
    assert table.hand.window is not None
    assert table.phase == "robbing"
    return table, 3, "win", table.hand.window.until


def pressed(setting: Setting, line: str, away: int) -> Hall:
    """The key is pressed so many µs from the limit."""
    table, side, key, limit = setting
    hall = Hall(table, LINES[line])
    hall.press_at(limit + away, side, key)
    return hall


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("away", [EARLY, 0], ids=["before", "at the limit"])
@pytest.mark.parametrize("rules", SYSTEMS)
class TestInTime:
    def test_a_discard(self, rules, away, line):
        hall = pressed(a_discard(rules), line, away)
        assert hall.hand.measurements[-1].found == "in_time"
        assert not [key for key, _ in hall.told if key.startswith("event.overtime")]
        assert not hall.flagged()

    def test_a_call(self, rules, away, line):
        hall = pressed(a_call(rules), line, away)
        assert (hall.hand.turn, hall.hand.phase) == (2, "decide")
        assert not hall.flagged()

    def test_a_robbery(self, rules, away, line):
        hall = pressed(a_robbery(rules), line, away)
        assert hall.hand.phase == "adjudication"
        assert not hall.flagged()


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("rules", SYSTEMS)
class TestTooLate:
    def test_a_discard(self, rules, line):
        hall = pressed(a_discard(rules), line, LATE)
        assert hall.hand.measurements[-1].found == "over"
        assert hall.flagged() == ["irregular.overtime"]

    def test_a_call(self, rules, line):
        hall = pressed(a_call(rules), line, LATE)
        if rules == "zungjung":  # the claimer has not played on (ZJ-C2)
            assert (hall.hand.turn, hall.flagged()) == (2, [])
        else:
            assert (hall.hand.turn, hall.flagged()) == (1, ["irregular.late_claim"])

    def test_a_robbery(self, rules, line):
        hall = pressed(a_robbery(rules), line, LATE)
        assert hall.hand.phase == "draw"
        assert hall.flagged() == ["irregular.late_claim"]
