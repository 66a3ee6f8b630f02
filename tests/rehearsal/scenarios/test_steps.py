"""What ``make hil`` came to: kept step by step, and told on the page."""

from __future__ import annotations

from pathlib import Path

from tablectl.rehearsal.scenarios import page, record
from tablectl.rehearsal.scenarios.record import Record
from tablectl.rehearsal.scenarios.steps import StepRun, section

GOOD = StepRun("avr", "the suite on an AVR", True, 40, kept=80, unseen=6)
BAD = StepRun("guest", "the suite in a guest", False, 150, kept=78, broken=("ATP-R12", "ATP-R40"), unseen=6)
HAND = StepRun("hand", "a hand", True, 200, said="win self_draw; 119 records, good")


def test_a_step_that_is_run_again_takes_the_place_of_its_last_run(tmp_path: Path) -> None:
    kept = Record()
    for run in (GOOD, BAD, StepRun("avr", "the suite on an AVR", False, 41, kept=79, broken=("ATP-R01",))):
        kept.stepped(run)
    record.write(tmp_path, kept)
    again = record.read(tmp_path).steps
    assert [(run.step, run.good, run.broken) for run in again] == [
        ("avr", False, ("ATP-R01",)),
        ("guest", False, ("ATP-R12", "ATP-R40")),
    ]


def test_the_page_says_what_was_kept_and_what_was_broken() -> None:
    told = "\n".join(section([GOOD, BAD, HAND]))
    assert "| `avr` | the suite on an AVR | 80 | 0 | 6 | ✓ | 40 s |" in told
    assert "| `guest` | the suite in a guest | 78 | ATP-R12, ATP-R40 | 6 | **✗** | 150 s |" in told
    assert "| `hand` | a hand |  |  |  | ✓ win self_draw; 119 records, good | 200 s |" in told


def test_before_the_first_run_the_page_has_no_part_about_steps() -> None:
    assert section([]) == []
    assert "make hil" not in page.page(Record(), [], [])
    assert "make hil" in page.page(Record(steps=[GOOD]), [], [])
