"""Arguments: what passes, what is filled in, and which sentence names what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.api.arguments import nearest, read_arguments
from tablectl.api.errors import BadArgument
from tablectl.api.registry import BY_NAME

GOOD: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("session start", {}, {"rules": "mcr", "east": "p0"}),
    ("session start", {"p0": "張三", "east": "p2"}, {"rules": "mcr", "p0": "張三", "east": "p2"}),
    ("session start", {"rules": "mcr-ema", "hands": 16, "round": "S"},
     {"rules": "mcr-ema", "east": "p0", "hands": 16, "round": "S"}),
    ("hand start", {}, {}),
    ("claim", {"word": "pung", "seat": "S"}, {"word": "pung", "seat": "S"}),
    ("claim", {"word": "chow", "seat": "S", "tiles": ["1m", "2m"], "late": True},
     {"word": "chow", "seat": "S", "tiles": ["1m", "2m"], "late": True}),
    ("claim", {"word": "win", "seat": "S", "late": False}, {"word": "win", "seat": "S"}),
    ("draw", {"seat": "E"}, {"seat": "E", "end": "head"}),
    ("draw", {"seat": "E", "end": "tail", "tile": "f8"}, {"seat": "E", "end": "tail", "tile": "f8"}),
    ("discard", {"seat": "N", "tile": None}, {"seat": "N"}),
    ("machine dice", {"side": 3}, {"side": 3}),
    ("wall correct", {"left": 144, "reason": "counted"}, {"left": 144, "reason": "counted"}),
    ("hold clear", {"hold": "fault jam", "reason": "gone"}, {"hold": "fault jam", "reason": "gone"}),
]  # fmt: skip

BAD: list[tuple[str, dict[str, Any], str, str]] = [
    ("deal done", {"x": 1}, "bad.no_argument", ""),
    ("claim", {"word": "pung", "seat": "S", "lat": True}, "bad.unknown_argument", "late"),
    ("claim", {"word": "pung"}, "bad.missing", ""),
    ("claim", {"word": "pong", "seat": "S"}, "bad.choice", "pung"),
    ("claim", {"word": "pung", "seat": "s"}, "bad.choice", "S"),
    ("claim", {"word": "pung", "seat": 1}, "bad.choice", ""),
    ("claim", {"word": "pung", "seat": "S", "late": "yes"}, "bad.type", ""),
    ("claim", {"word": "chow", "seat": "S", "tiles": "1m2m"}, "bad.type", ""),
    ("claim", {"word": "chow", "seat": "S", "tiles": []}, "bad.type", ""),
    ("claim", {"word": "chow", "seat": "S", "tiles": ["1m"] * 19}, "bad.too_many", ""),
    ("claim", {"word": "chow", "seat": "S", "tiles": ["1m", "2M"]}, "bad.tile", "2m"),
    ("discard", {"seat": "E", "tile": "10p"}, "bad.tile", "1p"),
    ("discard", {"seat": "E", "tile": ""}, "bad.tile", ""),
    ("discard", {"seat": "E", "tile": 5}, "bad.tile", ""),
    ("wall correct", {"left": 145, "reason": "r"}, "bad.range", ""),
    ("wall correct", {"left": True, "reason": "r"}, "bad.type", ""),
    ("wall correct", {"left": 4.0, "reason": "r"}, "bad.type", ""),
    ("wall correct", {"left": 4}, "bad.missing", ""),
    ("hand void", {"reason": "  "}, "bad.empty", ""),
    ("hand void", {"reason": "x" * 201}, "bad.too_long", ""),
    ("hand void", {"reason": ["x"]}, "bad.type", ""),
    ("machine dice", {"side": 4}, "bad.range", ""),
    ("session start", {"rules": "../mcr"}, "bad.type", ""),
    ("session start", {"east": "P1"}, "bad.choice", "p1"),
]


@pytest.mark.parametrize(("name", "given", "wanted"), GOOD, ids=lambda v: str(v)[:40])
def test_valid_arguments_pass_with_defaults(name: str, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert read_arguments(BY_NAME[name], given) == wanted


@pytest.mark.parametrize(("name", "given", "key", "meant"), BAD, ids=lambda v: str(v)[:40])
def test_a_wrong_argument_is_named_with_the_nearest_word(
    name: str, given: dict[str, Any], key: str, meant: str
) -> None:
    with pytest.raises(BadArgument) as caught:
        read_arguments(BY_NAME[name], given)
    assert caught.value.key == key
    assert caught.value.nearest == meant
    for sentence in caught.value.texts().values():
        assert key not in sentence
        assert "{" not in sentence


@pytest.mark.report("B131")
@pytest.mark.parametrize("value", ["x" * 10_000_000, 10**5000, [[[]]] * 1000, {"a": {}}], ids=type)
def test_a_huge_value_makes_a_short_sentence(value: object) -> None:
    with pytest.raises(BadArgument) as caught:
        read_arguments(BY_NAME["discard"], {"seat": value})
    assert len(str(caught.value)) < 300


def test_nothing_is_near_to_something_else_entirely() -> None:
    assert nearest("zzz", ["pung", "chow"]) == ""
    assert nearest("", ["pung"]) == ""
