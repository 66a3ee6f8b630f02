"""What motors do when something happens in the middle of a motion: read at the plant, not from messages."""

from __future__ import annotations

import pytest

from protocols.atp.dictionary import TIMING
from protocols.driver import Reply
from protocols.vocabulary import (
    EventKind,
    Fault,
    Lamp,
    Operation,
    Refusal,
    SeatKey,
    Stage,
    StoreState,
    TopState,
)
from sim.firmware.plant import pins
from sim.timebase import pause
from tests.sim.firmware.bench import Bench, on_bench

COAST_S = 0.3  # motors have mass
HALT_S = 0.7  # hardware model: from the order to stop until nothing moves
LINE_S = 0.01
QUIET_US = 1_000_000  # without a tile, until an empty drum is believed
IN_TRAVEL = {"the centre": 0.8, "the drum": 20.0}


async def until_rest(bench: Bench, limit: float) -> float:
    """Seconds until nothing in the plant has speed."""
    began = bench.host.loop.time()
    while not bench.plant.at_rest:
        assert bench.host.loop.time() - began < limit, "it never rests"
        await pause(0.001)
        bench.plant.about_to_touch()
    return bench.host.loop.time() - began


def test_the_lift_travels_from_limit_to_limit() -> None:
    async def story(bench: Bench) -> None:
        bench.helper.helps = False
        bench.host.send(Operation.BUILD, hand=1)
        seen = []
        while not bench.plant.centre.up:
            await pause(0.1)
            bench.plant.about_to_touch()
            seen.append(bench.plant.centre.at)
        assert seen == sorted(seen)
        assert len([at for at in seen if 0.0 < at < 1.0]) > 5
        await pause(0.1)
        assert not bench.board.outputs & pins.MOTORS

    on_bench(story)


@pytest.mark.parametrize("what", IN_TRAVEL)
def test_a_killed_host_leaves_no_motor_running(what: str) -> None:
    async def story(bench: Bench) -> None:
        bench.plant.centre.top = 1 / 3.5  # slow enough to be still on its way when the silence is noticed
        bench.host.send(Operation.BUILD, hand=1)
        await pause(IN_TRAVEL[what])
        assert not bench.plant.at_rest
        bench.line.unplug()
        stopped = await until_rest(bench, 10.0)
        # the last sign of life came at most a beat before the cable was cut
        assert stopped <= TIMING.silence + COAST_S + LINE_S
        assert stopped >= TIMING.silence - TIMING.beat_moving - LINE_S
        assert not bench.board.outputs & pins.MOTORS
        where = bench.plant.centre.at, bench.plant.drum.rows()
        await pause(60)
        bench.plant.about_to_touch()
        assert (bench.plant.centre.at, bench.plant.drum.rows()) == where

    on_bench(story)


def test_after_silence_the_order_has_failed_and_home_ends_it() -> None:
    async def story(bench: Bench) -> None:
        id = bench.host.send(Operation.BUILD, hand=1)
        await pause(0.8)
        bench.line.unplug()
        await pause(4.0)
        bench.line.replug()
        await bench.reconnect()
        bench.host.driver.query(id)
        assert (await bench.host.ended(id)).fault is Fault.HOST_SILENT_STOP
        status = await bench.host.status()
        assert status.stopped
        assert not status.homed
        assert [fault for fault, _ in status.faults] == [Fault.HOST_SILENT_STOP]
        refused = await bench.host.order(Operation.BUILD, hand=1)
        assert refused.refusal is Refusal.STOPPED
        assert (await bench.host.order(Operation.HOME)).stage is Stage.DONE
        assert bench.plant.centre.down
        assert not (await bench.host.status()).faults

    on_bench(story)


def test_what_the_table_does_by_itself_goes_on_without_a_host() -> None:
    async def story(bench: Bench) -> None:
        for operation in (Operation.BUILD, Operation.RAISE):
            await bench.host.order(operation, hand=1, side=0)
        await pause(2.0)
        bench.line.unplug()
        await pause(5.0)
        bench.plant.about_to_touch()
        assert bench.board.outputs & pins.Out.DRUM
        await pause(60.0)
        assert bench.plant.drum.full(bench.plant.drum.rows()) == [True] * 4

    on_bench(story)


