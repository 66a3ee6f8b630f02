"""The firmware answers on its line, stepped by hand."""

from __future__ import annotations

import pytest

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.endpoint import Endpoint
from protocols.driver import Counters
from protocols.vocabulary import EventKind, StoreState, TopState
from sim.firmware import generate
from sim.firmware.lockstep import Firmware, Inputs

REST = Inputs(sensors=1 << 1 | 0xF << 6 | 1 << 31)  # centre and trays down, chain at its reference
JOURNAL = bytes(range(16))
BUDGET = 4096  # bytes of RAM, all buffers included


class Line:
    """A host of one board that speaks when it is told to."""

    def __init__(self, **more: int) -> None:
        self.board = Firmware(REST, **more)
        self.end = Endpoint("host", Counters())
        self.now_us = 0

    def ask(self, *messages: Message, after_us: int = 1000) -> list[Message]:
        self.now_us += after_us
        for message in messages:
            self.end.send(message)
        self.board.receive(self.now_us, self.end.drain())
        self.board.step(self.now_us, REST)
        return self.end.feed(self.board.transmit())

    def greet(self) -> list[Message]:
        return self.ask(m.HelloAsk(7, 1, 1, JOURNAL))


def test_generated_sources_are_fresh() -> None:
    assert generate.main(["--check"]) == 0


def test_a_board_needs_less_than_four_kilobytes() -> None:
    assert Firmware(REST).size < BUDGET


def test_it_says_nothing_before_it_is_greeted() -> None:
    line = Line()
    assert line.ask(after_us=5_000_000) == []
    assert line.ask(m.StatusAsk(1)) == [m.Error(m.ErrorCode.NO_HELLO, m.StatusAsk.TYPE)]


def test_a_greeting_is_answered_with_the_boot_and_then_the_events() -> None:
    line = Line(device=5, boot_count=3)
    hello, boot = line.greet()
    assert isinstance(hello, m.Hello)
    assert (hello.token, hello.version_min, hello.version_max) == (7, 1, 1)
    assert hello.boot == 5 << 32 | 3
    assert isinstance(boot, m.Event)
    assert (boot.number, boot.kind, boot.value) == (1, EventKind.BOOT, 3)


def test_status_tells_what_the_sensors_know() -> None:
    line = Line()
    line.greet()
    (status,) = line.ask(m.StatusAsk(9))
    assert isinstance(status, m.Status)
    assert status.token == 9
    assert (status.top, status.store) == (TopState.CLEAR, StoreState.EMPTY)
    assert (status.homed, status.stopped, status.running_id) == (1, 0, 0)
    assert status.board_us == line.now_us


@pytest.mark.parametrize("size", [1, 2, 7])
def test_frames_may_come_in_pieces(size: int) -> None:
    line = Line()
    line.end.send(m.HelloAsk(7, 1, 1, JOURNAL))
    data = line.end.drain()
    for start in range(0, len(data), size):
        line.board.receive(0, data[start : start + size])
    assert any(isinstance(one, m.Hello) for one in line.end.feed(line.board.transmit()))
