"""How a run goes: what it begins with, what it leaves out and why, and how it ends when the line does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from protocols.conformance.evidence import Result, Verdict
from protocols.conformance.settings import NoBoard, Settings
from protocols.conformance.suite import Report, run_suite
from protocols.errors import PortGone, PortMissing
from protocols.transports.memory import memory_pair
from sim.endpoints.memory import MemoryEndpoint
from sim.timebase import pause, run_virtual
from sim.world import SimTable
from tests.protocols.conformance.rig import examine, ids
from tests.sim.rig import JOURNAL, Host, Nobody

BEFORE_HELLO = {"ATP-R22", "ATP-R23", "ATP-R24"}
Run = Callable[[SimTable, MemoryEndpoint], Coroutine[Any, Any, Any]]


def at_a_table(run: Run) -> Any:
    """What comes of ``run`` beside a table that is switched on."""

    async def main() -> Any:
        table = SimTable(1, judge=Nobody())
        end = MemoryEndpoint(table.rng("line"))
        table.attach(end)
        try:
            return await run(table, end)
        finally:
            table.close()

    return run_virtual(main())


def test_a_line_on_which_nobody_answers_has_no_board() -> None:
    async def main() -> float:
        here, there, _ = memory_pair()
        with pytest.raises(NoBoard, match="3 s"):
            await run_suite(here.open, Settings(rng=Random(1)))
        assert there is not here
        return asyncio.get_running_loop().time()

    assert run_virtual(main()) < 15.0


def test_a_port_that_is_not_there_is_said_as_by_any_opener() -> None:
    async def main() -> None:
        here, _, line = memory_pair()
        line.cut()
        with pytest.raises(PortMissing):
            await run_suite(here.open, Settings(rng=Random(1)))

    run_virtual(main())


def test_a_line_that_is_cut_ends_the_run() -> None:
    async def run(table: SimTable, end: MemoryEndpoint) -> None:
        asyncio.get_running_loop().call_later(5.0, end.unplug)
        with pytest.raises(PortGone):
            await run_suite(end.host, Settings(rng=Random(1)))

    at_a_table(run)


async def greeted(table: SimTable, end: MemoryEndpoint) -> None:
    """Another host has spoken to the board before."""
    host = Host(table)
    host.driver = type(host.driver)(end.host)
    await host.driver.open(host.sink, journal_id=JOURNAL, last_event=0)
    while host.hello is None:
        await host.change()
    host.driver.close()


def test_of_a_board_that_was_greeted_before_nothing_is_said_about_what_lies_before() -> None:
    async def run(table: SimTable, end: MemoryEndpoint) -> Report:
        await greeted(table, end)
        return await run_suite(end.host, Settings(motion=True, baud=0, rng=Random(1)))

    report = at_a_table(run)
    assert report.failed == []
    left = {one.requirement: one.evidence.key for one in report.not_applicable}
    assert {left[id] for id in BEFORE_HELLO} == {"na.greeted_before"}


def test_a_board_that_can_be_switched_off_and_on_is_seen_before_its_hello_all_the_same() -> None:
    async def run(table: SimTable, end: MemoryEndpoint) -> Report:
        await greeted(table, end)

        async def off_and_on() -> None:
            table.reboot(6.0)
            await pause(20.0)

        settings = Settings(motion=True, baud=0, rng=Random(1), restart=off_and_on)
        return await run_suite(end.host, settings)

    report = at_a_table(run)
    assert report.failed == []
    assert ids(report.passed) >= BEFORE_HELLO


def test_only_what_is_asked_for_is_checked_and_told_as_it_comes() -> None:
    told: list[Result] = []
    begun: list[tuple[str, int, int]] = []

    async def run(table: SimTable, end: MemoryEndpoint) -> Report:
        settings = Settings(baud=0, only=frozenset({"ATP-R38", "ATP-R48", "ATP-R21"}), rng=Random(1))
        settings.told = told.append
        settings.about_to = lambda id, number, of: begun.append((id, number, of))
        return await run_suite(end.host, settings)

    report = at_a_table(run)
    assert [one.requirement for one in report.results] == ["ATP-R21", "ATP-R38", "ATP-R48"]
    assert [one.verdict for one in report.results] == [
        Verdict.NOT_APPLICABLE,
        Verdict.PASSED,
        Verdict.NOT_APPLICABLE,
    ]
    assert begun == [("ATP-R38", 1, 2), ("ATP-R48", 2, 2)]
    assert [one.requirement for one in told] == ["ATP-R38", "ATP-R48"]


def test_the_board_is_left_with_the_profile_it_had_and_nothing_moving() -> None:
    tables: list[SimTable] = []
    report = examine(4, tiles=136, spoil=tables.append)
    assert report.failed == []
    machine = tables[0].machine
    assert machine.profile == 136
    assert [job for job in machine.jobs if job.ordered] == []
    assert tables[0].log.moved_twice() == []


def test_the_same_seed_sees_the_same() -> None:
    one, other = (examine(5, motion=False, baud=115200, damage=1e-3) for _ in range(2))
    assert one.results == other.results
    assert one.timings == other.timings


def test_who_the_board_is_stands_in_the_report() -> None:
    who = examine(6, only=frozenset({"ATP-R37"}), speed=10).who
    assert (who.vendor, who.model, who.firmware, who.time_scale) == ("tablectl", "SIM-4", "1.0.0", 10)
    assert who.profiles == (136, 144)
    assert "DICE" in who.capabilities
    assert len(who.firmware_hash) == 64
