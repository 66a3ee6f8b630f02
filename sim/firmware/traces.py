"""Traces of commands, lived by the compiled firmware at its plant and by the Python twin alike."""

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

TRACES: dict[str, list[Act]] = {
    "home": [order(OP.HOME), state],
    "dice": [order(OP.DICE, side=1, count=2), order(OP.DICE, side=3, count=2), state],
    "a hand's walls": [*FIRST_HAND],
    "walls twice": [*FIRST_HAND, wait(60), state, order(OP.RAISE, hand=2, side=3), wait(60), state],
    "raised already": [*FIRST_HAND, order(OP.RAISE, hand=1, side=2), order(OP.LOWER), state],
    "lower": [*FIRST_HAND, order(OP.LOWER), state, order(OP.LOWER)],
    "profile": [order(OP.SET_PROFILE, count=136), state, order(OP.SET_PROFILE, count=144), state],
    "bad arguments": [
        order(OP.DICE, side=4, count=2),
        order(OP.DICE, side=1, count=0),
        order(OP.DICE, side=1, count=5),
        order(OP.SET_PROFILE, count=100),
        order(OP.RAISE, hand=1, side=9),
        order(OP.LAMPS, count=5),
    ],
    "not ready": [order(OP.RAISE, hand=1, side=0), order(OP.PAUSE), order(OP.RESUME), order(OP.ABORT_BUILD)],
    "busy": [
        send(OP.BUILD, hand=1),
        wait(0.5),
        order(OP.LOWER),
        order(OP.RAISE, hand=1, side=0),
        order(OP.HOME),
        order(OP.PURGE),
        order(OP.DICE, side=0, count=2),
        state,
    ],
    "lamps": [order(OP.LAMPS, count=1), order(OP.LAMPS, count=2, side=3), state],
    "joined": [send(OP.BUILD, hand=1), wait(20), send(OP.BUILD, hand=1), wait(3), order(OP.BUILD, hand=1)],
    "pause and resume": [
        send(OP.BUILD, hand=1),
        wait(18),
        order(OP.PAUSE),
        state,
        wait(2),
        order(OP.RESUME),
        state,
    ],
    "pause and abort": [
        send(OP.BUILD, hand=1),
        wait(18),
        order(OP.PAUSE),
        order(OP.ABORT_BUILD),
        state,
    ],
    "abort": [send(OP.BUILD, hand=1), wait(18), order(OP.ABORT_BUILD), state],
    "stop at rest": [stop, state, order(OP.BUILD, hand=1), order(OP.LAMPS, count=1), order(OP.HOME), state],
    "stop while the centre rises": [
        send(OP.BUILD, hand=1),
        wait(0.8),
        stop,
        state,
        order(OP.DICE, side=0, count=2),
        order(OP.HOME),
        state,
    ],
    "stop while people load": [send(OP.BUILD, hand=1), wait(4), stop, order(OP.HOME), state],
    "stop while stacking": [send(OP.BUILD, hand=1), wait(18), stop, state, order(OP.HOME), state],
    "stop the dice": [send(OP.DICE, side=0, count=2), wait(0.4), stop, state, order(OP.HOME), state],
    "dice keys": [dice_key(2), wait(2), dice_key(0), wait(2), state],
    "a lift key opens and closes": [lift(0), wait(8), lift(0), wait(3), state],
    "both lift keys pause": [send(OP.BUILD, hand=1), wait(18), lift(0), lift(2), wait(4), state],
    "one lift key is ignored": [send(OP.BUILD, hand=1), wait(18), lift(0), wait(4), state],
    "a lift key ends a pause": [
        send(OP.BUILD, hand=1),
        wait(18),
        order(OP.PAUSE),
        wait(1),
        lift(0),
        wait(40),
        state,
    ],
    "purge": [order(OP.PURGE), state],
    "a tile jams in a head": [
        befall("head_jam", 1),
        order(OP.BUILD, hand=1),
        state,
        order(OP.BUILD, hand=1),
        order(OP.RESUME),
        order(OP.CLEAR_FAULT),
        state,
        order(OP.PAUSE),
        mend("head_jam", 1),
        wait(1),
        order(OP.RESUME),
        state,
    ],
    "the centre does not rise": [
        befall("centre_not_up"),
        order(OP.BUILD, hand=1),
        state,
        mend("centre_not_up"),
        order(OP.BUILD, hand=1),
        order(OP.CLEAR_FAULT),
        state,
        order(OP.BUILD, hand=1),
        state,
    ],
    "a tray does not rise": [
        order(OP.BUILD, hand=1),
        befall("tray_not_up", 2),
        order(OP.RAISE, hand=1, side=0),
        state,
        mend("tray_not_up", 2),
        order(OP.CLEAR_FAULT),
        order(OP.HOME),
        state,
        order(OP.RAISE, hand=1, side=0),
        state,
    ],
    "a tile is missing": [
        befall("missing_tiles"),
        order(OP.BUILD, hand=1),
        state,
        order(OP.RAISE, hand=1, side=0),
        order(OP.PAUSE),
        mend("missing_tiles"),
        add,
        wait(1),
        order(OP.RESUME),
        state,
    ],
    "a tile too many": [
        befall("extra_tiles"),
        order(OP.BUILD, hand=1),
        state,
        order(OP.ABORT_BUILD),
        mend("extra_tiles"),
        order(OP.CLEAR_FAULT),
        state,
    ],
    "a tile too many, then home": [
        befall("extra_tiles"),
        order(OP.BUILD, hand=1),
        mend("extra_tiles"),
        order(OP.HOME),
        state,
    ],
    "a tile is missing, then anew": [
        befall("missing_tiles"),
        order(OP.BUILD, hand=1),
        order(OP.ABORT_BUILD),
        state,
        mend("missing_tiles"),
        order(OP.CLEAR_FAULT),
        order(OP.BUILD, hand=1),
        state,
    ],
    "two throws at once": [
        send(OP.DICE, side=1, count=2),
        wait(0.3),
        order(OP.DICE, side=2, count=2),
        wait(2),
        state,
    ],
    "a stop, and a stop again": [
        send(OP.BUILD, hand=1),
        wait(18),
        stop,
        order(OP.RAISE, hand=1, side=0),
        state,
        order(OP.SET_PROFILE, count=136),
        order(OP.LAMPS, count=2, side=1),
        order(OP.CLEAR_FAULT),
        state,
        order(OP.HOME),
        order(OP.SET_PROFILE, count=144),
        order(OP.BUILD, hand=1),
        state,
    ],
    "a hand lowered and raised anew": [
        *FIRST_HAND,
        wait(60),
        order(OP.LOWER),
        state,
        order(OP.RAISE, hand=2, side=1),
        state,
    ],
    "the cover": [
        befall("cover_open"),
        order(OP.BUILD, hand=1),
        order(OP.LAMPS, count=1),
        order(OP.CLEAR_FAULT),
        state,
        mend("cover_open"),
        wait(0.1),
        state,
        order(OP.HOME),
    ],
    "the cover in motion": [
        send(OP.BUILD, hand=1),
        wait(0.8),
        befall("cover_open"),
        wait(1),
        state,
        mend("cover_open"),
        wait(0.1),
        order(OP.HOME),
        state,
    ],
    "nothing to clear": [order(OP.CLEAR_FAULT), state],
    "lamps on the way": [
        order(OP.LAMPS, count=1, side=2),
        order(OP.LAMPS, count=3),
        order(OP.LAMPS, count=4, side=9),
        order(OP.BUILD, hand=1),
        order(OP.RAISE, hand=1, side=2),
        order(OP.LAMPS, count=1),
        wait(60),
        order(OP.LAMPS, count=4),
        order(OP.RAISE, hand=2, side=NO_SIDE),
        order(OP.LAMPS, count=2),
        state,
    ],
    "the centre does not sink": [
        send(OP.BUILD, hand=1),
        wait(4),
        befall("centre_not_down"),
        wait(12),
        state,
        order(OP.BUILD, hand=1),
        mend("centre_not_down"),
        order(OP.CLEAR_FAULT),
        order(OP.HOME),
        state,
    ],
    "the dice do not spin": [
        befall("dice_no_spin"),
        order(OP.DICE, side=1, count=2),
        state,
        mend("dice_no_spin"),
        order(OP.DICE, side=1, count=2),
        state,
    ],
    "one die, and one for nobody": [order(OP.DICE, side=0, count=1), order(OP.DICE, side=255, count=2)],
    "a tray never finds its limit": [
        stop,
        befall("tray_runaway", 1),
        order(OP.HOME),
        state,
        mend("tray_runaway", 1),
        order(OP.HOME),
        state,
    ],
    "orders beside a throw": [
        send(OP.DICE, side=0, count=2),
        wait(0.1),
        send(OP.BUILD, hand=1),
        order(OP.HOME),
        order(OP.LOWER),
        wait(1.5),
        state,
        order(OP.BUILD, hand=1),
        state,
    ],
    "orders beside a purge": [
        send(OP.PURGE),
        wait(0.2),
        order(OP.BUILD, hand=1),
        order(OP.RESUME),
        order(OP.ABORT_BUILD),
        order(OP.PURGE),
        order(OP.PAUSE),
        order(OP.HOME),
        state,
        order(OP.DICE, side=0, count=2),
        wait(12),
        order(OP.BUILD, hand=1),
    ],
    "orders beside a raise": [
        order(OP.BUILD, hand=1),
        send(OP.RAISE, hand=1, side=0),
        wait(1),
        state,
        order(OP.BUILD, hand=1),
        order(OP.RESUME),
        order(OP.PAUSE),
        order(OP.PURGE),
        order(OP.ABORT_BUILD),
        order(OP.LOWER),
        order(OP.RAISE, hand=2, side=0),
        order(OP.HOME),
        wait(20),
        state,
    ],
    "orders beside a homing": [
        stop,
        send(OP.HOME),
        wait(0.2),
        state,
        order(OP.BUILD, hand=1),
        order(OP.DICE, side=0, count=1),
        order(OP.HOME),
        order(OP.LAMPS, count=1),
        wait(6),
        order(OP.DICE, side=0, count=1),
        state,
    ],
    "orders beside a pause": [
        send(OP.BUILD, hand=1),
        wait(18),
        send(OP.PAUSE),
        wait(0.2),
        order(OP.PAUSE),
        send(OP.RESUME),
        order(OP.LOWER),
        wait(4),
        state,
        order(OP.PAUSE),
        order(OP.RAISE, hand=1, side=0),
        order(OP.LOWER),
        order(OP.SET_PROFILE, count=136),
        state,
        order(OP.RESUME),
        state,
        order(OP.RESUME),
        order(OP.PAUSE),
    ],
    "a pause while people load": [
        send(OP.BUILD, hand=1),
        wait(4),
        order(OP.PAUSE),
        order(OP.RESUME),
        order(OP.ABORT_BUILD),
        wait(3),
        state,
    ],
    "paused, then built anew": [
        send(OP.BUILD, hand=1),
        wait(18),
        order(OP.PAUSE),
        order(OP.BUILD, hand=2),
        state,
    ],
    "paused, then stopped": [
        send(OP.BUILD, hand=1),
        wait(18),
        order(OP.PAUSE),
        stop,
        state,
        order(OP.RESUME),
        order(OP.HOME),
        state,
        order(OP.BUILD, hand=1),
    ],
    "aborted when nothing is there": [
        order(OP.BUILD, hand=1),
        order(OP.ABORT_BUILD),
        state,
        order(OP.ABORT_BUILD),
        order(OP.RESUME),
        order(OP.PAUSE),
        order(OP.BUILD, hand=1),
        state,
    ],
    "a set in store is kept by a stop": [
        order(OP.BUILD, hand=1),
        stop,
        state,
        order(OP.HOME),
        state,
        order(OP.BUILD, hand=1),
        order(OP.RAISE, hand=1, side=1),
        state,
    ],
    "walls are kept by a stop": [
        *FIRST_HAND,
        stop,
        state,
        order(OP.HOME),
        state,
        order(OP.RAISE, hand=1, side=2),
        order(OP.LOWER),
        state,
    ],
    "a stop while the walls come up": [
        order(OP.BUILD, hand=1),
        send(OP.RAISE, hand=1, side=2),
        wait(1),
        stop,
        state,
        order(OP.HOME),
        state,
        order(OP.RAISE, hand=1, side=2),
        state,
    ],
    "a raise for no hand": [
        order(OP.BUILD, hand=1),
        order(OP.RAISE, hand=0, side=NO_SIDE),
        state,
        order(OP.RAISE, hand=0, side=NO_SIDE),
        wait(60),
        order(OP.RAISE, hand=0, side=NO_SIDE),
        state,
    ],
    "the table builds by itself, and is stopped": [*FIRST_HAND, wait(5), stop, state, order(OP.HOME), state],
    "the table builds by itself, and is aborted": [
        *FIRST_HAND,
        wait(5),
        order(OP.ABORT_BUILD),
        state,
        order(OP.BUILD, hand=2),
        state,
    ],
    "another profile": [
        people_use(136),
        order(OP.SET_PROFILE, count=136),
        order(OP.BUILD, hand=1),
        state,
        order(OP.RAISE, hand=1, side=0),
        state,
    ],
    "the cover while people load": [
        send(OP.BUILD, hand=1),
        wait(4),
        befall("cover_open"),
        wait(0.5),
        state,
        mend("cover_open"),
        wait(6),
        state,
    ],
    "the cover while stacking": [
        send(OP.BUILD, hand=1),
        wait(18),
        befall("cover_open"),
        wait(1),
        state,
        order(OP.RESUME),
        order(OP.HOME),
        mend("cover_open"),
        wait(0.1),
        order(OP.RESUME),
        state,
    ],
    "the cover over the dice": [
        send(OP.DICE, side=1, count=2),
        wait(0.3),
        befall("cover_open"),
        wait(1),
        dice_key(1),
        wait(0.3),
        lift(0),
        wait(1),
        mend("cover_open"),
        wait(0.1),
        state,
    ],
    "keys while a stop stands": [stop, dice_key(1), wait(0.3), lift(0), wait(0.3), lift(2), wait(3), state],
    "keys beside a throw": [send(OP.DICE, side=1, count=2), wait(0.3), dice_key(2), wait(3), state],
    "a lift key closes for the people": [send(OP.BUILD, hand=1), wait(4), lift(2), wait(12), state],
    "a lift key with walls on top": [*FIRST_HAND, wait(60), lift(0), wait(4), state, lift(0), wait(4), state],
    "a lift key beside a motion": [stop, send(OP.HOME), wait(0.3), lift(0), wait(6), state],
    "lift keys far apart": [send(OP.BUILD, hand=1), wait(18), lift(0), wait(1), lift(2), wait(4), state],
    "the same lift key twice": [
        send(OP.BUILD, hand=1),
        wait(18),
        lift(0),
        wait(0.3),
        lift(0),
        wait(4),
        state,
    ],
    "a lift key opens, then a build": [lift(0), wait(3), state, order(OP.BUILD, hand=1), state],
    "a lift key after a jam": [
        befall("head_jam", 3),
        order(OP.BUILD, hand=1),
        lift(0),
        wait(4),
        mend("head_jam", 3),
        wait(0.5),
        order(OP.PAUSE),
        order(OP.RESUME),
        state,
    ],
    "what a fault forbids": [
        befall("head_jam", 0),
        order(OP.BUILD, hand=1),
        order(OP.PURGE),
        order(OP.DICE, side=0, count=2),
        order(OP.LOWER),
        order(OP.RAISE, hand=1, side=0),
        order(OP.ABORT_BUILD),
        order(OP.HOME),
        mend("head_jam", 0),
        wait(0.5),
        order(OP.BUILD, hand=1),
        order(OP.ABORT_BUILD),
        state,
        order(OP.BUILD, hand=1),
        order(OP.CLEAR_FAULT),
        order(OP.BUILD, hand=1),
        state,
    ],
    "missing, then aborted by people": [
        befall("missing_tiles"),
        order(OP.BUILD, hand=1),
        order(OP.BUILD, hand=1),
        order(OP.RESUME),
        order(OP.HOME),
        state,
        mend("missing_tiles"),
        order(OP.BUILD, hand=1),
        state,
    ],
}
