"""Records: anybody can check them with thirty lines, and every change of a journal is found."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.daemon.errors import FLAW_SENTENCES, RecordUnfit
from tablectl.daemon.record import (
    GENESIS,
    MAX_LINE,
    Chain,
    Flaw,
    Head,
    journal_body,
    read_line,
    read_lines,
    verify,
)

Change = Callable[[list[bytes], int], list[bytes]]


def stranger_verifies(lines: list[bytes]) -> bool:
    """The check as the format's description gives it, with nothing of this project."""
    prev = "0" * 64
    for number, line in enumerate(lines, 1):
        record = json.loads(line)
        claimed = record.pop("hash")
        text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        if record["n"] != number or record["prev"] != prev or hashlib.sha256(text).hexdigest() != claimed:
            return False
        prev = claimed
    return True


def test_a_stranger_can_verify_the_journal(lines: list[bytes]) -> None:
    assert stranger_verifies(lines)
    assert "張三".encode() in b"".join(lines)


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.text(), max_size=3), max_size=5))
def test_any_text_is_written_as_a_stranger_would_write_it(data: dict[str, Any]) -> None:
    line = Chain().seal({"at": 0, "unc": 0, "in": {"kind": "x", "data": data}})
    assert stranger_verifies([line])
    assert json.loads(line)["in"]["data"] == data


def test_keys_are_sorted_and_the_hash_stands_second() -> None:
    line = Chain().seal({"unc": 3, "in": {"kind": "x"}, "at": 12})
    assert list(json.loads(line)) == ["at", "hash", "in", "n", "prev", "unc"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"at": 0, "unc": 0, "in": {"name": "\udc80"}}, id="text that is not Unicode"),
        pytest.param({"at": 0, "unc": 0, "in": {1: 2}}, id="a key that is not text"),
        pytest.param({"at": 0, "unc": 0, "in": object()}, id="no JSON"),
        pytest.param({"unc": 0, "in": {}}, id="no time"),
        pytest.param({"at": 0.5, "unc": 0, "in": {}}, id="a time that is not whole"),
        pytest.param({"at": -1, "unc": 0, "in": {}}, id="a time before the journal"),
        pytest.param({"at": 0, "unc": 0, "a": 1}, id="an unknown field"),
        pytest.param({"at": 0, "unc": 0, "n": 7}, id="a number of its own"),
    ],
)
def test_what_cannot_be_a_record_leaves_the_chain_as_it_was(body: dict[str, Any]) -> None:
    chain = Chain()
    with pytest.raises(RecordUnfit, match="record 1 cannot be written"):
        chain.seal(body)
    assert chain.head == GENESIS


def _flip(at: float) -> Change:
    def change(lines: list[bytes], k: int) -> list[bytes]:
        line = bytearray(lines[k])
        place = int(at * (len(line) - 1))
        line[place] ^= 1
        return [*lines[:k], bytes(line), *lines[k + 1 :]]

    return change


def _cut(keep: Callable[[int], int]) -> Change:
    return lambda lines, k: [*lines[:k], lines[k][: keep(len(lines[k]))]]


