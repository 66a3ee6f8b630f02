"""Numbered events: ring and receiver, alone and against each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.atp import messages as m
from protocols.atp.dictionary import LIMITS
from protocols.atp.receiver import EventOrder, EventReceiver, GapChase
from protocols.atp.retransmit import RoundTrip
from protocols.atp.ring import EventRing
from protocols.driver import BoardEvent, Counters, EventsLost
from protocols.vocabulary import EventKind, SeatKey
from tests.protocols.rig import Rig


def ring(count: int) -> EventRing:
    made = EventRing(RoundTrip(Counters()))
    for number in range(1, count + 1):
        made.add(m.Event(number))
    return made


def numbers(events: list[m.Event]) -> list[int]:
    return [event.number for event in events]


def press(rig: Rig, count: int = 1) -> None:
    """Seat keys are pressed."""
    for _ in range(count):
        rig.board.event(
            EventKind.SEAT_KEY, side=2, value=SeatKey.PUNG, board_us=rig.app.board_us(rig.now), tiles=("7p",)
        )


# ---- the ring ------------------------------------------------------------------------------------------


def test_the_ring_repeats_the_oldest_until_acknowledged() -> None:
    events = ring(10)
    assert numbers(events.resume(0.0)) == list(range(1, 11))
    assert events.overdue(0.1) == []
    assert numbers(events.overdue(0.2)) == list(range(1, 1 + LIMITS.event_burst))
    events.acknowledge(8, 0.3)
    assert numbers(events.overdue(5.0)) == [9, 10]
    events.acknowledge(10, 5.1)
    assert events.due() is None
    assert events.overdue(9.0) == []


def test_acknowledged_events_can_still_be_replayed() -> None:
    events = ring(5)
    events.acknowledge(5, 0.0)
    lost, held = events.replay(2, 4, 0.0)
    assert lost is None
    assert numbers(held) == [2, 3, 4]


@pytest.mark.parametrize(
    ("first", "last", "lost", "held"),
    [
        pytest.param(1, 0, (1, 6), (7, 70), id="from the start"),
        pytest.param(3, 4, (3, 4), None, id="wholly lost"),
        pytest.param(5, 8, (5, 6), (7, 8), id="over the edge"),
        pytest.param(60, 99, None, (60, 70), id="beyond the newest"),
        pytest.param(71, 0, None, None, id="nothing missing"),
    ],
)
def test_what_the_ring_no_longer_holds_is_lost(
    first: int, last: int, lost: tuple[int, int] | None, held: tuple[int, int] | None
) -> None:
    gone, found = ring(LIMITS.ring + 6).replay(first, last, 0.0)
    assert gone == (m.EventsLost(*lost) if lost else None)
    assert numbers(found) == (list(range(held[0], held[1] + 1)) if held else [])


# ---- the receiver --------------------------------------------------------------------------------------


@given(st.permutations(list(range(1, 13))), st.lists(st.integers(1, 12)))
def test_each_event_once_and_in_order(arrival: list[int], again: list[int]) -> None:
    order = EventOrder(0)
    out = []
    for number in [*arrival[:6], *again, *arrival[6:]]:
        out += order.take(m.Event(number)) or []
    assert numbers(out) == list(range(1, 13))
    assert order.gap() is None


def test_holes_stay_where_they_are_when_events_are_lost() -> None:
    order = EventOrder(4)
    assert order.take(m.Event(7)) == []
    assert order.take(m.Event(9)) == []
    assert order.gap() == (5, 6)
    found = order.lose(5, 8)
    assert found == [EventsLost(5, 6), m.Event(7), EventsLost(8, 8), m.Event(9)]
    assert order.gap() is None


def test_an_old_answer_loses_nothing() -> None:
    order = EventOrder(4)
    assert order.lose(1, 4) == []
    assert order.lose(6, 7) == []
    assert order.expected == 5


def test_a_gap_is_asked_for_at_once_and_again_only_when_nothing_comes() -> None:
    chase = GapChase(RoundTrip(Counters()))
    chase.see((3, 5), 0.0)
    assert chase.sendable(0.0) == m.ReplayAsk(3, 5)
    chase.see((4, 5), 0.19)  # the answer is coming in
    assert chase.sendable(0.2) is None
    assert chase.sendable(0.39) == m.ReplayAsk(4, 5)
    chase.see((8, 9), 0.4)
    assert chase.sendable(0.4) == m.ReplayAsk(8, 9)
    chase.see(None, 0.5)
    assert chase.due() is None


# ---- both ----------------------------------------------------------------------------------------------


def test_an_event_arrives_whole_and_is_repeated_until_acknowledged() -> None:
    rig = Rig().greet()
    press(rig)
    rig.run(1.0)
    (event,) = rig.of(BoardEvent)
    assert (event.number, event.kind, event.side, event.tiles) == (1, EventKind.SEAT_KEY, 2, ("7p",))
    assert rig.host.counters.events_repeated > 2
    repeated = rig.host.counters.events_repeated
    rig.host.acknowledge(1, rig.app.boot)
    rig.run(5.0)
    assert rig.host.counters.events_repeated <= repeated + 1


def test_an_acknowledgement_of_another_boot_counts_for_nothing() -> None:
    rig = Rig().greet()
    press(rig)
    rig.host.acknowledge(1, 12345)
    rig.run(1.0)
    assert rig.host.counters.events_repeated > 2


def test_a_lost_acknowledgement_is_given_again() -> None:
    rig = Rig().greet()
    press(rig)
    rig.run(0.1)
    rig.cut = True
    rig.host.acknowledge(1, rig.app.boot)
    rig.run(0.1)
    rig.cut = False
    rig.run(1.0)
    repeated = rig.host.counters.events_repeated
    rig.run(2.0)
    assert rig.host.counters.events_repeated == repeated
    assert rig.numbers() == [1]


def test_a_lost_last_event_is_fetched_when_the_clock_is_asked() -> None:
    rig = Rig().greet()
    rig.cut = True
    press(rig, 3)
    rig.run(0.001)
    rig.cut = False
    rig.host.ask_clock()
    rig.run(0.02)
    assert rig.numbers() == [1, 2, 3]


def test_events_while_nobody_listens_come_with_the_next_hello() -> None:
    rig = Rig()
    rig.cut = True
    press(rig, 5)
    rig.run(1.0)
    rig.cut = False
    rig.greet()
    rig.run(0.2)
    assert rig.numbers() == [1, 2, 3, 4, 5]


def test_a_host_that_knows_the_boot_goes_on_behind_what_it_recorded() -> None:
    rig = Rig(last_event=3, boot=77)
    press(rig, 5)
    rig.greet()
    rig.run(0.2)
    assert rig.numbers() == [4, 5]


def test_a_last_event_of_another_boot_skips_nothing() -> None:
    rig = Rig(last_event=3, boot=76)
    press(rig, 5)
    rig.greet()
    rig.run(0.2)
    assert rig.numbers() == [1, 2, 3, 4, 5]


def test_what_fell_out_of_the_ring_is_reported_once_where_it_was() -> None:
    rig = Rig()
    press(rig, LIMITS.ring + 10)
    rig.greet()
    rig.run(2.0)
    assert rig.of(EventsLost) == [EventsLost(1, 10)]
    assert rig.numbers() == list(range(11, LIMITS.ring + 11))
    assert isinstance(rig.reports[1], EventsLost)
    assert rig.host.counters.events_lost == 10


def test_an_event_of_a_kind_nobody_knows_is_acknowledged_and_ignored() -> None:
    rig = Rig().greet()
    press(rig)
    rig.board._ring.add(m.Event(2, kind=200))
    rig.board._send_all(rig.board._ring.resume(rig.now))
    rig.run(0.1)
    assert rig.numbers() == [1]
    rig.host.acknowledge(1, rig.app.boot)
    rig.run(0.5)
    assert rig.board._ring.acknowledged == 2


def test_numbers_begin_anew_with_a_boot() -> None:
    rig = Rig().greet()
    press(rig, 3)
    rig.run(0.1)
    rig.reboot()
    press(rig, 2)
    rig.run(2.0)
    assert rig.numbers() == [1, 2, 3, 1, 2]


# ---- boards that never make sense ----------------------------------------------------------------------


def held(order: EventOrder) -> int:
    """How many events wait for one that is missing."""
    return len(order._early)


def test_a_board_whose_first_event_never_comes_fills_no_memory() -> None:
    order = EventOrder(0)
    for number in range(2, 5000):
        assert order.take(m.Event(number)) in ([], None)
        assert held(order) <= LIMITS.ring
    assert order.gap() == (1, 1)
    assert numbers(order.take(m.Event(1)) or []) == list(range(1, LIMITS.ring + 2))
    assert order.gap() == (LIMITS.ring + 2, 4999)  # what found no room is asked for, not lost


@given(st.permutations(list(range(1, 2 * LIMITS.ring))))
def test_what_found_no_room_is_asked_for_and_taken_once(arrival: list[int]) -> None:
    order, out = EventOrder(0), []
    for number in arrival:
        out += order.take(m.Event(number)) or []
    while (gap := order.gap()) is not None:
        for number in range(gap[0], gap[1] + 1):
            out += order.take(m.Event(number)) or []
    assert numbers(out) == list(range(1, 2 * LIMITS.ring))


def test_endless_events_of_unknown_kinds_are_counted_and_forgotten() -> None:
    counters = Counters()
    receiver = EventReceiver(RoundTrip(counters), counters, boot=7, recorded=0)
    assert receiver.take(m.Event(1, kind=EventKind.BOOT)) != []  # its record is not durable yet
    for number in range(2, 3000):
        assert receiver.take(m.Event(number, kind=250)) == []
    assert (receiver.acknowledged, counters.unknown) == (0, 2998)
    receiver.acknowledge(1, 7)
    assert receiver.acknowledged == 2999


def test_an_unknown_event_before_one_that_is_not_recorded_is_acknowledged_with_it() -> None:
    counters = Counters()
    receiver = EventReceiver(RoundTrip(counters), counters, boot=7, recorded=0)
    receiver.take(m.Event(1, kind=250))
    assert receiver.acknowledged == 1
    receiver.take(m.Event(2, kind=EventKind.BOOT))
    receiver.take(m.Event(3, kind=250))
    assert receiver.acknowledged == 1
    receiver.acknowledge(2, 7)
    assert receiver.acknowledged == 3


def test_a_board_nobody_acknowledges_remembers_no_more_than_its_ring() -> None:
    events = EventRing(RoundTrip(Counters()))
    for number in range(1, 2000):
        events.add(m.Event(number))
        events.queued(number)
        if number % 100 == 0:
            events.left(float(number))
    assert len(events._sent_once) <= LIMITS.ring
