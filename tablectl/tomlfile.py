"""TOML files of people, read into typed values; a mistake is named by line, reason and nearest right word.

Used for the daemon's configuration and for the rulesets. Takes text, not paths: who reads the file decides
what a missing one means.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from tablectl.tomllines import Path, lines_of

T = TypeVar("T")

_BOM = "\ufeff"
_SYNTAX_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_MISTAKE = re.compile(r"(?P<what>.*?)(?: - at (?:`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_NOT_LISTED = re.compile(r"Invalid (?:enum )?value (.*)")
_WRONG_TYPE = re.compile(r"Expected `(.*)`, got `(.*)`")


class TomlError(Exception):
    """The first mistake of a file. ``key`` names the text for a screen, ``data()`` its parts.

    ``line`` counts from 1; ``path`` is the key as written with dots; ``nearest`` is the right word most
    like the wrong one, or empty.
    """

    def __init__(
        self,
        source: str,
        line: int,
        path: str,
        reason: str,
        *,
        nearest: str = "",
        key: str = "toml.bad_value",
    ) -> None:
        self.source = source
        self.line = line
        self.path = path
        self.reason = reason
        self.nearest = nearest
        self.key = key
        where = f"{source}, line {line}: " + (f"`{path}` " if path else "")
        super().__init__(where + reason + (f"; did you mean `{nearest}`?" if nearest else ""))

    def data(self) -> dict[str, Any]:
        """The parts of the sentence."""
        names = ("source", "line", "path", "reason", "nearest")
        return {name: getattr(self, name) for name in names}


class Document:
    """A parsed TOML text that still knows its lines. Raises `TomlError` for a syntax error."""

    def __init__(self, text: str, source: str) -> None:
        text = text.removeprefix(_BOM)
        self.source = source
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            place = _SYNTAX_PLACE.search(str(error))
            line = int(place[1]) if place and place[1] else text.count("\n") + 1
            reason = _SYNTAX_PLACE.sub("", str(error))
            sentence = reason[:1].lower() + reason[1:]
            raise TomlError(source, line, "", sentence, key="toml.syntax") from error
        except (ValueError, RecursionError) as error:  # thousands of digits, thousands of brackets
            reason = "holds a number or a nesting beyond all bounds"
            raise TomlError(source, 1, "", reason, key="toml.syntax") from error
        self._lines = lines_of(text)

    def depth(self, path: Path) -> int:
        """How many steps of the path this text writes down, a plain value counting as all below it."""
        value: Any = self.data
        for step, name in enumerate(path):
            try:
                value = value[name]
            except (KeyError, IndexError):
                return step
            except TypeError:  # a plain value where the path goes deeper
                return len(path)
        return len(path)

    def line(self, path: Path) -> int:
        """The line of the path, or of the nearest thing around it."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]


def load(text: str, type_: type[T], source: str) -> T:
    """The text as a value of the type. Raises `TomlError`; ``source`` is the name it shows."""
    document = Document(text, source)
    return convert(document.data, type_, (document,))


def convert(data: dict[str, Any], type_: type[T], documents: Sequence[Document]) -> T:
    """Data merged from several documents as a value; a mistake is shown in the first that wrote it."""
    try:
        return msgspec.convert(data, type_)
    except msgspec.ValidationError as error:
        raise _explain(error, data, type_, documents) from error


def error_at(
    documents: Sequence[Document], path: Path, reason: str, *, nearest: str = "", key: str = "toml.bad_value"
) -> TomlError:
    """A `TomlError` placed at the path, in the first of the documents that wrote it."""
    written = max(documents, key=lambda document: document.depth(path))
    return TomlError(written.source, written.line(path), _dotted(path), reason, nearest=nearest, key=key)


def _explain(
    error: msgspec.ValidationError, data: dict[str, Any], type_: type[Any], documents: Sequence[Document]
) -> TomlError:
    mistake = _MISTAKE.fullmatch(str(error))
    assert mistake is not None  # the pattern takes any text
    what, path = mistake["what"], _path(mistake["path"] or "", str(error), data, type_)
    here = _types_at(inspect.type_info(type_), path)
    if unknown := _UNKNOWN.fullmatch(what):
        name = unknown[1]
        near = _nearest(name, _keys(here))
        return error_at(documents, (*path, name), "is not a known key", nearest=near, key="toml.unknown_key")
    if missing := _MISSING.fullmatch(what):
        return error_at(documents, path, f"needs the key `{missing[1]}`", key="toml.missing_key")
    if refused := _NOT_LISTED.fullmatch(what):
        values = [str(value) for value in _values(here)]
        near = _nearest(refused[1].strip("'\""), values)
        reason = f"cannot be {refused[1]}" + (f", only {' or '.join(values)}" if values else "")
        return error_at(documents, path, reason, nearest=near)
    if wrong := _WRONG_TYPE.fullmatch(what):
        return error_at(documents, path, f"must be {wrong[1]}, not {wrong[2]}", key="toml.wrong_type")
    return error_at(documents, path, what[:1].lower() + what[1:])


def _path(written: str, message: str, data: Any, type_: type[Any]) -> Path:
    """msgspec's path; it writes ``[...]`` for a free key, which is found by leaving the others out."""
    path: Path = ()
    for name, index in _STEP.findall(written):
        if index == "...":
            path += (_culprit(path, message, data, type_),)
        else:
            path += (int(index) if index else name,)
    return path


def _culprit(path: Path, message: str, data: Any, type_: type[Any]) -> str:
    around: dict[str, Any] = data
    for step in path:
        around = around[step]  # type: ignore[index]
    for name, value in around.items():
        try:
            msgspec.convert(_with(data, path, {name: value}), type_)
        except msgspec.ValidationError as error:
            if str(error) == message:
                return name
    return next(iter(around))


def _with(data: Any, path: Path, value: Any) -> Any:
    """A copy of the data with another value at the path."""
    if not path:
        return value
    copy = data.copy()
    copy[path[0]] = _with(data[path[0]], path[1:], value)
    return copy


def _types_at(type_: inspect.Type, path: Path) -> list[inspect.Type]:
    """What may stand at the path, unions taken apart."""
    types = [type_]
    for step in path:
        types = [below for one in types for part in _parts(one) for below in _below(part, step)]
    return [part for one in types for part in _parts(one)]


def _parts(type_: inspect.Type) -> Iterable[inspect.Type]:
    return type_.types if isinstance(type_, inspect.UnionType) else (type_,)


def _below(type_: inspect.Type, step: str | int) -> Iterator[inspect.Type]:
    match type_:
        case inspect.StructType(fields=fields) | inspect.DataclassType(fields=fields):
            yield from (field.type for field in fields if field.encode_name == step)
        case inspect.DictType(value_type=item) | inspect.ListType(item_type=item):
            yield item
        case inspect.VarTupleType(item_type=item):
            yield item
        case inspect.TupleType(item_types=items) if isinstance(step, int) and step < len(items):
            yield items[step]


def _keys(types: Iterable[inspect.Type]) -> list[str]:
    structs = (one for one in types if isinstance(one, inspect.StructType | inspect.DataclassType))
    return [field.encode_name for struct in structs for field in struct.fields]


def _values(types: Iterable[inspect.Type]) -> list[Any]:
    found: list[Any] = []
    for one in types:
        if isinstance(one, inspect.LiteralType):
            found += one.values
        elif isinstance(one, inspect.EnumType):
            found += [member.value for member in one.cls]
    return found


def _nearest(word: str, words: Sequence[str]) -> str:
    return next(iter(difflib.get_close_matches(word, words, n=1)), "")


def _dotted(path: Path) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