CHANGES: dict[str, tuple[Change, int]] = {  # the change, and the bad line relative to the changed one
    **{f"byte changed at {at:.0%}": (_flip(at), 0) for at in (0, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 1)},
    "removed": (lambda lines, k: lines[:k] + lines[k + 1 :], 0),
    "doubled": (lambda lines, k: [*lines[: k + 1], *lines[k:]], 1),
    "swapped with the next": (lambda lines, k: [*lines[:k], *lines[k : k + 2][::-1], *lines[k + 2 :]], 0),
    "emptied": (lambda lines, k: [*lines[:k], b"\n", *lines[k + 1 :]], 0),
    "zeroed": (lambda lines, k: [*lines[:k], b"\0" * (len(lines[k]) - 1) + b"\n", *lines[k + 1 :]], 0),
    "a space added": (lambda lines, k: [*lines[:k], lines[k].replace(b":", b": ", 1), *lines[k + 1 :]], 0),
    "truncated before it": (lambda lines, k: lines[:k], 0),
    "truncated in its first byte": (_cut(lambda size: 1), 0),
    "truncated in the middle": (_cut(lambda size: size // 2), 0),
    "truncated before its newline": (_cut(lambda size: size - 1), 0),
}


@pytest.mark.parametrize(("change", "offset"), CHANGES.values(), ids=CHANGES)
def test_every_change_of_every_line_is_found_and_the_first_bad_line_named(
    lines: list[bytes], change: Change, offset: int
) -> None:
    head = verify(lines).head
    for k in range(len(lines)):
        changed = list(io.BytesIO(b"".join(change(lines, k))))
        if changed == lines:
            assert k == len(lines) - 1  # the last line has no next one to swap with
            continue
        verdict = verify(changed, head)
        assert not verdict.ok
        assert verdict.bad_line == k + 1 + offset
        assert verdict.records == k + offset
        assert f"line {k + 1 + offset}" in verdict.reason


def test_a_good_journal_is_vouched_for_only_with_its_head(lines: list[bytes]) -> None:
    verdict = verify(lines)
    assert (verdict.ok, verdict.records, verdict.bad_line, verdict.reason) == (True, 40, None, "")
    assert not verdict.vouched
    assert verify(lines, verdict.head).vouched


def test_a_missing_end_needs_the_head_to_be_noticed(lines: list[bytes]) -> None:
    head = verify(lines).head
    assert verify(lines[:-1]).ok
    verdict = verify(lines[:-1], head)
    assert (verdict.key, verdict.bad_line) == (Flaw.TAIL_MISSING, 40)


def test_a_rewritten_end_is_found_by_the_head(lines: list[bytes], make_body: Callable[[int], Any]) -> None:
    head = verify(lines).head
    chain = Chain(verify(lines[:39]).head)
    verdict = verify([*lines[:39], chain.seal(make_body(99))], head)
    assert (verdict.key, verdict.bad_line, verdict.records) == (Flaw.HEAD_DIFFERS, 40, 39)


def test_a_line_added_after_closing_is_found_by_the_head(
    lines: list[bytes], make_body: Callable[[int], Any]
) -> None:
    head = verify(lines).head
    verdict = verify([*lines, Chain(head).seal(make_body(41))], head)
    assert (verdict.key, verdict.bad_line, verdict.head) == (Flaw.HEAD_DIFFERS, 41, head)


def test_a_rewritten_line_with_a_new_hash_breaks_the_next(
    lines: list[bytes], make_body: Callable[[int], Any]
) -> None:
    rewritten = Chain(verify(lines[:9]).head).seal(make_body(99))
    verdict = verify([*lines[:9], rewritten, *lines[10:]])
    assert (verdict.key, verdict.bad_line) == (Flaw.PREVIOUS, 11)


@pytest.mark.parametrize(
    ("body", "key"),
    [
        pytest.param({"at": 0, "unc": 0, "in": {"kind": "x"}}, Flaw.NOT_A_JOURNAL, id="no journal record"),
        pytest.param(
            {"at": 0, "unc": 0, "journal": {"id": "", "code": "", "format": 2}}, Flaw.NEWER_FORMAT, id="newer"
        ),
    ],
)
def test_a_foreign_first_line_is_refused(body: dict[str, Any], key: Flaw) -> None:
    verdict = verify([Chain().seal(body)])
    assert (verdict.ok, verdict.key, verdict.bad_line) == (False, key, 1)
    assert verdict.reason


def test_an_empty_file_is_no_journal() -> None:
    assert verify([]).key == Flaw.EMPTY
    assert verify([], Head(3, "00")).bad_line == 1


def test_every_flaw_has_a_sentence() -> None:
    assert {flaw.value for flaw in Flaw} == set(FLAW_SENTENCES)


@given(st.binary(max_size=300))
def test_garbage_is_never_a_record(data: bytes) -> None:
    assert read_line(data) is None
    assert not verify([data]).ok


@given(st.binary(max_size=20), st.integers(0, 300), st.integers(0, 5))
def test_a_mutated_line_is_never_a_record(noise: bytes, at: int, gone: int) -> None:
    line = Chain().seal(journal_body("ab", "0.1", {}))
    mutated = line[:at] + noise + line[at + gone :]
    assert (read_line(mutated) is None) == (mutated != line)


@pytest.mark.parametrize("depth", [101, 3000, 100_000])
def test_a_line_nested_too_deep_is_no_record(lines: list[bytes], depth: int) -> None:
    head = verify(lines).head
    inner = b"[" * depth + b"]" * depth
    start, rest = b'{"at":0,', b'"in":{"a":%b},"n":41,"prev":"%b","unc":0}' % (inner, head.hash.encode())
    digest = hashlib.sha256(start + rest).hexdigest().encode()
    line = start + b'"hash":"' + digest + b'",' + rest + b"\n"
    assert (verify([*lines, line]).key, read_line(line)) == (Flaw.NOT_A_RECORD, None)


def test_what_could_not_be_read_again_is_not_written() -> None:
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    for value in (deep, "x" * MAX_LINE):
        with pytest.raises(RecordUnfit, match="too long or nested too deep"):
            Chain().seal({"at": 0, "unc": 0, "in": {"a": value}})
    brackets = "[" * 500 + '"\\'
    assert read_line(Chain().seal({"at": 0, "unc": 0, "in": {"a": [brackets, [[]] * 500]}})) is not None


def test_a_line_without_an_end_is_read_within_bounds() -> None:
    with open("/dev/zero", "rb") as endless:
        verdict = verify(read_lines(endless))
    assert (verdict.key, verdict.bad_line) == (Flaw.NOT_A_RECORD, 1)
