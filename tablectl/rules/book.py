"""The rulesets a table can play: those packed with the product and those of the club's own files."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from tablectl.rules.checks import contradictions
from tablectl.rules.data import PARTS, RULESETS, read
from tablectl.rules.ladders import expand
from tablectl.rules.model import Ruleset
from tablectl.rules.values import Rule
from tablectl.tomlfile import Document, convert, error_at
from tablectl.tomllines import Path

ID = re.compile(r"[a-z0-9-]{1,32}")  # what a record, a command and a file name can all carry

RULE_KEYS = frozenset(Rule.__struct_fields__)


class RuleBook(Mapping[str, Ruleset]):
    """Rulesets by id."""

    def __init__(self, rulesets: Iterable[Ruleset], bases: Mapping[str, str] | None = None) -> None:
        self._rulesets = {ruleset.id: ruleset for ruleset in rulesets}
        self._bases = dict(bases or {})
        self._hashes: dict[str, str] = {}

    def __getitem__(self, id_: str) -> Ruleset:
        return self._rulesets[id_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rulesets)

    def __len__(self) -> int:
        return len(self._rulesets)

    def base(self, id_: str) -> str:
        """The ruleset this one extends, or ''."""
        return self._bases.get(id_, "")

    def hash(self, id_: str) -> str:
        """SHA-256 (hex) of the ruleset with everything it inherits: what a record vouches for."""
        if id_ not in self._hashes:
            canonical = msgspec.json.encode(self._rulesets[id_], order="sorted")
            self._hashes[id_] = hashlib.sha256(canonical).hexdigest()
        return self._hashes[id_]


def load_book(extra_texts: Iterable[tuple[str, str]] = ()) -> RuleBook:
    """All packed rulesets and those of further files, given as (source name, TOML text).

    Raises `tablectl.tomlfile.TomlError` with the line for a mistake, a contradiction, an unknown base.
    """
    documents: dict[str, Document] = {}
    for source, text in (*((name, read(name)) for name in RULESETS), *extra_texts):
        document = Document(text, source)
        id_ = document.data.get("id")
        if not isinstance(id_, str):
            if "id" in document.data:
                raise error_at([document], ("id",), "rules.bad_id", given=id_)
            raise error_at([document], ("id",), "rules.no_id")
        if not ID.fullmatch(id_):
            raise error_at([document], ("id",), "rules.bad_id", given=id_)
        if id_ in documents:
            raise error_at([document], ("id",), "rules.taken", given=id_, by=documents[id_].source)
        documents[id_] = document
    rulesets = [_resolve(id_, documents) for id_ in documents]
    return RuleBook(rulesets, {id_: text.data.get("extends", "") for id_, text in documents.items()})


def _resolve(id_: str, documents: Mapping[str, Document]) -> Ruleset:
    line = _ancestry(id_, documents)
    data: dict[str, Any] = {}
    for place, document in reversed(list(enumerate(line))):
        _one_judge(data, line[place:])
        data = _merge(data, document.data)
    data.pop("extends", None)
    _whole_offences(data, line)
    data["offences"] = expand(data.get("offences", {}))
    ruleset = in_force(convert(data, Ruleset, line))
    for found in contradictions(ruleset):
        at_fault = max(found.fields, key=lambda path: _nearness(path, line))
        raise error_at(line, at_fault, "rules.contradiction", reason=found.key, **found.facts)
    return ruleset


def _whole_offences(data: dict[str, Any], line: Sequence[Document]) -> None:
    """An offence without an article is a new one that lacks it, or more likely a name that is misspelt."""
    offences = data.get("offences")
    if not isinstance(offences, dict):
        return
    known = [name for name, offence in offences.items() if isinstance(offence, dict) and "rule" in offence]
    for name, offence in offences.items():
        if isinstance(offence, dict) and name not in known:
            near = next(iter(difflib.get_close_matches(name, known, n=1)), "")
            raise error_at(line, ("offences", name), "rules.new_offence", nearest=near, given=name)


def in_force(ruleset: Ruleset) -> Ruleset:
    """The ruleset without the offences it plays without."""
    played = {name: offence for name, offence in ruleset.offences.items() if not offence.off}
    return msgspec.structs.replace(ruleset, offences=played)


def _one_judge(base: dict[str, Any], line: Sequence[Document]) -> None:
    """A ruleset counts as its base does: the settings of one judge mean nothing to another."""
    wanted, given = (data.get("score") for data in (base, line[0].data))
    if not (isinstance(wanted, dict) and isinstance(given, dict)):
        return
    if given.get("judge", wanted.get("judge")) != wanted.get("judge"):
        raise error_at(line[:1], ("score", "judge"), "rules.judge", wanted=wanted.get("judge"))


def _nearness(path: Path, line: Sequence[Document]) -> int:
    """Higher for a value written in a nearer document: what a club's file changed is what it got wrong.

    0 for a field that stands nowhere, as that of another judge.
    """
    there = (place for place, document in enumerate(line) if document.depth(path) == len(path))
    return max((len(line) - place for place in there), default=0)


def _ancestry(id_: str, documents: Mapping[str, Document]) -> list[Document]:
    """The document and those it extends, nearest first."""
    nearest, line = documents[id_], _with_parts(id_, documents)
    while (base := nearest.data.get("extends")) is not None:
        if not isinstance(base, str) or base not in documents:
            near = next(iter(difflib.get_close_matches(str(base), documents, n=1)), "")
            raise error_at([nearest], ("extends",), "rules.unknown_base", nearest=near, given=str(base))
        if documents[base] in line:
            raise error_at([nearest], ("extends",), "rules.circle", given=base)
        nearest = documents[base]
        line += _with_parts(base, documents)
    return line


def _with_parts(id_: str, documents: Mapping[str, Document]) -> list[Document]:
    """A ruleset's file and the pages that belong to it, nearest first."""
    return [documents[id_], *(_part(name) for name in PARTS.get(id_, ()))]


@cache
def _part(name: str) -> Document:
    return Document(read(name), name)


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Tables merge key by key; a bare value replaces only the ``value`` of a rule, not its article."""
    merged = dict(base)
    for key, new in over.items():
        old = base.get(key)
        if isinstance(old, dict) and "value" in old and not _is_rule(new, old["value"]):
            both = isinstance(new, dict) and isinstance(old["value"], dict)
            merged[key] = {**old, "value": _merge(old["value"], new) if both else new}
        elif isinstance(old, dict) and isinstance(new, dict):
            merged[key] = _merge(old, new)
        else:
            merged[key] = new
    return merged


def _is_rule(new: Any, old_value: Any) -> bool:
    """True if what is written is a rule with its article; a value that is a table itself may stand bare."""
    return isinstance(new, dict) and (not isinstance(old_value, dict) or not RULE_KEYS.isdisjoint(new))
