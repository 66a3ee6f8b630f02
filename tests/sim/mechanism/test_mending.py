"""The ways out of a build that stands still, the panel's keys, power cuts with nothing but sensors left."""

from __future__ import annotations

import pytest

from protocols.vocabulary import EventKind, Fault, Operation, PanelKey, Refusal, StoreState, TopState
from sim.mechanism.places import Place, stacks_of, tiles_of
from sim.mechanism.tiles import make_set
from sim.timebase import run_virtual
from tests.sim.mechanism.bench import Bench
from tests.sim.mechanism.test_machine import bench_test

FULL_WALLS = (18, 18, 18, 18)


async def half_built(bench: Bench) -> None:
    """An order to build (id 1) is under way and has stacked something."""
    bench.order(1, Operation.BUILD)
    while len([*tiles_of(bench.machine.places.store)]) < 40:
        await bench.wait(0.5)


@bench_test
async def test_pause_and_resume_keep_what_is_stacked(bench: Bench) -> None:
    await half_built(bench)
    places = bench.machine.places
    assert await bench.reach(2, Operation.PAUSE) == ("done", 0)
    standing = [[*stack] for row in places.store for stack in row]
    assert (bench.machine.store, bench.machine.centre_open) == (StoreState.PAUSED, True)
    assert bench.order(3, Operation.RAISE, hand=1, side=0) is Refusal.NOT_READY
    assert await bench.reach(4, Operation.PAUSE) == ("done", 0)
    await bench.wait(30)
    assert 1 not in bench.results
    assert await bench.reach(5, Operation.RESUME) == ("done", 144)
    assert bench.results[1] == ("done", 144)
    assert stacks_of(places.store) == FULL_WALLS
    kept = {id(tile) for stack in standing for tile in stack}
    assert kept <= {id(tile) for tile in tiles_of(places.store)}
    assert bench.machine.log.moved_twice() == []


@bench_test
async def test_the_forgotten_tile_is_put_in_at_a_pause(bench: Bench) -> None:
    bench.machine.notice = lambda kind, **facts: (
        bench.machine.befall("missing_tiles", where="under") if kind == "push" else None
    )
    assert await bench.reach(1, Operation.BUILD) == ("failed", Fault.MISSING_TILES)
    places = bench.machine.places
    assert (bench.machine.store, places.census()[Place.UNDER]) == (StoreState.SHORT, 1)
    (ailment,) = bench.machine.body.ailments
    assert bench.machine.mend(ailment)
    assert await bench.reach(2, Operation.PAUSE) == ("done", 0)
    bench.machine.push_in()
    assert await bench.reach(3, Operation.RESUME) == ("done", 144)
    assert bench.machine.latched == []


@bench_test
async def test_without_the_tile_it_is_short_again(bench: Bench) -> None:
    places = bench.machine.places
    places.table.remove(tile := places.table[5])
    places.lost[Place.FLOOR].append(tile)
    await bench.reach(1, Operation.BUILD)
    assert await bench.reach(2, Operation.RESUME) == ("failed", Fault.MISSING_TILES)
    assert bench.machine.store is StoreState.SHORT
    assert await bench.reach(3, Operation.HOME) == ("done", 0)
    assert bench.machine.store is StoreState.EMPTY  # half a stack is no wall


@bench_test
async def test_abort_lets_the_rows_fall_and_fails_the_build(bench: Bench) -> None:
    await half_built(bench)
    assert await bench.reach(2, Operation.ABORT_BUILD) == ("done", 0)
    assert bench.results[1] == ("failed", Fault.NONE)
    assert (bench.machine.store, len(bench.machine.places.drum)) == (StoreState.EMPTY, 144)
    assert bench.order(3, Operation.RESUME) is Refusal.NOT_READY
    assert await bench.reach(4, Operation.BUILD) == ("done", 144)


@bench_test
async def test_a_paused_build_can_be_aborted_or_stopped(bench: Bench) -> None:
    await half_built(bench)
    await bench.reach(2, Operation.PAUSE)
    bench.machine.stop()
    assert bench.results[1] == ("failed", Fault.NONE)
    await bench.wait(1)
    await bench.reach(3, Operation.HOME)
    assert await bench.reach(4, Operation.BUILD) == ("done", 144)


@bench_test
async def test_refusals_of_the_ways_out(bench: Bench) -> None:
    order = bench.order
    assert order(1, Operation.PAUSE) is Refusal.NOT_READY
    assert order(2, Operation.RESUME) is Refusal.NOT_READY
    assert await bench.reach(3, Operation.ABORT_BUILD) == ("done", 0)  # nothing is built: reached
    bench.pushing = False
    order(4, Operation.BUILD)
    await bench.wait(5)
    assert order(5, Operation.PAUSE) is Refusal.BUSY
    assert order(6, Operation.PURGE) is Refusal.BUSY


