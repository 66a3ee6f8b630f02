"""Traces of commands, lived by the compiled firmware at its plant and by the Python twin alike."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Any

from protocols.driver import BoardEvent, Reply, Status
from protocols.vocabulary import NO_SIDE, Operation, Stage
from sim.board import Board
from sim.endpoints.memory import MemoryEndpoint
from sim.firmware.board import Boot, FirmwareBoard
from sim.firmware.helper import Helper
from sim.firmware.host import Host
from sim.firmware.plant.plant import Plant
from sim.mechanism.machine import Mechanism
from sim.mechanism.places import Place
from sim.mechanism.tiles import FULL
from sim.seats import Fidelity
from sim.timebase import TableTimer, pause, run_virtual

Act = Callable[["Side"], Awaitable[None]]
OP = Operation


@dataclass
class Lived:
    """What came of a trace: each with the second at which the host was told."""

    events: list[tuple[float, Any]] = field(default_factory=list)
    replies: list[tuple[float, Any]] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)


class Side:
    """One of the two, behind a line and a host of its own."""

    host: Host
    helper: Helper

    async def press_lift(self, side: int) -> None:
        raise NotImplementedError

    async def press_dice(self, side: int) -> None:
        raise NotImplementedError

    async def befall(self, name: str, side: int) -> None:
        """Something goes wrong with the table: a row of causes.toml."""
        raise NotImplementedError

    async def mend(self, name: str, side: int) -> None:
        """Somebody puts it right."""
        raise NotImplementedError

    async def add_tiles(self) -> None:
        """Somebody puts what he found into the open centre."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class CompiledSide(Side):
    """The firmware."""

    def __init__(self, seed: int, boot: Boot | None = None) -> None:
        streams = {name: Random(f"{seed}/{name}") for name in ("drum", "dice", "times")}
        self.plant = Plant(FULL, **streams)
        self.helper = Helper(self.plant.push_in)
        self.plant.watchers.append(self.helper)
        self.board = FirmwareBoard(self.plant, boot=boot)
        line = MemoryEndpoint(Random(seed), latency=0.001)
        self.board.attach(line)
        self.board.power_on()
        self.host = Host(line.host)

    async def press_lift(self, side: int) -> None:
        self.plant.press_lift(side)

    async def press_dice(self, side: int) -> None:
        self.plant.press_dice(side)

    async def befall(self, name: str, side: int) -> None:
        self._set(name, side, True)

    async def mend(self, name: str, side: int) -> None:
        self._set(name, side, False)

    def _set(self, name: str, side: int, wrong: bool) -> None:
        plant = self.plant
        match name:
            case "head_jam" if wrong:
                plant.drum.heads[side].jammed = True
            case "head_jam":
                plant.free(side)
            case "centre_not_up" | "centre_not_down":
                plant.centre.stuck = wrong
            case "tray_not_up":
                plant.trays[side].stop_at = 0.5 if wrong else None
            case "dice_no_spin":
                plant.dice_motor.stuck = wrong
            case "cover_open":
                plant.open_cover(wrong)
            case "missing_tiles" if wrong:
                self._lost = plant.places.loadable(plant.places.set_to_load())[0]
                plant.places.forget(self._lost, Place.FLOOR)
            case "missing_tiles":
                plant.places.found(self._lost)
            case "extra_tiles" if wrong:
                self._lost = plant.places.stray_in(plant.places.set_to_load())
            case "extra_tiles":
                plant.places.sort_out(self._lost)

    async def add_tiles(self) -> None:
        self.plant.push_in()

    def close(self) -> None:
        self.host.driver.close()
        self.board.close()


