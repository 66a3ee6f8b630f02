"""Cases on a screen: the open ones by age, the sheet a referee rules by, how many commands a ruling takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablectl.api.errors import BadArgument
from tablectl.console.case_view import SIGNS, case_lines, next_commands, sheet
from tablectl.console.cases import show
from tablectl.console.parser import parse
from tablectl.console.terminal import Terminal
from tablectl.console.view import plain_lines, render
from tablectl.console.width import cells
from tablectl.game.cases.machine import CaseFlow
from tablectl.game.view import view
from tests.game.cases import Court

LANGUAGES = ("en", "zh-Hans")
SNAPSHOTS = Path(__file__).parent / "snapshots"
MOST_TAPS = 6
ENDED = ("closed", "withdrawn", "merged")


@pytest.fixture
def court():
    made = Court()
    yield made
    assert made.broken == []


def document(court: Court) -> dict[str, Any]:
    return view(court.state, court.now)


def case_of(court: Court, no: int) -> dict[str, Any]:
    return next(case for case in document(court)["cases"] if case["no"] == no)


def busy(court: Court) -> dict[str, Any]:
    """A call that is heard, a proposal that waits, one under reserve."""
    court.draws_early("W")
    court.ok("rule", case=1, reserve=True)
    court.wait(4)
    court.press(1, "referee")
    court.ok("attend", case=2)
    court.ok("hear", case=2, seat="S", statement="he drew before me")
    court.wait(5)
    court.draws_early("W")
    court.wait(2)
    return document(court)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_open_cases_look_like_this(court: Court, lang: str) -> None:
    doc = busy(court)
    lines = [line for line, _ in case_lines(doc, lang)]
    lines += [line for no in (2, 3) for line in sheet(case_of(court, no), doc, lang)]
    wanted = (SNAPSHOTS / f"cases.{lang}.txt").read_text(encoding="utf-8")
    assert "\n".join(lines) + "\n" == wanted


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_live_view_and_the_plain_one_show_them(court: Court, lang: str) -> None:
    doc = busy(court)
    lines = render(doc, [], lang, 80, False).split("\n")
    assert max(map(cells, lines)) <= 80
    said = [line for line, _ in case_lines(doc, lang)]
    assert [line for line in plain_lines(doc, lang) if line in said] == said


def test_the_oldest_comes_first_and_the_last_ruling_last(court: Court) -> None:
    lines = [line for line, _ in case_lines(busy(court), "en")]
    assert [part for line in lines for part in line.split(" · ") if part.startswith("case ")] == [
        "case 1",
        "case 2",
        "case 3",
    ]
    assert lines[-1].startswith("last ruling: case 1")


def test_many_cases_leave_room_for_the_table(court: Court) -> None:
    for seat in "SWNSWNSWN":
        court.ok("penalty add", seat=seat, article="early_draw")
    court.draws_early("W")
    shown = [line for line, _ in case_lines(document(court), "en", most=3)]
    assert any(line.startswith("◆ raised") for line in shown), "who waits for the referee comes first"
    assert sum("under" in line or "applied" in line or "raised" in line for line in shown) <= 4
    more = len([case for case in document(court)["cases"] if case["phase"] != "closed"]) - 3
    assert f"… and {more} more: `tablectl cases`" in shown
    assert len(case_lines(document(court), "en")) > len(shown)


def test_a_proposal_is_said_in_both_languages_whichever_is_chosen(court: Court) -> None:
    court.draws_early("W")
    for lang in LANGUAGES:
        ((line, _), *_) = case_lines(document(court), lang)
        offence = court.book["house"].offences["early_draw"]
        assert offence.zh in line
        assert offence.en in line


def test_the_clocks_that_stand_for_a_call_are_said_to(court: Court) -> None:
    court.press(1, "referee")
    assert "the clocks stand for it" in case_lines(document(court), "en")[0][0]
    court.draws_early("W")
    assert "the clocks stand for it" not in case_lines(document(court), "en")[1][0]


def test_every_open_state_has_a_shape_and_a_colour() -> None:
    passing = {"ruled", "final"}  # within one step
    assert set(SIGNS) == set(CaseFlow.states) - set(ENDED) - passing


def test_the_sheet_marks_the_step_and_says_what_was_before(court: Court) -> None:
    court.draws_early("W")
    court.ok("rule", case=1)
    court.draws_early("W")
    lines = list(sheet(case_of(court, 2), document(court), "en"))
    assert "  ▶ 2. 5 points" in lines
    assert any(line.startswith("  before: case 1 in hand 1, MCR-P5") for line in lines)


def test_a_case_there_is_not_is_refused_with_those_there_are(court: Court) -> None:
    court.draws_early("W")
    with pytest.raises(BadArgument, match="1"):
        show(document(court), 7, Terminal("en", plain=True, as_json=False))


def test_nothing_open_is_said(court: Court, capsys: pytest.CaptureFixture[str]) -> None:
    assert show(document(court), None, Terminal("en", plain=True, as_json=False)) == 0
    assert capsys.readouterr().out == "no open case\n"


# six taps


def follow(court: Court, no: int, article: str) -> list[str]:
    """Give the first command each sheet offers until the case has its end; what was given."""
    given: list[str] = []
    while True:
        case = case_of(court, no)
        offered = next_commands(case, document(court))
        if not offered:
            return given
        line = offered[0].replace("--article …", f"--article {article}").replace("…", "seen")
        parsed = parse(line.split())
        court.ok(parsed.spec.name, **parsed.args)
        given.append(line)
        assert len(given) <= MOST_TAPS


def raise_call(court: Court) -> str:
    court.press(1, "referee")
    court.wait(3)
    return "house_dead"


def find_early_draw(court: Court) -> str:
    court.draws_early("W")
    return ""


def find_second_draw(court: Court) -> str:
    find_early_draw(court)
    court.ok("rule")
    return find_early_draw(court)


def find_tile(court: Court) -> str:
    court.ok("expose", seat="S", tiles=["5m"])
    return ""


@pytest.mark.parametrize("cause", [raise_call, find_early_draw, find_second_draw, find_tile])
def test_a_ruling_takes_six_taps_with_the_sheet_looked_at(court: Court, cause: Any) -> None:
    article = cause(court)
    no = court.case.no
    looked_at = ["cases"]
    taps = [*looked_at, *follow(court, no, article)]
    assert court.case.phase in ENDED
    assert court.case.answers or court.case.decision is None
    assert not court.state.holds
    assert len(taps) <= MOST_TAPS, taps
    assert taps[1].startswith("attend")
    assert taps[2].startswith("rule")
