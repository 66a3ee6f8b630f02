"""What a link tells the core: each report of a driver as an input with its table time, each state once.

An event happened at its board time; everything else is told at the time it came. While a cable is out for
an hour the same reason is told once, so the journal does not grow.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any, Protocol

from protocols import driver
from protocols.clocksync import ClockSync
from protocols.vocabulary import EventKind, Fault, Operation
from tablectl.daemon.link import translate
from tablectl.daemon.link.board import Board
from tablectl.daemon.link.evidence import Evidence
from tablectl.daemon.link.words import Word
from tablectl.game.inputs import EventsLost, Input, LinkChange, OperationSilent

NAMED_IN = ("reconcile", "online", "refused")  # states in which the board that answered is named

Emit = Callable[[Input, int, int], None]  # input, table time µs, uncertainty µs


class Clock(Protocol):
    """What a link needs of the table's clock."""

    def at(self, loop_seconds: float, /) -> int:
        """Table time (µs) at a time of the loop."""

    def now_us(self) -> int:
        """Table time now (µs)."""

    def set_scale(self, scale: int, /) -> None:
        """From now on table time runs ``scale`` times as fast as real time."""


class Teller:
    """The mouth of one link."""

    def __init__(
        self,
        device: str,
        *,
        loop: asyncio.AbstractEventLoop,
        clock: Clock,
        emit: Emit,
        board: Board,
        sync: ClockSync,
        evidence: Evidence,
    ) -> None:
        self.word = Word.NONE
        self.detail: dict[str, Any] = {}
        self.since = clock.now_us()  # of what was told last
        self._device = device
        self._loop = loop
        self._clock = clock
        self._emit = emit
        self._board = board
        self._sync = sync
        self._evidence = evidence
        self._said = ("closed", "")
        self._last_reply: driver.Reply | None = None
        self._sampled: driver.ClockSample | None = None  # the newest of this boot

    def change(
        self, state: str, word: Word, detail: dict[str, Any], limits: dict[str, int] | None = None
    ) -> None:
        """The link reached a state; told only if state or word is another than last time."""
        self.word, self.detail = word, detail
        if self._said == (state, word.value):
            return
        self._said = (state, word.value)
        self.since = self._clock.now_us()
        who = self._board.identity() if state in NAMED_IN else {}
        who["limits"] = limits or {}
        self._now(LinkChange(device=self._device, state=state, word=word.value, detail=detail, **who))

    def snapshot(self, status: driver.Status) -> None:
        """The board's whole state."""
        self._now(translate.board_status(self._device, status))

    def report(self, report: driver.Report) -> None:
        """What the board did, or never answered."""
        match report:
            case driver.BoardEvent():
                self._event(report)
            case driver.EventsLost(first=first, last=last):
                self._board.received = max(self._board.received, last)
                self._now(EventsLost(device=self._device, boot=self._board.boot, first=first, last=last))
            case driver.Status():
                self.snapshot(report)
            case driver.Reply() if report == self._last_reply:
                pass  # a slow board says the same again each time it is asked
            case driver.Reply():
                self._last_reply = report
                self._now(translate.operation_reply(self._device, report))
            case driver.OperateFailed(id=id, attempts=attempts):
                self._now(OperationSilent(device=self._device, id=id, attempts=attempts))
            case _:
                pass  # about the connection, not the table

    def clock_heard(self, sample: driver.ClockSample) -> None:
        """An exchange of clocks came back: what an event says of its time is measured by it."""
        self._sampled = sample

    def table_time(self, board_us: int) -> tuple[int, int]:
        """Table time of a board time and its uncertainty, µs. Nothing told now happened later than now,
        whatever a broken board stamps it with: table time must never run away."""
        when, uncertainty = self._host_time(board_us)
        now = self._clock.now_us()
        unc = math.ceil(uncertainty * 1e6) * self._board.time_scale
        return min(self._clock.at(min(when, self._loop.time())), now), min(unc, now)

    def _event(self, event: driver.BoardEvent) -> None:
        board = self._board
        if event.number <= board.received:
            return  # came before
        board.received = event.number
        if event.kind is EventKind.POWER_DIP:
            self._evidence.power_dip(self._host_time(event.board_us)[0], event.value)
        elif event.kind is EventKind.FAULT_SET and event.value == Fault.UNDERVOLTAGE:
            self._evidence.power_dip(self._host_time(event.board_us)[0], 0)
        if self._strange(event):
            if self._sync.wrapped(event.board_us, self._loop.time()):
                self._sync.count_on()
            else:
                self._sync.reset()
        told = translate.board_event(self._device, board.boot, event)
        self._emit(told, *self.table_time(event.board_us))

    def _host_time(self, board_us: int) -> tuple[float, float]:
        """Loop seconds of a board time and their uncertainty. A clock not known (any more): now, or any
        time since it was."""
        if self._sync.ready:
            return self._sync.to_host(board_us)
        now = self._loop.time()
        since = now - self._sampled.sent if self._sampled is not None else 0.0
        return now, max(since, self._evidence.round_trip())

    def _strange(self, event: driver.BoardEvent) -> bool:
        """Has the clock jumped since it was asked, or its counter begun anew? So it has for an event the
        board did not have then and stamps with an earlier time, and for one that would happen later than
        now."""
        sampled = self._sampled
        if sampled is None or not self._sync.ready or event.number <= sampled.last_event:
            return False
        when, uncertainty = self._sync.to_host(event.board_us)
        early = self._sync.full(event.board_us) < self._sync.full(sampled.board_us)
        return early or when - uncertainty > self._loop.time()

    def _now(self, told: Input) -> None:
        self._emit(told, self._clock.now_us(), 0)


def done_limits(made: driver.Driver) -> dict[str, int]:
    """Table time (µs) after which an accepted operation has failed, by operation."""
    return {translate.name(op): round(made.limits(op).done * 1e6) for op in Operation}
