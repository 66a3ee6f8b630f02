"""The packed rulesets say what the book says, and a club's own file may change a value but not contradict."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tablectl.rules.book import load_book
from tablectl.rules.data import read
from tablectl.rules.model import Ruleset
from tablectl.rules.show import rows
from tablectl.rules.tiles import WINDS
from tablectl.tomlfile import TomlError

BOOK = load_book()
MCR = BOOK["mcr"]

# section.field, value, article
ARTICLES: list[tuple[str, Any, str]] = [
    ("wall.tiles", 144, "MCR-W1"),
    ("wall.stacks_per_side", 18, "MCR-W1"),
    ("wall.throws", 2, "MCR-W2"),
    ("wall.dice", 2, "MCR-W2"),
    ("wall.break_at", "after", "MCR-W2"),
    ("deal.blocks", (4, 4, 4), "MCR-W3"),
    ("deal.jump", True, "MCR-W3"),
    ("flowers.used", True, "MCR-W4"),
    ("flowers.window_s", 30, "MCR-W4"),
    ("flowers.hold", False, "MCR-W4"),
    ("flowers.last_tile", False, "MCR-W4"),
    ("kongs.on_last_tile", False, "MCR-W4"),
    ("wall.dead_tiles", 0, "MCR-W5"),
    ("claims.last_discard", ("win",), "MCR-W5"),
    ("turn.first_discard_s", 30, "MCR-T1"),
    ("turn.first_discard_from", "deal_end", "MCR-T1"),
    ("turn.discard_s", 15, "MCR-T1"),
    ("claims.window_s", 3, "MCR-T2"),
    ("claims.win_s", 3, "MCR-T2"),
    ("session.time_s", 3 * 3600, "MCR-T4"),
    ("session.break_s", 15 * 60, "MCR-T4"),
    ("session.break_counts", False, "MCR-T4"),
    ("session.warning_s", 15 * 60, "MCR-T4"),
    ("session.end_of_time", "abort", "MCR-T4"),
    ("claims.priority", (("win",), ("kong", "pung"), ("chow",)), "MCR-C1"),
    ("claims.winners", 1, "MCR-C1"),
    ("kongs.in_claimed_turn", False, "MCR-C2"),
    ("claims.robbable", ("added_kong",), "MCR-C2"),
    ("claims.words", ("chow", "pung", "kong", "win"), "MCR-C3"),
    ("session.hands", 16, "MCR-D1"),
    ("session.rounds", WINDS, "MCR-D1"),
    ("session.dealer_keeps", (), "MCR-D1"),
    ("score.minimum", 8, "MCR-S1"),
    ("session.start_points", 500, "MCR-S3"),
    ("score.mixed_kong", 5, "MCR-S8"),
    ("score.two_concealed_kongs", 6, "MCR-S8"),
    ("score.knitted_wait", "count", "MCR-S11"),
    ("score.knitted_in_unrelated", 24, "MCR-S11"),
    ("score.seven_pairs_selfdraw", "zimo", "MCR-S12"),
    ("score.nine_gates_terminal", "one", "MCR-S7"),
]


def value_of(ruleset: Ruleset, path: str) -> Any:
    section, field = path.split(".")
    return getattr(getattr(ruleset, section), field)


@pytest.mark.parametrize(
    ("path", "value", "article"),
    [pytest.param(*row, id=row[0], marks=pytest.mark.rule(row[2])) for row in ARTICLES],
)
def test_mcr_says_what_the_book_says(path: str, value: Any, article: str) -> None:
    rule = value_of(MCR, path)
    assert (rule.value, rule.rule) == (value, article)


def test_what_no_book_says_is_marked() -> None:
    provisional = [f"{row.section}.{row.field}" for row in rows(MCR, provisional_only=True)]
    assert provisional == [
        "turn.warning_s",
        "claims.win_s",
        "claims.chow_s",
        "claims.draw_closes",
        "claims.robbing_s",
        "offences.overtime",
    ]


def test_rows_carry_article_and_setting_in_plain_data() -> None:
    shown = {f"{row.section}.{row.field}": row for row in rows(MCR)}
    assert len(shown) == len(rows(MCR))
    assert all(re.fullmatch(r"MCR-[A-Z]\d+", row.rule) for row in shown.values() if row.section != "machine")
    assert shown["wall.break_at"].setting == "mcr.break"
    assert shown["session.seat_changes"].value[1]["E"] == "W"


@pytest.mark.rule("MCR-D2")
def test_every_player_starts_once_from_every_wind() -> None:
    places: dict[str, list[str]] = {wind: [wind] for wind in WINDS}
    for change in MCR.session.seat_changes.value:
        for taken in places.values():
            taken.append(change[taken[-1]])
    assert ["".join(taken) for taken in places.values()] == ["ESNW", "SEWN", "WNES", "NWSE"]


def test_without_flowers_only_the_tiles_differ() -> None:
    differences = {
        f"{one.section}.{one.field}": (one.value, other.value)
        for one, other in zip(rows(MCR), rows(BOOK["mcr-136"]), strict=True)
        if one != other
    }
    assert differences == {
        "wall.tiles": (144, 136),
        "wall.stacks_per_side": (18, 17),
        "flowers.used": (True, False),
    }
    assert BOOK["mcr-136"].wall.tiles.rule == "MCR-W1"


def test_hash_vouches_for_every_inherited_value() -> None:
    club = 'id = "club"\nextends = "mcr"\n'
    same = load_book([("club.toml", club)])
    other = load_book([("club.toml", club + "[claims]\nchow_s = 4\n")])
    assert re.fullmatch("[0-9a-f]{64}", same.hash("club"))
    assert same.hash("mcr") == other.hash("mcr") == load_book().hash("mcr")
    assert len({same.hash("club"), other.hash("club"), same.hash("mcr")}) == 3


def test_a_club_may_give_a_value_its_own_article() -> None:
    own = 'chow_s = { value = 4, rule = "CLUB-1", provisional = false }'
    club = f'id = "club"\nextends = "mcr-136"\n[claims]\n{own}'
    rule = load_book([("club.toml", club)])["club"].claims.chow_s
    assert (rule.value, rule.rule, rule.provisional) == (4, "CLUB-1", False)


HEAD = 'id = "club"\nextends = "mcr"\n'
MISTAKES = {
    "tiles and stacks": (HEAD + "[wall]\ntiles = 136", 4, "wall.tiles", "18 stacks a side make 144 tiles"),
    "stacks and tiles": (HEAD + "[wall]\nstacks_per_side = 17", 4, "wall.stacks_per_side", "make 136 tiles"),
    "flowers of a set without": (
        HEAD + "[wall]\ntiles = 136\nstacks_per_side = 17",
        4,
        "wall.tiles",
        "a set of 136 tiles holds no flowers",
    ),
    "no flowers of a set with": (HEAD + "[flowers]\nused = false", 4, "flowers.used", "holds flowers"),
    "blocks": (HEAD + "\n[deal]\nblocks = [4, 4]", 5, "deal.blocks", "are 8 tiles, not 12"),
    "priority": (HEAD + '[claims]\npriority = [["win"]]', 4, "claims.priority", "name each claim once"),
    "claim that is none": (HEAD + '[claims]\nwords = ["win"]', 4, "claims.words", "priority"),
    "no throw": (HEAD + "[wall]\nthrows = 0", 4, "wall.throws", "not between 1 and 2"),
    "winners": (HEAD + "[claims]\nwinners = 4", 4, "claims.winners", "not between 1 and 3"),
    "below zero": (HEAD + "[turn]\ndiscard_s = -1", 4, "turn.discard_s", "-1 is not between"),
    "hands": (HEAD + "[session]\nhands = 8", 4, "session.hands", "4 rounds make 16 hands"),
    "seats": (
        HEAD + '[session]\nseat_changes = [{ E = "S" }, { E = "S" }, { E = "S" }]',
        4,
        "session.seat_changes",
        "one other place",
    ),
    "warning": (HEAD + "[session]\ntime_s = 60", 4, "session.time_s", "before the session begins"),
    "unknown section": (
        HEAD + "[walls]\ntiles = 144",
        3,
        "walls",
        "there is no key walls. Did you mean “wall”",
    ),
    "unknown field": (HEAD + "[wall]\ntile = 144", 4, "wall.tile", "Did you mean “tiles”"),
    "wrong type": (HEAD + '[score]\nminimum = "8"', 4, "score.minimum", "must be a whole number"),
    "bad word": (HEAD + '[wall]\nbreak_at = "befor"', 4, "wall.break_at", "only after, at"),
    "unknown base": ('id = "club"\nextends = "mrc"', 2, "extends", "Did you mean “mcr”"),
    "circle": ('id = "club"\nextends = "club"', 2, "extends", "extends “club” comes back to it"),
    "taken": ('id = "mcr"', 1, "id", "“mcr” is taken by mcr/ruleset.toml"),
    "no name": ("[wall]\ntiles = 144", 1, "id", "the key id is missing"),
    "not all said": ('id = "club"', 1, "", "the key name is missing"),
}


@pytest.mark.parametrize(("text", "line", "path", "reason"), MISTAKES.values(), ids=MISTAKES.keys())
def test_mistake_in_a_club_file_is_placed(text: str, line: int, path: str, reason: str) -> None:
    with pytest.raises(TomlError) as caught:
        load_book([("club.toml", text)])
    error = caught.value
    assert (error.source, error.line, error.path) == ("club.toml", line, path)
    assert reason in str(error)


def test_packed_files_are_plain_utf8_text() -> None:
    assert "国标麻将" in read("mcr/ruleset.toml")
