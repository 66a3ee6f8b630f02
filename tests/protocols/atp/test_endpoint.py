"""One end of a wire: what it sends is counted, what it hears is known or counted."""

from __future__ import annotations

import pytest

from protocols.atp import messages as m
from protocols.atp.endpoint import Endpoint, message_of
from protocols.atp.frame import Frame
from protocols.driver import Counters


def ends() -> tuple[Endpoint, Endpoint]:
    return Endpoint("host", Counters()), Endpoint("board", Counters())


def test_a_lost_frame_shows_as_a_gap_in_the_counter() -> None:
    host, board = ends()
    for token in range(300):
        host.send(m.ClockAsk(token))
        data = host.drain()
        if token not in (5, 6, 280):
            board.feed(data)
    assert (board.counters.frames_received, board.counters.frames_missed) == (297, 3)
    assert host.counters.frames_sent == 300


def test_a_peer_that_began_anew_shows_no_gap() -> None:
    host, board = ends()
    host.send(m.ClockAsk(1))
    host.send(m.ClockAsk(2))
    board.feed(host.drain())
    fresh = Endpoint("host", Counters())
    fresh.send(m.ClockAsk(1))
    board.forget_peer()
    board.feed(fresh.drain())
    assert board.counters.frames_missed == 0


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        pytest.param(Frame(1, 0, m.Stop.TYPE, b""), m.Stop(), id="known"),
        pytest.param(Frame(1, 0, 0xEE, b"abc"), None, id="unknown type"),
        pytest.param(Frame(2, 0, m.Stop.TYPE, b""), None, id="another version"),
        pytest.param(Frame(9, 0, m.Error.TYPE, b"\2"), m.Error(2), id="an error of any version"),
    ],
)
def test_what_is_not_known_is_none(frame: Frame, message: m.Stop | m.Error | None) -> None:
    assert message_of(frame) == message
    _, board = ends()
    assert board.feed(frame.to_bytes()) == ([] if message is None else [message])
    assert board.counters.unknown == (message is None)


def test_the_same_message_goes_only_one_way() -> None:
    host, _ = ends()
    host.send(m.Operate(256, 1))
    host.send(m.Beat())
    assert host.feed(host.drain()) == [m.Beat()]
