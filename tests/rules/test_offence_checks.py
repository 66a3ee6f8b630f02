"""A house may change the penalty catalogue, but not into one no referee could rule by."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.locale import catalog
from tablectl.rules.book import load_book
from tablectl.rules.ladders import long, short
from tablectl.rules.model import Ruleset
from tablectl.rules.offence_checks import milder
from tablectl.rules.offences import Measure
from tablectl.rules.signs import NARROWER, NO_CASE, SEEN, SIGNS, TOLD
from tablectl.tomlfile import TomlError

BOOK = load_book()
HEAD = 'id = "club"\nextends = "{base}"\n'
NEW = '[offences.smoking]\nrule = "CLUB-1"\nzh = "吸烟"\nen = "smokes"\n'


def club(text: str, base: str = "mcr") -> Ruleset:
    return load_book([("club.toml", HEAD.format(base=base) + text)])["club"]


def refused(text: str, base: str = "mcr") -> TomlError:
    with pytest.raises(TomlError) as caught:
        club(text, base)
    return caught.value


# base, text, name of the contradiction, path, line of the text it is shown at
WRONG = [
    ("mcr", "offences.late.zh = ''", "no_wording", "offences.late.zh", 1),
    ("mcr", "[offences.early_draw]\nladder = [10, 5]", "milder", "offences.early_draw.ladder[1]", 2),
    ("mcr", "[offences.early_draw]\nladder = [5,\n'warning']", "milder", "offences.early_draw.ladder[1]", 3),
    ("ccm", "offences.overtime.most = 5", "beyond_most", "offences.overtime.most", 1),
    ("mcr", "offences.cheating.automatic = true", "automatic", "offences.cheating.automatic", 1),
    ("ccm", "offences.foul.automatic = true", "automatic", "offences.foul.automatic", 1),
    ("mcr", "offences.early_draw.at_once = ['no_win']", "at_once", "offences.early_draw.at_once", 1),
    ("mcr", "offences.early_draw.doubles = true", "nothing_doubles", "offences.early_draw.doubles", 1),
    (
        "mcr",
        "[[offences.late.ladder]]\npoints = 10\nup_to = 5\nunit = 5",
        "up_to",
        "offences.late.ladder[0].up_to",
        3,
    ),
    ("mcr", "[[offences.late.ladder]]\npoints = 10\nup_to = 20", "unit", "offences.late.ladder[0].up_to", 3),
    (
        "mcr",
        "[[offences.late.ladder]]\npoints = 10\nup_to = 25\nunit = 10",
        "unit",
        "offences.late.ladder[0].unit",
        4,
    ),
    (
        "mcr",
        "[[offences.late.ladder]]\npoints = 10\nup_to = 20\nunit = 10\nscale = [10, 30]",
        "scale",
        "offences.late.ladder[0].scale",
        5,
    ),
    (
        "mcr",
        "[[offences.overtime.ladder]]\npoints = 5\nby_clock = true",
        "by_clock",
        "offences.overtime.ladder[0].points",
        2,
    ),
    (
        "mcr",
        "[[offences.late.ladder]]\neffects = ['no_win', 'no_win']",
        "twice",
        "offences.late.ladder[0].effects",
        2,
    ),
    (
        "mcr",
        "[[offences.late.ladder]]\neffects = ['void', 'redeal']",
        "effects",
        "offences.late.ladder[0].effects",
        2,
    ),
    ("mcr", "[[offences.late.ladder]]\ntiles = 2", "no_tiles", "offences.late.ladder[0].tiles", 2),
    ("mcr", "offences.late.signs = ['late', 'late']", "twice", "offences.late.signs", 1),
    ("mcr", "offences.late.signs = ['early_draw']", "two_offences", "offences.late.signs", 1),
    ("mcr", "offences.late.signs = ['laet']", "no_sign", "offences.late.signs[0]", 1),
    ("mcr", "offences.late.signs = ['late',\n'late.much']", "no_sign", "offences.late.signs[1]", 2),
    ("mcr", "offences.late.signs = ['claim_overtaken']", "no_sign", "offences.late.signs[0]", 1),
    *(
        (
            "mcr",
            f"[[offences.early_draw.ladder]]\n{before}\n[[offences.early_draw.ladder]]\n{after}",
            "milder",
            "offences.early_draw.ladder[1]",
            3,
        )
        for before, after in (
            ("effects = ['disqualify']", "effects = ['forfeit_hand']"),
            ("effects = ['forfeit_session']", "points = 60"),
            ("effects = ['mechanical']", "effects = ['no_win']"),
            ("effects = ['no_win']", "effects = ['claim_void']"),
        )
    ),
    ("mcr", "machine.dice.faults = ['dice_lost']", "no_fault", "machine.dice.faults", 1),
    ("mcr", "machine.dice.faults = ['head_jam']", "two_rows", "machine.dice.faults", 1),
    ("mcr", "machine.lift_dropped.up_to_tiles = 5", "seen_tiles", "machine.lift_dropped.up_to_tiles", 1),
]


@pytest.mark.parametrize(("base", "text", "name", "path", "line"), WRONG, ids=[row[1][:60] for row in WRONG])
def test_what_no_referee_could_rule_by_is_refused_with_its_line(
    base: str, text: str, name: str, path: str, line: int
) -> None:
    error = refused(text, base)
    assert (error.key, error.facts["reason"]) == ("rules.contradiction", f"contradiction.{name}")
    assert (error.source, error.path, error.line) == ("club.toml", path, line + 2)
    for lang in catalog.LANGUAGES:
        assert "{" not in error.text(lang)


# text, key of the mistake, path, nearest
MISTAKES = [
    ("offences.erly_draw.ladder = [5]", "rules.new_offence", "offences.erly_draw", "early_draw"),
    ("offences.early_draw.lader = [5]", "toml.unknown_key", "offences.early_draw.lader", "ladder"),
    ("offences.early_draw.ladder = []", "toml.too_few", "offences.early_draw.ladder", ""),
    ("offences.early_draw.ladder = [-5]", "toml.too_low", "offences.early_draw.ladder[0]", ""),
    ("offences.early_draw.ladder = [20_000]", "toml.too_high", "offences.early_draw.ladder[0]", ""),
    (
        "offences.early_draw.ladder = [{ effects = ['no_wins'] }]",
        "toml.bad_value",
        "offences.early_draw.ladder[0].effects[0]",
        "no_win",
    ),
    ("offences.early_draw.per = 'hands'", "toml.bad_value", "offences.early_draw.per", "hand"),
    ("offences.early_draw.ladder = ['warnin']", "toml.wrong_type", "offences.early_draw.ladder[0]", ""),
    ("machine.dice.opening = 'rerol'", "toml.bad_value", "machine.dice.opening", "reroll"),
]


@pytest.mark.parametrize(("text", "key", "path", "nearest"), MISTAKES, ids=[row[0][:60] for row in MISTAKES])
def test_a_slip_is_shown_at_its_line_with_the_nearest_word(
    text: str, key: str, path: str, nearest: str
) -> None:
    error = refused(text)
    assert (error.key, error.path, error.nearest, error.line) == (key, path, nearest, 3)
    for lang in catalog.LANGUAGES:
        assert "{" not in error.text(lang)


def test_a_house_may_change_a_number() -> None:
    ladder = club("[offences.early_draw]\nladder = ['warning', 10, 20]").offences["early_draw"].ladder
    assert [short(step) for step in ladder] == ["warning", 10, 20]
    assert club("[offences.early_draw]\nladder = ['warning', 10]").offences["early_draw"].rule == "MCR-P5"


def test_a_house_may_play_without_an_offence() -> None:
    assert "named_tile" not in club("offences.named_tile.off = true").offences


def test_what_is_switched_off_leaves_its_signs_to_another() -> None:
    text = "offences.named_tile.off = true\n" + NEW + "ladder = ['warning']\nsigns = ['named_tile']\n"
    assert club(text).offences["smoking"].signs == ("named_tile",)


def test_a_house_may_add_an_offence_of_its_own() -> None:
    own = club(NEW + "ladder = ['warning', { points = 20, to = 'each' }]\n").offences["smoking"]
    assert (own.rule, own.ladder[1].points, own.ladder[1].to) == ("CLUB-1", 20, "each")
    assert own.en == "smokes"


MEASURES = st.builds(
    Measure,
    warning=st.booleans(),
    points=st.integers(0, 60),
    effects=st.sets(
        st.sampled_from(["no_win", "no_claims", "no_kongs", "mechanical", "forfeit_hand", "disqualify"])
    ).map(lambda some: tuple(sorted(some))),
)


@given(MEASURES)
def test_no_measure_is_milder_than_itself(measure: Measure) -> None:
    assert not milder(measure, measure)


@given(MEASURES, MEASURES)
def test_two_measures_are_not_both_milder_than_the_other(one: Measure, other: Measure) -> None:
    assert not (milder(one, other) and milder(other, one))


def test_the_signs_are_those_the_game_tells_and_those_the_catalogues_name() -> None:
    told = {key.partition(".")[2] for key in catalog.keys("en") if key.startswith("irregular.")}
    assert told == TOLD | NO_CASE
    named = {sign for id_ in BOOK for one in BOOK[id_].offences.values() for sign in one.signs}
    assert named <= SIGNS
    assert named - TOLD == SEEN | NARROWER


@given(st.lists(st.integers(1, 60), min_size=2, max_size=6))
def test_points_that_fall_are_found_and_points_that_do_not_are_not(points: list[int]) -> None:
    falls = any(after < before for before, after in pairwise(points))
    found = any(milder(Measure(points=b), Measure(points=a)) for a, b in pairwise(points))
    assert found == falls


@given(MEASURES)
def test_a_short_step_means_what_it_stands_for(measure: Measure) -> None:
    written = long(short(measure))
    assert Measure(**{**written, "effects": tuple(written.get("effects", ()))}) == measure
