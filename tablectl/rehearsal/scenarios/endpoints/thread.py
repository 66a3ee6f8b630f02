"""The simulated board in a thread and loop of its own, as far from the host as a cable lets it be."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from protocols.driver import Driver
from protocols.transports.port import Port
from sim.endpoints.base import Endpoint as Line
from tablectl.daemon.drivers import driver_factory
from tablectl.rehearsal.scenarios.endpoint import Lever, Truth
from tablectl.rehearsal.scenarios.endpoints import twin

T = TypeVar("T")


class Workshop:
    """A thread with an event loop. ``do`` calls something there and waits for it here."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="board")
        self._thread.start()

    async def do(self, call: Callable[[], T]) -> T:
        """The result of a call made in the thread's loop."""

        async def there() -> T:
            return call()

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(there(), self.loop))

    async def close(self) -> None:
        """End the loop; what still waited in it is cancelled."""

        async def settle() -> None:
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(settle(), self.loop))
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class ThreadTable:
    """A twin in a workshop, reached through a port of this computer."""

    def __init__(self, shop: Workshop, made: twin.Twin, port: Port, speed: int) -> None:
        self.speed = speed
        self.driver: Callable[[], Driver] = driver_factory("atp", port.open)
        self._shop = shop
        self._twin = made
        self._port = port

    @property
    def present(self) -> Callable[[], bool] | None:
        return self._port.present

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        await self._shop.do(lambda: self._twin.pull(lever, amount))

    async def truth(self) -> Truth:
        return await self._shop.do(self._twin.truth)

    async def settle(self) -> None:
        await self._port.settle()


@asynccontextmanager
async def opened(
    seed: int, speed: int, make_line: Callable[[twin.Twin], Line], port_of: Callable[[Line], Port]
) -> AsyncIterator[ThreadTable]:
    """A table whose board is plugged into a line; afterwards thread, line and port are gone."""
    async with AsyncExitStack() as stack:
        shop = Workshop()
        stack.push_async_callback(shop.close)
        made = await shop.do(lambda: twin.Twin(seed, speed))
        line = make_line(made)
        stack.push_async_callback(shop.do, made.table.close)
        await shop.do(lambda: made.table.attach(line))
        port = port_of(line)
        stack.push_async_callback(port.settle)
        yield ThreadTable(shop, made, port, speed)
