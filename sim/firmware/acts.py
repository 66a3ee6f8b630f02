"""What happens in a trace: orders of a host, fingers on keys, mishaps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from protocols.vocabulary import NO_SIDE, Operation
from sim.firmware.sides import Side
from sim.timebase import pause

Act = Callable[[Side], Awaitable[None]]
OP = Operation


def order(operation: Operation, **fields: int) -> Act:
    """Give an order, wait for its end."""

    async def act(side: Side) -> None:
        await side.host.order(operation, **fields)

    return act


def send(operation: Operation, **fields: int) -> Act:
    """Give an order and go on."""

    async def act(side: Side) -> None:
        side.host.send(operation, **fields)

    return act


def wait(seconds: float) -> Act:
    """Let time pass."""

    async def act(side: Side) -> None:
        await pause(seconds)

    return act


def stop(side: Side) -> Awaitable[None]:
    """Stop everything and wait until it rests."""

    async def act() -> None:
        events = len(side.host.events)
        side.host.driver.stop()
        await side.host.until(lambda: any(e.kind.name == "STOPPED" for e in side.host.events[events:]))

    return act()


def state(side: Side) -> Awaitable[None]:
    """Look at the whole."""

    async def act() -> None:
        await side.host.status()

    return act()


def lift(place: int) -> Act:
    """A lift key."""
    return lambda side: side.press_lift(place)


def dice_key(place: int) -> Act:
    """A dice key."""
    return lambda side: side.press_dice(place)


def befall(name: str, side: int = NO_SIDE) -> Act:
    """Something goes wrong."""
    return lambda one: one.befall(name, side)


def mend(name: str, side: int = NO_SIDE) -> Act:
    """It is put right."""
    return lambda one: one.mend(name, side)


def add(side: Side) -> Awaitable[None]:
    """Tiles are put into the open centre."""
    return side.add_tiles()


def people_use(tiles: int) -> Act:
    """They have another set."""
    return lambda side: side.change_set(tiles)


FIRST_HAND: list[Act] = [order(OP.BUILD, hand=1), order(OP.RAISE, hand=1, side=2), state]
