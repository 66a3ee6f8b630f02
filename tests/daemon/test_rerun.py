"""A record played again: every result is compared, and the state behind it where its form is the same."""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import Any

import pytest

from tablectl.daemon import rerun
from tablectl.daemon.rerun import STATE, Difference
from tablectl.game import step as game
from tablectl.game.effects import HandClosed
from tablectl.game.form import CHARS, form
from tablectl.rules.book import load_book
from tests.console.recorded import Recorded

BOOK = load_book()


def replayed(told: dict[str, Any]) -> rerun.Replayed:
    """Two hands whose record says ``told`` of the first; a word that is None there it does not have."""

    class Told(Recorded):
        def result(self, closed: HandClosed) -> dict[str, Any]:
            result = super().result(closed) | (told if closed.result["hand"] == 1 else {})
            return {name: value for name, value in result.items() if value is not None}

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
