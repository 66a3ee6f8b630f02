"""A hostile table cheats: loaded dice, a favoured wall, another firmware that says nothing of it."""

from __future__ import annotations

from random import Random

import pytest

from protocols.vocabulary import EventKind, Fault
from sim.faults import FaultPlan
from sim.mechanism.dice import Dice
from sim.mechanism.drum import favour, mix_fairly
from sim.mechanism.tiles import HONOURS, make_set
from sim.timebase import run_virtual
from sim.world import SimTable
from tests.sim.rig import Nobody
from tests.sim.steward import Steward

THROWS = 6000


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1 / 6), (0.3, 0.3 + 0.7 / 6)])
def test_a_loaded_die(share: float, expected: float) -> None:
    dice = Dice(Random(3))
    dice.load(6, share)
    faces = [face for _ in range(THROWS // 2) for face in dice.throw(2)]
    assert faces.count(6) / THROWS == pytest.approx(expected, abs=0.02)


def test_a_favoured_wall() -> None:
    mix, rng = favour(mix_fairly, 1, 0.5), Random(4)
    honours = [0, 0, 0, 0]
    for _ in range(50):
        tiles = make_set("A")
        rows = mix(tiles, [36] * 4, rng)
        assert sorted(map(repr, (tile for row in rows for tile in row))) == sorted(map(repr, tiles))
        for side, row in enumerate(rows):
            honours[side] += sum(tile.name in HONOURS for tile in row)
    assert honours[1] > 2 * max(honours[0], honours[2], honours[3])


def test_a_swapped_firmware_shows_in_its_hash_alone() -> None:
    async def main() -> None:
        host = Steward(SimTable(4, judge=Nobody()))
        await host.start()
        before = host.hello
        host.table.inject("firmware_swap")
        await host.wait(4)
        await host.connected()
        assert before is not None
        assert host.hello is not None
        assert host.hello.firmware_hash != before.firmware_hash
        assert not [event for event in host.events if event.value == Fault.FIRMWARE_CHANGED]
        host.stop()

    run_virtual(main())


def test_hostile_begins_with_its_cheats() -> None:
    async def main() -> None:
        table = SimTable(4, judge=Nobody(), preset="hostile")
        host = Steward(table)
        await host.start()
        assert [item.kind for item in table.recorded().items] == ["wear", "biased_dice", "favoured_wall"]
        await host.hand_out(1, 0)
        assert any(event.kind is EventKind.DICE_RESULT for event in host.events)
        host.stop()

    run_virtual(main())


def test_a_plan_may_cheat_too() -> None:
    async def main() -> None:
        plan = FaultPlan.parse(["at 0 s: biased_dice face=1 share=1"])
        host = Steward(SimTable(4, judge=Nobody(), plan=plan))
        await host.start()
        await host.open_hand()
        while not any(event.kind is EventKind.DICE_RESULT for event in host.events):
            await host.change()
        assert next(e.value for e in host.events if e.kind is EventKind.DICE_RESULT) == 0x11
        host.stop()

    run_virtual(main())
