"""The live view: complete, aligned by display width in both languages, harmless whatever the names are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tablectl.console.seat_column import column
from tablectl.console.view import event_line, plain_lines, render
from tablectl.console.wall_picture import left_by_stack, notes
from tablectl.console.width import cells
from tests.console.document import EVENTS, HOSTILE, document, seat

LANGUAGES = ("en", "zh-Hans")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_view_looks_like_this(lang: str) -> None:
    wanted = (SNAPSHOTS / f"view.{lang}.txt").read_text(encoding="utf-8")
    assert render(document(), EVENTS, lang, 80, False) + "\n" == wanted


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [80, 81, 100, 137])
def test_no_line_is_wider_than_the_terminal_and_columns_stay_in_line(lang: str, width: int) -> None:
    lines = render(document(), EVENTS, lang, width, False).split("\n")
    assert max(map(cells, lines)) <= width
    bars: dict[int, set[tuple[int, ...]]] = {}
    for line in lines:
        places = tuple(cells(line[: match.start()]) for match in re.finditer("│", line))
        bars.setdefault(len(places), set()).add(places)
    assert len(bars[1]) == 1, "walls and events"
    assert len(bars[3]) == 1, "four seats"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_colour_adds_escapes_and_nothing_else(lang: str) -> None:
    plain, colored = (render(document(), EVENTS, lang, 80, color) for color in (False, True))
    assert "\x1b" not in plain
    assert "\x1b[" in colored
    stripped = [line.rstrip() for line in ESCAPE.sub("", colored).split("\n")]
    assert stripped == [line.rstrip() for line in plain.split("\n")]


@pytest.mark.report("B124")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_name_is_shown_and_never_obeyed(lang: str) -> None:
    doc = document()
    doc["session"]["rules"] = doc["holds"][0]["name"] = HOSTILE
    doc["links"][HOSTILE] = {"state": HOSTILE, "word": HOSTILE}
    doc["hand"]["seats"][0]["discards"] = [HOSTILE]
    shown = "\n".join(
        [
            render(doc, EVENTS, lang, 200, False),
            *plain_lines(doc, lang),
            *(event_line(event, doc, lang) for event in EVENTS),
        ]
    )
    assert "␛[31mvil" in shown
    assert "<svg/onload=alert()>" in shown
    assert not set(shown) & set("\x1b\x9b\u202e")


def test_whose_turn_is_a_shape_and_a_word_and_a_clock() -> None:
    shown = render(document(), EVENTS, "en", 80, False)
    assert "▶ South" in shown
    assert "turn 12.3 s" in shown


def test_a_clock_that_is_nearly_over_has_a_mark_and_the_bank_stands_beside_it() -> None:
    shown = document()
    shown["hand"]["clock"] |= {"left_us": 4_100_000, "warned": True}
    seat = next(seat for seat in shown["hand"]["seats"] if seat["side"] == shown["hand"]["clock"]["side"])
    seat["bank_left_us"] = 31_600_000
    english, chinese = (render(shown, EVENTS, lang, 160, False) for lang in ("en", "zh-Hans"))
    assert "! turn 4.1 s" in english
    assert "bank 32 s" in english
    assert "! 轮到 4.1 秒" in chinese
    assert "总 32 秒" in chinese


@pytest.mark.report("B123")
def test_old_data_says_so_and_is_grey() -> None:
    shown = render(document(), EVENTS, "en", 80, True, age_s=65)
    assert "NO CONNECTION – data 65 s old" in shown
    assert set(ESCAPE.findall(shown)) == {"\x1b[90m", "\x1b[0m"}


@pytest.mark.parametrize("height", [10, 24, 28])
def test_a_low_terminal_shows_the_links_all_the_same(height: int) -> None:
    whole = render(document(), EVENTS, "en", 80, False).split("\n")
    shown = render(document(), EVENTS, "en", 80, False, height=height).split("\n")
    links = whole[-3:]
    assert links[0].startswith("✕ link table: lost")
    assert len(shown) == height
    assert shown == whole[: height - 3] + links


def test_many_links_leave_room_for_the_phase_and_what_holds_it() -> None:
    crowded = document()
    crowded["links"] = {f"box {number}": {"state": "lost", "word": "cable_pulled"} for number in range(20)}
    shown = render(crowded, EVENTS, "en", 80, False, height=10).split("\n")
    assert len(shown) == 10
    assert "claims open" in shown[0]
    assert "HELD" in shown[1]


def test_every_field_is_optional() -> None:
    render({}, [], "en", 80, False)
    full = document()
    for key in full:
        render({k: v for k, v in full.items() if k != key}, EVENTS, "en", 80, False)
        render({**full, key: None}, EVENTS, "en", 80, False)
    for key in full["hand"]:
        partial = {k: v for k, v in full["hand"].items() if k != key}
        render({**full, "hand": partial}, EVENTS, "en", 80, False)
        if key not in ("no", "seats"):
            render({**full, "hand": {**full["hand"], key: None}}, EVENTS, "en", 80, False)
    render({**full, "hand": {"seats": [{"side": 0}]}}, [{}], "zh-Hans", 80, False)


def test_plain_lines_say_the_same() -> None:
    lines = plain_lines(document(), "en")
    assert lines[0] == "mcr · session running · hand 3 of 16 · East round · claims open"
    assert any("cable pulled" in line for line in lines)
    assert any("West 張三" in line for line in lines)


def test_an_event_is_one_line() -> None:
    assert event_line(EVENTS[1], document(), "en") == "     92.7  South discards 3p"
    assert event_line(EVENTS[3], document(), "zh-Hans").endswith(
        "异常（MCR-P4）：北家叫碰，但手中没有相应的牌"
    )


HANDS: list[tuple[dict[str, Any], list[int]]] = [
    ({"total": 144, "head": 0, "tail": 0, "break": {"side": 2, "stack": 7}}, [36, 36, 36, 36]),
    ({"total": 144, "head": 53, "tail": 0, "break": {"side": 2, "stack": 7}}, [36, 5, 14, 36]),
    ({"total": 144, "head": 0, "tail": 16, "break": {"side": 2, "stack": 7}}, [36, 36, 22, 34]),
    ({"total": 136, "head": 136, "tail": 0, "break": {"side": 0, "stack": 16}}, [0, 0, 0, 0]),
    ({"total": 136, "head": 2, "tail": 0, "break": {"side": 0, "stack": 17}}, [34, 34, 34, 32]),
    ({"total": 144, "head": 130, "tail": 20, "break": {"side": 3, "stack": 0}}, [0, 0, 0, 0]),
]


@pytest.mark.report("B039")
@pytest.mark.rule("MCR-W6")
@pytest.mark.parametrize(("hand", "left"), HANDS, ids=str)
def test_the_walls_hold_what_was_not_drawn(hand: dict[str, Any], left: list[int]) -> None:
    walls = left_by_stack(hand, [18] * 4)
    assert [sum(wall) for wall in walls] == left
    assert sum(map(sum, walls)) == max(0, hand["total"] - hand["head"] - hand["tail"])


def test_before_the_break_the_board_says_what_stands() -> None:
    assert [len(wall) for wall in left_by_stack({}, [18, 17, 0, 18])] == [18, 17, 0, 18]


def test_open_tiles_are_shown_in_rows_of_six() -> None:
    doc = document()
    doc["hand"]["seats"][0] = seat(0, "W", tiles=["1m"] * 13)
    assert render(doc, [], "en", 80, False).count("1m 1m 1m 1m 1m 1m") == 2


@pytest.mark.parametrize(("lang", "line"), [("en", "wild 4m (3m)"), ("zh-Hans", "癞子 四万（翻三万）")])
def test_the_wild_kind_stands_in_the_middle_of_the_walls(lang: str, line: str) -> None:
    assert line in notes({"phase": "decide", "indicator": "3m", "wild": ["4m"]}, list("ESWN"), lang)


@pytest.mark.rule("ZJ-P7", "ZJ-P12")
@pytest.mark.parametrize(
    ("lang", "barred", "tiles"),
    [
        ("en", "no win · no claims", "penalty 5m · 3p dead · ··"),
        ("zh-Hans", "不得和牌 · 不得吃碰杠", "罚张 5m · 3p 死 · ··"),
    ],
)
def test_a_seat_shows_what_it_may_not_do_and_its_penalty_tiles(lang: str, barred: str, tiles: str) -> None:
    doc = document()
    doc["hand"]["seats"][0] |= {
        "bars": [
            {"effect": effect, "rule": "ZJ-P12", "case": 1} for effect in ("no_win", "no_claims", "no_win")
        ],
        "penalty_tiles": [
            {"tile": "5m", "live": True},
            {"tile": "3p", "live": False},
            {"tile": "", "live": True},
        ],
    }
    lines = [line for line, _ in column(doc, 0, lang)]
    assert f"✕ {barred}" in lines
    assert tiles in lines
