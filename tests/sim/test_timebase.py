"""Virtual time jumps, never hangs, and table time can be held."""

from __future__ import annotations

import asyncio
import socket
import time

import pytest

from sim.errors import Deadlock
from sim.timebase import TableTimer, VirtualLoop, run_virtual


def test_hours_pass_in_no_time() -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        loop.call_later(10_000.0, done.set_result, None)
        await done
        return loop.time()

    began = time.perf_counter()
    assert run_virtual(main()) == pytest.approx(10_000.0)
    assert time.perf_counter() - began < 1.0


def test_a_timer_is_never_early() -> None:
    early: list[float] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        for step in range(1, 500):
            due = loop.time() + step / 7919
            done = loop.create_future()
            loop.call_at(due, done.set_result, None)
            await done
            if loop.time() < due:
                early.append(due)

    run_virtual(main())
    assert early == []


def test_a_deadlock_raises_instead_of_hanging() -> None:
    async def main() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(Deadlock, match="nobody will send"):
        run_virtual(main())


def test_threads_and_sockets_are_refused() -> None:
    async def thread() -> None:
        await asyncio.to_thread(len, "")

    async def reader() -> None:
        with socket.socket() as one:
            asyncio.get_running_loop().add_reader(one, lambda: None)

    for main in (thread, reader):
        with pytest.raises(RuntimeError, match="virtual time"):
            run_virtual(main())


@pytest.mark.parametrize("speed", [1, 10])
def test_table_time_runs_speed_times_as_fast(speed: int) -> None:
    async def main() -> tuple[float, int]:
        loop = asyncio.get_running_loop()
        timer = TableTimer(loop, speed)
        done = loop.create_future()
        timer.call_later(60.0, lambda: done.set_result(None))
        await done
        return loop.time(), timer.now_us()

    seconds, table_us = run_virtual(main())
    assert seconds == pytest.approx(60.0 / speed)
    assert table_us == pytest.approx(60_000_000, abs=1)


def test_what_is_armed_keeps_its_remaining_time_through_a_hold() -> None:
    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        timer = TableTimer(loop)
        fired: list[float] = []
        timer.call_later(5.0, lambda: fired.append(loop.time()))
        loop.call_at(2.0, timer.hold)
        loop.call_at(3.0, lambda: timer.call_later(1.0, lambda: fired.append(loop.time())))
        loop.call_at(100.0, timer.resume)
        done = loop.create_future()
        loop.call_at(200.0, done.set_result, None)
        await done
        return fired

    assert run_virtual(main()) == pytest.approx([101.0, 103.0])


def test_cancel_all_leaves_nothing_armed() -> None:
    loop = VirtualLoop()
    timer = TableTimer(loop)
    fired: list[int] = []
    timer.call_later(1.0, lambda: fired.append(1))
    timer.cancel_all()
    loop.call_later(2.0, loop.stop)
    loop.run_forever()
    loop.close()
    assert fired == []


def test_timers_of_one_moment_fire_in_the_order_in_which_they_were_set() -> None:
    loop = VirtualLoop()
    fired: list[int] = []
    for number in range(20):
        loop.call_at(1.0, fired.append, number)
    loop.call_at(2.0, loop.stop)
    loop.run_forever()
    loop.close()
    assert fired == [*range(20)]


def test_an_error_in_a_callback_is_told_and_the_loop_goes_on() -> None:
    loop = VirtualLoop()
    told: list[object] = []
    loop.set_exception_handler(lambda _, context: told.append(context["exception"]))
    loop.call_at(1.0, {}.__getitem__, "nothing")
    loop.call_at(2.0, loop.stop)
    loop.run_forever()
    loop.close()
    assert [type(error) for error in told] == [KeyError]
    assert loop.time() == 2.0


def test_a_stall_makes_every_timer_late() -> None:
    loop = VirtualLoop()
    fired: list[float] = []
    loop.call_at(1.0, lambda: fired.append(loop.time()))
    loop.stall(3.0)
    loop.call_later(1.0, loop.stop)
    loop.run_forever()
    loop.close()
    assert fired == [3.0]
