"""Fault plans: read, written, kept in files, recorded, replayed to the same trace, shrunk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from protocols.vocabulary import Fault, Operation, Stage
from sim.errors import PlanError
from sim.faults import FaultPlan
from sim.grammar import parse, write
from sim.kinds import kinds
from sim.timebase import run_virtual
from sim.world import SimTable
from tests.sim.rig import Host, Nobody, Shapes
from tests.sim.steward import Steward


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("at stack 9 of South: jam, do not self-clear", "at stack 9 of South: head_jam, do not self-clear"),
        ("at order raise of hand 2: reboot", "at order raise of hand 2: reboot"),
        ("at 312 s: unplug 0.2 s", "at 312 s: unplug, for 0.2 s"),
        ("next reply: lose", "next reply: lose_reply"),
        ("head_jam West, nobody helps", "now: head_jam West, nobody helps"),
        ("now: missing_tiles where=meld, help after 40 s", "now: missing_tiles, help after 40 s, where=meld"),
        ("at stack 3 of north of build 4: jam", "at stack 3 of North of build 4: head_jam"),
        ("at stack 3 of north: motor_stall", "at stack 3 of North: motor_stall"),
        ("at step trays_up: tray_not_up East", "at step trays_up: tray_not_up East"),
        ("at discard 12 of hand 2: out_of_turn West", "at discard 12 of hand 2: out_of_turn West"),
        ("at 0 s: wear like=tired dirt=0.2", "at 0 s: wear, dirt=0.2, like=tired"),
        ("At reply 3: LATE for 0.5 s, x2", "at reply 3: late_reply, for 0.5 s, x2"),
        ("at frame 900: burst way=to_board", "at frame 900: burst, way=to_board"),
    ],
)
def test_sentences(said: str, written: str) -> None:
    item = parse(said)
    assert write(item) == written
    assert parse(written) == item


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_can_be_said(kind: str) -> None:
    assert write(parse(kind)) == f"now: {kind}"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("at stak 9: jam", "'at stak 9' is no moment; did you mean stack"),
        ("jamm", "nothing of the name 'jamm' can go wrong; did you mean jam"),
        ("at 3 s: unplug frob=2", "unplug has no option 'frob'"),
        ("at order rise: reboot", "names no order; did you mean raise"),
        ("at order: reboot", "names no order"),
        ("next reply: lose often", "'often' says nothing about lose_reply"),
        ("noise damage=much", "'much': it should be a number"),
        ("now:", "does not say what goes wrong"),
    ],
)
def test_what_nobody_understands(said: str, words: str) -> None:
    with pytest.raises(PlanError, match=words):
        parse(said)


LINES = ["at 3 s: unplug, for 0.2 s", "next build: head_jam South", "at 0 s: wear, like=tired"]


def test_files(tmp_path: Path) -> None:
    plan = FaultPlan.parse(LINES)
    texts = {
        "a.toml": plan.to_toml(),
        "b.json": '["' + '", "'.join(LINES) + '"]',
        "c.txt": "# a bad day\n" + "\n\n".join(LINES) + "  # and worn\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        assert FaultPlan.load(tmp_path / name) == plan
    (tmp_path / "d.toml").write_text("falts = []")
    with pytest.raises(PlanError, match="holds no list of faults"):
        FaultPlan.load(tmp_path / "d.toml")
    assert plan.counts() == {"unplug": 1, "head_jam": 1, "wear": 1}


@pytest.mark.parametrize("guilty", [{3}, {0, 19}, {4, 5, 11}, set(range(20))])
def test_a_plan_shrinks_to_what_fails(guilty: set[int]) -> None:
    plan = FaultPlan.parse(f"at {number} s: reboot" for number in range(1, 21))
    needed = {plan.items[number] for number in guilty}
    asked: list[int] = []

    def fails(some: FaultPlan) -> bool:
        asked.append(len(some))
        return needed <= set(some.items)

    assert set(plan.shrink(fails).items) == needed
    assert len(asked) < 120


CALM = FaultPlan()


def stewarded(
    seed: int, preset: str, hands: int = 2, plan: FaultPlan = CALM, fidelity: str = "identity"
) -> Steward:
    """Play hands at a table of this sort, whatever happens."""

    async def main() -> Steward:
        table = SimTable(seed, judge=Shapes(), preset=preset, plan=plan, fidelity=fidelity)
        host = Steward(table)
        await host.start()
        for hand in range(1, hands + 1):
            await host.hand_out(hand, hand % 4)
        assert table.log.moved_twice() == []
        table.machine.places.assert_conserved()
        host.stop()
        return host

    return run_virtual(main())


@pytest.mark.parametrize(
    ("seed", "preset", "fidelity"),
    [(3, "tired", "identity"), (9, "hostile", "count"), (4, "chaos", "identity"), (8, "chaos", "count")],
)
def test_the_same_again_from_the_seed_and_from_the_record(seed: int, preset: str, fidelity: str) -> None:
    one = stewarded(seed, preset, fidelity=fidelity)
    again = stewarded(seed, preset, fidelity=fidelity)
    assert one.events == again.events
    assert one.replies == again.replies
    assert one.gave_up == []
    lines = one.table.recorded().lines()
    assert len(lines) > 1
    replayed = stewarded(seed, "perfect", plan=FaultPlan.parse(lines), fidelity=fidelity)
    assert replayed.events == one.events
    assert replayed.replies == one.replies
    assert replayed.table.recorded().lines() == lines


@pytest.mark.parametrize("seed", range(200, 206))
def test_chaos_ends_and_loses_no_tile(seed: int) -> None:
    assert stewarded(seed, "chaos", hands=3).gave_up == []


def test_any_part_of_a_plan_is_a_plan() -> None:
    lines = stewarded(12, "chaos").table.recorded().lines()
    for part in (lines[::2], lines[1::2], lines[len(lines) // 2 :]):
        assert stewarded(12, "perfect", plan=FaultPlan.parse(part)).gave_up == []


async def building(lines: Iterable[str], preset: str = "perfect") -> Host:
    host = await Host(SimTable(5, judge=Nobody(), preset=preset, plan=FaultPlan.parse(lines))).start()
    reply = await host.order(Operation.BUILD)
    assert reply.stage.final
    host.stop()
    return host


def test_a_script_is_followed_to_the_stack() -> None:
    host = run_virtual(building(["at stack 9 of South: jam, do not self-clear"]))
    assert host.replies[-1].fault is Fault.HEAD_JAM
    assert [len(stack) for stack in host.table.machine.places.store[1]] == [2] * 8
    assert host.table.recorded().lines() == ["at stack 9 of South of build 1: head_jam, do not self-clear"]


def test_a_script_overrides_chance() -> None:
    chaos = [run_virtual(building([f"next build: {kind}"], "chaos")) for kind in ("gear_changed", "jam")]
    for host in chaos:  # chance added nothing of its own to this build
        of_build = [item for item in host.table.recorded().items if item.when.kind in ("build", "stack")]
        assert len(of_build) == 1


def test_by_hand() -> None:
    async def main() -> None:
        host = await Host(SimTable(5, judge=Nobody())).start()
        table = host.table
        assert table.inject("list") == "nothing"
        assert "head_jam" in table.inject("help")
        assert table.inject("next build: jam West") == "waits: next build: head_jam West"
        assert table.inject("optic_blocked South, nobody helps").startswith("done: at ")
        assert table.inject("list").splitlines() == [
            "optic_blocked South: a shred of paper lies in a light barrier",
            "waits: next build: head_jam West",
        ]
        assert table.inject("mend") == "mended 1 of 1"
        with pytest.raises(PlanError):
            table.inject("hed_jam")
        await host.order(Operation.CLEAR_FAULT)
        assert (await host.order(Operation.BUILD)).fault is Fault.HEAD_JAM
        assert table.why()[0].startswith("head_jam West: a tile stays in the stacking head (A:")
        host.stop()

    run_virtual(main())


def test_next_is_the_next() -> None:
    async def main() -> None:
        table = SimTable(5, judge=Nobody(), plan=FaultPlan.parse(["next roll: dice_no_spin"]))
        host = await Host(table).start()
        first = await host.order(Operation.DICE, side=0, count=2)
        second = await host.order(Operation.DICE, side=0, count=2)
        assert (first.stage, first.fault, second.stage) == (Stage.FAILED, Fault.DICE_NO_SPIN, Stage.DONE)
        assert host.table.machine.latched == []
        host.stop()

    run_virtual(main())
