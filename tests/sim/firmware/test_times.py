"""When the board speaks unasked, and when it wants to be stepped again."""

from __future__ import annotations

from itertools import pairwise

import pytest

from protocols.atp import messages as m
from protocols.vocabulary import EventKind, Fault, Lamp, Operation
from sim.firmware.lockstep import NEVER
from sim.firmware.plant import pins
from tests.sim.firmware.line import JOURNAL, REST, Line, events_in

BEAT_US, MOVING_US, MARGIN_US, ASK_US = 1_000_000, 250_000, 100_000, 25_000
SILENCE_US, RTO_US = 1_500_000, 200_000
TICK_US = 2000


def ready() -> Line:
    line = Line()
    line.settle()
    line.ask(m.Beat(0, 0, 0))
    return line


def test_before_a_hello_nothing_is_due() -> None:
    line = Line()
    line.ask()
    assert line.board.due_us == NEVER


def test_a_beat_is_due_a_second_after_the_last_word() -> None:
    line = ready()
    line.ask(m.ClockAsk(3), after_us=300_000)
    spoke = line.now_us
    line.ask(m.Beat(0, 0, 0), after_us=500_000)
    assert line.board.due_us == spoke + BEAT_US
    assert line.ask(after_us=spoke + BEAT_US - line.now_us - 1) == []
    assert line.ask(after_us=1) == [m.Beat(0, 0, 1)]
    assert (
        line.board.due_us == line.now_us - BEAT_US + SILENCE_US + 100_000 or line.board.due_us > line.now_us
    )


def test_a_host_that_is_overdue_is_asked_every_so_often_until_it_is_alone() -> None:
    line = ready()
    heard, asked = line.now_us, []
    while line.board.due_us < heard + SILENCE_US:
        for one in line.ask(after_us=line.board.due_us - line.now_us):
            if isinstance(one, m.Beat) and one.ask:
                asked.append(line.now_us - heard)
    assert asked[0] == BEAT_US + MARGIN_US
    assert {after - before for before, after in pairwise(asked)} == {ASK_US}
    assert line.board.due_us == heard + SILENCE_US
    assert line.ask(after_us=SILENCE_US - (line.now_us - heard)) == []
    assert line.board.due_us == NEVER


def test_an_event_nobody_acknowledges_is_due_again_after_the_time_out() -> None:
    line = ready()
    assert len(line.look(seat_keys=1)) == 1
    pressed = line.now_us
    for _ in range(6):
        line.look(5000, seat_keys=0)
    line.ask(m.Beat(0, 0, 0))
    assert line.board.due_us == pressed + RTO_US
    assert [one.number for one in events_in(line.ask(after_us=pressed + RTO_US - line.now_us))] == [2]
    assert line.board.due_us == line.now_us + RTO_US


def test_at_most_four_of_many_are_repeated_and_the_oldest_first() -> None:
    line = ready()
    for key in range(6):
        line.look(seat_keys=1 << key)
    again = events_in(line.ask(after_us=RTO_US))
    assert [one.number for one in again] == [2, 3, 4, 5]
    line.ask(m.AckEvents(4, line.boot))
    again = events_in(line.ask(after_us=RTO_US))
    assert [one.number for one in again] == [5, 6, 7]


def test_whoever_is_heard_again_is_sent_all_that_waits() -> None:
    line = ready()
    for key in range(6):
        line.look(seat_keys=1 << key)
    line.ask(after_us=SILENCE_US)
    assert line.look(seat_keys=1 << 9) == []
    back = line.ask(m.Beat(0, 0, 0), after_us=10_000)
    assert [one.number for one in events_in(back)] == list(range(2, 9))


def test_what_was_acknowledged_meanwhile_is_not_sent() -> None:
    line = ready()
    for key in range(20):
        line.look(seat_keys=1 << key)
    line.end.send(m.HelloAsk(8, 1, 1, JOURNAL))
    line.end.send(m.AckEvents(21, line.boot))
    line.board.receive(line.now_us, line.end.drain())  # the line has no room for all of them at once
    sent = events_in(line.end.feed(line.board.transmit()))
    assert 0 < len(sent) < 20
    assert events_in(line.ask(after_us=100)) == []


