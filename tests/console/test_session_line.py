"""The session in the header: stage, dealer repeat, doubled, time left, what is missing."""

from __future__ import annotations

import pytest

from tablectl.console.session_line import minutes, session_lines, session_parts
from tablectl.console.view import plain_lines, render
from tests.console.document import document

BUSY = {
    "stage": 2,
    "stages": 4,
    "repeat": True,
    "doubled": True,
    "last_hand": 5,
    "machine": False,
    "clock": {"limit_us": 3_800_000_000, "spent_us": 7_000_000, "since": 25_000_000},  # 70 s before now
    "missing_points": [2, 3],
    "break_due": True,
}

DOC = {"now": 95_000_000, "session": BUSY}


def test_a_quiet_session_says_nothing_more() -> None:
    assert session_parts({"session": {"stages": 1}}, "en") == []
    assert session_lines({}, "en") == []


def test_everything_is_said_in_both_languages() -> None:
    assert session_parts(DOC, "en") == [
        "stage 2 of 4", "dealer repeats", "DOUBLED", "1:02:03 left", "last hand", "shuffled by hand",
    ]  # fmt: skip
    assert session_parts(DOC, "zh-Hans")[:3] == ["第 2/4 局", "连庄", "倍打"]
    assert session_lines({"session": BUSY}, "en") == ["◆ points missing: hands 2 3", "◆ a break is due"]


def test_a_clock_that_stands_says_so() -> None:
    clock = {"limit_us": 60_000_000, "spent_us": 60_000_000, "since": None}
    assert session_parts({"now": 99, "session": {"clock": clock}}, "en") == ["0:00:00 left, stands"]


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_it_is_on_the_screen_and_in_the_plain_lines(lang: str) -> None:
    doc = document()
    doc["session"] |= BUSY
    doc["session"]["players"][0]["substitute"] = "Eve"
    doc["hand"]["seats"][1]["mechanical"] = True
    for shown in (render(doc, [], lang, 200, False), "\n".join(plain_lines(doc, lang))):
        for word in (*session_parts(doc, lang), *session_lines(doc, lang), "Eve"):
            assert word in shown


def test_minutes() -> None:
    assert minutes(59_999_999) == "0:00:59"