class TwinSide(Side):
    """The Python twin with its mechanism."""

    def __init__(self, seed: int) -> None:
        streams = {name: Random(f"{seed}/{name}") for name in ("drum", "dice", "times")}
        timer = TableTimer(asyncio.get_running_loop())
        self.machine = Mechanism(
            FULL, timer, drum=streams["drum"], dice=streams["dice"], times=streams["times"]
        )
        self.helper = Helper(self.machine.push_in)
        self.machine.watchers.append(self.helper)
        self.board = Board(self.machine, Fidelity.COUNT, TableTimer(timer.loop), Random(seed))
        line = MemoryEndpoint(Random(seed), latency=0.001)
        self.board.attach(line)
        self.board.power_on()
        self.host = Host(line.host)

    async def press_lift(self, side: int) -> None:
        self.machine.panel.lift(side)

    async def press_dice(self, side: int) -> None:
        self.machine.press_dice(side)

    async def befall(self, name: str, side: int) -> None:
        self._ailment = self.machine.befall(name, side)

    async def mend(self, name: str, side: int) -> None:
        self.machine.mend(self._ailment)

    async def add_tiles(self) -> None:
        self.machine.push_in()

    def close(self) -> None:
        self.host.driver.close()
        self.board.close()
        self.machine.timer.cancel_all()


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


def event_of(event: BoardEvent) -> tuple[Any, ...]:
    """What two boards must tell alike."""
    return event.kind.name, event.side, event.source.name, event.value


def reply_of(reply: Reply) -> tuple[Any, ...]:
    return reply.id, reply.stage.name, reply.refusal.name, reply.fault.name, reply.side, reply.value


def state_of(status: Status) -> dict[str, Any]:
    names = ("stopped", "homed", "hand", "profile", "top_stacks", "store_stacks", "faults")
    found = {name: getattr(status, name) for name in names}
    running = status.running_id, status.running
    return {**found, "top": status.top.name, "store": status.store.name, "running": running}


async def _live(make: Callable[[int], Side], trace: list[Act], seed: int) -> Lived:
    side = make(seed)
    await side.host.start()
    for act in trace:
        await act(side)
    await pause(0.5)
    side.close()
    lived = Lived()
    for at, report in side.host.reports:
        match report:
            case BoardEvent():
                lived.events.append((at, event_of(report)))
            case Reply() if report.stage is not Stage.PROGRESS:
                lived.replies.append((at, reply_of(report)))
            case Status():
                lived.states.append(state_of(report))
    return lived


def live(make: Callable[[int], Side], trace: list[Act], seed: int = 1) -> Lived:
    """Live a trace from a fresh table on."""
    return run_virtual(_live(make, trace, seed))


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
}


TOLERANCE_S = 5.0  # of any one step of a motion: the plant's motors are no twin's random numbers
ROWS_APART = 3  # stacks, while they grow: the twin lays four tiles at once


def by_id(lived: Lived) -> dict[int, list[Any]]:
    """What was said of each order. Of two that end together either may be named first."""
    found: dict[int, list[Any]] = {}
    for _, (id, *stage) in lived.replies:
        found.setdefault(id, []).append(stage)
    return found


def differences(ours: Lived, theirs: Lived) -> list[str]:
    """In what two boards differ, in words; empty when they may not be told apart."""
    found = []
    if by_id(ours) != by_id(theirs):
        found.append(f"answers {by_id(ours)} against {by_id(theirs)}")
    told, expected = [what for _, what in ours.events], [what for _, what in theirs.events]
    if told != expected:
        found.append(f"events {told} against {expected}")
    found += _of_states(ours, theirs)
    return found or _of_times(ours, theirs)


def _of_states(ours: Lived, theirs: Lived) -> list[str]:
    found = []
    for one, other in zip_longest(ours.states, theirs.states, fillvalue={"store_stacks": ()}):
        rows = zip(one["store_stacks"], other["store_stacks"], strict=False)
        apart = any(abs(mine - yours) > ROWS_APART for mine, yours in rows)
        if apart or one | {"store_stacks": ()} != other | {"store_stacks": ()}:
            found.append(f"state {one} against {other}")
    return found


def _of_times(ours: Lived, theirs: Lived) -> list[str]:
    """Asked only where the events are the same."""
    ended, found = (0.0, 0.0), []
    for (at, what), (twin_at, _) in zip(ours.events, theirs.events, strict=True):
        if what[0] == "SIDE_DONE":  # the twin looks at its rows every four tiles only
            continue
        if abs((at - ended[0]) - (twin_at - ended[1])) > TOLERANCE_S:
            found.append(f"{what} after {at - ended[0]:.1f} s against {twin_at - ended[1]:.1f} s")
        ended = at, twin_at
    return found