def test_the_rest_of_a_replay_follows_when_the_line_has_room() -> None:
    line = ready()
    for key in range(20):
        line.look(seat_keys=1 << key)
    line.ask(m.AckEvents(21, line.boot))
    first = events_in(line.ask(m.ReplayAsk(1, 20)))
    assert line.board.due_us == line.now_us
    rest = events_in(line.ask(after_us=0)) + events_in(line.ask(after_us=0))
    assert [one.number for one in first + rest] == list(range(1, 21))
    assert line.board.due_us > line.now_us


@pytest.mark.parametrize(
    ("first", "last", "wanted"), [(0, 2, [1, 2]), (3, 3, [3]), (2, 0, [2, 3]), (4, 9, [])]
)
def test_a_replay_is_of_what_was_asked_for(first: int, last: int, wanted: list[int]) -> None:
    line = ready()
    line.look(seat_keys=1)
    line.look(seat_keys=2)
    line.ask(m.AckEvents(3, line.boot))
    said = line.ask(m.ReplayAsk(first, last)) + line.ask(after_us=10)
    assert [one.number for one in events_in(said)] == wanted


def test_an_acknowledgement_of_what_never_was_is_one_of_all() -> None:
    line = ready()
    line.look(seat_keys=1)
    line.ask(m.AckEvents(99, line.boot))
    assert events_in(line.ask(after_us=RTO_US)) == []
    assert line.look(seat_keys=2)[0].number == 3


def test_motion_is_looked_at_every_tick_and_beats_come_quicker() -> None:
    line = ready()
    line.ask(m.Operate(256, Operation.BUILD, 255, 1, 0))
    line.ask(m.Beat(0, 0, 0))
    assert line.board.due_us - line.now_us <= TICK_US
    quiet = line.now_us
    beats = []
    for _ in range(300):
        beats += [
            line.now_us for one in line.ask(after_us=TICK_US) if isinstance(one, m.Beat) and not one.ask
        ]
    assert beats
    assert beats[0] - quiet <= MOVING_US + TICK_US


def test_people_may_take_their_time() -> None:
    line = ready()
    line.ask(m.Operate(256, Operation.BUILD, 255, 1, 0))
    line.look()
    line.look(sensors=line.pins.sensors & ~pins.In.CENTRE_DOWN | pins.In.CENTRE_UP)
    line.look()
    assert line.board.outputs & pins.Out.LOAD
    line.ask(m.AckEvents(2, line.boot))
    line.ask(m.Beat(0, 0, 0))
    assert line.board.due_us - line.now_us > TICK_US  # nothing moves


def test_a_flap_that_was_shut_before_has_to_fall_again() -> None:
    line = ready()
    line.look(sensors=line.pins.sensors | pins.In.LOADED)
    line.ask(m.Operate(256, Operation.BUILD, 255, 1, 0))
    line.look()
    line.look(sensors=line.pins.sensors & ~pins.In.CENTRE_DOWN | pins.In.CENTRE_UP)
    for _ in range(3):
        line.look()
    assert line.board.outputs & pins.Out.LOAD
    line.look(sensors=line.pins.sensors & ~pins.In.LOADED)
    line.look(sensors=line.pins.sensors | pins.In.LOADED)
    assert line.board.outputs & pins.Out.CENTRE_LOWER


def test_each_axis_is_switched_off_where_it_has_arrived() -> None:
    line = ready()
    line.ask(m.Stop())
    line.look(sensors=line.pins.sensors & ~pins.In.CENTRE_DOWN)
    line.ask(m.Operate(256, Operation.HOME, 255, 0, 0))
    line.look()
    assert line.board.outputs & pins.Out.CENTRE_LOWER
    line.look(sensors=line.pins.sensors & ~pins.In.CHAIN_ZERO | pins.In.CENTRE_DOWN)
    assert line.board.outputs & pins.MOTORS == pins.Out.CHAIN
    line.look(sensors=line.pins.sensors & ~pins.In.CENTRE_DOWN | pins.In.CHAIN_ZERO)
    assert not line.board.outputs & pins.Out.CHAIN  # it has found its reference, the centre bounces
    line.look(sensors=line.pins.sensors | pins.In.CENTRE_DOWN)
    assert line.status().homed == 1


