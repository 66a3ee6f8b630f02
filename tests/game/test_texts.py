"""Every key the core says has a text, and whoever says it gives what its sentence has places for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

import tablectl.game
from tablectl.locale import catalog

SOURCE = Path(tablectl.game.__file__).parent
# What each way of saying something adds of its own, and which keywords are not fields.
GIVES = {
    "publish": (set(), set()),
    "irregular": ({"what", "side", "rule"}, set()),
    "hold": (set(), {"ends"}),
    "RefusedCommand": ({"command"}, set()),
    "refusal": ({"command", "rule"}, set()),
    "PendingApproval": ({"command"}, set()),
    "_failed": ({"operation"}, set()),  # holds for an order that came to nothing
    "accept": ({"command"}, set()),
}
SHORT = {"irregular": "irregular.", "refusal": "refused."}  # who names a key without its family
FAMILIES = ("event.", "irregular.", "hold.", "refused.", "pending.")


class Saying(NamedTuple):
    """One place that says a key. ``open`` = it gives more than the source shows (``**fields``)."""

    key: str
    fields: frozenset[str]
    open: bool
    place: str


def sayings() -> Iterator[Saying]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name not in GIVES:
                continue
            keys = [value for arg in node.args for value in texts(arg, SHORT.get(name, ""))]
            gives, not_fields = GIVES[name]
            named = {word.arg for word in node.keywords if word.arg} - not_fields
            opened = any(word.arg is None for word in node.keywords)
            for key in keys:
                yield Saying(key, frozenset(gives | named), opened, f"{path.name}:{node.lineno}")


def texts(node: ast.expr, family: str = "") -> list[str]:
    """The keys an argument names: a literal, or either side of a choice."""
    if isinstance(node, ast.IfExp):
        return texts(node.body, family) + texts(node.orelse, family)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        key = family + node.value
        return [key] if key.startswith(FAMILIES) else []
    return []


def places(key: str, lang: str) -> set[str]:
    template = catalog.keys(lang)[key]
    return {name for _, name, _, _ in Formatter().parse(template) if name}


SAYINGS = list(sayings())


def test_the_source_is_understood() -> None:
    assert len(SAYINGS) > 80
    assert {saying.key.partition(".")[0] + "." for saying in SAYINGS} == set(FAMILIES)


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_every_key_has_a_text(lang: str) -> None:
    known = catalog.keys(lang)
    assert [(saying.key, saying.place) for saying in SAYINGS if saying.key not in known] == []


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_every_place_of_a_text_is_filled(lang: str) -> None:
    empty = [
        (saying.key, saying.place, sorted(missing))
        for saying in SAYINGS
        if not saying.open and (missing := places(saying.key, lang) - saying.fields)
    ]
    assert empty == []