def test_stop_rests_within_the_time_of_the_hardware_model() -> None:
    async def story(bench: Bench) -> None:
        bench.host.send(Operation.BUILD, hand=1)
        await pause(0.8)
        bench.host.driver.stop()
        assert await until_rest(bench, 5.0) <= HALT_S
        await bench.host.until(lambda: any(e.kind is EventKind.STOPPED for e in bench.host.events))
        assert bench.plant.at_rest

    on_bench(story)


def test_a_jam_is_found_by_the_barrier_that_stays_covered() -> None:
    async def story(bench: Bench) -> None:
        bench.plant.drum.heads[2].jammed = True
        reply = await bench.host.order(Operation.BUILD, hand=1)
        assert (reply.stage, reply.fault, reply.side) == (Stage.FAILED, Fault.HEAD_JAM, 2)
        assert bench.plant.drum.heads[2].stuck is not None
        await pause(1.0)
        assert not bench.board.outputs & pins.MOTORS
        await bench.host.order(Operation.PAUSE)
        bench.plant.free(2)
        await pause(0.1)
        assert (await bench.host.order(Operation.RESUME)).value == 144

    on_bench(story)


@pytest.mark.parametrize(
    ("motor", "operation", "fault"),
    [
        ("centre", Operation.BUILD, Fault.CENTRE_NOT_UP),
        ("dice_motor", Operation.DICE, Fault.DICE_NO_SPIN),
    ],
)
def test_a_blocked_motor_is_given_up(motor: str, operation: Operation, fault: Fault) -> None:
    async def story(bench: Bench) -> None:
        getattr(bench.plant, motor).stuck = True
        reply = await bench.host.order(operation, hand=1, side=0, count=2)
        assert (reply.stage, reply.fault) == (Stage.FAILED, fault)
        await pause(0.1)
        assert not bench.board.outputs & pins.MOTORS

    on_bench(story)


def test_power_lost_in_mid_travel_is_found_at_boot() -> None:
    async def story(bench: Bench) -> None:
        id = bench.host.send(Operation.BUILD, hand=1)
        await pause(0.8)
        bench.board.reboot()
        await pause(5.0)
        assert not bench.board.outputs & pins.MOTORS  # nothing moves by itself
        await bench.reconnect()
        bench.host.driver.query(id)
        assert await bench.host.stage(id) is Stage.UNKNOWN
        status = await bench.host.status()
        assert (status.homed, status.top) == (False, TopState.UNKNOWN)
        assert [fault for fault, _ in status.faults] == [Fault.POWER_LOST_MID_CYCLE]
        assert (await bench.host.order(Operation.HOME)).stage is Stage.DONE
        assert (await bench.host.status()).faults == ()

    on_bench(story)


def test_walls_are_known_after_a_power_cut() -> None:
    async def story(bench: Bench) -> None:
        for operation in (Operation.BUILD, Operation.RAISE):
            await bench.host.order(operation, hand=1, side=0)
        await pause(60)
        bench.board.reboot()
        await pause(3)
        await bench.reconnect()
        status = await bench.host.status()
        assert (status.homed, status.top, status.hand) == (True, TopState.WALLS_UP, 0)
        assert status.store_stacks == (18, 18, 18, 18)

    on_bench(story)


def test_a_press_is_one_event_at_its_first_contact() -> None:
    async def story(bench: Bench) -> None:
        before = bench.host.loop.time()
        for _ in range(4):  # the contact bounces
            bench.plant.press_seat(3, SeatKey.PUNG)
            await pause(0.001)
            bench.plant.keys.seats = 0
            bench.plant.touched()
            await pause(0.0007)
        await pause(0.2)
        bench.plant.press_seat(3, SeatKey.PUNG)
        await pause(0.2)
        keys = [event for event in bench.host.events if event.kind is EventKind.SEAT_KEY]
        assert [(key.side, key.value) for key in keys] == [(3, SeatKey.PUNG)] * 2
        assert abs(keys[0].board_us / 1e6 - before) < 0.001

    on_bench(story)


def test_lamps_hold_while_nobody_is_heard() -> None:
    async def story(bench: Bench) -> None:
        await bench.host.order(Operation.LAMPS, count=Lamp.PLAY)
        assert bench.plant.lamp is Lamp.PLAY
        bench.line.unplug()
        await pause(3)
        assert bench.plant.lamp is Lamp.HOLD

    on_bench(story)


def progress_of(bench: Bench, id: int) -> list[int]:
    told = [one.percent for one in bench.host.of(Reply) if one.id == id and one.stage is Stage.PROGRESS]
    return [*dict.fromkeys(told)]  # an order that takes long is asked after


