"""Which rules the players of a served table know, and what cannot be asked of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.api.errors import BadArgument
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
    with pytest.raises(BadArgument, match=word):
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


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("demo", "--rules", "mrc"), "“mcr”"),
        (("demo", "--session", "--hands", 2), "--hands"),
        (("campaign", "--rules", "mrc"), "“mcr”"),
        (("campaign", "--seeds", "a"), "1..1000"),
        (("campaign", "--seeds", "9..1"), "100000"),
        (("campaign", "--preset", "chaoss"), "“chaos”"),
        (("sim", "serve", "--endpoint", "nowhere"), "tcp:HOST:PORT"),
        (("sim", "serve", "--endpoint", "pty:a", "--keypad", "nowhere"), "tcp:HOST:PORT"),
        (("sim", "serve", "--endpoint", "pty:a", "--rules", "ccm", "--tiles", 136), "144"),
        (("record", "/dev/null", "capture", "--endpoint", "nowhere"), "pty:PATH"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_is_said_in_both_languages(
    command: Command, words: tuple[object, ...], named: str
) -> None:
    said = [command(*words, "--lang", lang) for lang in ("en", "zh")]
    assert [one.code for one in said] == [2, 2]
    assert all(named in one.err for one in said)
    assert not any("一" <= sign <= "鿿" for sign in said[0].err)
    assert any("一" <= sign <= "鿿" for sign in said[1].err)


def test_a_table_that_is_not_served_is_named_in_both_languages(command: Command, tmp_path: Path) -> None:
    for lang, word in (("en", "No simulated table"), ("zh", "没有模拟牌桌")):
        said = command("sim", "fault", "list", "--control", tmp_path / "ctl", "--lang", lang)
        assert said.code == 4
        assert word in said.err
