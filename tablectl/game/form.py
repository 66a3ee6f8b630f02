"""The form of the state: which fields it is kept in. Another version of this program may keep others."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import msgspec

from tablectl.game.state import State

CHARS = 16


@cache
def form() -> str:
    """Names the fields a state is kept in and their types. Digests of states of another form say nothing."""
    fields = msgspec.json.encode(_without_words(msgspec.json.schema(State)), order="sorted")
    return hashlib.sha256(fields).hexdigest()[:CHARS]


def _without_words(schema: Any) -> Any:
    """A schema without its docstrings, which change nothing."""
    match schema:
        case dict():
            words = isinstance(schema.get("description"), str)
            kept = {name: below for name, below in schema.items() if not (words and name == "description")}
            return {name: _without_words(below) for name, below in kept.items()}
        case list():
            return [_without_words(below) for below in schema]
    return schema
