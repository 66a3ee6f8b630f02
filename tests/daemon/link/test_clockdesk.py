"""How often a board's clock is asked: by what the line is like and what is known of it."""

from __future__ import annotations

from random import Random

import pytest

from protocols.driver import ClockSample
from sim.timebase import VirtualLoop
from tablectl.daemon.link.clockdesk import EVERY, PATIENTLY, QUICK, ClockDesk

EXCHANGE = 26  # bytes there and back, framed
BAUD = {"fast line": 0.001, "9600 baud": 0.018}  # s each way


class Line:
    """A board's clock behind a line that delays every frame by up to ``jitter`` seconds."""

    def __init__(self, trip: float, jitter: float) -> None:
        self.loop = VirtualLoop()
        self.desk = ClockDesk(self.loop)
        self.asked: list[float] = []
        self.ready_at: float | None = None
        self.settled_at_ready = False
        self.trip, self.jitter = trip, jitter
        self._chance = Random(1)

    def late(self) -> float:
        return self.trip + self._chance.uniform(0, self.jitter)

    def ask(self) -> None:
        sent, there, back = self.loop.time(), self.late(), self.late()
        self.asked.append(sent)
        sample = ClockSample(sent, sent + there + back, round((sent + there) * 1e6), 0, len(self.asked))
        self.loop.call_later(there + back, self.desk.heard, sample)

    def ready(self) -> None:
        self.ready_at = self.loop.time()
        self.settled_at_ready = self.desk.sync.settled

    def run(self, seconds: float) -> None:
        self.loop.call_later(seconds, self.loop.stop)
        self.loop.run_forever()

    def rate(self, since: float, until: float) -> float:
        """Questions a second."""
        return sum(since <= at < until for at in self.asked) / (until - since)


def connected(trip: float, jitter: float) -> Line:
    line = Line(trip, jitter)
    line.desk.begin(line.ask, line.ready)
    line.run(360)
    return line


@pytest.mark.parametrize("trip", BAUD.values(), ids=BAUD)
def test_an_even_line_is_known_after_five_exchanges_and_left_alone(trip):
    line = connected(trip, 0.0005)
    assert line.ready_at == pytest.approx(QUICK * 2 * trip, abs=QUICK * 0.001)
    assert line.rate(1, 360) == pytest.approx(1 / EVERY, rel=0.02)


@pytest.mark.parametrize("trip", BAUD.values(), ids=BAUD)
@pytest.mark.parametrize("jitter", [0.005, 0.02, 0.2])
def test_a_line_that_delays_at_random_is_asked_until_it_is_known_but_nobody_waits_long(trip, jitter):
    line = connected(trip, jitter)
    assert line.ready_at is not None
    assert line.ready_at <= PATIENTLY + 2 * (trip + jitter)
    assert line.settled_at_ready or line.ready_at >= PATIENTLY
    if not line.desk.sync.settled:
        return
    assert line.rate(300, 360) <= 4


@pytest.mark.parametrize("trip", BAUD.values(), ids=BAUD)
def test_the_questions_never_fill_the_line_and_become_fewer(trip):
    line = connected(trip, 0.02)
    rates = [line.rate(*when) for when in ((0, 4), (10, 11), (30, 31), (60, 61), (240, 360))]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] <= 50  # on 115200 baud 3 % of what fits there, 7 % of what fits back
    if trip == BAUD["9600 baud"]:
        assert rates[0] * EXCHANGE <= 0.25 * 2 * 960
    assert rates[-1] <= 4


def test_a_new_connection_to_the_same_boot_need_not_learn_its_clock_again():
    line = connected(0.001, 0.02)
    line.desk.rest()
    line.run(5)
    line.ready_at, since = None, line.loop.time()
    line.desk.begin(line.ask, line.ready)
    line.run(5)
    assert line.ready_at is not None
    assert line.ready_at - since <= 0.25


def test_after_a_long_silence_it_is():
    line = connected(0.001, 0.02)
    line.desk.rest()
    line.run(600)
    line.ready_at, since = None, line.loop.time()
    line.desk.begin(line.ask, line.ready)
    line.run(5)
    assert line.ready_at is not None
    assert line.ready_at - since >= 2


def test_one_exchange_that_took_long_is_no_cause_to_ask_for_ever():
    line = connected(0.001, 0.0)
    line.trip = 0.2
    line.run(EVERY)
    line.trip, noticed = 0.001, len(line.asked)
    line.run(60)
    assert len(line.asked) - noticed <= 60 / EVERY + 16