@bench_test
async def test_purge_moves_the_drum_and_nothing_else(bench: Bench) -> None:
    await bench.raised()
    await bench.wait(60)
    assert await bench.reach(5, Operation.PURGE) == ("done", 0)
    assert [motion.step for motion in bench.machine.log.of(5)] == ["purge"]
    assert bench.machine.store is StoreState.READY


# the panel


@bench_test
async def test_one_lift_key_is_ignored_while_building_and_both_pause(bench: Bench) -> None:
    await half_built(bench)
    panel = bench.machine.panel
    panel.lift(0)
    await bench.wait(1)
    assert bench.machine.store is StoreState.BUILDING
    panel.both_lifts()
    await bench.wait(4)
    assert (bench.machine.store, bench.machine.centre_open) == (StoreState.PAUSED, True)
    pressed = [value for kind, _, value in bench.events if kind is EventKind.KEY_PRESSED]
    assert pressed == [PanelKey.LIFT] * 3
    panel.lift(2)  # one key closes and goes on
    while 1 not in bench.results:
        await bench.wait(1)
    assert bench.results[1] == ("done", 144)


@bench_test
async def test_a_stuck_key_makes_the_other_one_both(bench: Bench) -> None:
    await half_built(bench)
    stuck = bench.machine.befall("panel_key_stuck", 0)
    bench.machine.panel.lift(2)
    await bench.wait(4)
    assert bench.machine.store is StoreState.PAUSED
    bench.machine.mend(stuck)
    assert (EventKind.FAULT_CLEARED, 0, Fault.PANEL_KEY_STUCK) in bench.events


@bench_test
async def test_a_dead_panel_is_heard_by_nobody(bench: Bench) -> None:
    bench.machine.befall("panel_link_lost")
    bench.events.clear()
    bench.machine.panel.both_lifts()
    bench.machine.press_dice(1)
    await bench.wait(3)
    assert bench.events == []


@bench_test
async def test_the_lift_key_is_a_toggle(bench: Bench) -> None:
    bench.pushing = False
    panel = bench.machine.panel
    for opened in (True, False, True):
        panel.lift(0)
        panel.lift(0)  # on its way: ignored
        assert bench.order(90, Operation.BUILD) is Refusal.BUSY
        await bench.wait(3)
        assert bench.machine.centre_open is opened
    kinds = [kind for kind in bench.kinds() if kind in (EventKind.CENTRE_OPENED, EventKind.CENTRE_CLOSED)]
    assert kinds == [EventKind.CENTRE_OPENED, EventKind.CENTRE_CLOSED, EventKind.CENTRE_OPENED]
    bench.pushing = True
    assert await bench.reach(1, Operation.BUILD) == ("done", 144)  # the host finds it open
    assert bench.machine.log.of(1)[0].step == "centre_down"


@bench_test
async def test_a_key_races_the_hosts_raise(bench: Bench) -> None:
    """It closes the centre before anybody has pushed the walls in: the trays are occupied, nothing rises."""
    await bench.raised()
    await bench.wait(60)
    bench.pushing = False
    bench.order(5, Operation.RAISE, hand=2, side=1)
    await bench.wait(3)
    bench.machine.panel.lift(0)
    while 5 not in bench.results:
        await bench.wait(1)
    assert bench.results[5] == ("failed", Fault.TRAY_NOT_DOWN)
    assert bench.machine.top is TopState.WALLS_UP
    bench.pushing = True
    await bench.reach(6, Operation.LOWER)
    await bench.reach(7, Operation.CLEAR_FAULT)
    assert await bench.reach(8, Operation.RAISE, hand=2, side=1) == ("done", 0)


@bench_test
async def test_a_dice_key_races_the_hosts_throw(bench: Bench) -> None:
    assert bench.order(1, Operation.DICE, side=0, count=2) is Refusal.NONE
    bench.machine.press_dice(1)
    await bench.wait(3)
    assert len([kind for kind in bench.kinds() if kind is EventKind.DICE_RESULT]) == 1
    bench.machine.press_dice(1)
    assert bench.order(2, Operation.DICE, side=0, count=2) is Refusal.BUSY


# gear, bootstrap, power


@bench_test
async def test_a_gear_turned_in_mid_build_counts_from_the_next_build_on(bench: Bench) -> None:
    await half_built(bench)
    bench.machine.befall("gear_changed")
    assert bench.machine.profile == 136
    while 1 not in bench.results:
        await bench.wait(1)
    assert bench.results[1] == ("done", 144)
    assert await bench.reach(2, Operation.HOME) == ("done", 0)
    assert bench.machine.store is StoreState.READY  # the ready set is not the new gear's, and stays
    assert await bench.reach(3, Operation.RAISE, hand=1, side=0) == ("done", 0)
    while bench.machine.store is StoreState.BUILDING:
        await bench.wait(1)
    assert (EventKind.EXTRA_TILES, 255, 8) in bench.events  # people play with 144


