"""The campaign itself: it plays what it is told, finds what is broken, and says how to see it again."""

from __future__ import annotations

import json
from argparse import Namespace

import pytest

from tablectl.api.errors import BadArgument
from tablectl.rehearsal import campaign, ordeal
from tablectl.rehearsal.host import Blow, HostScriptError, chance
from tablectl.rehearsal.ordeal import Ordeal, undergo
from tablectl.rehearsal.shrink import shrink
from tests.rehearsal.rig import BOOK


def asked(**more) -> Namespace:
    plain = {"seeds": "1..2", "preset": "chaos", "rules": "mcr", "hands": 1, "jobs": 1, "script": None}
    return Namespace(**{**plain, "fidelity": None, "lang": "en", "plain": True, "json": True, **more})


@pytest.mark.parametrize("seed", range(4))
def test_a_session_of_chaos_breaks_nothing(seed):
    trial = undergo(Ordeal(seed, hands=1), BOOK)
    assert trial.violations == []
    assert len(trial.hands) == 1


def test_the_same_seed_is_the_same_session():
    first, again = undergo(Ordeal(7, hands=1), BOOK), undergo(Ordeal(7, hands=1), BOOK)
    assert (first.inputs, first.hands, first.script) == (again.inputs, again.hands, again.script)


def test_the_report_counts_and_ends_with_0(capsys):
    assert campaign.main(asked()) == 0
    report = json.loads(capsys.readouterr().out)
    assert {"sessions", "inputs", "faults", "violations", "wall_s"} <= report.keys()
    assert (report["sessions"], report["violations"]) == (2, 0)
    assert report["inputs"] > 100


def test_a_violation_comes_with_its_command_and_the_few_sentences_needed(capsys, mocker, tmp_path):
    def broken(room, report, journal, book):
        return (
            ["the test's own"] if any("cover_open" in line for line in room.table.recorded().lines()) else []
        )

    mocker.patch.object(ordeal, "check", broken)
    script = tmp_path / "faults.txt"
    script.write_text("at 40 s: cover_open\nat 60 s: unplug 0.2 s\nat record 50: kill\n# a remark\n")
    assert campaign.main(asked(seeds="3..3", script=str(script))) == 1
    (failed,) = json.loads(capsys.readouterr().out)["failed"]
    assert failed["violations"] == ["the test's own"]
    assert "--seeds 3..3" in failed["command"]
    assert [line for line in failed["script"] if "cover_open" in line]
    assert len(failed["script"]) == 1


@pytest.mark.parametrize(
    "more",
    [{"seeds": "few"}, {"preset": "nice"}, {"rules": "riichi"}],
    ids=["seeds", "preset", "rules"],
)
def test_words_that_mean_nothing_are_refused(more):
    with pytest.raises(BadArgument):
        campaign.main(asked(**more))


def test_a_script_that_cannot_be_read_is_said(capsys):
    assert campaign.main(asked(script="no/such/file")) == 2
    assert "tablectl campaign:" in capsys.readouterr().err


def test_a_host_script_is_read_back_as_written():
    for blow in chance(1, 5000):
        assert Blow.parse(str(blow)) == blow
    with pytest.raises(HostScriptError):
        Blow.parse("at record many: kill")


def test_shrinking_keeps_only_what_is_needed():
    lines = [str(number) for number in range(40)]
    assert shrink(lines, lambda some: {"7", "31"} <= set(some)) == ["7", "31"]
