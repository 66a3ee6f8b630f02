"""The firmware twin on its line: who it says it is, and the faults a board can have."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from protocols.atp.driver import AtpDriver
from protocols.driver import Gone, Status
from protocols.vocabulary import (
    NO_SIDE,
    Capability,
    EventKind,
    Fault,
    Lamp,
    Operation,
    Refusal,
    Stage,
    StoreState,
    TopState,
)
from sim.errors import PresetError
from sim.identity import BoardClock, Firmware
from sim.timebase import run_virtual
from sim.world import SimTable
from tests.sim.rig import JOURNAL, Host, Nobody, Shapes

Test = Callable[[Host], Coroutine[Any, Any, None]]


def at_a_table(**settings: Any) -> Callable[[Test], Callable[[], None]]:
    """Run a test with a host at a table, under virtual time."""

    def wrap(test: Test) -> Callable[[], None]:
        def run() -> None:
            async def main() -> None:
                host = await Host(SimTable(1, **{"judge": Shapes(), **settings})).start()
                await test(host)
                host.table.machine.places.assert_conserved()
                assert host.table.log.moved_twice() == []
                host.stop()

            run_virtual(main())

        run.__name__ = test.__name__
        return run

    return wrap


async def wait(host: Host, seconds: float) -> None:
    done = host.loop.create_future()
    host.loop.call_later(seconds, done.set_result, None)
    await done


async def reopen(host: Host) -> None:
    """What a daemon does after a lost line: a new driver on the same port."""
    assert host.hello is not None
    boot, last = host.hello.boot_id, host.events[-1].number
    host.driver.close()
    host.hello = None
    host.driver = AtpDriver(host.end.host)
    await host.driver.open(host.sink, journal_id=JOURNAL, last_event=last, boot_id=boot)
    while host.hello is None:
        await host.change()


@at_a_table(firmware=Firmware("acme", "T9", "2.1", "0042"), fidelity="count", speed=10)
async def test_hello_names_the_board(host: Host) -> None:
    hello = host.hello
    assert hello is not None
    assert (hello.vendor, hello.model, hello.serial, hello.firmware) == ("acme", "T9", "0042", "2.1")
    assert (hello.boot_count, hello.time_scale, hello.profiles) == (1, 10, (136, 144))
    assert hello.capabilities & Capability.SEAT_KEYS
    assert not hello.capabilities & Capability.TILE_READ
    assert len(hello.firmware_hash) == 64


@at_a_table()
async def test_status_is_a_snapshot(host: Host) -> None:
    id = host.send(Operation.BUILD)
    await wait(host, 25)
    host.driver.ask_status()
    await wait(host, 0.1)
    status = next(report for report in reversed(host.reports) if isinstance(report, Status))
    assert (status.top, status.store) == (TopState.CLEAR, StoreState.BUILDING)
    assert (status.running_id, status.running) == (id, Operation.BUILD)
    assert 0 < sum(status.store_stacks) < 72
    assert status.last_event == host.events[-1].number


@at_a_table()
async def test_a_refusal_has_its_reason(host: Host) -> None:
    reply = await host.order(Operation.RAISE, hand=1, side=0)
    assert (reply.stage, reply.refusal) == (Stage.REFUSED, Refusal.NOT_READY)


@at_a_table()
async def test_a_lost_reply_does_not_move_anything_twice(host: Host) -> None:
    host.table.lose_replies(2)
    reply = await host.order(Operation.BUILD)
    assert reply.stage is Stage.DONE
    assert len(host.table.log.of(reply.id)) == 3  # centre up, centre down, build


@at_a_table()
async def test_a_late_reply_arrives_late(host: Host) -> None:
    host.table.delay_replies(0.8)
    began = host.loop.time()
    id = host.send(Operation.DICE, side=1, count=2)
    while not any(reply.id == id for reply in host.replies):
        await host.change()
    assert host.loop.time() - began >= 0.01
    while not any(reply.id == id and reply.stage is Stage.DONE for reply in host.replies):
        await host.change()
    assert len(host.table.log.of(id)) == 1


@at_a_table()
async def test_a_reboot_in_mid_motion(host: Host) -> None:
    assert host.hello is not None
    old = host.hello.boot_id
    id = host.send(Operation.BUILD)
    await wait(host, 30)
    host.table.reboot()
    assert not host.table.board.alive
    await wait(host, 4)
    assert any(isinstance(report, Gone) for report in host.reports)
    await reopen(host)
    assert host.hello.boot_id != old
    assert host.hello.boot_count == 2
    host.driver.query(id)
    await wait(host, 0.2)
    answer = next(reply for reply in reversed(host.replies) if reply.id == id)
    assert (answer.queried, answer.stage) == (True, Stage.UNKNOWN)
    boots = [event for event in host.events if event.kind is EventKind.BOOT]
    assert [event.value for event in boots] == [1, 2]


@at_a_table()
async def test_a_board_that_drops_off_the_bus_keeps_its_events(host: Host) -> None:
    await host.open_hand()
    while not any(event.kind is EventKind.DICE_RESULT for event in host.events):
        await host.change()
    host.table.drop_off(1.0)
    await wait(host, 1.1)
    assert any(isinstance(report, Gone) for report in host.reports)
    await reopen(host)
    await host.finish_hand()
    numbers = [event.number for event in host.events]
    assert numbers == list(range(1, len(numbers) + 1))


@at_a_table()
async def test_without_a_host_the_seats_hold_until_it_says_play(host: Host) -> None:
    await host.open_hand()
    while not any(event.kind is EventKind.TILE_DISCARDED for event in host.events):
        await host.change()
    host.end.unplug()
    await wait(host, 1.6)
    assert host.table.machine.lamp is Lamp.HOLD
    discards = sum(map(len, host.table.machine.places.pools))
    await wait(host, 120)
    assert sum(map(len, host.table.machine.places.pools)) == discards
    host.end.replug()
    await wait(host, 0.1)
    await reopen(host)
    assert host.table.machine.lamp is Lamp.HOLD
    host.lamp(Lamp.PLAY)
    await host.finish_hand()
    assert host.winner is not None


@at_a_table()
async def test_a_silent_host_stops_an_ordered_motion(host: Host) -> None:
    id = host.send(Operation.BUILD)
    await wait(host, 25)
    host.end.unplug()
    await wait(host, 3)
    assert host.table.machine.stopped
    host.end.replug()
    await wait(host, 0.1)
    await reopen(host)
    host.driver.query(id)
    await wait(host, 0.2)
    answer = next(reply for reply in reversed(host.replies) if reply.id == id)
    assert (answer.stage, answer.fault) == (Stage.FAILED, Fault.HOST_SILENT_STOP)
    assert (await host.order(Operation.HOME)).stage is Stage.DONE
    assert (await host.order(Operation.BUILD)).stage is Stage.DONE


@at_a_table()
async def test_a_dark_table_is_one_to_wait_at(host: Host) -> None:
    await host.open_hand()
    while not any(event.kind is EventKind.TILE_DISCARDED for event in host.events):
        await host.change()
    host.table.reboot(off=6.0)
    await wait(host, 30)
    assert host.table.people.timer.held
    await reopen(host)
    assert host.table.machine.top is TopState.WALLS_UP
    assert host.table.machine.hand == 0
    host.lamp(Lamp.PLAY)
    await host.finish_hand()


@at_a_table(judge=Nobody())
async def test_noise_slows_a_hand_and_spoils_nothing(host: Host) -> None:
    for noise in (host.end.to_host, host.end.to_board):
        noise.damage, noise.drop = 0.002, 0.001
    await host.play_hand()
    numbers = [event.number for event in host.events]
    assert numbers == list(range(1, len(numbers) + 1))
    assert host.end.to_host.bytes_damaged > 0
    assert host.driver.counters.crc_errors > 0
    assert sum(map(len, host.table.machine.places.pools)) > 40


@pytest.mark.parametrize(
    ("clock", "seconds", "shown"),
    [
        (BoardClock(), 10.0, 10_000_000),
        (BoardClock(drift_ppm=50), 100.0, 100_005_000),
        (BoardClock(start_us=2**32 - 5, bits=32), 0.00001, 5),
    ],
)
def test_clocks(clock: BoardClock, seconds: float, shown: int) -> None:
    assert clock.read(seconds) == shown


def test_an_unknown_preset_names_the_known_ones() -> None:
    async def main() -> None:
        SimTable(1, judge=Nobody(), preset="perfekt")

    with pytest.raises(PresetError, match="known: perfect"):
        run_virtual(main())


@at_a_table()
async def test_without_a_dealers_lamp_nobody_deals(host: Host) -> None:
    assert (await host.order(Operation.BUILD)).stage is Stage.DONE
    assert (await host.order(Operation.RAISE, hand=0, side=NO_SIDE)).stage is Stage.DONE
    await wait(host, 60)
    assert host.table.party.hand is None
