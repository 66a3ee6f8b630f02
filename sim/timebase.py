"""Time for the simulated table: a loop that jumps through virtual time, and timers in table time.

The only module of ``sim`` that may touch real time. Table time runs ``speed`` times as fast as the loop's
clock: mechanism and players live in it; the wire and the board's own clock stay on the loop's clock.
"""

from __future__ import annotations

import asyncio
import math
import selectors
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

from sim.errors import Deadlock

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

NS = 1_000_000_000  # virtual time is kept in whole nanoseconds, so a timer is never early
US = 1_000_000


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


class _JumpSelector(selectors.BaseSelector):
    """Waits for nothing: asked to wait, it moves the clock to the moment asked for.

    The loop's own wake-up pipe is let in; any other descriptor belongs to real time and is refused.
    """

    def __init__(self) -> None:
        self.now_ns = 0
        self._keys: dict[Any, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        if self._keys:
            raise RuntimeError("virtual time knows no sockets, pipes or ptys: use the in-process twin")
        key = selectors.SelectorKey(fileobj, fileobj, events, data)
        self._keys[fileobj] = key
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Deadlock(self.now_ns / NS)
        if timeout > 0:
            self.now_ns += math.ceil(timeout * NS)
        return []

    def get_key(self, fileobj: Any) -> selectors.SelectorKey:
        # a plain dict miss is what the loop expects as "not registered"
        return self._keys[fileobj]

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._keys

    def close(self) -> None:
        self._keys.clear()


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time jumps to the next timer when nothing is ready.

    Starts at 0 s. Raises ``Deadlock`` out of ``run_until_complete`` instead of hanging. Threads and sockets
    are refused: their timing is not ours.
    """

    def __init__(self) -> None:
        self._jump = _JumpSelector()
        super().__init__(self._jump)

    def time(self) -> float:
        return self._jump.now_ns / NS

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        raise RuntimeError("virtual time knows no threads: use the in-process twin")


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
