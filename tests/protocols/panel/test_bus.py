"""One exchange at a time, each under its own deadline, with adapters that hear themselves."""

from __future__ import annotations

import pytest

from protocols.driver import Counters
from protocols.panel import modbus
from protocols.panel.bus import AFTER_LOSS, ANSWER, GAP, Bus
from protocols.panel.modbus import Answer, Request
from protocols.panel.wiring import Board
from sim.panel.relay import crc

BOARD = Board()
READ, PRESS = modbus.read_inputs(BOARD), modbus.press(BOARD, 1, 200)
SAMPLE = b"\x01\x02\x01\x05" + crc(b"\x01\x02\x01\x05")


class Talk:
    """A bus and what came of its exchanges."""

    def __init__(self) -> None:
        self.bus = Bus(0.0, Counters())
        self.answers: list[Answer | None] = []
        self.now = 0.0

    def ask(self, request: Request) -> bytes:
        self.bus.ask(request, lambda answer, sent, at: self.answers.append(answer))
        self.now = max(self.now, self.bus.due() or 0.0)
        return self.bus.outgoing(self.now)

    def hear(self, data: bytes, after: float = 0.01) -> None:
        self.now += after
        self.bus.receive(data, self.now)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.bus.tick(self.now)


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_an_answer_in_pieces_is_one(talk: Talk) -> None:
    assert talk.ask(READ) == READ.data
    for byte in SAMPLE:
        talk.hear(bytes((byte,)), 0.001)
    assert talk.answers == [Answer(bits=(True, False, True, *[False] * 5))]


def test_bytes_that_dribble_do_not_prolong_an_exchange(talk: Talk) -> None:
    talk.ask(READ)
    for byte in SAMPLE[:-1]:
        talk.hear(bytes((byte,)), ANSWER / 4)
        talk.wait(0.0)
    assert talk.answers == [None]
    assert talk.bus.counters.crc_errors == 1


def test_nothing_leaves_while_an_answer_is_awaited(talk: Talk) -> None:
    talk.ask(READ)
    talk.bus.ask(PRESS, lambda *_: None)
    assert talk.bus.outgoing(talk.now + 0.1) == b""
    talk.hear(SAMPLE)
    assert talk.bus.outgoing(talk.now) == b""  # the bus needs its silence first
    assert talk.bus.outgoing(talk.now + GAP) == PRESS.data


def test_a_late_answer_is_nobodys(talk: Talk) -> None:
    talk.ask(READ)
    talk.wait(ANSWER)
    talk.hear(SAMPLE, 0.02)
    assert talk.answers == [None]
    assert talk.bus.counters.late == 1
    assert talk.ask(READ) == READ.data
    assert talk.now >= ANSWER + AFTER_LOSS


def test_an_echo_is_not_the_boards_word(talk: Talk) -> None:
    talk.ask(READ)
    talk.hear(READ.data + SAMPLE)
    assert talk.bus.echo is True
    talk.ask(PRESS)
    talk.hear(PRESS.data)  # the adapter, not the board
    talk.wait(ANSWER)
    assert talk.answers[1:] == [None]
    assert talk.bus.counters.crc_errors == 0  # an echo alone is silence, not noise
    talk.ask(PRESS)
    talk.hear(PRESS.data)
    talk.hear(PRESS.data)
    assert talk.answers[2:] == [Answer()]


def test_without_echo_the_repeated_request_is_the_answer(talk: Talk) -> None:
    talk.ask(READ)
    talk.hear(SAMPLE)
    talk.ask(PRESS)
    talk.hear(PRESS.data)
    assert talk.bus.echo is False
    assert talk.answers[1:] == [Answer()]


def test_an_endless_stream_is_noise_and_takes_no_memory(talk: Talk) -> None:
    talk.ask(READ)
    for _ in range(200):
        talk.hear(bytes(range(64)), 0.001)
    talk.wait(ANSWER)
    assert talk.answers == [None]
    assert talk.bus.counters.bad_bytes <= 512
