"""What goes wrong at the plant is told by the right name, leaves the right state and is led out of again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocols.driver import Reply
from protocols.vocabulary import NO_SIDE, EventKind, Fault, Operation, Refusal, Stage, StoreState, TopState
from sim.firmware.plant import pins
from sim.firmware.plant.plant import Plant
from sim.timebase import pause
from tests.sim.firmware.bench import Bench, on_bench

Spoil = Callable[[Plant, bool], None]


def stuck(name: str) -> Spoil:
    """A motor that gives way to nothing."""

    def spoil(plant: Plant, wrong: bool) -> None:
        getattr(plant, name).stuck = wrong

    return spoil


def tray_stuck(side: int) -> Spoil:
    """One tray that stays where it is."""

    def spoil(plant: Plant, wrong: bool) -> None:
        plant.trays[side].stuck = wrong

    return spoil


async def stop(bench: Bench) -> None:
    known = len(bench.host.events)
    bench.host.driver.stop()
    await bench.host.until(lambda: any(e.kind is EventKind.STOPPED for e in bench.host.events[known:]))


async def hand(bench: Bench) -> None:
    for operation in (Operation.BUILD, Operation.RAISE):
        await bench.host.order(operation, hand=1, side=0)


async def nothing(bench: Bench) -> None:
    """A fresh table."""


async def built(bench: Bench) -> None:
    await bench.host.order(Operation.BUILD, hand=1)


async def part_built(bench: Bench) -> None:
    bench.host.send(Operation.BUILD, hand=1)
    await pause(18)
    await stop(bench)


GIVEN_UP: dict[str, tuple[Any, Spoil, Operation, Fault, int]] = {
    "the chain in homing": (stop, stuck("chain"), Operation.HOME, Fault.CHAIN_ZERO_LOST, NO_SIDE),
    "a tray in homing": (hand, tray_stuck(2), Operation.LOWER, Fault.TRAY_NOT_DOWN, 2),
    "a tray on its way up": (built, tray_stuck(3), Operation.RAISE, Fault.TRAY_NOT_UP, 3),
    "the rows": (part_built, stuck("dropper"), Operation.HOME, Fault.PUSHER_NOT_HOME, NO_SIDE),
    "the dice": (nothing, stuck("dice_motor"), Operation.DICE, Fault.DICE_NO_SPIN, NO_SIDE),
}


@pytest.mark.parametrize("name", GIVEN_UP)
def test_what_does_not_move_is_named_and_can_be_mended(name: str) -> None:
    before, spoil, operation, fault, side = GIVEN_UP[name]

    async def story(bench: Bench) -> None:
        await before(bench)
        spoil(bench.plant, True)
        reply = await bench.host.order(operation, hand=1, side=0, count=2)
        assert (reply.stage, reply.fault, reply.side) == (Stage.FAILED, fault, side)
        status = await bench.host.status()
        assert (fault, side) in status.faults
        assert not bench.board.outputs & pins.MOTORS & ~pins.Out.DRUM & ~(0xF << pins.FIRST_GATE)
        spoil(bench.plant, False)
        await bench.host.order(Operation.CLEAR_FAULT)
        assert not (await bench.host.status()).faults

    on_bench(story)


def test_a_centre_that_does_not_sink_is_named_in_homing() -> None:
    async def story(bench: Bench) -> None:
        bench.helper.helps = False
        bench.host.send(Operation.BUILD, hand=1)
        await pause(4)
        await stop(bench)
        bench.plant.centre.stuck = True
        reply = await bench.host.order(Operation.HOME)
        assert (reply.stage, reply.fault) == (Stage.FAILED, Fault.CENTRE_NOT_DOWN)
        bench.plant.centre.stuck = False
        assert (await bench.host.order(Operation.HOME)).stage is Stage.DONE
        kinds = [event.kind for event in bench.host.events]
        assert kinds.count(EventKind.CENTRE_CLOSED) == 1
        assert bench.plant.centre.down

    on_bench(story)


def test_the_chain_is_looked_for_before_a_build() -> None:
    async def story(bench: Bench) -> None:
        await part_built(bench)
        await bench.host.order(Operation.HOME)
        bench.host.send(Operation.BUILD, hand=1)
        await pause(14)
        await bench.host.order(Operation.ABORT_BUILD)
        assert not (await bench.host.status()).homed
        bench.plant.chain.stuck = True
        reply = await bench.host.order(Operation.BUILD, hand=1)
        assert (reply.stage, reply.fault) == (Stage.FAILED, Fault.CHAIN_ZERO_LOST)
        bench.plant.chain.stuck = False
        await bench.host.order(Operation.CLEAR_FAULT)
        assert (await bench.host.order(Operation.BUILD, hand=1)).value == 144
        status = await bench.host.status()
        assert (status.homed, status.store) == (True, StoreState.READY)
        assert bench.plant.chain.down

    on_bench(story)


def test_home_keeps_walls_where_they_are() -> None:
    async def story(bench: Bench) -> None:
        await hand(bench)
        await stop(bench)
        assert (await bench.host.order(Operation.HOME)).stage is Stage.DONE
        status = await bench.host.status()
        assert (status.top, status.homed) == (TopState.WALLS_UP, True)
        assert all(tray.up for tray in bench.plant.trays)
        await bench.host.order(Operation.LOWER)
        assert all(tray.down for tray in bench.plant.trays)

    on_bench(story)


def test_a_set_raised_from_an_empty_drum_leaves_the_store_empty() -> None:
    async def story(bench: Bench) -> None:
        await built(bench)
        bench.helper.helps = False
        bench.host.send(Operation.RAISE, hand=1, side=0)
        await pause(6)
        bench.plant.press_lift(0)  # closed with nothing pushed in
        await bench.host.until(lambda: any(e.kind is EventKind.WALLS_UP for e in bench.host.events))
        await pause(0.1)
        status = await bench.host.status()
        assert (status.store, status.store_stacks) == (StoreState.EMPTY, (0, 0, 0, 0))
        assert status.top_stacks == (18, 18, 18, 18)
        refused = await bench.host.order(Operation.RESUME)
        assert (refused.stage, refused.refusal) == (Stage.REFUSED, Refusal.NOT_READY)

    on_bench(story)


def test_up_to_four_dice_are_read() -> None:
    async def story(bench: Bench) -> None:
        for count in (1, 2, 3, 4):
            reply = await bench.host.order(Operation.DICE, side=count - 1, count=count)
            faces = [reply.value >> 4 * die & 0xF for die in range(8)]
            assert all(1 <= face <= 6 for face in faces[:count])
            assert not any(faces[count:])
        assert (await bench.host.order(Operation.DICE, side=0, count=5)).stage is Stage.REFUSED

    on_bench(story)


def test_dice_that_are_thrown_again_forget_that_they_did_not_spin() -> None:
    async def story(bench: Bench) -> None:
        bench.plant.dice_motor.stuck = True
        await bench.host.order(Operation.DICE, side=0, count=2)
        bench.plant.dice_motor.stuck = False
        assert (await bench.host.order(Operation.DICE, side=0, count=2)).stage is Stage.DONE
        assert not (await bench.host.status()).faults

    on_bench(story)


def test_a_build_that_comes_out_right_forgets_a_lost_supply() -> None:
    async def story(bench: Bench) -> None:
        bench.host.send(Operation.DICE, side=0, count=2)
        bench.plant.chain.at = 0.5
        bench.board.reboot()
        await pause(5)
        await bench.reconnect()
        assert [fault for fault, _ in (await bench.host.status()).faults] == [Fault.POWER_LOST_MID_CYCLE]
        assert (await bench.host.order(Operation.BUILD, hand=1)).value == 144
        assert not (await bench.host.status()).faults

    on_bench(story)


def test_after_a_tile_too_many_the_drum_is_not_trusted() -> None:
    async def story(bench: Bench) -> None:
        places = bench.plant.places
        stray = places.stray_in(places.set_to_load())
        assert (await bench.host.order(Operation.BUILD, hand=1)).fault is Fault.EXTRA_TILES
        await bench.host.order(Operation.ABORT_BUILD)
        places.sort_out(stray)
        await bench.host.order(Operation.CLEAR_FAULT)
        known = len(bench.host.events)
        assert (await bench.host.order(Operation.BUILD, hand=1)).value == 144
        assert EventKind.CENTRE_OPENED in [event.kind for event in bench.host.events[known:]]

    on_bench(story)


def told(bench: Bench, id: int) -> list[int]:
    return [one.percent for one in bench.host.of(Reply) if one.id == id and one.stage is Stage.PROGRESS]


def test_a_paused_build_tells_on_where_it_was() -> None:
    async def story(bench: Bench) -> None:
        build = bench.host.send(Operation.BUILD, hand=1)
        await pause(24)
        await bench.host.order(Operation.PAUSE)
        before = told(bench, build)[-1]
        resume = bench.host.send(Operation.RESUME)
        await bench.host.ended(resume)
        assert 30 < before < 90
        assert min(told(bench, resume)) > before
        assert told(bench, build) == sorted(told(bench, build))

    on_bench(story)


def test_rows_that_fell_back_are_doubted_no_longer() -> None:
    async def story(bench: Bench) -> None:
        places = bench.plant.places
        stray = places.stray_in(places.set_to_load())
        assert (await bench.host.order(Operation.BUILD, hand=1)).fault is Fault.EXTRA_TILES
        places.sort_out(stray)
        assert (await bench.host.order(Operation.HOME)).stage is Stage.DONE
        assert not any(bench.plant.drum.rows())
        bench.host.send(Operation.BUILD, hand=1)
        while not bench.board.outputs & pins.Out.CHAIN:  # every tile is laid, and nothing told of it yet
            await pause(0.1)
        bench.host.driver.stop()
        await bench.host.until(lambda: any(e.kind is EventKind.STOPPED for e in bench.host.events))
        assert (await bench.host.status()).store is StoreState.READY
        await bench.host.order(Operation.HOME)
        assert bench.plant.drum.full(bench.plant.drum.rows()) == [True] * 4

    on_bench(story)


def test_a_build_is_said_to_be_slow_once_also_when_that_was_cleared() -> None:
    async def story(bench: Bench) -> None:
        bench.plant.drum.disc.stuck = True
        build = bench.host.send(Operation.BUILD, hand=1)
        await bench.host.until(lambda: any(e.kind is EventKind.FAULT_SET for e in bench.host.events))
        await bench.host.order(Operation.CLEAR_FAULT)
        await pause(1.0)
        assert not (await bench.host.status()).faults
        assert (await bench.host.ended(build)).fault is Fault.BUILD_TIMEOUT
        told = [event.value for event in bench.host.events if event.kind is EventKind.FAULT_SET]
        assert told == [Fault.LAST_TILES_SLOW, Fault.BUILD_TIMEOUT]

    on_bench(story)