def test_a_stop_for_silence_is_told_to_nobody() -> None:
    line = ready()
    line.ask(m.Stop())
    line.ask(m.Operate(256, Operation.HOME, 255, 0, 0))
    line.look()
    line.ask(after_us=SILENCE_US)
    said = [one for _ in range(100) for one in line.ask(after_us=20_000)]
    assert said == []
    assert not line.board.outputs & pins.MOTORS


def test_a_line_nobody_reads_is_never_overfull() -> None:
    line = ready()
    for _ in range(60):
        line.end.send(m.Beat(1, 0, 0))
        line.board.receive(line.now_us, line.end.drain())
    answers = line.end.feed(line.board.transmit())
    assert answers == [m.Beat(0, 0, 1)] * 31  # as many as 511 bytes hold


def test_dice_that_cannot_be_read_are_a_fault_until_they_are() -> None:
    line = ready()
    read = line.pins.sensors | pins.In.DICE_READ

    def throw(id: int, sensors: int) -> list[EventKind]:
        told = events_in(line.ask(m.Operate(id, Operation.DICE, 1, 0, 2)))
        for pin in (line.pins.sensors | pins.In.DICE_TURN, *[sensors] * 160):
            told += line.look(30_000, sensors=pin, dice_faces=0x6543)
            line.ask(m.Beat(0, 0, 0), after_us=0)
        return [EventKind(event.kind) for event in told if event.kind != EventKind.DICE_STARTED]

    assert EventKind.FAULT_SET in throw(256, REST.sensors)
    assert line.status().faults[0] == Fault.DICE_NO_READ
    line.ask(m.AckEvents(99, line.boot))
    assert EventKind.FAULT_CLEARED in throw(512, read)
    assert line.ask(m.Query(512))[-1] == m.Done(512, 1, Operation.DICE, 0x43)
    assert not any(line.status().faults)


def lamp(line: Line) -> tuple[int, int]:
    return pins.field(line.board.outputs, pins.LAMP_SHIFT), pins.field(
        line.board.outputs, pins.LAMP_SIDE_SHIFT
    )


def test_play_is_held_while_nobody_is_heard_and_goes_on_with_the_same_host() -> None:
    line = ready()
    line.ask(m.Operate(256, Operation.LAMPS, 2, 0, Lamp.PLAY))
    assert lamp(line) == (Lamp.PLAY, 2)
    line.ask(after_us=SILENCE_US)
    line.ask()
    assert lamp(line) == (Lamp.HOLD, 4)
    line.ask(m.Beat(0, 0, 0))
    assert lamp(line) == (Lamp.PLAY, 4)


@pytest.mark.parametrize("shown", [Lamp.OFF, Lamp.HOLD, Lamp.WIN, Lamp.CLOSED])
def test_no_other_lamp_changes_for_silence(shown: Lamp) -> None:
    line = ready()
    line.ask(m.Operate(256, Operation.LAMPS, 1, 0, shown))
    line.ask(after_us=SILENCE_US)
    line.ask(m.Beat(0, 0, 0))
    assert lamp(line) == (shown, 1)


def test_a_new_connection_finds_the_lamps_held() -> None:
    line = ready()
    line.ask(m.Operate(256, Operation.LAMPS, 255, 0, Lamp.PLAY))
    line.ask(after_us=SILENCE_US)
    line.greet()
    line.ask(m.Beat(0, 0, 0))
    assert lamp(line) == (Lamp.HOLD, 4)


def test_lamps_ordered_after_silence_stay_as_ordered() -> None:
    line = ready()
    line.ask(m.Operate(256, Operation.LAMPS, 255, 0, Lamp.PLAY))
    line.ask(after_us=SILENCE_US)
    line.greet()
    line.ask(m.Operate(512, Operation.LAMPS, 255, 0, Lamp.WIN))
    line.ask(m.Beat(0, 0, 0))
    assert lamp(line) == (Lamp.WIN, 4)


def test_the_fault_lamp_burns_while_a_fault_is_latched() -> None:
    line = ready()
    assert not line.board.outputs & pins.Out.FAULT
    (told,) = line.look(sensors=line.pins.sensors | pins.In.COVER)
    assert told.kind == EventKind.FAULT_SET
    assert line.board.outputs & pins.Out.FAULT
    line.look(sensors=line.pins.sensors & ~pins.In.COVER)
    assert not line.board.outputs & pins.Out.FAULT
