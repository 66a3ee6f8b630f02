"""A session in which everything happens that a referee is there for: what the record shows of it."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tablectl.locale.catalog import LANGUAGES, keys
from tablectl.rehearsal import virtual
from tablectl.rehearsal.courses import Course
from tablectl.rehearsal.incidents.company import STATEMENTS, Company
from tablectl.rehearsal.incidents.kinds import KINDS
from tablectl.rehearsal.incidents.outcome import IncidentsOutcome
from tablectl.rehearsal.incidents.page import page
from tablectl.rehearsal.incidents.schedule import COURSES, FREE, schedule
from tablectl.rehearsal.room import Setting
from tests.rehearsal.conftest import Command
from tests.rehearsal.played import BOOK

SYSTEMS = ("mcr", "zungjung", "ccm", "wuhan")
HANDS = 5
SEED = 3
ENDED = ("closed", "merged", "withdrawn")


@cache
def session(rules: str) -> tuple[IncidentsOutcome, bytes]:
    """What a session of a system came to, and its journal."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        outcome = virtual.rehearse(
            Setting(rules=rules, seed=SEED),
            BOOK,
            path,
            hands=HANDS,
            session={"rules": rules, "hands": HANDS},
            company=Company(SEED, BOOK[rules], HANDS),
        )
        assert isinstance(outcome, IncidentsOutcome)
        return outcome, path.read_bytes()


def words(case: dict[str, Any]) -> Counter[str]:
    return Counter(line["word"] for line in case["lines"])


def led_to(outcome: IncidentsOutcome, kind: str) -> dict[str, Any]:
    """The case an incident was ruled on in, whatever it was merged into."""
    cases = {case["no"]: case for case in outcome.cases}
    case = cases[next(one["case"] for one in outcome.incidents if one["kind"] == kind)]
    while case["into"]:
        case = cases[case["into"]]
    return case


@pytest.mark.parametrize("rules", SYSTEMS)
def test_every_kind_comes_about_and_every_case_has_its_end(rules: str) -> None:
    outcome, _ = session(rules)
    assert outcome.violations == []
    assert outcome.refused == []
    assert outcome.ok
    assert {one["kind"] for one in outcome.incidents if one["case"]} == {kind.name for kind in KINDS}
    assert [case["no"] for case in outcome.cases if case["phase"] not in ENDED] == []


@pytest.mark.rule("CJ-F4")
@pytest.mark.parametrize(("lang", "why"), [("en", "players are without points"), ("zh-Hans", "有人无分")])
def test_a_session_that_is_over_early_says_why_not_all_came_about(lang: str, why: str) -> None:
    outcome = IncidentsOutcome(hands=[{}] * 7, ended="broke")
    outcome.incidents = [{"kind": "power", "course": "proposed", "hand": 8, "case": 0}]
    assert any("7" in line and why in line for line in page(outcome, lang))
    outcome.incidents[0]["case"] = 3
    assert not any(why in line for line in page(outcome, lang))


@pytest.mark.parametrize("rules", SYSTEMS)
def test_every_move_has_its_actor_and_times_only_grow(rules: str) -> None:
    for case in session(rules)[0].cases:
        assert all(line["actor"] for line in case["lines"])
        times = [line["at"] for line in case["lines"]]
        assert times == sorted(times)
        assert case["lines"][0]["word"] == "case.raised"


@pytest.mark.parametrize("rules", SYSTEMS)
def test_what_is_ruled_against_a_player_is_signed_or_refused_by_himself(rules: str) -> None:
    for case in session(rules)[0].cases:
        ruled = case["player"] and case["offence"] and not case["waived"] and not case["into"]
        automatic = any(line["word"] == "case.rule" and line["actor"] == "table" for line in case["lines"])
        if ruled and not automatic:
            assert case["player"] in case["answers"], case["no"]
            signed = [line for line in case["lines"] if line["word"] in ("case.sign", "case.not_signed")]
            assert {line["actor"] for line in signed} == {case["player"]}


