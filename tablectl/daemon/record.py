"""A record of the journal: one canonical-JSON line, chained to the one before by its hash.

``{"at":µs,"hash":hex,"in":{…},"n":int,"prev":hex,"unc":µs}`` with sorted keys, UTF-8, no spaces, ``\\n``.
``hash`` is the SHA-256 of the line's canonical JSON without ``hash``, so it covers ``prev`` and with it
everything before. Records count from 1: record *n* is line *n* of the file. The first holds ``journal``
instead of ``in``. This file knows the line; what the inputs mean is the game's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any, BinaryIO, NamedTuple

import msgspec

from tablectl.daemon.errors import FLAW_SENTENCES, RecordUnfit

FORMAT = 1
HASH_DIGITS = 64
MAX_LINE = 1 << 20  # bytes; no record is longer
MAX_DEPTH = 100  # brackets within brackets; no record is deeper, and whoever walks one may recurse
BODY_KEYS = frozenset(("at", "unc", "in", "out", "raised", "result", "journal"))

# "at" sorts first and "hash" second, so the hash is cut out of a line, or put in, without parsing it.
_LINE = re.compile(rb'(\{"at":\d+,)"hash":"([0-9a-f]{64})",(.*\})\n', re.DOTALL)
_BRACKET_OR_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)


class Head(NamedTuple):
    """The end of a chain: number and hash of its last record."""

    n: int
    hash: str


GENESIS = Head(0, "0" * HASH_DIGITS)


class JournalName(msgspec.Struct, frozen=True):
    """What the first record says of its journal. ``rules`` maps ruleset ids to their hashes."""

    id: str
    code: str
    format: int
    rules: dict[str, str] = {}


class Record(msgspec.Struct, frozen=True, rename={"input": "in"}):
    """A decoded line. ``input`` stays JSON bytes: decode it as the type you expect."""

    n: int
    at: int
    unc: int
    prev: str
    hash: str
    input: msgspec.Raw = msgspec.Raw()
    out: dict[str, Any] | None = None
    raised: str | None = None
    result: dict[str, Any] | None = None
    journal: JournalName | None = None

    @property
    def has_input(self) -> bool:
        """False for the first record and for results."""
        return bool(bytes(self.input))


class Flaw(StrEnum):
    """What is wrong with a line, or with the end of the file."""

    TORN = "journal.flaw.torn"
    NOT_A_RECORD = "journal.flaw.not_a_record"
    HASH = "journal.flaw.hash"
    NUMBER = "journal.flaw.number"
    PREVIOUS = "journal.flaw.previous"
    NOT_A_JOURNAL = "journal.flaw.not_a_journal"
    SECOND_START = "journal.flaw.second_start"
    NEWER_FORMAT = "journal.flaw.newer_format"
    EMPTY = "journal.flaw.empty"
    TAIL_MISSING = "journal.flaw.tail_missing"
    HEAD_DIFFERS = "journal.flaw.head_differs"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What checking a journal found. ``records`` good ones come before ``bad_line`` (None when ok).

    ``vouched`` says that an expected head was given, so that a missing end would have been found.
    """

    ok: bool
    records: int
    bad_line: int | None
    key: str
    data: dict[str, Any]
    head: Head
    vouched: bool

    @property
    def reason(self) -> str:
        """Why, in English; empty when all is well."""
        return FLAW_SENTENCES[self.key].format(**self.data) if self.key else ""


_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder(Record).decode


def journal_body(id: str, code: str, rules: Mapping[str, str], at: int = 0) -> dict[str, Any]:
    """The body of a journal's first record."""
    return {"at": at, "unc": 0, "journal": {"id": id, "code": code, "format": FORMAT, "rules": dict(rules)}}


def canonical(value: Any) -> bytes:
    """Canonical JSON: sorted keys, UTF-8, no spaces. Structs are written as their fields."""
    return _encode(value)


class Chain:
    """Numbers and seals records one after the other."""

    def __init__(self, head: Head = GENESIS) -> None:
        self.head = head

    def seal(self, body: Mapping[str, Any]) -> bytes:
        """The line of the next record; ``body`` holds ``at``, ``unc`` and ``in``, ``result`` or ``journal``.

        Raises ``RecordUnfit`` for what JSON cannot hold; the chain is then as before.
        """
        n = self.head.n + 1
        if not body.keys() <= BODY_KEYS:
            raise RecordUnfit(n=n, reason=f"unknown fields {', '.join(sorted(body.keys() - BODY_KEYS))}")
        if not all(isinstance(us := body.get(key), int) and us >= 0 for key in ("at", "unc")):
            raise RecordUnfit(n=n, reason="its times are not whole microseconds")
        try:
            text = _encode({**body, "n": n, "prev": self.head.hash})
        except (TypeError, ValueError, RecursionError) as error:
            raise RecordUnfit(n=n, reason=str(error)) from error
        if len(text) > MAX_LINE - HASH_DIGITS - len(b'"hash":"",\n') or too_deep(text):
            raise RecordUnfit(n=n, reason="it is too long or nested too deep")
        digest = sha256(text).hexdigest()
        cut = text.index(b",") + 1
        self.head = Head(n, digest)
        return b'%b"hash":"%b",%b\n' % (text[:cut], digest.encode(), text[cut:])


