"""Arguments of a command: from what a program sent to what the core is given, or a sentence saying why not.

Pure and strict: a number is a number, a tile has its canonical name, nothing unknown passes. What is legal
in the hand is not asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from .errors import BadArgument
from .spec import SEATS, Arg, Spec

MAX_TEXT = 200  # characters of a reason or name: what fits a line of the record sheet
MAX_NAME = 40
MAX_WHO = 80  # characters of an actor, and of a command's id
MAX_TILES = 18  # the tiles of four kongs and a pair
SIDES = 4


def nearest(word: str, words: Iterable[str]) -> str:
    """The valid word somebody probably meant, or ''."""
    from difflib import get_close_matches  # only when something is wrong: it costs the start-up

    words = list(words)
    folded = {known.casefold(): known for known in reversed(words)}
    if word.casefold() in folded:
        return folded[word.casefold()]
    close = get_close_matches(word.casefold()[:MAX_TEXT], list(folded), n=1, cutoff=0.5)
    return folded[close[0]] if close else ""


def one_of(given: object, words: Iterable[str], key: str, **data: Any) -> BadArgument:
    """The error for a value that is not among the valid words."""
    words = list(words)
    meant = nearest(given, words) if isinstance(given, str) else ""
    return BadArgument(key, nearest=meant, given=shown(given), valid=" ".join(words), **data)


def shown(value: object) -> str:
    """A value as a sentence repeats it: short and on one line, whatever was sent."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except (RecursionError, ValueError):  # too deep, or a number of too many digits
        text = type(value).__name__
    text = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text[:41])
    return text if len(text) <= 40 else text[:39] + "…"


def read_arguments(
    spec: Spec, given: Mapping[str, Any], defaults: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """The arguments of ``spec``, what is absent filled from ``defaults``, then from its own. Raises
    ``BadArgument``."""
    names = [arg.name for arg in spec.args]
    for name in given:
        if name not in names:
            key = "bad.unknown_argument" if names else "bad.no_argument"
            raise one_of(name, names, key, command=spec.name)
    result: dict[str, Any] = {}
    for arg in spec.args:
        value = given.get(arg.name)
        if value is None or (arg.kind == "flag" and value is False):
            if arg.required:
                raise BadArgument("bad.missing", command=spec.name, argument=arg.option)
            value = defaults.get(arg.name, arg.default)
        else:
            value = READERS[arg.kind](arg, value)
        if value is not None:
            result[arg.name] = value
    return result


def _text(arg: Arg, value: Any) -> str:
    if not isinstance(value, str):
        raise _wrong(arg, value)
    limit = min(arg.high, MAX_TEXT)
    if len(value) > limit:
        raise BadArgument("bad.too_long", argument=arg.option, length=len(value), limit=limit)
    if not value.strip():
        raise BadArgument("bad.empty", argument=arg.option)
    return value


def _path(arg: Arg, value: Any) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise _wrong(arg, value)
    return value


def _paths(arg: Arg, value: Any) -> list[str]:
    if not isinstance(value, list):
        raise _wrong(arg, value)
    return [_path(arg, one) for one in value]


def _name(arg: Arg, value: Any) -> str:
    word = _text(arg, value)
    if len(word) > MAX_NAME or not word.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise _wrong(arg, value)
    return word


def _choice(arg: Arg, value: Any, choices: tuple[str, ...] = ()) -> str:
    choices = choices or arg.choices
    if not isinstance(value, str) or value not in choices:
        raise one_of(value, choices, "bad.choice", argument=arg.option)
    return value


def _seat(arg: Arg, value: Any) -> str:
    return _choice(arg, value, SEATS)


def _number(arg: Arg, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(arg, value)
    if not arg.low <= value <= arg.high:
        raise BadArgument("bad.range", argument=arg.option, given=shown(value), low=arg.low, high=arg.high)
    return value


def _side(arg: Arg, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value not in range(SIDES):
        raise BadArgument("bad.range", argument=arg.option, given=shown(value), low=0, high=SIDES - 1)
    return value


def _tile(arg: Arg, value: Any) -> str:
    from protocols.vocabulary import TILE_CODES

    if not isinstance(value, str) or not value or value not in TILE_CODES:
        raise one_of(value, filter(None, TILE_CODES), "bad.tile", argument=arg.option)
    return value


def _tiles(arg: Arg, value: Any) -> list[str]:
    if not isinstance(value, list | tuple) or not value:
        raise _wrong(arg, value)
    if len(value) > MAX_TILES:
        raise BadArgument("bad.too_many", argument=arg.option, limit=MAX_TILES)
    return [_tile(arg, tile) for tile in value]


def _flag(arg: Arg, value: Any) -> bool:
    if value is not True:
        raise _wrong(arg, value)
    return True


def _wrong(arg: Arg, value: Any) -> BadArgument:
    return BadArgument("bad.type", argument=arg.option, given=shown(value), wanted=f"kind.{arg.kind}")


READERS: dict[str, Callable[[Arg, Any], Any]] = {
    "seat": _seat,
    "side": _side,
    "tile": _tile,
    "tiles": _tiles,
    "choice": _choice,
    "name": _name,
    "text": _text,
    "path": _path,
    "paths": _paths,
    "number": _number,
    "flag": _flag,
}