@pytest.mark.parametrize("rules", SYSTEMS)
def test_each_course_of_a_ruling_is_taken(rules: str) -> None:
    outcome, _ = session(rules)
    courses = {
        one["course"]: led_to(outcome, one["kind"]) for one in outcome.incidents if one["kind"] in FREE
    }
    assert set(courses) == {course.value for course in COURSES}
    assert courses["waived"]["waived"]
    assert words(courses["appealed"])["case.vote"] == 3
    assert words(courses["appealed"])["case.uphold"] == 1
    corrected = [line for line in courses["corrected"]["lines"] if line["actor"] == "chief"]
    assert [line["word"] for line in corrected][:2] == ["case.preview", "case.correct"]
    assert words(courses["reserve"])["case.decide"] == 1
    assert courses["later"]["rule"]
    first = next(line for line in courses["later"]["lines"] if line["word"] == "case.rule")
    assert first["decision"]["rule"] == ""


@pytest.mark.parametrize("rules", SYSTEMS)
def test_the_machine_is_decided_by_its_table_and_its_time_given_back(rules: str) -> None:
    outcome, _ = session(rules)
    for kind in ("lift_fault", "power"):
        case = led_to(outcome, kind)
        assert case["stood_us"] > 0
        assert case["credited_us"] == (case["stood_us"] if BOOK[rules].session.time_s.value else 0)
    assert led_to(outcome, "store_jam")["stood_us"] == 0  # play goes on


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_call_stands_until_it_is_ruled_on_and_its_exact_time_is_given_back(rules: str) -> None:
    case = led_to(session(rules)[0], "call_referee")
    assert case["stood_us"] > 0
    assert case["credited_us"] == (case["stood_us"] if BOOK[rules].session.time_s.value else 0)
    assert words(case)["case.hear"] == 1


def test_a_tile_somebody_called_about_is_ruled_on_under_the_call_against_who_showed_it() -> None:
    outcome, _ = session("mcr")
    call = led_to(outcome, "drop_tile")
    found = next(case for case in outcome.cases if case["into"] == call["no"])
    assert call["offence"] == "exposed_tile"
    assert call["player"] == found["player"]
    assert call["by"] != f"side {['E', 'S', 'W', 'N'].index(call['seat'])}"


def test_a_call_no_clock_limits_is_late_by_the_word_of_the_players() -> None:
    outcome, _ = session("zungjung")
    case = led_to(outcome, "call_late")
    assert (case["offence"], case["by"]) == ("late_claim", "referee")


def test_the_journal_tells_the_same_cases(tmp_path: Path, command: Command) -> None:
    outcome, journal = session("mcr")
    path = tmp_path / "journal.jsonl"
    path.write_bytes(journal)
    said = command("journal", "cases", path, "--json")
    assert said.code == 0
    assert said.json["cases"] == json.loads(json.dumps(outcome.cases))
    for lang, word in (("en", "given back"), ("zh-Hans", "补时")):
        told = command("journal", "cases", path, "--lang", lang)
        assert word in told.out
        assert "{" not in told.out
        assert told.out.splitlines() == list(page(outcome, lang))[: len(told.out.splitlines())]


def test_people_who_play_in_chinese_speak_it(command: Command) -> None:
    told = command("demo", "--incidents", "--hands", HANDS, "--seed", SEED, "--lang", "zh").out
    english, chinese = (
        {text for key, text in keys(lang).items() if key.partition(".")[0] in ("said", "ballot")}
        for lang in LANGUAGES
    )
    said = {part for line in told.splitlines() for part in line.strip().split(" · ")[1:]}
    assert said & english == set()
    assert len(said & chinese) >= len(STATEMENTS)


def test_the_command_prints_each_case_and_says_that_all_is_well(command: Command) -> None:
    said = command("demo", "--incidents", "--hands", HANDS, "--seed", SEED)
    assert said.code == 0
    assert said.out.count("case 1 ·") == 1
    assert "the table stood" in said.out


@pytest.mark.parametrize(
    ("more", "named"), [(("--fidelity", "count"), "--fidelity"), (("--hands", 3), "4 hands")]
)
def test_incidents_need_a_table_that_reads_tiles_and_some_hands(
    command: Command, more: tuple[object, ...], named: str
) -> None:
    said = command("demo", "--incidents", *more)
    assert said.code == 2
    assert named in said.err


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("hands", [1, 3, 16])
def test_a_schedule_has_every_kind_and_every_course_whatever_the_seed(seed: int, hands: int) -> None:
    plan = schedule(seed, hands)
    assert {incident.kind.name for incident in plan} == {kind.name for kind in KINDS}
    assert {incident.course for incident in plan} >= set(COURSES)
    assert max(incident.hand for incident in plan) == max(1, hands - 1)  # the last is for what did not come
    assert Course.OVERTURNED not in COURSES  # comes in longer sessions only
