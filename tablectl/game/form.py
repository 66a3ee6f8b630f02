"""The form of the state: which fields it is kept in. Another version of this program may keep others."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any, get_args, get_type_hints

from tablectl.game.state import State

CHARS = 16


@cache
def form(of: type = State) -> str:
    """Names the fields a state is kept in and their types. Digests of states of another form say nothing."""
    fields: dict[str, dict[str, str]] = {}
    _gather(of, fields)
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:CHARS]


def _gather(type_: Any, fields: dict[str, dict[str, str]]) -> None:
    """The fields of every class a value of the type can hold, by the name of the class."""
    for part in get_args(type_):
        _gather(part, fields)
    own = getattr(type_, "__annotations__", None)
    if own is None:
        return
    name = f"{type_.__module__}.{type_.__qualname__}"  # two rooms may have a class of one name
    if name in fields:
        return
    fields[name] = {field: str(declared) for field, declared in own.items()}
    for held in get_type_hints(type_).values():
        _gather(held, fields)
