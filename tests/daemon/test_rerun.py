"""A record played again: every result is compared, and the state behind it where its form is the same."""

from __future__ import annotations

from dataclasses import make_dataclass
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon import rerun
from tablectl.daemon.errors import RulesChanged
from tablectl.daemon.record import Chain, Head, read_line
from tablectl.daemon.recovery import open_or_create
from tablectl.daemon.rerun import STATE, Difference
from tablectl.daemon.restore import restore
from tablectl.game import step as game
from tablectl.game.effects import HandClosed
from tablectl.game.form import CHARS, form
from tablectl.game.inputs import Restarted
from tablectl.rules.book import RuleBook, load_book
from tests.console.recorded import Recorded

BOOK = load_book()


def replayed(told: dict[str, Any]) -> rerun.Replayed:
    """Two hands whose record says ``told`` of the first; a word that is None there it does not have."""

    class Told(Recorded):
        def result(self, closed: HandClosed) -> dict[str, Any]:
            first = told if closed.result["hand"] == 1 else {}
            gone = [name for name, value in first.items() if value is None]
            result = super().result(closed) | first
            return {name: value for name, value in result.items() if name not in gone}

    evening = Told("mcr", hands=2)
    evening.play(None)
    evening.play(None)
    found = rerun.replay(evening.lines, BOOK)
    assert found.state == evening.state
    return found


def test_the_same_program_comes_to_the_same_results_and_states() -> None:
    found = replayed({})
    assert (found.differences, found.results_only) == ((), ())
    assert found.inputs > 10


@pytest.mark.parametrize(
    ("told", "what", "recorded", "now"),
    [
        ({"result": "win"}, "result", "win", "draw"),
        ({"dealer": "p3"}, "dealer", "p3", "p0"),
        ({"turns": 7, "form": "of old", "digest": "of old"}, "turns", "7", "1"),
    ],
)
def test_a_result_that_is_another_now_is_told_whatever_form_the_state_has(
    told: dict[str, Any], what: str, recorded: str, now: str
) -> None:
    (difference,) = replayed(told).differences
    assert (difference.what, difference.recorded, difference.replayed) == (what, recorded, now)


def test_a_state_that_is_another_behind_the_same_result_is_told() -> None:
    found = replayed({"digest": "another"})
    assert [(one.what, one.recorded) for one in found.differences] == [(STATE, "another")]
    assert not found.results_only


@pytest.mark.parametrize("form", ["of old", None])
def test_states_kept_in_another_form_are_not_compared_and_that_is_said(form: str | None) -> None:
    found = replayed({"digest": "of another form", "form": form, "turns": None, "new": "word"})
    assert not found.differences
    assert len(found.results_only) == 1


def test_a_word_that_only_one_version_has_is_no_difference() -> None:
    """It stands in the state too, so the digests cannot be the same."""
    found = replayed({"new": "word", "digest": "with that word"})
    assert not found.differences
    assert len(found.results_only) == 1


@pytest.mark.parametrize(
    ("was", "now", "word"),
    [
        ({"winners": [{"side": 1}]}, {"winners": [{"side": 1, "fans": 3}]}, ""),
        ({"winners": [{"side": 1}]}, {"winners": [{"side": 2, "fans": 3}]}, "winners"),
        ({"winners": [{"side": 1}]}, {"winners": [{"side": 1}, {"side": 2}]}, "winners"),
        ({"old": 1}, {"new": 1}, ""),
    ],
)
def test_words_within_words_are_compared_alike(was: dict[str, Any], now: dict[str, Any], word: str) -> None:
    assert rerun._other(was, now) == word


@pytest.mark.parametrize(("goes_on", "told"), [("play", ["no_end"]), ("restart", []), ("nothing", [])])
def test_a_hand_that_ends_now_and_did_not_is_told_unless_the_daemon_had_ended_with_it(
    goes_on: str, told: list[str]
) -> None:
    evening = Recorded("mcr", hands=2)
    evening.play(None)
    last = read_line(evening.lines.pop())  # its result
    assert last is not None
    assert last.result is not None
    evening.chain = Chain(Head(last.n - 1, last.prev))
    match goes_on:
        case "play":
            evening.command("pause", reason="x")
        case "restart":
            evening.put(Restarted("0.1.0"))
    assert [one.what for one in rerun.replay(evening.lines, BOOK).differences] == told


def club(seconds: int) -> RuleBook:
    """A book with house rules, and so long to discard in them."""
    name = 'id = "club"\nextends = "mcr"\nname = { en = "Club", zh = "会" }\n'
    return load_book([("club.toml", f"{name}[turn]\ndiscard_s = {seconds}\n")])


class Club(Recorded):
    """An evening by them."""

    book = club(30)

    def __init__(self, **session: Any) -> None:
        super().__init__("club", **session)


def test_rules_that_are_others_by_now_are_told_and_not_laid_at_the_door_of_the_program(
    tmp_path: Path, opening: dict[str, Any]
) -> None:
    evening = Club(hands=1)
    evening.play(None)
    found = rerun.replay(evening.lines, club(31))
    assert found.differences[0].what == rerun.RULES
    assert rerun.replay(evening.lines, club(30)).differences == ()
    recovered = open_or_create(evening.write(tmp_path / "over.jsonl"), **opening)
    assert restore(recovered, club(31)).state.session.phase == "over"


def test_a_session_in_play_is_not_taken_up_by_other_rules(tmp_path: Path, opening: dict[str, Any]) -> None:
    evening = Club(hands=2)
    evening.play(None)
    recovered = open_or_create(evening.write(tmp_path / "journal.jsonl"), **opening)
    assert restore(recovered, club(30)).state == evening.state
    with pytest.raises(RulesChanged, match=r"record \d+ starts was played by the rules club as they were"):
        restore(recovered, club(31))


def test_a_digest_that_agrees_needs_no_form() -> None:
    found = replayed({"form": None})
    assert (found.differences, found.results_only) == ((), ())


def test_a_hand_that_does_not_end_when_played_again_is_told() -> None:
    evening = Recorded("mcr", hands=1)
    result = {"result": "draw", "digest": game.digest(evening.state), "form": game.form()}
    line = evening.chain.seal({"at": evening.now, "unc": 0, "result": result})
    found = rerun.replay([*evening.lines, line], BOOK)
    assert found.differences == (Difference(evening.chain.head.n, rerun.END, "draw", ""),)


def table_of(seat: dict[str, type], words: str = "") -> type:
    """A state of seats with such fields."""
    one = make_dataclass("Seat", seat.items())
    one.__doc__ = words
    return make_dataclass("Table", [("seats", list[one])])  # type: ignore[valid-type]


def test_the_form_is_that_of_fields_and_types_and_of_no_words() -> None:
    was = form(table_of({"wind": str, "tiles": int}))
    assert was == form(table_of({"wind": str, "tiles": int}, "In other words."))
    others = [{"wind": str}, {"wind": str, "tiles": str}, {"wind": str, "tile": int}]
    assert len({was, *(form(table_of(other)) for other in others)}) == 1 + len(others)
    assert len(game.form()) == CHARS


def test_two_classes_of_one_name_are_both_in_the_form() -> None:
    def of(fields: list[str]) -> str:
        one = make_dataclass("Note", [("a", int)], namespace={"__module__": "tablectl.game.state"})
        other = make_dataclass("Note", [(name, int) for name in fields])
        return form(make_dataclass("Table", [("one", one), ("other", other)]))

    assert of(["a"]) != of(["a", "b"])
