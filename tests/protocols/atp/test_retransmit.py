"""Round trips by RFC 6298 with Karn's rule, and the window."""

from __future__ import annotations

import pytest

from protocols.atp import messages as m
from protocols.atp.dictionary import LIMITS, TIMING
from protocols.atp.retransmit import Asks, RoundTrip
from protocols.driver import Counters


def asks() -> tuple[Asks, Counters]:
    counters = Counters()
    return Asks(RoundTrip(counters)), counters


def test_first_sample_sets_both_figures() -> None:
    counters = Counters()
    RoundTrip(counters).sample(0.04)
    assert (counters.srtt, counters.rttvar) == (0.04, 0.02)
    assert counters.rto == pytest.approx(0.12)


def test_later_samples_move_them_by_an_eighth_and_a_quarter() -> None:
    counters = Counters()
    trip = RoundTrip(counters)
    trip.sample(0.04)
    trip.sample(0.08)
    assert counters.rttvar == pytest.approx(0.02 + (0.04 - 0.02) / 4)
    assert counters.srtt == pytest.approx(0.04 + 0.04 / 8)


def test_the_time_out_stays_in_its_bounds() -> None:
    counters = Counters()
    trip = RoundTrip(counters)
    assert trip.rto == TIMING.rto_initial
    for _ in range(50):
        trip.sample(0.0001)
    assert trip.rto == TIMING.rto_min
    for _ in range(10):
        trip.back_off()
    assert trip.rto == TIMING.rto_max


def test_only_the_newest_round_trips_are_kept() -> None:
    counters = Counters()
    trip = RoundTrip(counters)
    for number in range(LIMITS.round_trips_kept + 5):
        trip.sample(number / 1000)
    assert len(counters.round_trips) == LIMITS.round_trips_kept
    assert counters.round_trips[0] == 0.005


def test_a_question_sent_twice_is_no_sample() -> None:
    window, counters = asks()
    window.put(("clock", 1), m.ClockAsk(1))
    assert len(window.sendable(0.0)) == 1
    assert window.sendable(0.1) == []
    assert [ask.tries for ask in window.sendable(0.2)] == [2]
    assert window.answered(("clock", 1), 0.21) is not None
    assert counters.round_trips == []


def test_an_answer_nobody_waits_for_is_told_so() -> None:
    window, _ = asks()
    assert window.answered(("clock", 9), 1.0) is None


def test_the_window_keeps_one_place_for_an_order() -> None:
    window, _ = asks()
    for token in range(6):
        window.put(("clock", token), m.ClockAsk(token))
    window.put(("operate", 5), m.Operate(5), ordered=True)
    sent = [ask.key for ask in window.sendable(0.0)]
    assert sent == [("clock", 0), ("clock", 1), ("clock", 2), ("operate", 5)]
    assert len(sent) == LIMITS.window
    window.answered(("clock", 1), 0.01)
    assert [ask.key for ask in window.sendable(0.01)] == [("clock", 3)]


def test_orders_never_overtake_one_another() -> None:
    window, _ = asks()
    window.put(("operate", 1), m.Operate(1), ordered=True)
    window.put(("operate", 2), m.Operate(2), ordered=True)
    assert [ask.key[1] for ask in window.sendable(0.0)] == [1]
    assert [ask.key[1] for ask in window.sendable(1.0)] == [1]
    window.answered(("operate", 1), 1.1)
    assert [ask.key[1] for ask in window.sendable(1.1)] == [2]


def test_the_same_question_is_asked_once() -> None:
    window, _ = asks()
    window.put(("query", 1), m.Query(1))
    window.put(("query", 1), m.Query(1))
    assert len(window.sendable(0.0)) == 1


def test_an_order_fails_at_its_own_limit() -> None:
    window, _ = asks()
    window.put(("operate", 1), m.Operate(1), ordered=True, limit=2.0)
    window.sendable(0.0)
    assert window.expired(1.99) == []
    assert [ask.key[1] for ask in window.expired(2.0)] == [1]
    assert window.due() is None
