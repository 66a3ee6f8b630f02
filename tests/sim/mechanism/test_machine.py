"""Orders to the mechanism: what moves, what is refused, and what a stop or a power cut leaves."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from protocols.vocabulary import NO_SIDE, EventKind, Fault, Operation, Refusal, StoreState, TopState
from sim.mechanism.motion import Trouble
from sim.mechanism.places import Place, stacks_of, tiles_of
from sim.timebase import run_virtual
from tests.sim.mechanism.bench import Bench

FULL_WALLS = (18, 18, 18, 18)


def bench_test(test: Callable[[Bench], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Run a test on a bench under virtual time."""

    def run() -> None:
        async def main() -> None:
            bench = Bench()
            await test(bench)
            bench.machine.places.assert_conserved()

        run_virtual(main())

    run.__name__ = test.__name__
    return run


@bench_test
async def test_two_sets_bootstrap(bench: Bench) -> None:
    """First power-up loads twice before walls stand; then one set plays while the other is built."""
    places = bench.machine.places
    assert places.census() == {Place.TABLE: 144, Place.BOX: 144}
    assert await bench.reach(1, Operation.BUILD) == ("done", 144)
    assert places.census() == {Place.STORE: 144, Place.BOX: 144}
    assert (bench.machine.top, bench.machine.store) == (TopState.CLEAR, StoreState.READY)
    assert await bench.reach(2, Operation.RAISE, hand=1, side=3) == ("done", 0)
    assert places.census() == {Place.TOP: 144, Place.DRUM: 144}
    assert stacks_of(places.top) == FULL_WALLS
    assert (bench.machine.top, bench.machine.store) == (TopState.WALLS_UP, StoreState.BUILDING)
    await bench.wait(60)
    assert bench.machine.store is StoreState.READY
    assert {tile.back for tile in tiles_of(places.store)} != {tile.back for tile in tiles_of(places.top)}
    assert await bench.reach(3, Operation.RAISE, hand=2, side=0) == ("done", 0)
    assert bench.machine.hand == 2


@bench_test
async def test_the_events_of_a_build(bench: Bench) -> None:
    await bench.reach(1, Operation.BUILD)
    kinds = bench.kinds()
    assert kinds[:3] == [EventKind.CENTRE_OPENED, EventKind.CENTRE_CLOSED, EventKind.BUILD_STARTED]
    done = [(side, stacks) for kind, side, stacks in bench.events if kind is EventKind.SIDE_DONE]
    assert sorted(done) == [(side, 18) for side in range(4)]
    assert bench.events[-1] == (EventKind.BUILD_DONE, 255, 144)
    assert bench.percents == sorted(bench.percents)
    assert len(bench.percents) >= 8


@bench_test
async def test_an_order_for_a_state_already_reached_moves_nothing(bench: Bench) -> None:
    await bench.raised(hand=4)
    await bench.wait(60)
    motions = len(bench.machine.log.motions)
    assert await bench.reach(11, Operation.BUILD) == ("done", 144)
    assert await bench.reach(12, Operation.RAISE, hand=4, side=0) == ("done", 0)
    assert await bench.reach(13, Operation.HOME) == ("done", 0)
    assert len(bench.machine.log.motions) == motions


@bench_test
async def test_home_clears_gone_faults_also_when_nothing_is_to_be_homed(bench: Bench) -> None:
    await bench.raised()
    await bench.wait(60)
    bench.machine.befall("optic_blocked", 2)
    bench.machine.latch(Fault.PROTOCOL_ERROR)  # of a moment that is over
    motions = len(bench.machine.log.motions)
    bench.events.clear()
    assert bench.order(11, Operation.HOME) is Refusal.NONE
    assert (EventKind.FAULT_CLEARED, 255, Fault.PROTOCOL_ERROR) in bench.events
    assert 11 not in bench.results, "the events come before DONE"
    await bench.wait(1)
    assert bench.results[11] == ("done", 0)
    assert bench.machine.latched == [(Fault.OPTIC_BLOCKED, 2)]
    assert len(bench.machine.log.motions) == motions


