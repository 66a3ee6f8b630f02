"""Faults of the board around its session, and of what moves: done to a table before it is switched on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocols.vocabulary import EventKind, Fault, Operation, Order, Refusal, Source
from sim.board import ANEW, Reboot
from sim.identity import BoardClock
from sim.world import SimTable

NEAR_WRAP = (1 << 32) - 10_000_000  # µs: ten seconds before a counter of 32 bits begins anew
SOON = 0.1  # seconds after a motion began


def put(what: object, name: str, instead: Callable[..., Any]) -> None:
    """Let one object do something else."""
    setattr(what, name, instead)


def boots_under_its_old_id(table: SimTable) -> None:
    """A boot looks like none: the same boot id."""
    reboot = table.board.reboot
    put(table.board, "reboot", lambda off=0.0, manner=ANEW: reboot(off, Reboot(silent=True)))


def restarts_silently(table: SimTable) -> None:
    """In the middle of a motion the firmware restarts, and says nothing of it."""
    operate = table.board.operate

    def disturbed(order: Order) -> Refusal:
        refusal = operate(order)
        if refusal is Refusal.NONE and order.operation in (Operation.HOME, Operation.DICE):
            table.wire_time.call_later(SOON, lambda: table.board.reboot(0.0, Reboot(silent=True)))
        return refusal

    put(table.board, "operate", disturbed)


def runs_on_alone(table: SimTable) -> None:
    """The motor goes on when the host is silent."""
    put(table.machine, "host_silent", lambda: None)


def stops_late_alone(table: SimTable) -> None:
    """The motor stops three seconds after the host has fallen silent."""
    silent = table.machine.host_silent
    put(table.machine, "host_silent", lambda: table.wire_time.call_later(3.0, silent))


def moves_again_when_there(table: SimTable) -> None:
    """What is reached already is done once more."""
    put(table.machine, "_reached", lambda order: False)


def moves_while_stopped(table: SimTable) -> None:
    """A stop that stands keeps nobody from moving."""
    order = table.machine.order

    def careless(given: Order) -> Refusal:
        stopped, table.machine.stopped = table.machine.stopped, False
        try:
            return order(given)
        finally:
            table.machine.stopped = stopped

    put(table.machine, "order", careless)


def pause_fails_the_build(table: SimTable) -> None:
    """Pausing ends the order to build."""
    suspend = table.machine.suspend

    def fail(job: Any) -> None:
        waiters = list(job.waiters)
        suspend(job)
        table.machine.take_suspended()
        for waiter in waiters:
            table.board.failed(waiter, Fault.NONE)

    put(table.machine, "suspend", fail)


def home_keeps_faults(table: SimTable) -> None:
    """HOME clears no fault."""
    put(table.machine, "forget_gone", lambda *only: None)


def narrow_clock(table: SimTable) -> None:
    """The clock is a counter of 32 bits, and about to wrap."""
    table.board._clock = BoardClock(start_us=NEAR_WRAP, bits=32)


def hurried_clock(table: SimTable) -> None:
    """The clock is two per cent fast."""
    table.board._clock = BoardClock(drift_ppm=20_000)


def forgets_the_set(table: SimTable) -> None:
    """It counts two tiles too few and does not mind."""
    done = table.board.done
    put(table.board, "done", lambda id, value=0: done(id, value - 2 if value > 100 else value))


def latches_twice(table: SimTable) -> None:
    """A fault is told each time it is looked at."""
    latch = table.machine.latch

    def twice(fault: Fault, side: int = 255) -> None:
        latch(fault, side)
        if fault:
            table.board.emit(EventKind.FAULT_SET, side, fault, Source.SENSOR)

    put(table.machine, "latch", twice)


def forgets_its_profile(table: SimTable) -> None:
    """A boot begins with the smallest set."""
    reboot = table.board.reboot
    put(table.board, "reboot", lambda off=0.0, manner=ANEW: reboot(off, Reboot(blank=True)))
