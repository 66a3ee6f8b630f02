"""A house ruleset nobody could play is refused, with the reason in both languages; any other is not."""

from __future__ import annotations

import pytest

from tablectl.locale import catalog
from tablectl.rules.book import load_book
from tablectl.rules.bounds import BOUNDS, numbers
from tablectl.rules.show import rows
from tablectl.tomlfile import TomlError
from tests.rules.fields import FIELDS, TYPES, has_number
from tests.rules.test_offence_checks import WRONG as CATALOGUE

BOOK = load_book()


def refused(text: str, base: str = "mcr") -> TomlError:
    with pytest.raises(TomlError) as caught:
        load_book([("club.toml", f'id = "club"\nextends = "{base}"\n{text}\n')])
    return caught.value


# base, text, key of the contradiction, path it is shown at
WRONG = [
    ("mcr", "wall.dice = 999", "bounds", "wall.dice"),
    ("mcr", "wall.throws = 7", "bounds", "wall.throws"),
    ("mcr", "claims.win_s = 1_000_000_000", "bounds", "claims.win_s"),
    ("mcr", "session.start_points = -500", "bounds", "session.start_points"),
    ("ccm", "session.chips = [[50, 0]]", "bounds", "session.chips"),
    ("ccm", "score.fan_values = { ccm-01 = 5000 }", "bounds", "score.fan_values"),
    ("mcr", "deal.blocks = [16, -4]", "bounds", "deal.blocks"),
    ("mcr", "claims.chow_s = { value = 4, rule = ' ' }", "no_rule", "claims.chow_s"),
    ("mcr", "claims.draw_closes = ['chow', 'chow']", "twice", "claims.draw_closes"),
    ("mcr", "wall.stacks_per_side = 17", "stacks", "wall.stacks_per_side"),
    ("mcr", "wall.tiles = 136\nwall.stacks_per_side = 17", "flowers_missing", "wall.tiles"),
    ("mcr", "flowers.used = false", "flowers_there", "flowers.used"),
    ("zungjung", "wall.indicator = 'head'", "indicator", "wall.indicator"),
    (
        "wuhan",
        "flowers.used = true\nwall.tiles = 144\nwall.stacks_per_side = 18",
        "indicator_flowers",
        "flowers.used",
    ),
    ("wuhan", "wall.draw_only = 6", "draw_only_turns", "wall.draw_only"),
    ("mcr", "wall.draw_only = 4", "draw_only", "wall.draw_only"),
    ("mcr", "wall.tail_parity = true", "tail_parity", "wall.tail_parity"),
    ("mcr", "deal.blocks = [4, 4]", "blocks", "deal.blocks"),
    ("mcr", "deal.blocks = [3, 3, 3, 3]", "half_stacks", "deal.blocks"),
    ("mcr", "flowers.hold = true", "held_flower", "flowers.hold"),
    ("mcr", "claims.priority = [['win'], ['pung', 'chow']]", "priority", "claims.priority"),
    ("mcr", "claims.priority = [['win'], ['kong', 'pung'], ['chow', 'win']]", "priority", "claims.priority"),
    ("mcr", "claims.priority = [[], ['win'], ['kong', 'pung'], ['chow']]", "empty_group", "claims.priority"),
    (
        "mcr",
        "claims.words = ['pung', 'kong', 'win']\nclaims.priority = [['win'], ['kong', 'pung']]",
        "no_claim",
        "claims.words",
    ),
    ("zungjung", "claims.draw_closes = ['chow']", "never_closed", "claims.draw_closes"),
    ("mcr", "claims.win_s = 0", "some_windows", "claims.win_s"),
    ("zungjung", "claims.settle_s = 0", "settle", "claims.settle_s"),
    ("mcr", "claims.last_discard = ['win', 'kong']", "last_kong", "claims.last_discard"),
    ("mcr", "claims.unclaimable = ['5z']", "no_tile", "claims.unclaimable"),
    ("mcr", "discards.forbidden = ['wild']", "no_tile", "discards.forbidden"),
    ("mcr", "claims.unclaimable = ['wild']", "no_wild", "claims.unclaimable"),
    ("mcr", "discards.forbidden = ['E', 'S', 'W', 'N']", "no_discard", "discards.forbidden"),
    ("wuhan", "score.gold_cap = 200", "caps", "score.gold_cap"),
    ("ccm", "score.shapes = []", "no_shape", "score.shapes"),
    ("ccm", "score.bao_order = ['a', 'c']", "liability", "score.bao_order"),
    ("ccm", "score.penalty_most = 55", "penalties", "score.penalty_most"),
    ("ccm", "session.broke_ends = 1", "two_ends", "session.broke_ends"),
    (
        "mcr",
        "session.rounds = []\nsession.seat_changes = []",
        "no_round",
        "session.rounds",
    ),
    ("ccm", f"session.rounds = {['E'] * 17}", "many_rounds", "session.rounds"),
    ("mcr", "session.hands = 8", "hands", "session.hands"),
    ("ccm", "session.rounds = ['X']", "no_wind", "session.rounds"),
    ("mcr", "session.doubles = true", "doubles", "session.doubles"),
    ("mcr", "session.time_s = 60", "warning", "session.time_s"),
    ("mcr", "session.break_s = 0", "no_break", "session.break_s"),
    ("mcr", "session.rounds = ['E', 'S']\nsession.hands = 8", "changes", "session.rounds"),
    (
        "mcr",
        "session.seat_changes = [{}, {}, {}]",
        "change",
        "session.seat_changes",
    ),
    ("mcr", "session.redraw_after = 8", "redraw_and_change", "session.redraw_after"),
    ("ccm", "session.redraw_after = 8", "redraw_keeps", "session.redraw_after"),
    ("zungjung", "session.redraw_after = 6", "redraw_round", "session.redraw_after"),
    ("ccm", "session.stages = 5", "seats", "session.stages"),
    ("mcr", "session.start_points = 400", "chips", "session.start_points"),
    ("zungjung", "session.chips_bound = true", "no_points", "session.chips_bound"),
    ("zungjung", "session.broke_ends = 2", "no_points", "session.broke_ends"),
]


