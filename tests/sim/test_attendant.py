"""The person at the table who puts things right, and only those that a person there would see."""

from __future__ import annotations

from protocols.vocabulary import EventKind, Fault, Operation, Stage
from sim.faults import FaultPlan
from sim.mechanism.places import Place
from sim.timebase import run_virtual
from sim.world import SimTable
from tests.sim.rig import Host, Nobody
from tests.sim.steward import Steward


async def a_table(*lines: str, seed: int = 1) -> Steward:
    host = Steward(SimTable(seed, judge=Nobody(), plan=FaultPlan.parse(lines)))
    await host.start()
    return host


def test_he_finds_the_tile_and_puts_it_in_at_the_pause() -> None:
    async def main() -> None:
        host = await a_table("next push: missing_tiles, where=under, help after 40 s")
        assert (await host.order(Operation.BUILD)).fault is Fault.MISSING_TILES
        places = host.table.machine.places
        await host.wait(39)
        assert places.census()[Place.UNDER] == 1
        await host.wait(2)
        assert places.census()[Place.TABLE] == 1
        await host.order(Operation.PAUSE)
        await host.wait(5)
        assert (await host.order(Operation.RESUME)).value == 144
        host.stop()

    run_virtual(main())


def test_what_nobody_told_of_nobody_mends() -> None:
    async def main() -> None:
        host = await a_table("at 1 s: tray_not_up South")
        await host.wait(600)
        assert host.table.why() == ["tray_not_up South: a foreign body lies in the rail of the tray"]
        host.stop()

    run_virtual(main())


def test_nobody_helps_when_nobody_is_to() -> None:
    async def main() -> None:
        host = await a_table("at stack 2 of East: jam, nobody helps")
        await host.order(Operation.BUILD)
        await host.wait(600)
        assert host.table.machine.places.census()[Place.JAM] == 1
        host.table.attendant.helpful = False
        host.stop()

    run_virtual(main())


def test_under_the_cover_he_waits_until_nothing_moves() -> None:
    async def main() -> None:
        host = await a_table("at stack 2 of East: drum_jam")
        assert (await host.order(Operation.BUILD)).fault is Fault.DRUM_JAM
        id = host.send(Operation.HOME)
        while host.table.why():
            await host.wait(1)
        await host.wait(1)
        stages = {reply.stage for reply in host.replies if reply.id == id}
        assert Stage.DONE in stages  # his cover stopped nothing
        faults = [(e.kind, e.value) for e in host.events if e.value == Fault.COVER_OPEN]
        assert faults == [
            (EventKind.FAULT_SET, Fault.COVER_OPEN),
            (EventKind.FAULT_CLEARED, Fault.COVER_OPEN),
        ]
        host.stop()

    run_virtual(main())


def test_a_stray_key_in_mid_hand_costs_nobody_the_hand() -> None:
    async def main() -> None:
        host: Host = await a_table("at discard 5: stray_key South", "at discard 9: both_keys")
        await host.play_hand()
        assert [e.kind for e in host.events].count(EventKind.CENTRE_CLOSED) >= 3
        assert sum(e.kind is EventKind.TILE_DRAWN for e in host.events) == 144
        host.stop()

    run_virtual(main())


def test_a_tile_of_the_other_set_is_sorted_out_when_the_rows_are_down() -> None:
    async def main() -> None:
        host = await a_table("next push: mixed_sets")
        assert (await host.order(Operation.BUILD)).fault is Fault.MIXED_SETS
        await host.wait(200)
        assert host.table.machine.places.strays == []
        await host.insist(Operation.BUILD)
        await host.insist(Operation.RAISE, hand=1, side=0)
        await host.insist(Operation.BUILD)  # the other set is complete again
        assert host.gave_up == []
        host.stop()

    run_virtual(main())
