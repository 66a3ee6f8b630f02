"""Every scenario at every endpoint: played, or not applicable with a reason; and the page says the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tablectl.rehearsal.scenarios import page, record
from tablectl.rehearsal.scenarios.acts import SCENARIOS
from tablectl.rehearsal.scenarios.endpoint import Endpoint
from tablectl.rehearsal.scenarios.endpoints import ENDPOINTS
from tablectl.rehearsal.scenarios.runner import Cell, Verdict, play, run
from tablectl.rehearsal.scenarios.scenario import Scenario

DOCS = Path(__file__).parents[3] / "docs"
AT_ONCE = 24  # cells that are played side by side in real time: they mostly wait
EMULATED = "avr"  # cycle by cycle: minutes for the whole column, so all but these rows are long
BRIEF = {"dice", "key", "chatter"}
VIRTUAL = [
    pytest.param(
        scenario,
        endpoint,
        id=f"{endpoint.name}-{scenario.name}",
        marks=[pytest.mark.long] if endpoint.name == EMULATED and scenario.name not in BRIEF else [],
    )
    for endpoint in ENDPOINTS
    if endpoint.virtual
    for scenario in SCENARIOS
]
HERE = {"pty", "tcp", "rfc2217", "usb"}  # real time, and nothing but this computer is needed


def agrees(cell: Cell, scenario: Scenario, endpoint: Endpoint) -> str:
    """What is wrong with a cell, or with what the page says of it."""
    if cell.verdict is Verdict.FAILED:
        return f"{endpoint.name} {scenario.name}: {cell.why}"
    written = record.read(DOCS).cell(scenario.name, endpoint.name)
    if written is None or (written.verdict, written.why) != (cell.verdict, cell.why):
        return f"{endpoint.name} {scenario.name}: the page says {written}; run `make matrix`"
    return ""


@pytest.mark.parametrize(("scenario", "endpoint"), VIRTUAL)
def test_a_cell_in_virtual_time(scenario: Scenario, endpoint: Endpoint) -> None:
    if endpoint.missing():
        pytest.skip(endpoint.missing())
    cell = run(scenario, endpoint)
    assert not agrees(cell, scenario, endpoint)
    assert (cell.verdict is Verdict.NOT_APPLICABLE) == bool(scenario.lacks(endpoint))


@pytest.mark.process
async def test_the_cells_in_real_time() -> None:
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(scenario: Scenario, endpoint: Endpoint) -> str:
        async with turns:
            return agrees(await play(scenario, endpoint), scenario, endpoint)

    real = [endpoint for endpoint in ENDPOINTS if endpoint.name in HERE]
    assert len(real) == len(HERE)
    wrong = await asyncio.gather(*(one(row, column) for column in real for row in SCENARIOS))
    assert not [what for what in wrong if what]


def test_the_page_is_that_of_the_record() -> None:
    made = page.page(record.read(DOCS), SCENARIOS, ENDPOINTS)
    assert (DOCS / page.NAME).read_text("utf-8") == made, "run `make matrix`"


def test_the_page_has_every_cell() -> None:
    written = record.read(DOCS)
    for scenario in SCENARIOS:
        for endpoint in ENDPOINTS:
            cell = written.cell(scenario.name, endpoint.name)
            assert cell is not None, f"{endpoint.name} {scenario.name} was never played: run `make matrix`"
            assert cell.verdict is not Verdict.FAILED, cell.why
            assert (cell.verdict is Verdict.NOT_APPLICABLE) == bool(scenario.lacks(endpoint))


def test_names_are_of_one_thing_each() -> None:
    for things in (SCENARIOS, ENDPOINTS):
        names = [thing.name for thing in things]
        assert len(set(names)) == len(names)
