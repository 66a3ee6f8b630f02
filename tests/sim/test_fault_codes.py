"""Every fault code can be injected, has a physical cause, is reported with its side, and goes by its steps.

The steps are the ``recover`` column of ``causes.toml``, as hardware model section 5.1 documents them.
"""

from __future__ import annotations

import pytest

from protocols.atp.driver import AtpDriver
from protocols.driver import Status
from protocols.vocabulary import NO_SIDE, EventKind, Fault, Operation, Refusal, Stage, StoreState
from sim.mechanism.causes import Cause, Moment, load_causes
from sim.mechanism.places import Place
from sim.timebase import run_virtual
from sim.world import SimTable
from tests.sim.rig import JOURNAL, Host, Nobody

CAUSES = load_causes().causes
SOUTH = 1
PATIENCE = 600
FULL = 144


async def wait(host: Host, seconds: float) -> None:
    done = host.loop.create_future()
    host.loop.call_later(seconds, done.set_result, None)
    await done


async def reopen(host: Host) -> None:
    """What a daemon does once its link is lost: a new driver, until the board says hello."""
    boot, last = host.hello.boot_id if host.hello else 0, host.events[-1].number if host.events else 0
    host.driver.close()
    host.hello = None
    while host.hello is None:
        host.driver = AtpDriver(host.end.host)
        await host.driver.open(host.sink, journal_id=JOURNAL, last_event=last, boot_id=boot)
        await wait(host, 1.0)


def sentence(cause: Cause) -> str:
    """A sentence that lets it happen where it shows itself."""
    side = " South" if cause.sided else ""
    match cause.moment:
        case Moment.STACKING:
            return f"at stack 5 of South: {cause.name}{side}"
        case Moment.PUSH:
            return f"next push: {cause.name}"
        case Moment.BUILD | Moment.END:
            return f"next build: {cause.name}{side}"
    return f"now: {cause.name}{side}"


async def provoke(host: Host, cause: Cause) -> None:
    """Let it happen and do what brings it to light."""
    if cause.name == "host_silent_stop":
        host.send(Operation.BUILD)
        await wait(host, 20)
    elif cause.steps and cause.steps[0].startswith("trays"):
        await host.order(Operation.BUILD)
        if cause.steps == ("trays_down",):
            await host.order(Operation.RAISE, hand=1, side=0)
    if cause.name == "power_lost_mid_cycle":
        host.send(Operation.BUILD)
        await wait(host, 25)
    host.table.inject(sentence(cause))
    match cause.moment, cause.steps:
        case Moment.STEP, ("dice",):
            await host.order(Operation.DICE, side=2, count=2)
        case Moment.STEP, ("trays_up",):
            await host.order(Operation.RAISE, hand=1, side=0)
        case Moment.STEP, ("trays_down",):
            await host.order(Operation.LOWER)
        case Moment.REST, _:
            await wait(host, 0.5)
        case Moment.BOOT, _:
            await wait(host, 8)
            await reopen(host)
        case Moment.WIRE, _:
            await wait(host, 6)
            if host.driver.counters.late or cause.name == "host_silent_stop":
                await reopen(host)
        case _:
            await host.order(Operation.BUILD)


def shown(host: Host, fault: Fault) -> list[int]:
    """The sides with which a fault was reported."""
    return [event.side for event in host.events if event.kind is EventKind.FAULT_SET and event.value == fault]


async def mended(host: Host, cause: Cause) -> None:
    """Wait for the people."""
    machine = host.table.machine
    for _ in range(PATIENCE):
        at_work = machine.body.has(cause.fault, Fault.COVER_OPEN) or not host.table.board.alive
        if not at_work:
            break
        await wait(host, 1)
    else:
        pytest.fail(f"nobody mended {cause.name}: {host.table.why()}")
    await wait(host, 10)
    if cause.mended == "power":
        await reopen(host)


async def walk(host: Host, cause: Cause) -> None:
    """The documented steps."""
    for step in cause.recover:
        if step == "people":
            await mended(host, cause)
            continue
        fields = {"SET_PROFILE": {"count": FULL}, "DICE": {"side": 2, "count": 2}}.get(step, {})
        reply = await host.order(Operation[step], **fields)
        assert reply.stage is Stage.DONE, (step, reply)


@pytest.mark.parametrize("cause", CAUSES.values(), ids=CAUSES)
def test_code(cause: Cause) -> None:
    async def main() -> None:
        host = await Host(SimTable(f"codes {cause.name}", judge=Nobody())).start()
        table = host.table
        await provoke(host, cause)
        sides = shown(host, cause.fault)
        assert sides, [event for event in host.events if event.kind is EventKind.FAULT_SET]
        if cause.sided:
            assert set(sides) <= {SOUTH, 0, 2} if cause.name == "panel_key_stuck" else set(sides) == {SOUTH}
        if cause.holds:
            assert table.machine.places.census()[Place.JAM] == 1
            assert any(cause.cause in line for line in table.why())
        await walk(host, cause)
        standing = [fault for fault, _ in table.machine.latched]
        assert cause.fault not in standing
        assert not table.machine.body.has(cause.fault)
        await play_on(host)
        host.stop()

    run_virtual(main())


