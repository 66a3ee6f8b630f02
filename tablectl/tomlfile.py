"""TOML files of people, read into typed values; a mistake is named by place, reason and nearest right word.

Used for the daemon's configuration and for the rulesets. Takes text, not paths: who reads the file decides
what a missing one means.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from tablectl.locale import catalog
from tablectl.tomllines import Path, Place, places_of
from tablectl.tomlwords import syntax_reason

T = TypeVar("T")

_BOM = "\ufeff"
_SYNTAX_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_MISTAKE = re.compile(r"(?P<what>.*?)(?: - at (?:`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_NOT_LISTED = re.compile(r"Invalid (?:enum )?value (.*)")
_WRONG_TYPE = re.compile(r"Expected `([^`]*)`, got `(.*)`")
_BLANK = r"matching regex '\\S'"
_PATTERN = re.compile(r"Expected `str` matching regex .*", re.DOTALL)
_NUMBERED = (
    (re.compile(r"Expected `int` >= (-?\d+)"), "toml.too_low"),
    (re.compile(r"Expected `int` <= (-?\d+)"), "toml.too_high"),
    (re.compile(r"Expected `str` of length >= (\d+)"), "toml.too_short"),
    (re.compile(r"Expected `str` of length <= (\d+)"), "toml.too_long"),
    (re.compile(r"Expected `array` of length (\d+)(?:, got \d+)?"), "toml.length"),
    (re.compile(r"Expected `array` of length >= (\d+)"), "toml.too_few"),
)


class TomlError(Exception):
    """The first mistake of a file: ``key`` names its sentence, ``facts`` fill it.

    ``line`` and ``column`` count from 1, column 0 is not known; ``path`` is the key as written with dots;
    ``nearest`` is the right word most like the wrong one, or empty.
    """

    def __init__(
        self,
        source: str,
        place: Place,
        path: str,
        key: str,
        *,
        nearest: str = "",
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(key)
        self.source = source
        self.line, self.column = place
        self.path = path
        self.nearest = nearest
        self.key = key
        self.facts = dict(facts or {})

    def data(self) -> dict[str, Any]:
        """The parts of the sentence, as a catalogue or a program wants them."""
        names = ("source", "line", "column", "path", "nearest", "facts")
        place = "toml.place_column" if self.column else "toml.place"
        return {**self.facts, **{name: getattr(self, name) for name in names}, "place": place}

    def text(self, lang: str) -> str:
        """The sentence in one language."""
        said = catalog.text(self.key, lang, **self.data())
        if self.nearest:
            said += " " + catalog.text("hint.nearest", lang, nearest=self.nearest)
        return said

    def __str__(self) -> str:
        return self.text("en")


class Document:
    """A parsed TOML text that still knows its lines. Raises `TomlError` for a syntax error."""

    def __init__(self, text: str, source: str) -> None:
        text = text.removeprefix(_BOM)
        self.source = source
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise _syntax_error(str(error), text, source) from error
        except (ValueError, RecursionError) as error:  # thousands of digits, thousands of brackets
            facts = {"reason": "toml_syntax.bounds"}
            raise TomlError(source, Place(1), "", "toml.syntax", facts=facts) from error
        self._places = places_of(text)

    def depth(self, path: Path) -> int:
        """How many steps of the path this text writes down, a plain value counting as all below it."""
        return self._walk(path)[1]

    def written(self, path: Path) -> Path:
        """The path as this text spells it, without steps into a bare value that stands for a table."""
        return self._walk(path)[0]

    def _walk(self, path: Path) -> tuple[Path, int]:
        value: Any = self.data
        spelled: Path = ()
        for step, name in enumerate(path):
            if isinstance(name, str) and _is_bare(value, path[step:]):
                continue
            if _inside(value, name) is None:
                return spelled + path[step:], step
            value = _inside(value, name)
            spelled += (name,)
        return spelled, len(path)

    def place(self, path: Path) -> Place:
        """Where the path stands, or the nearest thing around it."""
        while path not in self._places:
            path = path[:-1]
        return self._places[path]

    def line(self, path: Path) -> int:
        """The line of `place`."""
        return self.place(path).line


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
    documents: Sequence[Document], path: Path, key: str, *, nearest: str = "", **facts: Any
) -> TomlError:
    """A `TomlError` placed at the path, in the first of the documents that wrote it."""
    written = max(documents, key=lambda document: document.depth(path))
    path = written.written(path)
    return TomlError(written.source, written.place(path), _dotted(path), key, nearest=nearest, facts=facts)


def _syntax_error(message: str, text: str, source: str) -> TomlError:
    found = _SYNTAX_PLACE.search(message)
    place = Place(int(found[1]), int(found[2])) if found and found[1] else Place(text.count("\n") + 1)
    reason, what = syntax_reason(_SYNTAX_PLACE.sub("", message))
    return TomlError(source, place, "", "toml.syntax", facts={"reason": reason, "what": what})


def _explain(
    error: msgspec.ValidationError, data: dict[str, Any], type_: type[Any], documents: Sequence[Document]
) -> TomlError:
    mistake = _MISTAKE.fullmatch(str(error))
    assert mistake is not None  # the pattern takes any text
    what, path = mistake["what"], _path(mistake["path"] or "", str(error), data, type_)
    here = _types_at(inspect.type_info(type_), path, data)
    if unknown := _UNKNOWN.fullmatch(what):
        name = unknown[1]
        near = _nearest(name, _keys(here))
        return error_at(documents, (*path, name), "toml.unknown_key", nearest=near)
    if missing := _MISSING.fullmatch(what):
        key = "toml.missing_key" if path else "toml.missing_at_all"
        return error_at(documents, path, key, missing=missing[1])
    if refused := _NOT_LISTED.fullmatch(what):
        values = [str(value) for value in _values(here)]
        near = _nearest(refused[1].strip("'\""), values)
        key = "toml.bad_value" if values else "toml.no_value"
        return error_at(documents, path, key, nearest=near, given=refused[1], valid=", ".join(values))
    if wrong := _WRONG_TYPE.fullmatch(what):
        wanted = wrong[1].replace(" | ", "_or_")
        return error_at(documents, path, "toml.wrong_type", wanted=wanted, got=wrong[2])
    for pattern, key in _NUMBERED:
        if found := pattern.fullmatch(what):
            return error_at(documents, path, key, number=found[1])
    if _BLANK in what:
        return error_at(documents, path, "toml.blank")
    if _PATTERN.fullmatch(what):
        return error_at(documents, path, "toml.pattern")
    return error_at(documents, path, "toml.refused", what=what[:1].lower() + what[1:])


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


def _types_at(type_: inspect.Type, path: Path, data: Any) -> list[inspect.Type]:
    """What may stand at the path: unions taken apart, and of structs with a tag the one that is meant."""
    types = _meant(type_, data)
    for step in path:
        data = _inside(data, step)
        types = [below for one in types for part in _below(one, step) for below in _meant(part, data)]
    return types


def _meant(type_: inspect.Type, data: Any) -> list[inspect.Type]:
    parts = list(type_.types) if isinstance(type_, inspect.UnionType) else [type_]
    return [part for part in parts if _tag_fits(part, data)] or parts


def _tag_fits(type_: inspect.Type, data: Any) -> bool:
    if not isinstance(type_, inspect.StructType) or type_.tag_field is None or not isinstance(data, dict):
        return True
    return bool(data.get(type_.tag_field) == type_.tag)


def _is_bare(value: Any, path: Path) -> bool:
    """True if the value stands where a table with the path's first step belongs: what it holds is below."""
    if not isinstance(value, dict):
        return True
    return path[0] not in value and len(path) > 1 and path[1] in value


def _inside(data: Any, step: str | int) -> Any:
    try:
        return data[step]
    except (LookupError, TypeError):
        return None


def _below(type_: inspect.Type, step: str | int) -> Iterator[inspect.Type]:
    match type_:
        case inspect.StructType(tag_field=tag_field, tag=tag) if tag_field == step:
            yield inspect.LiteralType((tag,))
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