def test_progress_tells_of_people_and_then_of_stacks() -> None:
    async def story(bench: Bench) -> None:
        build = bench.host.send(Operation.BUILD, hand=1)
        await bench.host.ended(build)
        assert progress_of(bench, build) == [10, 20, 30, 40, 50, 60, 70, 80, 90]
        up = bench.host.send(Operation.RAISE, hand=1, side=3)
        await bench.host.ended(up)
        assert progress_of(bench, up) == [10, 20, 30]
        again = bench.host.send(Operation.BUILD, hand=2)
        await bench.host.ended(again)
        told = progress_of(bench, again)
        assert told[0] <= 20
        assert told[-1] == 90

    on_bench(story)


def test_the_dealers_lamp_is_lit_when_the_walls_stand() -> None:
    async def story(bench: Bench) -> None:
        dealers: list[int] = []
        bench.helper.walls_up = dealers.append  # type: ignore[method-assign]
        await bench.host.order(Operation.BUILD, hand=1)
        await bench.host.order(Operation.RAISE, hand=1, side=2)
        await pause(0.1)
        assert dealers == [2]

    on_bench(story)


def test_home_leaves_every_axis_at_its_reference() -> None:
    async def story(bench: Bench) -> None:
        bench.helper.helps = False
        bench.plant.centre.top = 1 / 3.5  # slower than a turn of the chain
        bench.host.send(Operation.BUILD, hand=1)
        await pause(3.8)
        assert bench.plant.centre.up
        bench.host.driver.stop()
        await bench.host.until(lambda: any(e.kind is EventKind.STOPPED for e in bench.host.events))
        await bench.host.order(Operation.HOME)
        await pause(0.5)
        assert bench.plant.centre.down
        assert bench.plant.chain.down
        assert all(tray.down for tray in bench.plant.trays)
        assert bench.plant.at_rest

    on_bench(story)


def test_a_drum_that_turns_for_nothing_is_given_up() -> None:
    async def story(bench: Bench) -> None:
        bench.plant.drum.disc.stuck = True
        for _ in range(2):  # the warning is latched anew by each build
            reply = await bench.host.order(Operation.BUILD, hand=1)
            assert (reply.stage, reply.fault) == (Stage.FAILED, Fault.BUILD_TIMEOUT)
            status = await bench.host.status()
            assert [fault for fault, _ in status.faults] == [Fault.LAST_TILES_SLOW, Fault.BUILD_TIMEOUT]
            assert (status.store, status.homed) == (StoreState.EMPTY, False)  # not a tile stands
            await bench.host.order(Operation.CLEAR_FAULT)
        bench.plant.drum.disc.stuck = False
        assert (await bench.host.order(Operation.BUILD, hand=1)).value == 144
        assert not (await bench.host.status()).faults

    on_bench(story)


def test_an_empty_drum_is_believed_only_after_a_second_of_turning() -> None:
    async def story(bench: Bench) -> None:
        bench.helper.helps = False
        build = bench.host.send(Operation.BUILD, hand=1)
        await pause(6.0)
        bench.plant.press_lift(0)  # says that everything is in, and nothing is
        assert (await bench.host.ended(build)).fault is Fault.MISSING_TILES
        told = {event.kind: event.board_us for event in bench.host.events}
        assert told[EventKind.FAULT_SET] - told[EventKind.BUILD_STARTED] >= QUIET_US

    on_bench(story)


def test_a_build_can_be_paused_again_and_again() -> None:
    async def story(bench: Bench) -> None:
        build = bench.host.send(Operation.BUILD, hand=1)
        await pause(14.0)
        for _ in range(4):
            assert (await bench.host.order(Operation.PAUSE)).stage is Stage.DONE
            assert (await bench.host.status()).store is StoreState.PAUSED
            resume = bench.host.send(Operation.RESUME)
            await pause(4.0)
        assert (await bench.host.ended(resume)).value == (await bench.host.ended(build)).value == 144
        assert bench.plant.drum.full(bench.plant.drum.rows()) == [True] * 4

    on_bench(story)


def test_a_purge_turns_the_drum_back() -> None:
    async def story(bench: Bench) -> None:
        bench.host.send(Operation.PURGE)
        await pause(1.0)
        bench.plant.about_to_touch()
        assert bench.plant.drum.disc.speed < 0

    on_bench(story)
