"""Time for the simulated table: a loop that jumps through virtual time, and timers in table time.

The only module of ``sim`` that may touch real time. Table time runs ``speed`` times as fast as the loop's
clock: mechanism and players live in it; the wire and the board's own clock stay on the loop's clock.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextvars import Context, copy_context
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar, TypeVarTuple

from sim.errors import Deadlock

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

NS = 1_000_000_000  # virtual time is kept in whole nanoseconds, so a timer is never early
US = 1_000_000
RESOLUTION = 1e-9  # seconds; timers no farther apart fire in one turn


def wall_seconds() -> float:
    """Real seconds, to say how long something took."""
    return time.perf_counter()


def cpu_seconds() -> float:
    """Processor seconds of this process, to say what something cost whatever else the computer did."""
    return time.process_time()


def linger(seconds: float) -> None:
    """Keep a thread waiting in real time, as a slow device does."""
    time.sleep(seconds)  # noqa: TID251 - this module is where time lives


async def pause(seconds: float) -> None:
    """Wait on the loop's clock, real or virtual."""
    await asyncio.sleep(seconds)  # noqa: TID251 - this module is where time lives


class _Call(asyncio.TimerHandle):
    """What waits in a virtual loop: asyncio's handle without what only a real loop needs."""

    __slots__ = ("args", "context", "due", "fn")

    def __init__(
        self, due: float, fn: Callable[..., object], args: tuple[object, ...], context: Context | None
    ) -> None:
        # not the base's: it would look for debugging and take twice as long, for every frame
        self.due = due
        self.fn: Callable[..., object] | None = fn
        self.args = args
        self.context = copy_context() if context is None else context

    def __repr__(self) -> str:
        return f"<call at {self.due}: {self.fn}>"

    def cancel(self) -> None:
        self.fn, self.args = None, ()

    def cancelled(self) -> bool:
        return self.fn is None

    def when(self) -> float:
        return self.due


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop whose time jumps to the next timer when nothing is ready.

    Starts at 0 s. Timers of one moment fire in the order in which they were set. Raises ``Deadlock`` out of
    ``run_until_complete`` instead of hanging. Threads and sockets are refused: their timing is not ours. It
    waits for nothing, so it needs no selector: a queue, a heap, and the turn that joins them.
    """

    def __init__(self) -> None:
        self._now_ns = 0
        self._now = 0.0  # the same in seconds
        self._soon: deque[_Call] = deque()
        self._timers: list[tuple[float, int, _Call]] = []  # a heap: when, order of setting
        self._order = count()
        self._running = self._ending = False
        super().__init__()

    def time(self) -> float:
        return self._now

    def stall(self, seconds: float) -> None:
        """Time passes and nobody is called, as when the whole computer stands still."""
        self._now_ns += math.ceil(seconds * NS)
        self._now = self._now_ns / NS

    def is_running(self) -> bool:
        return self._running

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        call = _Call(self._now, callback, args, context)
        self._soon.append(call)
        return call

    # Only the handler of a signal calls it, and that runs in the loop's own thread.
    call_soon_threadsafe = call_soon

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        call = _Call(when, callback, args, context)
        heappush(self._timers, (when, next(self._order), call))
        return call

    def call_later(
        self, delay: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def stop(self) -> None:
        """End ``run_forever`` after this turn."""
        self._ending = True

    def run_forever(self) -> None:
        self._running = True
        asyncio._set_running_loop(self)
        try:
            while not self._ending:
                self._turn()
        finally:
            self._running = self._ending = False
            asyncio._set_running_loop(None)

    def _turn(self) -> None:
        """Call all that is ready; if nothing is, jump to the next timer first."""
        soon, timers = self._soon, self._timers
        while timers and timers[0][2].fn is None:
            heappop(timers)
        if not soon:
            if not timers:
                raise Deadlock(self._now)
            ahead = timers[0][0] - self._now
            if ahead > 0:
                self.stall(ahead)
        moment = self._now + RESOLUTION
        while timers and timers[0][0] < moment:
            soon.append(heappop(timers)[2])
        for _ in range(len(soon)):  # what these ask for soon has its turn afterwards
            call = soon.popleft()
            if call.fn is not None:
                try:
                    call.context.run(call.fn, *call.args)
                except (SystemExit, KeyboardInterrupt):
                    raise
                except BaseException as error:
                    self.call_exception_handler({"message": f"in {call}", "exception": error, "handle": call})

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        raise RuntimeError("virtual time knows no threads: use the in-process twin")

    def add_reader(self, fd: object, callback: Callable[[*Ts], object], *args: *Ts) -> None:
        raise RuntimeError("virtual time knows no sockets, pipes or ptys: use the in-process twin")


def run_virtual(main: Coroutine[Any, Any, T]) -> T:
    """Run ``main`` to its end under virtual time and return its result."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


class Timer:
    """One armed call. ``cancel`` is harmless at any time."""

    __slots__ = ("_fn", "_handle", "_owner", "due_us")

    def __init__(self, owner: TableTimer, due_us: int, fn: Callable[[], None]) -> None:
        self._owner = owner
        self._fn = fn
        self._handle: asyncio.TimerHandle | None = None
        self.due_us = due_us

    def cancel(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._owner._armed.pop(self, None)

    def _arm(self) -> None:
        self._handle = self._owner._call_at(self.due_us, self._fire)

    def _disarm(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _fire(self) -> None:
        self._handle = None
        self._owner._armed.pop(self, None)
        self._fn()


class TableTimer:
    """Timers in table time on an event loop, ``speed`` table seconds a loop second.

    ``hold`` freezes what is armed, ``resume`` goes on where it was: people who were told to wait.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, speed: int = 1) -> None:
        self.loop = loop
        self.speed = speed
        self._start = loop.time()
        self._armed: dict[Timer, None] = {}  # in order of arming, so that a resume is deterministic
        self._held_at: int | None = None

    def now_us(self) -> int:
        """Table µs since this timer was made."""
        return round((self.loop.time() - self._start) * self.speed * US)

    @property
    def held(self) -> bool:
        """True between ``hold`` and ``resume``."""
        return self._held_at is not None

    def call_later(self, table_seconds: float, fn: Callable[[], None]) -> Timer:
        """Call ``fn`` after so many table seconds, not counting time spent held."""
        base = self.now_us() if self._held_at is None else self._held_at
        timer = Timer(self, base + round(table_seconds * US), fn)
        self._armed[timer] = None
        if self._held_at is None:
            timer._arm()
        return timer

    def cancel_all(self) -> None:
        """Forget everything that is armed."""
        for timer in list(self._armed):
            timer.cancel()

    def hold(self) -> None:
        """Freeze every armed call until ``resume``."""
        if self._held_at is None:
            self._held_at = self.now_us()
            for timer in self._armed:
                timer._disarm()

    def resume(self) -> None:
        """Go on: what was armed keeps the time it had left."""
        if self._held_at is not None:
            shift = self.now_us() - self._held_at
            self._held_at = None
            for timer in self._armed:
                timer.due_us += shift
                timer._arm()

    def _call_at(self, due_us: int, fn: Callable[[], None]) -> asyncio.TimerHandle:
        return self.loop.call_at(self._start + due_us / (self.speed * US), fn)