@dataclass(slots=True)
class LineCheck:
    """Checks lines one after the other against the chain; ``head`` is that of the good ones so far."""

    head: Head = GENESIS
    record: Record | None = None  # the line checked last, when good
    data: dict[str, Any] = field(default_factory=dict)  # fields for the sentence of the flaw

    def flaw(self, line: bytes) -> Flaw | None:
        """What is wrong with the next line, or None: then it is the chain's new head."""
        self.record, self.data = None, {"line": self.head.n + 1}
        found = self._look(line)
        if found is None and self.record is not None:
            self.head = Head(self.record.n, self.record.hash)
        return found

    def _look(self, line: bytes) -> Flaw | None:
        if not line.endswith(b"\n"):
            return Flaw.TORN if len(line) < MAX_LINE else Flaw.NOT_A_RECORD
        record = read_line(line)
        if record is None:
            return Flaw.HASH if _agrees(line) is False else Flaw.NOT_A_RECORD
        if record.n != self.head.n + 1:
            self.data |= {"found": record.n, "expected": self.head.n + 1}
            return Flaw.NUMBER
        if record.prev != self.head.hash:
            return Flaw.PREVIOUS
        if record.n == 1 and record.journal is None:
            return Flaw.NOT_A_JOURNAL
        if record.n > 1 and record.journal is not None:
            return Flaw.SECOND_START
        if record.journal is not None and record.journal.format > FORMAT:
            self.data |= {"format": record.journal.format, "known": FORMAT}
            return Flaw.NEWER_FORMAT
        self.record = record
        return None


def read_line(line: bytes) -> Record | None:
    """The record of a line that agrees with its own hash, wherever it stands; None for any other line."""
    if not _agrees(line) or too_deep(line):
        return None
    try:
        return _decode(line)
    except msgspec.MsgspecError:
        return None


def too_deep(text: bytes) -> bool:
    """Whether JSON is nested deeper than ``MAX_DEPTH``. It need not be valid."""
    if text.count(b"{") + text.count(b"[") <= MAX_DEPTH:
        return False
    depth = 0
    for match in _BRACKET_OR_TEXT.finditer(text):
        depth += {b"{": 1, b"[": 1, b"}": -1, b"]": -1}.get(match[0], 0)
        if depth > MAX_DEPTH:
            return True
    return False


def _agrees(line: bytes) -> bool | None:
    """Whether a line agrees with the hash it names; None where it names none."""
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    head, named, rest = match.groups()
    return sha256(head + rest).hexdigest().encode() == named


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a file. One longer than any record comes in pieces, and the first is no record."""
    while line := stream.readline(MAX_LINE):
        yield line


def read_records(lines: Iterable[bytes]) -> Iterator[Record]:
    """The records of lines that were verified already; stops at the first line that is not one."""
    for line in lines:
        record = read_line(line)
        if record is None:
            return
        yield record


def verify(
    lines: Iterable[bytes], expected: Head | None = None, told: Callable[[Record], object] | None = None
) -> Verdict:
    """Check a whole journal and name its first bad line. ``told`` is given every good record.

    ``expected`` is the head the journal was closed with. Without it a missing end cannot be noticed.
    """
    check = LineCheck()

    def verdict(flaw: Flaw | None, bad_line: int | None) -> Verdict:
        key = "" if flaw is None else flaw.value
        return Verdict(
            flaw is None, check.head.n, bad_line, key, check.data, check.head, expected is not None
        )

    for line in lines:
        before = check.head
        flaw = check.flaw(line)
        if flaw is None and expected is not None and check.head.n >= expected.n and check.head != expected:
            flaw, check.head = Flaw.HEAD_DIFFERS, before
        if flaw is not None:
            return verdict(flaw, check.head.n + 1)
        if told is not None and check.record is not None:
            told(check.record)
    bad_line = check.head.n + 1
    check.data = {"line": bad_line, "last": check.head.n, "head": expected.n if expected else 0}
    if check.head.n == 0:
        return verdict(Flaw.EMPTY, 1)
    if expected and check.head.n < expected.n:
        return verdict(Flaw.TAIL_MISSING, bad_line)
    check.data = {}
    return verdict(None, None)
