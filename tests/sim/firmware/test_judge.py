"""Before faults are planted the firmware as it is is judged; a look that cannot be made is no finding."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest

from sim.firmware.build import SOURCE, library
from sim.firmware.mutants import __main__ as command
from sim.firmware.mutants import child, judge
from sim.firmware.mutants.child import Ended, NotRunError
from sim.firmware.mutants.judge import BaselineError, Judge
from sim.firmware.mutants.operators import Mutant

FINDS = """
import os, pathlib, sys
text = pathlib.Path(os.environ["TABLECTL_FIRMWARE_SOURCE"], "jobs.c").read_text()
sys.exit(CODE if ";;;" in text else 0)
"""
LINE = "    job->percent = percent;"


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def finds(code: int) -> list[str]:
    """A command that ends so on the fault planted here."""
    return python(FINDS.replace("CODE", str(code)))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is compiled, once for all of them."""
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, compiled: Path) -> None:
    """Neither suite nor traces: they take half a minute, and notice nothing here."""
    monkeypatch.setattr(judge, "library", lambda *of, cache, **how: library(*of, cache=compiled, **how))
    monkeypatch.setattr(judge, "suite", lambda boot: "")
    monkeypatch.setattr(judge, "TRACES", {})


@pytest.fixture
def mutant() -> Mutant:
    number = (SOURCE / "jobs.c").read_text("utf-8").split("\n").index(LINE) + 1
    return Mutant("jobs.c", number, "not kept", LINE, "    ;;;")


@pytest.mark.parametrize(
    ("then", "why"),
    [
        (["no-such-program", "-q"], "cannot be run on the firmware as it is (exit code 127: no-such"),
        (python("print('no tests ran'); raise SystemExit(5)"), "(exit code 5: no tests ran)"),
        (python("print('FAILED a.py::test_b - c'); raise SystemExit(1)"), "by the command (test_b)"),
        (python("import os; os.abort()"), "by the command (it ends with SIGABRT)"),
    ],
    ids=["not there", "nothing collected", "fails already", "crashes"],
)  # fmt: skip
def test_a_command_that_is_no_measure_is_said_before_anything_is_planted(
    then: list[str], why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Judge, "judge", lambda self, mutant: pytest.fail("planted"))
    assert command.main(["--count", "1", "--seeds", "7", "--then", *then]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("name", ["suite", "traces"])
def test_a_firmware_that_is_noticed_as_it_is_is_not_begun_with(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(judge, name, lambda boot: "ATP-R12")
    with pytest.raises(BaselineError, match=r"is noticed by the .*\(ATP-R12\)"):
        Judge(tmp_path).begin()


def test_a_command_that_tells_them_apart_notices_a_fault(mutant: Mutant, tmp_path: Path) -> None:
    one = Judge(tmp_path, finds(1))
    one.begin()
    found = one.judge(mutant)
    assert found is not None
    assert (found.by, found.mutant) == ("tests", mutant)


def test_a_command_that_breaks_on_a_fault_has_not_noticed_it(mutant: Mutant, tmp_path: Path) -> None:
    one = Judge(tmp_path, finds(4))
    one.begin()
    with pytest.raises(NotRunError, match=r"the command could not be run on jobs\.c.*exit code 4"):
        one.judge(mutant)


def test_what_a_good_one_uses_says_how_long_a_fault_may_run(
    mutant: Mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "LEAST_S", 1)
    monkeypatch.setattr(judge, "suite", lambda boot: busy(0.3))
    one = Judge(tmp_path)
    one.begin()
    assert 2 <= one.limits_s["conformance"] <= 4
    assert one.limits_s["traces"] == 1
    monkeypatch.setattr(judge, "traces", lambda boot: busy(60.0))
    found = one.judge(mutant)
    assert found is not None
    assert (found.by, found.why) == ("traces", "it ends with SIGXCPU")


def busy(seconds: float) -> str:
    """Use so much processor time."""
    import resource

    while resource.getrusage(resource.RUSAGE_SELF).ru_utime < seconds:
        pass
    return ""


def test_a_child_that_raises_has_noticed_something(tmp_path: Path) -> None:
    def raises() -> str:
        raise LookupError("of the fault")

    assert child.look(raises, tmp_path / "said").noticed() == "LookupError"


def test_what_goes_wrong_with_this_computer_is_no_finding(tmp_path: Path) -> None:
    def full() -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    for ended in (
        child.look(full, tmp_path / "said"),
        child.look(lambda: "", tmp_path / "no folder" / "said"),
    ):
        with pytest.raises(NotRunError):
            ended.noticed()
    with pytest.raises(NotRunError):
        child.command(["true"], {}, tmp_path / "no folder" / "said").noticed()


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("x\nFAILED tests/a.py::test_one[b-c] - assert 1\nFAILED tests/a.py::test_two", "test_one[b-c]"),
        ("ERROR tests/a.py::test_three - OSError\n1 error", "test_three"),
        ("", "it says so"),
    ],
)
def test_the_first_test_that_fails_is_named(said: str, first: str) -> None:
    assert Ended(child.NOTICED, said, 0.0).noticed() == first


@pytest.mark.parametrize("code", [2, 3, 4, 5, 127, -9, -15])
def test_no_other_end_than_that_of_a_failed_test_is_a_finding(code: int) -> None:
    with pytest.raises(NotRunError):
        Ended(code, "FAILED a::b", 0.0).noticed()
