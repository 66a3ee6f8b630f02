"""The firmware answers on its line, stepped by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import LIMITS
from protocols.vocabulary import EventKind, Fault, Operation, Refusal, StoreState, TopState
from sim.firmware import generate
from sim.firmware.lockstep import Firmware
from tests.sim.firmware.line import JOURNAL, REST, Line, events_in

BUDGET = 4096  # bytes of RAM, all buffers included


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


def events_of(messages: list[Message]) -> list[int]:
    return [event.number for event in events_in(messages)]


def test_an_event_is_repeated_after_the_time_out_and_not_before() -> None:
    line = Line()
    assert events_of(line.greet()) == [1]
    assert events_of(line.ask(after_us=199_000)) == []
    assert events_of(line.ask(after_us=2_000)) == [1]
    line.ask(m.AckEvents(1, 1 << 32 | 1))
    assert events_of(line.ask(after_us=500_000)) == []


def test_whoever_comes_back_is_sent_everything_at_once() -> None:
    line = Line()
    line.greet()
    line.ask(m.Stop())  # its event is the second
    assert events_of(line.greet()) == [1, 2]
    line.ask(m.AckEvents(1, 1 << 32 | 1))
    assert events_of(line.greet()) == [2]


def test_an_acknowledgement_gives_the_rest_another_time_out() -> None:
    line = Line()
    line.greet()
    line.ask(m.Stop(), after_us=150_000)
    assert events_of(line.ask(m.AckEvents(1, 1 << 32 | 1), after_us=10_000)) == []
    assert events_of(line.ask(after_us=150_000)) == []
    assert events_of(line.ask(after_us=60_000)) == [2]


def test_a_piece_too_short_for_a_frame_does_nothing() -> None:
    line = Line()
    line.greet()
    line.ask(m.Operate(256, Operation.LAMPS, 255, 0, 1))
    frames = line.board.transmit()
    for length in range(1, 7):
        piece = bytes(range(1, length + 1))
        line.board.receive(line.now_us, b"\0" + bytes((length + 1,)) + piece + b"\0")
        line.board.step(line.now_us, REST)
    assert line.board.transmit() == frames == b""


def test_no_more_orders_wait_than_there_is_memory_for() -> None:
    line = Line()
    line.greet()
    ids = range(256, 256 * 11, 256)
    said = [line.ask(m.Operate(id, Operation.BUILD, 255, 1, 0))[0] for id in ids]
    assert [type(one) for one in said[:8]] == [m.Accepted] * 8
    assert [one.refusal for one in said[8:] if isinstance(one, m.Refused)] == [Refusal.BUSY] * 2
    known = [line.ask(m.Query(id))[-1] for id in ids]
    assert all(isinstance(one, m.Accepted) for one in known[:8])


def test_what_is_pushed_out_is_never_begun_again() -> None:
    line = Line()
    line.greet()
    for id in range(1, 12):
        line.ask(m.Operate(id, Operation.LAMPS, 255, 0, 1))
    assert [type(line.ask(m.Query(id))[0]) for id in range(1, 12)] == [m.Unknown] * 3 + [m.Done] * 8
    assert line.ask(m.Operate(2, Operation.LAMPS, 255, 0, 2)) == [m.Unknown(2)]
    assert line.board.outputs >> 19 & 7 == 1


def test_another_journal_knows_nothing_of_the_orders_of_this_one() -> None:
    line = Line()
    line.greet()
    line.ask(m.Operate(256, Operation.LAMPS, 255, 0, 1), m.Operate(512, Operation.BUILD, 255, 1, 0))
    line.ask(m.HelloAsk(8, 1, 1, bytes(16)))
    assert [type(line.ask(m.Query(id))[0]) for id in (256, 512)] == [m.Unknown] * 2
    (refused,) = line.ask(m.Operate(512, Operation.LAMPS, 255, 0, 1))
    assert isinstance(refused, m.Refused)
    assert refused.refusal == Refusal.BUSY
    (status,) = line.ask(m.StatusAsk(1))
    assert isinstance(status, m.Status)
    assert (status.running_id, status.running) == (512, Operation.BUILD)


def test_the_ids_of_another_journal_are_orders_like_any() -> None:
    line = Line()
    line.greet()
    for journal in range(3):  # all that is kept, each time: it must make room
        ids = [256 * number for number in range(1, LIMITS.results_kept + 1)]
        for id in ids:
            answers = line.ask(m.Operate(id, Operation.LAMPS, 255, 0, 1))
            assert [type(one) for one in answers] == [m.Accepted, m.Done], (journal, id)
        line.ask(m.HelloAsk(8, 1, 1, bytes([journal]) * 16))
        assert [type(line.ask(m.Query(id))[0]) for id in ids] == [m.Unknown] * len(ids)


def test_an_order_of_another_journal_is_forgotten_when_a_stop_has_ended_it() -> None:
    line = Line()
    line.greet()
    line.ask(m.Operate(512, Operation.BUILD, 255, 1, 0))
    line.ask(m.HelloAsk(8, 1, 1, bytes(16)))
    line.ask(after_us=100_000)
    line.ask(m.Stop())
    while line.status().running_id:
        line.ask(m.Beat(0, 0, 0), after_us=100_000)
    assert line.ask(m.Operate(512, Operation.CLEAR_FAULT, 255, 0, 0))[0] == m.Accepted(
        512, 0, Operation.CLEAR_FAULT
    )


def test_a_host_that_is_overdue_is_asked_again_and_again() -> None:
    line = Line()
    line.greet()
    line.ask(m.AckEvents(1, 1 << 32 | 1))
    asked = 0
    for _ in range(20):
        for one in line.ask(after_us=60_000):
            asked += isinstance(one, m.Beat) and one.ask
    assert 1 <= asked <= 4  # from 1.1 s on
    assert line.ask(after_us=1_000_000) == []  # it is gone
    assert line.ask(m.Beat(1, 0, 0)) == [m.Beat(0, 0, 1)]


def test_what_the_ring_has_lost_is_said_and_the_rest_sent() -> None:
    line = Line()
    line.greet()
    for press in range(70):
        for keys in (1 << press % 28, 0, 0, 0, 0, 0, 0):
            line.now_us += 6000
            line.board.step(line.now_us, replace(REST, seat_keys=keys))
    line.end.feed(line.board.transmit())
    found = line.ask(m.ReplayAsk(1, 0))
    newest = 71
    lost = [one for one in found if isinstance(one, m.EventsLost)]
    assert lost == [m.EventsLost(1, newest - 64)]
    for _ in range(10):  # the line has room for a few at a time
        found += line.ask(after_us=100)
    assert set(events_of(found)) == set(range(newest - 63, newest + 1))


def test_limits_that_contradict_each_other_are_a_fault() -> None:
    line = Line()
    line.greet()
    line.board.step(2000, replace(REST, sensors=REST.sensors | 1))
    (status,) = [one for one in line.ask(m.StatusAsk(1)) if isinstance(one, m.Status)]
    assert status.faults[0] == Fault.LIMITS_CONFLICT
    assert (line.ask(m.Operate(256, Operation.RAISE, 255, 1, 0))[-1]) != m.Accepted(256, 0, Operation.RAISE)


def test_no_lamp_is_lit_at_boot() -> None:
    line = Line()
    line.ask()
    lamp, side, dealer = (line.board.outputs >> shift & 7 for shift in (19, 22, 25))
    assert (lamp, side, dealer) == (0, 4, 4)


def test_a_set_that_stands_at_boot_is_ready_and_counted() -> None:
    rows = replace(REST, sensors=REST.sensors | 0xFF << 14)  # full, and something in each
    line = Line(rows)
    line.greet()
    (status,) = line.ask(m.StatusAsk(1))
    assert isinstance(status, m.Status)
    assert (status.store, tuple(status.store_stacks)) == (StoreState.READY, (17, 17, 17, 17))
    said = line.ask(m.Operate(256, Operation.BUILD, 255, 1, 0))
    assert said == [m.Accepted(256, 0, Operation.BUILD), m.Done(256, 0, Operation.BUILD, 136)]
    (again,) = line.ask(m.Operate(256, Operation.BUILD, 255, 1, 0))
    assert again == m.Done(256, 0, Operation.BUILD, 136)
