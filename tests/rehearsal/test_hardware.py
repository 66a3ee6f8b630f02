"""``make hil``: what is run, what is left out and said to be, and what is kept of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from protocols.conformance.evidence import Evidence, Result, Verdict
from sim.errors import SimError
from tablectl.rehearsal.hardware import __main__ as hil
from tablectl.rehearsal.hardware.conformance import told
from tablectl.rehearsal.hardware.step import Asked, Came, Step
from tablectl.rehearsal.hardware.steps import BRIEF, STEPS
from tablectl.rehearsal.scenarios import record
from tablectl.rehearsal.scenarios.acts import SCENARIOS

ROOT = Path(__file__).parents[2]
ALL = " (all of it: make hil)\n"


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Four steps instead of the real ones; the names of those that were run."""
    names: list[str] = []

    def step(name: str, came: Came | Exception, lacks: str = "") -> Step:
        def run(asked: Asked) -> Came:
            names.append(name + " briefly" * asked.brief)
            if isinstance(came, Exception):
                raise came
            return came

        return Step(name, f"about {name}", lambda: lacks, run)

    steps = (
        step("good", Came(True, 80, (), 6)),
        step("bad", Came(False, 79, ("ATP-R12",), 6)),
        step("raises", SimError("the emulator has ended")),
        step("lacks", Came(True), "no such thing here (Debian: apt-get install thing)"),
    )
    monkeypatch.setattr(hil, "STEPS", steps)
    return names


def test_what_is_missing_is_said_loudly_and_is_no_failure(
    ran: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hil.main(["good", "lacks", "--docs", str(tmp_path)]) == 0
    assert ran == ["good"]
    assert "LEFT OUT: lacks: no such thing here (Debian: apt-get install thing)" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["bad", "raises"])
def test_a_step_that_fails_fails_all_of_it_but_ends_nothing(
    ran: list[str], tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hil.main([name, "good", "--docs", str(tmp_path)]) == 1
    assert ran == [name, "good"]
    assert f"1 failed ['{name}']" in capsys.readouterr().out


def test_all_of_it_is_kept_in_the_order_of_the_page(ran: list[str], tmp_path: Path) -> None:
    hil.main(["bad", "raises", "--docs", str(tmp_path)])
    hil.main(["good", "--docs", str(tmp_path)])
    kept = record.read(tmp_path).steps
    assert [(run.step, run.good, run.kept, run.broken) for run in kept] == [
        ("good", True, 80, ()),
        ("bad", False, 79, ("ATP-R12",)),
        ("raises", False, 0, ()),
    ]
    assert "the emulator has ended" in (tmp_path / "hil.md").read_text("utf-8")


def test_what_was_asked_for_less_is_not_kept(ran: list[str], tmp_path: Path) -> None:
    assert hil.main(["good", "--brief", "--docs", str(tmp_path)]) == 0
    assert ran == ["good briefly"]
    assert record.read(tmp_path).steps == []


def test_what_is_asked_for_less_says_what_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert hil.main(["hosted", "ftdi", "acm", "--brief", "--tell"]) == 0
    said = capsys.readouterr().err
    assert said.startswith("BRIEF: not played at ftdi, acm: build, raise,")
    played, steps = said.split("; steps not run: ")
    missing = played.removeprefix("BRIEF: not played at ftdi, acm: ").split(", ")
    assert sorted([*missing, *BRIEF]) == sorted(scenario.name for scenario in SCENARIOS)
    assert (
        steps == "avr, cortex, guest, hand, hosted-scenarios, avr-scenarios, vendor, usb-checks, udev" + ALL
    )


def test_without_scenarios_and_with_every_step_nothing_else_is_said() -> None:
    assert hil.briefly(STEPS[:1]).startswith("BRIEF: steps not run: avr, ")
    assert "steps not run" not in hil.briefly(STEPS)


def test_ci_says_what_it_leaves_out() -> None:
    run = (ROOT / ".ci/run").read_text("utf-8")
    lanes = re.findall(r'_steps="([a-z -]+)"', run)
    assert len(lanes) == 3
    assert {word for lane in lanes for word in lane.split()} < {step.name for step in STEPS}
    assert "$chips_steps $hand_steps $guests_steps --tell" in run


def test_what_there_is_no_time_for_is_left_out(
    ran: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(0, 10_000, 100))
    monkeypatch.setattr(hil, "wall_seconds", lambda: float(next(clock)))
    assert hil.main(["good", "good", "good", "--within", "350", "--docs", str(tmp_path)]) == 0
    assert ran == ["good"]
    assert capsys.readouterr().err.count("LEFT OUT: good:") == 2


def test_a_step_there_is_not_is_a_slip_of_the_hand(
    ran: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        hil.main(["godo"])
    assert ended.value.code == 2
    assert "no step godo; there are good, bad" in capsys.readouterr().err


def test_requirements_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    seen = Evidence("saw.it")
    results = [
        Result("ATP-R01", Verdict.PASSED, seen),
        Result("ATP-R02", Verdict.FAILED, Evidence("broke.it", {"ms": 7})),
        Result("ATP-R03", Verdict.NOT_APPLICABLE, Evidence("na.host")),
        Result("ATP-R04", Verdict.NOT_APPLICABLE, Evidence("na.no_restart")),
    ]
    assert told(results) == Came(False, 1, ("ATP-R02",), 2)
    said = capsys.readouterr().out
    assert "broken: ATP-R02 broke.it {'ms': 7}" in said
    assert "not asked: ATP-R04 na.no_restart" in said
    assert "ATP-R03" not in said


def test_no_result_at_all_is_no_success() -> None:
    assert not told([]).good


def test_each_step_has_a_name_of_its_own_and_the_brief_scenarios_are_scenarios() -> None:
    names = [step.name for step in STEPS]
    assert len(set(names)) == len(names)
    assert set(BRIEF) <= {scenario.name for scenario in SCENARIOS}
