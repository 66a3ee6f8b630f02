"""Faults can be planted, they are found, and the list of the last run is of these sources."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from sim.firmware.board import Boot, hosted
from sim.firmware.build import SOURCE, library
from sim.firmware.conform import Broke, check, stop_at_first
from sim.firmware.differing import differences, live
from sim.firmware.lockstep import load
from sim.firmware.mutants.judge import LINK, twin
from sim.firmware.mutants.operators import Mutant, mutants, sample
from sim.firmware.mutants.outcomes import explanations, last_run, unseen
from sim.firmware.sides import CompiledSide
from sim.firmware.traces import TRACES

LEAST, SHARE, OF_THE_WIRE = 60, 0.95, 0.85


def test_many_slips_can_be_made_and_each_changes_one_line() -> None:
    found = list(mutants(SOURCE))
    assert len({(one.file, one.line) for one in found}) > 5 * LEAST
    assert all(one.before != one.after for one in found)


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    assert sample(SOURCE, 20, 7) == sample(SOURCE, 20, 7) != sample(SOURCE, 20, 8)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all but the faulty file is compiled once."""
    return tmp_path_factory.mktemp("compiled")


def planted(folder: Path, compiled: Path, file: str, line: str) -> Boot:
    """The firmware without that line; of several alike, without the first."""
    sources = folder / "src"
    shutil.copytree(SOURCE, sources)
    number = (SOURCE / file).read_text("utf-8").split("\n").index(line) + 1
    Mutant(file, number, "forgotten", line, ";").plant(sources)
    return partial(hosted, code=load(library(sources, flags=LINK, cache=compiled)))


def test_a_planted_slip_is_noticed(tmp_path: Path, compiled: Path) -> None:
    boot = planted(tmp_path, compiled, "session_orders.c", "        send_stage(board, order, 0u);")
    with pytest.raises(Broke):
        check(boot, told=stop_at_first)


def test_a_set_that_stays_doubted_though_it_came_out_right_is_noticed_by_a_trace(
    tmp_path: Path, compiled: Path
) -> None:
    boot = planted(tmp_path, compiled, "stack.c", "    table->doubtful = false;")
    name = "a tile too many, then a set that is right"
    assert differences(live(lambda seed: CompiledSide(seed, boot), TRACES[name]), twin(name))


@pytest.mark.parametrize(
    ("file", "line", "name", "told"),
    [
        (
            "store.c",
            "    step_release(board, OUT_DRUM | OUT_CHAIN | GATES);",
            "pause and resume",
            "the centre is driven while the drum brings tiles",
        ),
        (
            "jobs.c",
            "            leave_step(board, job);",
            "a lift key closes for the people",
            "the sign for loading is lit and the centre is not open",
        ),
    ],
    ids=["drum", "sign"],
)
def test_an_output_that_stays_on_too_long_is_noticed_at_the_pins(
    file: str, line: str, name: str, told: str, tmp_path: Path, compiled: Path
) -> None:
    boot = planted(tmp_path, compiled, file, line)
    found = live(lambda seed: CompiledSide(seed, boot), TRACES[name])
    assert told in found.amiss
    assert differences(found, twin(name))


def test_an_order_of_another_journal_that_is_not_forgotten_at_its_end_is_noticed(
    tmp_path: Path, compiled: Path
) -> None:
    boot = planted(tmp_path, compiled, "session_orders.c", "    ledger_bury(&board->session.ledger);")
    with pytest.raises(Broke, match="ATP-R33"):
        check(boot, told=stop_at_first)


def test_the_list_is_long_enough_and_every_survivor_is_explained() -> None:
    faults = last_run()
    assert len(faults) >= LEAST
    survived = [fault for fault in faults if not fault.by]
    assert len(survived) <= (1 - SHARE) * len(faults)
    assert {fault.name for fault in survived} == set(explanations())


def test_the_suite_notices_most_of_what_a_host_can_see() -> None:
    faults = last_run()
    missed = {fault.name for fault in faults if fault.by != "conformance"}
    assert set(unseen()) <= missed
    by_suite = sum(fault.by == "conformance" for fault in faults)
    assert by_suite >= OF_THE_WIRE * (by_suite + len(missed - set(unseen())))


def test_the_list_is_of_these_sources() -> None:
    texts = {path.name: path.read_text("utf-8") for path in SOURCE.glob("*.c")}
    gone = [fault.name for fault in last_run() if fault.text not in texts[fault.file]]
    assert not gone, "run `make mutants`"