@bench_test
async def test_walls_without_a_dealer(bench: Bench) -> None:
    await bench.reach(1, Operation.BUILD)
    assert await bench.reach(2, Operation.RAISE, hand=0, side=NO_SIDE) == ("done", 0)
    assert (bench.machine.top, bench.machine.dealer) == (TopState.WALLS_UP, NO_SIDE)


@bench_test
async def test_a_build_ordered_while_one_runs_by_itself_joins_it(bench: Bench) -> None:
    await bench.raised()
    assert await bench.reach(3, Operation.BUILD) == ("done", 144)
    assert bench.machine.log.of(3) == []


@bench_test
async def test_refusals(bench: Bench) -> None:
    order = bench.order
    assert order(1, Operation.RAISE, hand=1, side=0) is Refusal.NOT_READY
    assert order(2, Operation.RAISE, hand=1, side=7) is Refusal.BAD_ARGUMENT
    assert order(3, Operation.DICE, side=0, count=0) is Refusal.BAD_ARGUMENT
    assert order(4, Operation.SET_PROFILE, count=145) is Refusal.BAD_ARGUMENT
    assert order(5, Operation.LAMPS, count=9) is Refusal.BAD_ARGUMENT
    assert order(6, Operation.BUILD) is Refusal.NONE
    assert order(7, Operation.LOWER) is Refusal.BUSY
    assert order(8, Operation.DICE, side=0, count=2) is Refusal.NONE
    assert order(9, Operation.DICE, side=1, count=2) is Refusal.BUSY
    bench.machine.stop()
    assert order(10, Operation.BUILD) is Refusal.STOPPED
    assert order(11, Operation.HOME) is Refusal.BUSY
    await bench.wait(1)
    assert order(12, Operation.DICE, side=0, count=2) is Refusal.STOPPED
    assert order(13, Operation.HOME) is Refusal.NONE


@bench_test
async def test_a_profile_counts_from_the_next_build_on(bench: Bench) -> None:
    await bench.raised()
    assert await bench.reach(5, Operation.SET_PROFILE, count=136) == ("done", 0)
    assert stacks_of(bench.machine.places.top) == FULL_WALLS
    assert await bench.reach(6, Operation.BUILD) == ("done", 144)
    assert await bench.reach(7, Operation.RAISE, hand=2, side=1) == ("done", 0)
    assert await bench.reach(8, Operation.BUILD) == ("done", 136)
    assert stacks_of(bench.machine.places.store) == (17, 17, 17, 17)


@bench_test
async def test_lowering_leaves_the_tiles_on_the_felt(bench: Bench) -> None:
    await bench.raised()
    assert await bench.reach(3, Operation.LOWER) == ("done", 0)
    assert bench.machine.top is TopState.CLEAR
    assert bench.machine.places.census()[Place.TABLE] == 144


@bench_test
async def test_a_stop_halts_everything_within_its_limit(bench: Bench) -> None:
    assert bench.order(1, Operation.BUILD) is Refusal.NONE
    await bench.wait(20)
    began = bench.loop.time()
    assert not bench.machine.stop()
    while bench.machine.moving():
        await bench.wait(0.01)
    assert bench.loop.time() - began <= 0.72
    assert bench.results[1] == ("failed", Fault.NONE)
    assert bench.rests == 1
    assert bench.kinds()[-1] is EventKind.STOPPED
    assert bench.machine.log.running() == []
    assert bench.machine.stop()
    assert await bench.reach(2, Operation.HOME) == ("done", 0)
    assert (bench.machine.stopped, bench.machine.store) == (False, StoreState.EMPTY)
    assert await bench.reach(3, Operation.BUILD) == ("done", 144)
    assert bench.machine.log.moved_twice() == []