@pytest.mark.parametrize(("base", "text", "name", "path"), WRONG, ids=[row[1][:40] for row in WRONG])
def test_what_nobody_could_play_is_refused_with_its_reason(
    base: str, text: str, name: str, path: str
) -> None:
    error = refused(text, base)
    assert (error.key, error.facts["reason"]) == ("rules.contradiction", f"contradiction.{name}")
    assert (error.source, error.path) == ("club.toml", path)
    assert error.line == 2 + 1 + text[: text.index(path)].count("\n")
    for lang in catalog.LANGUAGES:
        said = error.text(lang)
        assert path in said
        assert "{" not in said
        assert "contradiction" not in said


def test_every_contradiction_has_a_case() -> None:
    told = {key.partition(".")[2] for key in catalog.keys("en") if key.startswith("contradiction.")}
    assert told == {name for _, _, name, *_ in (*WRONG, *CATALOGUE)}


def test_every_number_has_bounds() -> None:
    numbered = {field for field, type_ in TYPES if has_number(type_)}
    assert numbered == set(BOUNDS)
    assert set(BOUNDS) <= set(FIELDS)


@pytest.mark.parametrize("field", BOUNDS, ids=".".join)
def test_the_packed_numbers_lie_within_their_bounds(field: tuple[str, str]) -> None:
    low, high = BOUNDS[field]
    packed = [row.value for id_ in BOOK for row in rows(BOOK[id_]) if (row.section, row.field) == field]
    assert packed
    assert all(low <= number <= high for value in packed for number in numbers(value))


PLAYABLE = [
    ("mcr", "session.time_s = 0"),
    ("mcr", "session.hands = 0"),
    ("mcr", "turn.discard_s = 20\nturn.first_discard_s = 40"),
    ("mcr", "flowers.hold = true\ndiscards.forbidden = []"),
    ("mcr-136", "score.minimum = 6"),
    ("zungjung", "session.redraw_after = 0"),
    ("zungjung", "offences.empty_claim.off = true"),
    ("ccm", "session.start_points = 200\nsession.chips = [[50, 4]]"),
    ("ccm-4x4", "session.time_s = 5400"),
    ("wuhan", "session.hands = 8"),
    ("wuhan", "discards.forbidden = []"),
]


@pytest.mark.parametrize(("base", "text"), PLAYABLE, ids=[row[1][:40] for row in PLAYABLE])
def test_what_can_be_played_is_not_refused(base: str, text: str) -> None:
    assert load_book([("club.toml", f'id = "club"\nextends = "{base}"\n{text}\n')])["club"]


@pytest.mark.parametrize("id_", ["", "Club", "club house", "俱乐部", "a" * 33, "club_1", "club.1", "../mcr"])
def test_an_id_is_what_a_file_name_and_a_command_can_carry(id_: str) -> None:
    with pytest.raises(TomlError) as caught:
        load_book([("club.toml", f'id = "{id_}"\nextends = "mcr"\n')])
    assert (caught.value.key, caught.value.line) == ("rules.bad_id", 1)


@pytest.mark.parametrize("id_", ["a", "club-1", "a" * 32, "7"])
def test_a_short_plain_id_is_one(id_: str) -> None:
    book = load_book([("club.toml", f'id = "{id_}"\nextends = "mcr"\n')])
    assert (book[id_].id, book.base(id_), book.base("mcr")) == (id_, "mcr", "")


def test_a_ruleset_keeps_the_judge_of_its_base() -> None:
    error = refused("score.judge = 'wuhan'")
    assert (error.key, error.source, error.path) == ("rules.judge", "club.toml", "score.judge")
    assert "“mcr”" in error.text("zh-Hans")


@pytest.mark.parametrize("text", ["fan_values = { ccm-01 = 25 }", "fan_values.value.ccm-01 = 25"])
def test_a_value_that_is_a_table_may_stand_bare(text: str) -> None:
    book = load_book([("club.toml", f'id = "club"\nextends = "ccm"\n[score]\n{text}\n')])
    points = book["club"].score.fan_values
    assert (points.value.ccm_01, points.value.ccm_02, points.rule) == (25, 30, "CJ-S3")
    assert refused("score.fan_values = { ccm-04 = 25 }", "ccm").path == "score.fan_values.ccm-04"


def test_the_nearest_key_is_one_of_the_same_judge() -> None:
    assert refused("score.min_points = 4").nearest == ""
    assert refused("score.min_points = 4", "wuhan").facts["valid"] == "0, 16, 20, 32, 64"
    assert refused("score.mimimum = 4").nearest == "minimum"


@pytest.mark.rule("CJ-F2")
def test_the_two_profiles_of_the_chip_game_are_its_formats() -> None:
    four, two = BOOK["ccm-4x4"].session, BOOK["ccm-4x2"].session
    assert (four.stages.value, len(four.rounds.value), four.time_s.value) == (4, 4, 7200)
    assert (two.stages.value, len(two.rounds.value), two.time_s.value) == (4, 2, 3600)
    assert {(one.break_after.value, one.break_s.value) for one in (four, two)} == {(4, 900)}
    assert BOOK.base("ccm-4x2") == "ccm"


def test_an_id_that_is_no_text_is_not_called_missing() -> None:
    with pytest.raises(TomlError) as caught:
        load_book([("club.toml", "id = 3\n")])
    assert caught.value.key == "rules.bad_id"