async def play_on(host: Host) -> None:
    """The table works as if nothing had been."""
    for operation, fields in (
        (Operation.CLEAR_FAULT, {}),
        (Operation.HOME, {}),
        (Operation.LOWER, {}),
        (Operation.BUILD, {}),
        (Operation.RAISE, {"hand": 7, "side": 3}),
        (Operation.DICE, {"side": 0, "count": 2}),
        (Operation.BUILD, {}),
    ):
        reply = await host.order(operation, **fields)
        assert reply.stage is Stage.DONE, (operation, reply, host.table.machine.latched, host.table.why())
    assert host.table.machine.latched == []
    assert host.table.machine.store is StoreState.READY
    host.table.machine.places.assert_conserved()
    assert host.table.log.moved_twice() == []


def test_every_code_has_a_cause() -> None:
    assert {cause.fault for cause in CAUSES.values()} == set(Fault) - {Fault.NONE}


def test_the_snapshot_names_fault_and_side() -> None:
    async def main() -> None:
        host = await Host(SimTable(3, judge=Nobody())).start()
        host.table.inject("optic_blocked West")
        host.driver.ask_status()
        await wait(host, 0.2)
        status = next(report for report in host.reports if isinstance(report, Status))
        assert status.faults == ((Fault.OPTIC_BLOCKED, 2),)
        host.stop()

    run_virtual(main())


def test_what_is_still_seen_is_not_forgotten() -> None:
    async def main() -> None:
        host = await Host(SimTable(3, judge=Nobody())).start()
        host.table.inject("optic_blocked West, nobody helps")
        assert (await host.order(Operation.CLEAR_FAULT)).stage is Stage.DONE
        assert host.table.machine.latched == [(Fault.OPTIC_BLOCKED, 2)]
        assert (await host.order(Operation.BUILD)).refusal is Refusal.FAULT_LATCHED
        host.table.inject("mend")
        await host.order(Operation.CLEAR_FAULT)
        assert host.table.machine.latched == []
        host.stop()

    run_virtual(main())


def test_an_open_cover_locks_the_table() -> None:
    async def main() -> None:
        host = await Host(SimTable(3, judge=Nobody())).start()
        host.table.inject("cover_open, help after 30 s")
        assert (await host.order(Operation.BUILD)).refusal is Refusal.LOCKED
        await wait(host, 31)
        cleared = [event for event in host.events if event.kind is EventKind.FAULT_CLEARED]
        assert [event.value for event in cleared] == [Fault.COVER_OPEN]
        assert (await host.order(Operation.BUILD)).stage is Stage.DONE
        host.stop()

    run_virtual(main())


def test_a_jam_that_frees_itself_is_no_fault() -> None:
    async def main() -> None:
        host = await Host(SimTable(3, judge=Nobody())).start()
        host.table.inject("at stack 9 of South: jam, self-clear")
        assert (await host.order(Operation.BUILD)).stage is Stage.DONE
        assert shown(host, Fault.HEAD_JAM) == []
        assert host.table.recorded().counts() == {"head_jam": 1}
        host.stop()

    run_virtual(main())


def test_a_jam_nobody_clears_comes_again() -> None:
    async def main() -> None:
        host = await Host(SimTable(3, judge=Nobody())).start()
        host.table.inject("at stack 9 of South: jam, do not self-clear, nobody helps")
        reply = await host.order(Operation.BUILD)
        assert (reply.stage, reply.fault, reply.side) == (Stage.FAILED, Fault.HEAD_JAM, SOUTH)
        assert host.table.machine.places.store[SOUTH][:8]
        assert (await host.order(Operation.RESUME)).refusal is Refusal.FAULT_LATCHED
        assert (await host.order(Operation.PAUSE)).stage is Stage.DONE
        host.table.inject("mend")
        assert (await host.order(Operation.RESUME)).value == FULL
        host.stop()

    run_virtual(main())


def test_nothing_stops_a_welded_relay_but_the_switch() -> None:
    async def main() -> None:
        host = await Host(SimTable(3, judge=Nobody())).start()
        host.table.inject("runs_without_command, nobody helps")
        host.driver.stop()
        await wait(host, 20)
        assert not any(event.kind is EventKind.STOPPED for event in host.events)
        assert host.table.machine.moving()
        assert host.table.log.running()[-1].step == "runaway"
        host.driver.close()
        host.table.reboot(off=6.0)
        assert not host.table.machine.moving()
        host.stop()

    run_virtual(main())


@pytest.mark.parametrize("where", ["meld", "floor", "under"])
def test_where_a_forgotten_tile_lies(where: str) -> None:
    async def main() -> None:
        host = await Host(SimTable(where, judge=Nobody())).start()
        host.table.inject("next push: missing_tiles, where=" + where)
        reply = await host.order(Operation.BUILD)
        assert (reply.stage, reply.fault) == (Stage.FAILED, Fault.MISSING_TILES)
        places = host.table.machine.places
        (tile,) = places.overlooked
        assert places.find(tile) == (where if where != "meld" else "floor")  # nothing was melded yet
        missing = next(event for event in host.events if event.kind is EventKind.MISSING_TILES)
        assert (missing.value, missing.side != NO_SIDE) == (1, True)
        host.stop()

    run_virtual(main())