@bench_test
async def test_a_silent_host_stops_what_it_ordered_but_not_the_tables_own_build(bench: Bench) -> None:
    await bench.raised()
    bench.machine.host_silent()
    assert bench.machine.store is StoreState.BUILDING
    bench.order(7, Operation.DICE, side=0, count=2)
    bench.machine.host_silent()
    await bench.wait(1)
    assert bench.results[7] == ("failed", Fault.HOST_SILENT_STOP)
    assert bench.machine.latched == [(Fault.HOST_SILENT_STOP, 255)]
    await bench.reach(8, Operation.HOME)
    assert bench.machine.latched == []


@pytest.mark.parametrize("after", [0.5, 5.0, 8.5, 15.0, 30.0, 45.0])
def test_a_power_cut_anywhere_leaves_every_tile_where_it_was(after: float) -> None:
    async def main() -> None:
        bench = Bench()
        bench.order(1, Operation.BUILD)
        await bench.wait(after)
        before = bench.machine.places.census()
        bench.machine.power_lost()
        assert bench.machine.places.census() == before
        assert not bench.machine.log.running()
        await bench.wait(6)
        bench.machine.power_back()
        assert bench.machine.hand == 0
        ready = bench.machine.places.census()[Place.STORE] == 144
        assert (bench.machine.store is StoreState.READY) == ready
        assert bench.machine.top is TopState.UNKNOWN
        assert (await bench.reach(2, Operation.BUILD))[0] == "done"
        bench.machine.places.assert_conserved()

    run_virtual(main())


class Once:
    """A fault module that strikes one step once."""

    def __init__(self, step: str, trouble: Trouble) -> None:
        self._step, self._trouble = step, trouble

    def before(self, step: str, operation: Operation) -> Trouble | None:
        if step != self._step:
            return None
        self._step = ""
        return self._trouble


@bench_test
async def test_a_trouble_fails_the_order_and_stays_latched(bench: Bench) -> None:
    await bench.reach(1, Operation.BUILD)
    bench.machine.faults = Once("trays_up", Trouble(Fault.TRAY_NOT_UP, 2, 0.5))
    assert await bench.reach(2, Operation.RAISE, hand=1, side=0) == ("failed", Fault.TRAY_NOT_UP)
    assert (EventKind.FAULT_SET, 2, Fault.TRAY_NOT_UP) in bench.events
    assert bench.order(3, Operation.RAISE, hand=1, side=0) is Refusal.FAULT_LATCHED
    assert await bench.reach(4, Operation.CLEAR_FAULT) == ("done", 0)
    assert await bench.reach(5, Operation.RAISE, hand=1, side=0) == ("done", 0)
    assert bench.machine.log.of(2)[-1].cut


@bench_test
async def test_a_short_count_is_no_wall(bench: Bench) -> None:
    places = bench.machine.places
    bench.pushing = False
    bench.order(1, Operation.BUILD)
    await bench.wait(3)
    forgotten = places.table.pop()  # on somebody's lap while the others push
    bench.machine.push_in()
    places.table.append(forgotten)
    while 1 not in bench.results:
        await bench.wait(1)
    assert bench.results[1] == ("failed", Fault.MISSING_TILES)
    assert bench.machine.store is StoreState.SHORT
    assert bench.order(2, Operation.RAISE, hand=1, side=0) is Refusal.FAULT_LATCHED
    bench.pushing = True
    await bench.reach(3, Operation.CLEAR_FAULT)
    assert await bench.reach(4, Operation.BUILD) == ("done", 144)


@bench_test
async def test_the_dice_key_throws_by_itself(bench: Bench) -> None:
    bench.machine.press_dice(2)
    await bench.wait(2)
    assert bench.kinds() == [EventKind.KEY_PRESSED, EventKind.DICE_STARTED, EventKind.DICE_RESULT]
    faces = bench.events[-1][2]
    assert 1 <= faces & 15 <= 6
    assert 1 <= faces >> 4 <= 6
    assert bench.machine.log.motions[-1].order == 0
