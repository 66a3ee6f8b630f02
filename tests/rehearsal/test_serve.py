"""Which rules the players of a served table know, and what cannot be asked of it."""

from __future__ import annotations

import pytest

from tablectl.rehearsal.serve import rules_of
from tests.rehearsal.conftest import Command


@pytest.mark.parametrize(
    ("name", "tiles", "known"),
    [
        (None, None, "mcr"),
        (None, "144", "mcr"),
        (None, "136", "mcr-136"),
        ("wuhan", None, "wuhan"),
        ("ccm", "144", "ccm"),
    ],
)
def test_rules_are_chosen_by_name_or_by_the_set(name: str | None, tiles: str | None, known: str) -> None:
    assert rules_of(name, tiles).id == known


@pytest.mark.parametrize(("name", "tiles", "word"), [("nope", None, "zungjung"), ("ccm", "136", "144")])
def test_what_cannot_be_is_said(name: str, tiles: str | None, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        rules_of(name, tiles)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (("--keypad", "pty:keys", "--control", "ctl"), "--control"),
        (("--keypad", "pty:keys", "--speed", 10, "--preset", "tired"), "--speed --preset"),
        (("--wiring", "panel.toml"), "--keypad"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_option_that_would_do_nothing_is_refused(
    command: Command, more: tuple[object, ...], named: str, lang: str
) -> None:
    said = command("sim", "serve", "--endpoint", "pty:panel", "--lang", lang, *more)
    assert said.code == 2
    assert named in said.err
