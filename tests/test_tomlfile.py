"""A mistake in a TOML file is named by its line, its reason and the nearest right word."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import msgspec
import pytest

from tablectl.tomlfile import Document, TomlError, convert, load
from tablectl.tomllines import places_of
from tablectl.tomlwords import syntax_reason


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


class Device(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    baud: int = 115200
    driver: Literal["atp", "panel"] = "atp"
    lamp: Colour = Colour.RED


class Config(msgspec.Struct, forbid_unknown_fields=True):
    title: str = ""
    device: list[Device] = []
    limits: dict[str, int] = {}
    either: Device | None = None


GOOD = """\
title = '''
two
lines'''  # a comment with [brackets] and "quotes"

[[device]]
name = "a # not a comment"
[[device]]
name = "b"
baud = 9600

[limits]
"a.b" = 1
c = 2
"""


def test_good_text_becomes_the_typed_value() -> None:
    config = load(GOOD, Config, "table.toml")
    assert [device.name for device in config.device] == ["a # not a comment", "b"]
    assert config.limits == {"a.b": 1, "c": 2}


@pytest.mark.parametrize(
    "text", ["\ufefftitle = 'x'", "title = 'x'\r\n", "\ufefftitle = 'x'\r\n[limits]\r\n"]
)
def test_byte_order_mark_and_foreign_line_ends_are_tolerated(text: str) -> None:
    assert load(text, Config, "x").title == "x"


def test_empty_text_is_the_defaults() -> None:
    assert load("", Config, "x") == Config()


MISTAKES = {
    "unknown key": ("title = ''\ntitel = ''", 2, "titel", "title", "toml.unknown_key"),
    "unknown key in the second device": (
        "[[device]]\nname = 'a'\n[[device]]\nname = 'b'\nbaut = 1",
        5,
        "device[1].baut",
        "baud",
        "toml.unknown_key",
    ),
    "unknown table": ("\n[limit]\na = 1", 2, "limit", "limits", "toml.unknown_key"),
    "unknown word like nothing": ("zzz = 1", 1, "zzz", "", "toml.unknown_key"),
    "wrong type": ("[[device]]\nname = 'a'\n\nbaud = 'fast'", 4, "device[0].baud", "", "toml.wrong_type"),
    "wrong type in an inline table": (
        "device = [\n  { name = 'a' },\n  # not this\n  { name = 'b', baud = 'x' },\n]",
        4,
        "device[1].baud",
        "",
        "toml.wrong_type",
    ),
    "wrong type under a dotted key": (
        "either.name = 'a'\neither.baud = 'x'",
        2,
        "either.baud",
        "",
        "toml.wrong_type",
    ),
    "wrong type under a free key": (
        "[limits]\na = 1\nb = 'x'\nc = 'y'",
        3,
        "limits.b",
        "",
        "toml.wrong_type",
    ),
    "bad word": (
        "[[device]]\nname = 'a'\ndriver = 'panell'",
        3,
        "device[0].driver",
        "panel",
        "toml.bad_value",
    ),
    "bad enum word": (
        "[[device]]\nname = 'a'\nlamp = 'gren'",
        3,
        "device[0].lamp",
        "green",
        "toml.bad_value",
    ),
    "missing key": ("\n[[device]]\nbaud = 1", 2, "device[0]", "", "toml.missing_key"),
    "unknown key under another type or nothing": (
        "[either]\nname = 'a'\nbuad = 1",
        3,
        "either.buad",
        "baud",
        "toml.unknown_key",
    ),
    "syntax": ("title = 'x'\ntitle 'y'", 2, "", "", "toml.syntax"),
    "syntax at the end": ("title = 'x'\nlimits = [", 2, "", "", "toml.syntax"),
    "key twice": ("title = 'x'\n\ntitle = 'y'", 3, "", "", "toml.syntax"),
}


@pytest.mark.parametrize(("text", "line", "path", "nearest", "key"), MISTAKES.values(), ids=MISTAKES.keys())
def test_mistake_is_placed(text: str, line: int, path: str, nearest: str, key: str) -> None:
    with pytest.raises(TomlError) as caught:
        load(text, Config, "table.toml")
    error = caught.value
    assert (error.line, error.path, error.nearest, error.key) == (line, path, nearest, key)
    assert str(error).startswith(f"table.toml, line {line}")


def test_sentence_says_what_to_write() -> None:
    with pytest.raises(TomlError) as caught:
        load("[[device]]\nname = 'a'\ndriver = 'panell'", Config, "t.toml")
    assert str(caught.value) == (
        "t.toml, line 3, column 1: device[0].driver cannot be 'panell', only atp, panel."
        " Did you mean “panel”?"
    )


def test_merged_data_shows_the_document_that_wrote_the_mistake() -> None:
    child, base = Document("\n\ntitle = 5", "child.toml"), Document("title = 'x'\nbaut = 1", "base.toml")
    with pytest.raises(TomlError, match=r"^child.toml, line 3, column 1: "):
        convert({**base.data, **child.data, "baut": 1} | {"baut": 1}, Config, (child, base))
    with pytest.raises(TomlError, match=r"^base.toml, line 2, column 1: .* baut\."):
        convert({"baut": 1}, Config, (child, base))


TEXT_OF_EVERY_FORM = '''\
plain = 1
a.b . "c d" = 2
multi = """
x = 1 ""\\"
""""
literal = \'\'\'
y = 2\'\'\'
array = [ 1, # one
  "two,]", [3,
  4] ]
inline = { k = 1, "q" = { r = 'x}' } }
[t.u]
date = 1979-05-27T07:32:00Z
[[t.v]]
a = 1
[t.v.w]
b = 2
[[t.v]]
a = 3
[[t.v.x]]
c = 4
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("plain",), 1),
        (("a",), 2),
        (("a", "b", "c d"), 2),
        (("multi",), 3),
        (("literal",), 6),
        (("array", 1), 9),
        (("array", 2, 0), 9),
        (("array", 2, 1), 10),
        (("inline", "q", "r"), 11),
        (("t", "u", "date"), 13),
        (("t", "v", 0, "a"), 15),
        (("t", "v", 0, "w", "b"), 17),
        (("t", "v", 1), 18),
        (("t", "v", 1, "x", 0, "c"), 21),
    ],
)
def test_every_form_of_toml_has_its_line(path: tuple[str | int, ...], line: int) -> None:
    Document(TEXT_OF_EVERY_FORM, "x")
    assert places_of(TEXT_OF_EVERY_FORM)[path].line == line


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("plain",), (1, 1)),
        (("array", 0), (8, 11)),
        (("array", 2, 1), (10, 3)),
        (("inline", "k"), (11, 12)),
        (("t", "v", 0), (14, 3)),
        (("t", "v", 0, "w"), (16, 2)),
    ],
)
def test_a_place_has_its_column(path: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert places_of(TEXT_OF_EVERY_FORM)[path] == place


SYNTAX = {
    "statement": ("= 1", 1),
    "more": ("a = 1 2", 1),
    "equals": ("a 1", 1),
    "heading": ("[a\n", 1),
    "character": ("a = 1 # \x01", 1),
    "twice": ("a = 1\na = 2", 2),
    "key": ("a.? = 1", 1),
    "unclosed": ("a = [1 2]", 1),
    "escape": ('a = "\\q"', 1),
    "quote": ("a = 'x", 1),
    "date": ("a = 2026-02-30", 1),
    "value": ("a = yes", 1),
}


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize("name", SYNTAX)
def test_what_is_no_toml_is_said_in_the_readers_language(name: str, lang: str) -> None:
    text, line = SYNTAX[name]
    with pytest.raises(TomlError) as caught:
        Document(text, "my.toml")
    error = caught.value
    assert (error.key, error.line, error.facts["reason"]) == ("toml.syntax", line, f"toml_syntax.{name}")
    said = error.text(lang)
    assert said.startswith("my.toml")
    assert "{" not in said
    assert "toml_syntax" not in said


def test_a_reason_nobody_foresaw_is_repeated() -> None:
    assert syntax_reason("Something new") == ("toml_syntax.other", "Something new")


class Pair(msgspec.Struct):
    both: tuple[int, int] = (0, 0)
    short: Annotated[str, msgspec.Meta(min_length=3)] = "abc"
    small: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1
    few: Annotated[int, msgspec.Meta(multiple_of=3)] = 0
    plain: Annotated[str, msgspec.Meta(pattern="^x*$")] = ""
    word: int | str = 0


WRONG_VALUES = {
    "length": ("both = [1]", "both", "toml.length"),
    "too low": ("small = 0", "small", "toml.too_low"),
    "too high": ("small = 4", "small", "toml.too_high"),
    "too short": ("short = 'a'", "short", "toml.too_short"),
    "a strange character": ("plain = 'a'", "plain", "toml.pattern"),
    "something else": ("few = 4", "few", "toml.refused"),
    "neither of two": ("word = 1.5", "word", "toml.wrong_type"),
}


@pytest.mark.parametrize(("text", "path", "key"), WRONG_VALUES.values(), ids=WRONG_VALUES.keys())
def test_a_value_that_cannot_be_has_a_sentence(text: str, path: str, key: str) -> None:
    with pytest.raises(TomlError) as caught:
        load(text, Pair, "my.toml")
    assert (caught.value.path, caught.value.key) == (path, key)
    assert all("{" not in caught.value.text(lang) for lang in ("en", "zh-Hans"))


@pytest.mark.parametrize("text", ["a = " + "9" * 5000, "a = " + "[" * 5000], ids=["digits", "brackets"])
def test_what_is_beyond_all_bounds_gets_a_sentence(text):
    with pytest.raises(TomlError, match="beyond all bounds"):
        load(text, dict, "big.toml")
