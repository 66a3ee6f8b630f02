"""Faults of the line: each does what it says, the board survives it, and nothing moves twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from protocols.driver import Counters, Gone, OperateFailed, Rejected, Status
from protocols.vocabulary import EventKind, Fault, Lamp, Operation, Stage
from sim.endpoints.pty import PtyEndpoint
from sim.faults import FaultPlan
from sim.gate import Gate, damage, double, halt, lose
from sim.kinds import Family, kinds
from sim.timebase import TableTimer, run_virtual
from sim.world import SimTable
from tests.sim.rig import Nobody
from tests.sim.steward import Steward

LINK = [one.name for one in kinds().values() if one.family is Family.LINK]
FRAME = b"\0abcdefgh\0"


def struck(sentence: str, seconds: float = 12.0) -> Steward:
    """A build is ordered, the fault strikes in its middle, time passes; then the build is insisted on."""

    async def main() -> Steward:
        table = SimTable(f"line {sentence}", judge=Nobody(), plan=FaultPlan.parse([f"at 20 s: {sentence}"]))
        host = Steward(table)
        await host.start()
        host.send(Operation.BUILD)
        await host.wait(20 + seconds)
        await host.connected()
        await host.insist(Operation.BUILD)
        await host.insist(Operation.RAISE, hand=1, side=0)
        assert host.gave_up == []
        assert table.log.moved_twice() == []
        table.machine.places.assert_conserved()
        host.stop()
        return host

    return run_virtual(main())


@pytest.mark.parametrize("kind", LINK)
def test_a_table_outlives_it(kind: str) -> None:
    host = struck(kind)
    assert host.table.recorded().counts() == {kind: 1}


def ends(host: Steward) -> list[str]:
    return [report.key for report in host.reports if isinstance(report, Gone | Rejected)]


def counters(host: Steward) -> Counters:
    return host.driver.counters


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        ("burst, x3", lambda host: counters(host).crc_errors > 0),
        ("drop_frame, x2", lambda host: counters(host).frames_missed > 0),
        ("one_byte", lambda host: counters(host).crc_errors == 0),
        ("gap 0.2 s", lambda host: counters(host).crc_errors == 0 and not ends(host)),
        ("text", lambda host: counters(host).bad_bytes > 0 and not ends(host)),
        ("flood 0.5 s", lambda host: counters(host).bad_bytes > 1000),
        ("lose_reply, x4", lambda host: not ends(host)),
        ("silence", lambda host: "silent" in ends(host)),
        ("doze", lambda host: not ends(host) or "silent" in ends(host)),
        ("nak", lambda host: "errors" in ends(host)),
        ("unplug", lambda host: "port" in ends(host)),
        ("rename", lambda host: "port" in ends(host)),
        ("reboot", lambda host: len(ends(host)) > 0),
    ],
)
def test_evidence(sentence: str, evidence: Callable[[Steward], bool]) -> None:
    assert evidence(struck(sentence))


@pytest.mark.report("B014")
def test_a_watchdog_reset_is_a_boot_that_says_so() -> None:
    host = struck("watchdog_reset")
    assert [e.value for e in host.events if e.kind is EventKind.BOOT] == [1, 2]
    assert Fault.WATCHDOG_RESET in [e.value for e in host.events if e.kind is EventKind.FAULT_SET]


def test_the_answer_is_lost_after_the_motion_began() -> None:
    async def main() -> None:
        plan = FaultPlan.parse(["at order dice: lose_reply, x2"])
        host = Steward(SimTable(4, judge=Nobody(), plan=plan))
        await host.start()
        reply = await host.order(Operation.DICE, side=1, count=2)
        assert reply.stage is Stage.DONE
        assert len(host.table.log.of(reply.id)) == 1
        assert not any(isinstance(report, OperateFailed) for report in host.reports)
        host.stop()

    run_virtual(main())


def test_another_board_is_on_the_port_for_a_while() -> None:
    async def main() -> None:
        host = Steward(SimTable(4, judge=Nobody()))
        await host.start()
        own = host.hello
        host.table.inject("wrong_board 20 s")
        await host.wait(3)
        seen = [await host.look() for _ in range(20)]
        serials = [hello.serial for hello in seen if hello is not None]
        assert own is not None
        assert len(set(serials)) == 2
        assert serials[-1] == own.serial
        host.stop()

    run_virtual(main())


def statuses(host: Steward) -> list[Status]:
    return [report for report in host.reports if isinstance(report, Status)]


def test_stale_state_after_a_reboot() -> None:
    """The board says for a while what was true before it lost its power."""

    async def main() -> None:
        host = Steward(SimTable(4, judge=Nobody()))
        await host.start()
        await host.insist(Operation.BUILD)
        await host.insist(Operation.RAISE, hand=3, side=1)
        host.table.inject("stale 10 s")
        await host.wait(4)
        await host.connected()
        host.driver.ask_status()
        await host.wait(0.5)
        stale = statuses(host)[-1]
        assert host.hello is not None
        assert (stale.hand, stale.boot_id) == (3, host.hello.boot_id)
        await host.wait(10)
        host.driver.ask_status()
        await host.wait(0.5)
        assert statuses(host)[-1].hand == 0
        host.stop()

    run_virtual(main())


def test_a_silent_reboot_keeps_its_boot_id_and_forgets_its_results() -> None:
    async def main() -> None:
        host = Steward(SimTable(4, judge=Nobody()))
        await host.start()
        before = host.hello
        reply = await host.order(Operation.DICE, side=0, count=2)
        host.table.inject("silent_reboot")
        await host.wait(4)
        await host.connected()
        assert (before, host.hello) != (None, None)
        assert before is not None
        assert host.hello is not None
        assert (host.hello.boot_id, host.hello.boot_count) == (before.boot_id, 1)
        host.driver.query(reply.id)
        await host.wait(0.5)
        assert host.replies[-1].stage is Stage.UNKNOWN
        host.stop()

    run_virtual(main())


def gated(*asked: str) -> tuple[list[tuple[float, bytes]], Gate]:
    """Send five frames, one a second, with something done to the first ones."""
    arrived: list[tuple[float, bytes]] = []

    async def main() -> Gate:
        loop = asyncio.get_running_loop()
        gate = Gate(lambda data: arrived.append((loop.time(), data)), TableTimer(loop))
        mischief = {"lose": lose, "double": double, "damage": damage(Random(1), 8), "halt": halt(2.5)}
        for one in asked:
            gate.next_frames(mischief[one])
        for number in range(5):
            loop.call_later(number, gate.send, FRAME)
        done = loop.create_future()
        loop.call_later(10, done.set_result, None)
        await done
        return gate

    return arrived, run_virtual(main())


def test_the_gate_loses_doubles_and_damages_whole_frames() -> None:
    arrived, gate = gated("lose", "double", "damage")
    assert [data for _, data in arrived[:2]] == [FRAME, FRAME]
    assert arrived[2][1] != FRAME
    assert len(arrived[2][1]) == len(FRAME)
    assert [data for _, data in arrived[3:]] == [FRAME, FRAME]
    assert gate.harmed == 3


def test_the_gate_stops_in_mid_frame_and_keeps_the_order() -> None:
    arrived, _ = gated("halt")
    assert b"".join(data for _, data in arrived) == FRAME * 5
    assert [round(at, 1) for at, _ in arrived] == [0.0, 2.5, 2.5, 2.5, 3.0, 4.0]


@pytest.mark.process
@pytest.mark.report("B012")
async def test_a_pty_comes_back_under_another_name(tmp_path: Path) -> None:
    endpoint = PtyEndpoint(tmp_path / "ttyTABLE0", Random(1))
    endpoint.attach(lambda data: None)
    endpoint.unplug()
    endpoint.rename("elsewhere")
    endpoint.replug()
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere"]
    endpoint.unplug()
    endpoint.rename("")
    endpoint.replug()
    assert [path.name for path in tmp_path.iterdir()] == ["ttyTABLE0"]
    endpoint.close()


def test_lamps_that_hold_for_silence_say_play_when_the_same_host_is_heard_again() -> None:
    """Only the way to the board was dead: its host never knew, and nobody would order the lamps."""

    async def main() -> None:
        host = Steward(SimTable(4, judge=Nobody()))
        await host.start()
        await host.open_hand()
        await host.wait(0.1)
        machine = host.table.machine
        host.table.board.to_board.mute(1.7)
        lamps = []
        for _ in range(40):
            await host.wait(0.1)
            lamps.append(machine.lamp)
        assert Lamp.HOLD in lamps
        assert (lamps[-1], ends(host)) == (Lamp.PLAY, [])
        host.stop()

    run_virtual(main())