STEPS = ("home", "centre_up", "centre_down", "build", "trays_up", "trays_down", "pause", "purge", "abort")


@pytest.mark.parametrize("step", STEPS)
def test_power_cut_in_any_step(step: str) -> None:
    """Only sensors survive: no hand, no memory of the walls, an axis between its limits; and it goes on."""

    async def main() -> None:
        bench = Bench(seed=3)
        machine = bench.machine
        await bench.raised()
        await bench.wait(60)
        if step in ("home", "abort"):
            machine.stop()
            await bench.wait(1)
        orders = {
            "home": (Operation.HOME,),
            "trays_down": (Operation.LOWER,),
            "purge": (Operation.PURGE,),
            "abort": (Operation.HOME, Operation.ABORT_BUILD),
            "pause": (Operation.LOWER, Operation.ABORT_BUILD, Operation.BUILD, Operation.PAUSE),
        }.get(step, (Operation.RAISE,))
        if step == "build":
            orders = (Operation.RAISE, Operation.BUILD)
        begun = len(machine.log.motions)

        def runs() -> bool:
            return any(one.step == step and one.end_us is None for one in machine.log.motions[begun:])

        for number, operation in enumerate(orders):
            fields = {"hand": 2, "side": 1} if operation is Operation.RAISE else {}
            assert bench.order(20 + number, operation, **fields) is Refusal.NONE
            while not runs():
                if 20 + number in bench.results or (step == "pause" and machine.store is StoreState.BUILDING):
                    break
                await bench.wait(0.05)
        await bench.wait(0.3)
        before = machine.places.census()
        machine.power_lost()
        await bench.wait(6)
        assert machine.places.census() == before
        machine.power_back()
        machine.booted()
        assert machine.latched == [(Fault.POWER_LOST_MID_CYCLE, 255)]
        assert (machine.hand, machine.homed) == (0, False)
        full = stacks_of(machine.places.store) == FULL_WALLS
        assert (machine.store is StoreState.READY) == full
        assert machine.top in (TopState.UNKNOWN, TopState.WALLS_UP)
        assert (machine.top is TopState.WALLS_UP) == any(tiles_of(machine.places.top))
        assert bench.order(50, Operation.RESUME) is not Refusal.NONE or machine.store is StoreState.READY
        assert await bench.reach(51, Operation.HOME) == ("done", 0)
        assert machine.latched == []
        assert await bench.reach(52, Operation.BUILD) == ("done", 144)
        assert await bench.reach(53, Operation.RAISE, hand=9, side=2) == ("done", 0)
        machine.places.assert_conserved()

    run_virtual(main())


@bench_test
async def test_at_rest_a_power_cut_is_no_suspicion(bench: Bench) -> None:
    await bench.raised()
    await bench.wait(60)
    bench.machine.power_lost()
    bench.machine.power_back()
    bench.machine.booted()
    assert bench.machine.latched == []
    assert (bench.machine.top, bench.machine.store) == (TopState.WALLS_UP, StoreState.READY)


@bench_test
async def test_a_jam_is_seen_again_after_a_power_cut(bench: Bench) -> None:
    bench.machine.befall("head_jam", 3)
    assert await bench.reach(1, Operation.BUILD) == ("failed", Fault.HEAD_JAM)
    bench.machine.power_lost()
    bench.machine.power_back()
    bench.machine.booted()
    assert bench.machine.latched == [(Fault.HEAD_JAM, 3)]
    (ailment,) = bench.machine.body.ailments
    bench.machine.mend(ailment)
    await bench.reach(2, Operation.CLEAR_FAULT)
    assert await bench.reach(3, Operation.BUILD) == ("done", 144)


@bench_test
async def test_a_spare_piece_is_a_stray_too(bench: Bench) -> None:
    """With the other set in the store only a spare piece of it can get in."""
    await bench.reach(1, Operation.BUILD)
    bench.machine.notice = lambda kind, **facts: (
        bench.machine.befall("mixed_sets") if kind == "push" else None
    )
    await bench.reach(2, Operation.RAISE, hand=1, side=0)
    while bench.machine.store is StoreState.BUILDING:
        await bench.wait(1)
    assert any(fault is Fault.MIXED_SETS for fault, _ in bench.machine.latched)
    places = bench.machine.places
    assert len([tile for _, tile in places._located()]) == 2 * len(make_set("A")) + 1
    assert await bench.reach(3, Operation.ABORT_BUILD) == ("done", 0)
    (ailment,) = bench.machine.body.ailments
    assert bench.machine.mend(ailment)
    await bench.reach(4, Operation.CLEAR_FAULT)
    assert await bench.reach(5, Operation.BUILD) == ("done", 144)
