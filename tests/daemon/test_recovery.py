"""Opening a journal: a torn end is cut and kept, damage refused by line, a bad snapshot costs only time."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablectl.daemon import history, recovery
from tablectl.daemon.answers import Answers, content_hash
from tablectl.daemon.errors import (
    DaemonError,
    JournalDamaged,
    JournalNewer,
    JournalNotFile,
    JournalShort,
    JournalUnreadable,
    ReplayFailed,
    RulesMissing,
)
from tablectl.daemon.filelayer import FileLayer
from tablectl.daemon.journal import head_path
from tablectl.daemon.record import (
    MAX_LINE,
    Chain,
    Head,
    Record,
    canonical,
    journal_body,
    read_records,
    verify,
)
from tablectl.daemon.repair import repair
from tablectl.daemon.restore import restore
from tablectl.daemon.snapshot import Snapshot, encode_snapshot
from tablectl.game.inputs import Command
from tablectl.rules.book import load_book

MakeLines = Callable[..., list[bytes]]


def write_snapshot(path: Path, lines: list[bytes], after: int, **changes: Any) -> Path:
    """A snapshot after record ``after`` beside the journal at ``path``."""
    record = list(read_records(lines))[after - 1]
    snapshot = Snapshot("5e" * 16, after, record.hash, record.at, "0.1.0", {"hand": 3})
    file = path.with_name("snapshot.json")
    file.write_bytes(encode_snapshot(msgspec.structs.replace(snapshot, **changes)))
    return file


def write_head(path: Path, head: Head) -> None:
    head_path(path).write_bytes(canonical(head._asdict()))


def test_a_new_journal_names_itself(tmp_path: Path, opening: dict[str, Any]) -> None:
    path = tmp_path / "journal.jsonl"
    recovered = recovery.open_or_create(path, **opening)
    assert recovered.created
    assert (recovered.name.id, recovered.name.code, recovered.name.format) == ("5e" * 16, "0.1.0", 1)
    assert recovered.name.rules == opening["rules"]
    assert (recovered.head.n, recovered.last_at, next(recovered.records()).has_input) == (1, 0, False)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not recovery.open_or_create(path, **opening).created


def test_a_good_journal_is_taken_up_where_it_ended(
    journal_file: Path, lines: list[bytes], opening: dict[str, Any]
) -> None:
    recovered = recovery.open_or_create(journal_file, **opening)
    assert recovered.head == verify(lines).head
    assert (recovered.last_at, recovered.torn, recovered.notes) == (40_000, False, [])
    assert [record.n for record in recovered.records()] == list(range(1, 41))


def test_table_time_goes_on_from_the_latest_not_the_last(tmp_path: Path, opening: dict[str, Any]) -> None:
    """A device event may be recorded after a later command; the table's clock had passed both."""
    path = tmp_path / "journal.jsonl"
    chain = Chain(recovery.open_or_create(path, **opening).head)
    late = [chain.seal({"at": at, "unc": 0, "in": {"kind": "x"}}) for at in (900, 700)]
    path.write_bytes(path.read_bytes() + b"".join(late))
    assert recovery.open_or_create(path, **opening).last_at == 900


TORN = {
    "a byte": lambda line: line[:1],
    "half": lambda line: line[: len(line) // 2],
    "all but the newline": lambda line: line[:-1],
    "zeros": lambda line: b"\0" * len(line),
    "half and zeros": lambda line: line[:100] + b"\0" * 4000,
    "zeros and the rest": lambda line: b"\0" * 100 + line[100:],
    "zeros and two rests": lambda line: b"\0" * 100 + line[100:] + line[50:],
}


@pytest.mark.parametrize("tear", TORN.values(), ids=TORN)
def test_a_torn_end_is_cut_and_kept(
    tmp_path: Path, make_lines: MakeLines, opening: dict[str, Any], tear: Callable[[bytes], bytes]
) -> None:
    *good, last = make_lines(12)
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(good) + tear(last))
    recovered = recovery.open_or_create(path, **opening)
    assert recovered.torn
    assert recovered.head == verify(good).head
    assert path.read_bytes() == b"".join(good)
    assert path.with_name("journal.jsonl.torn-12").read_bytes() == tear(last)
    assert [note.key for note in recovered.notes] == ["journal.torn"]
    assert "journal.jsonl.torn-12" in str(recovered.notes[0])
    assert not recovery.open_or_create(path, **opening).torn


@pytest.mark.report("B099")
def test_a_write_torn_at_any_byte_costs_only_what_was_torn(make_lines: MakeLines) -> None:
    lines = make_lines(12)
    durable, unsynced = b"".join(lines[:9]), b"".join(lines[9:])
    ends = [len(b"".join(lines[9:k])) for k in range(9, 13)]
    for size in range(len(unsynced) + 1):
        zeros = b"\0" * (len(unsynced) - size)
        whole = sum(end <= size for end in ends) - 1
        for data in (durable + unsynced[:size], durable + unsynced[:size] + zeros):
            recovered = recovery.recover_bytes(data)
            assert recovered.head.n == 9 + whole
            assert recovered.torn == (recovered.size < len(data))


def _changed(lines: list[bytes], k: int) -> list[bytes]:
    return [*lines[:k], lines[k].replace(b'"unc":', b'"unc":1'), *lines[k + 1 :]]


DAMAGE = {
    "changed in the middle": (lambda lines: _changed(lines, 20), 21, "was changed"),
    "last line changed": (lambda lines: _changed(lines, 39), 40, "was changed"),
    "first line changed": (lambda lines: _changed(lines, 0), 1, "was changed"),
    "line missing": (lambda lines: lines[:7] + lines[8:], 8, "holds record 9 where record 8 belongs"),
    "line doubled": (lambda lines: lines[:8] + lines[7:], 9, "holds record 8 where record 9 belongs"),
    "zeros in the middle": (lambda lines: [*lines[:5], b"\0" * 300 + b"\n", *lines[6:]], 6, "not a record"),
    "another file": (lambda lines: [b"hello\n", b"world\n"], 1, "not a record"),
    "another file of one line": (lambda lines: [b"hello"], 1, "cut off"),
    "a text instead of a record": (
        lambda lines: [*lines[:30], b"// note\n", *lines[30:]],
        31,
        "not a record",
    ),
    "a second start": (
        lambda lines: [*lines[:9], Chain(verify(lines[:9]).head).seal(journal_body("", "", {}))],
        10,
        "begins a journal in the middle of one",
    ),
}


@pytest.mark.parametrize(("damage", "line", "words"), DAMAGE.values(), ids=DAMAGE)
def test_damage_is_refused_with_the_line_and_what_to_do(
    journal_file: Path,
    lines: list[bytes],
    opening: dict[str, Any],
    damage: Callable[[list[bytes]], list[bytes]],
    line: int,
    words: str,
) -> None:
    data = b"".join(damage(lines))
    journal_file.write_bytes(data)
    with pytest.raises(JournalDamaged) as caught:
        recovery.open_or_create(journal_file, **opening)
    assert caught.value.fields["line"] == line
    assert words in str(caught.value)
    assert f"tablectl journal verify {journal_file}" in str(caught.value)
    assert journal_file.read_bytes() == data  # untouched


def test_a_snapshot_shortens_the_replay(
    journal_file: Path, lines: list[bytes], opening: dict[str, Any]
) -> None:
    write_snapshot(journal_file, lines, 30)
    recovered = recovery.open_or_create(journal_file, **opening)
    assert recovered.snapshot is not None
    assert recovered.snapshot.state == {"hand": 3}
    assert [record.n for record in recovered.records()] == list(range(31, 41))
    assert [record.n for record in recovered.records(whole=True)] == list(range(1, 41))
    assert recovered.answers.get("張三", "c3") is not None  # from before the snapshot


SNAPSHOTS: dict[str, tuple[Callable[[bytes], bytes], dict[str, Any], str]] = {
    "of another journal": (lambda data: data, {"journal": "00" * 16}, "snapshot.foreign"),
    "of another journal, further on": (
        lambda data: data,
        {"journal": "00" * 16, "n": 99},
        "snapshot.foreign",
    ),
    "with another hash": (lambda data: data, {"hash": "00" * 32}, "snapshot.foreign"),
    "truncated": (lambda data: data[:-30], {}, "snapshot.damaged"),
    "empty": (lambda data: b"", {}, "snapshot.damaged"),
    "changed": (lambda data: data.replace(b'"hand":3', b'"hand":4'), {}, "snapshot.damaged"),
    "not text": (lambda data: b"\xff" * 50, {}, "snapshot.damaged"),
    "another shape": (lambda data: b'{"snapshot":[],"sum":""}', {}, "snapshot.damaged"),
}


@pytest.mark.parametrize(("change", "fields", "key"), SNAPSHOTS.values(), ids=SNAPSHOTS)
def test_a_bad_snapshot_is_noted_and_all_is_replayed(
    journal_file: Path,
    lines: list[bytes],
    opening: dict[str, Any],
    change: Callable[[bytes], bytes],
    fields: dict[str, Any],
    key: str,
) -> None:
    file = write_snapshot(journal_file, lines, 30, **fields)
    file.write_bytes(change(file.read_bytes()))
    recovered = recovery.open_or_create(journal_file, **opening)
    assert recovered.snapshot is None
    assert [note.key for note in recovered.notes] == [key]
    assert "the whole journal is replayed" in str(recovered.notes[0])
    assert len(list(recovered.records())) == 40


@pytest.mark.parametrize("left", [0, 1, 29], ids=["nothing", "one record", "one too few"])
@pytest.mark.parametrize("witness", ["snapshot.json", "journal.jsonl.head"])
def test_an_end_that_another_file_remembers_is_not_silently_lost(
    journal_file: Path, lines: list[bytes], opening: dict[str, Any], left: int, witness: str
) -> None:
    if witness == "snapshot.json":
        write_snapshot(journal_file, lines, 30)
    else:
        write_head(journal_file, verify(lines[:30]).head)
    journal_file.write_bytes(b"".join(lines[:left]))
    with pytest.raises(JournalShort) as caught:
        recovery.open_or_create(journal_file, **opening)
    assert caught.value.fields == {"path": str(journal_file), "n": left, "witness": witness, "expected": 30}
    journal_file.unlink()
    with pytest.raises(JournalShort):
        recovery.open_or_create(journal_file, **opening)


def test_a_last_line_rewritten_since_closing_is_refused(
    journal_file: Path, lines: list[bytes], opening: dict[str, Any], make_body: Callable[[int], Any]
) -> None:
    write_head(journal_file, verify(lines).head)
    rewritten = Chain(verify(lines[:39]).head).seal(make_body(99))
    journal_file.write_bytes(b"".join([*lines[:39], rewritten]))
    with pytest.raises(JournalDamaged, match="line 40 is not what the journal was closed with"):
        recovery.open_or_create(journal_file, **opening)


def test_a_damaged_snapshot_alone_does_not_forbid_a_new_journal(
    tmp_path: Path, opening: dict[str, Any]
) -> None:
    (tmp_path / "snapshot.json").write_bytes(b"{")
    recovered = recovery.open_or_create(tmp_path / "journal.jsonl", **opening)
    assert recovered.created
    assert [note.key for note in recovered.notes] == ["snapshot.damaged"]


def test_a_folder_in_its_place_is_said(tmp_path: Path, opening: dict[str, Any]) -> None:
    with pytest.raises(JournalNotFile, match="is a folder, pipe or device"):
        recovery.open_or_create(tmp_path, snapshot=tmp_path / "none", **opening)


def test_a_pipe_in_its_place_is_said_and_not_waited_for(tmp_path: Path, opening: dict[str, Any]) -> None:
    path = tmp_path / "journal.jsonl"
    os.mkfifo(path)
    with pytest.raises(JournalNotFile):
        recovery.open_or_create(path, **opening)


def test_a_journal_of_a_newer_format_is_not_called_damaged(tmp_path: Path, opening: dict[str, Any]) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(
        Chain().seal({"at": 0, "unc": 0, "journal": {"id": "", "code": "", "format": 9, "rules": {}}})
    )
    with pytest.raises(JournalNewer, match=r"newer tablectl \(format 9\): install that version") as caught:
        recovery.open_or_create(path, **opening)
    assert "repair" not in str(caught.value)


def test_an_empty_journal_is_begun_anew_with_a_note(tmp_path: Path, opening: dict[str, Any]) -> None:
    path = tmp_path / "journal.jsonl"
    path.touch()
    recovered = recovery.open_or_create(path, **opening)
    assert (recovered.created, [note.key for note in recovered.notes]) == (True, ["journal.begun_anew"])


DEEP = b'{"a":' * 100_000
HEADS = {
    "no number": b'{"n":null,"hash":"x"}',
    "a list": b'{"n":[],"hash":"x"}',
    "huge": b'{"n":1e308,"hash":"%b"}' % (b"0" * 64),
    "negative": b'{"n":-5,"hash":"%b"}' % (b"0" * 64),
    "no hash": b'{"n":40,"hash":"x"}',
    "deep": DEEP,
    "not text": b"\xff",
    "empty": b"",
    "a folder": None,
}


def put(file: Path, data: bytes | None) -> None:
    """Write a file, or make a folder in its place."""
    if data is None:
        file.mkdir()
        (file / "in the way").touch()
    else:
        file.write_bytes(data)


@pytest.mark.parametrize("data", HEADS.values(), ids=HEADS)
def test_a_damaged_head_is_set_aside_and_noted(
    journal_file: Path, opening: dict[str, Any], data: bytes | None
) -> None:
    put(head_path(journal_file), data)
    notes: list[DaemonError] = []
    verdict = history.verify(journal_file, notes)
    assert (verdict.ok, verdict.vouched, [note.key for note in notes]) == (True, False, ["head.damaged"])
    assert repair(journal_file).verdict.ok
    recovered = recovery.open_or_create(journal_file, **opening)
    assert recovered.head.n == 40
    assert ["the end of the journal cannot be vouched for" in str(note) for note in recovered.notes] == [True]
    assert not head_path(journal_file).exists()
    assert journal_file.with_name("journal.jsonl.head.damaged").exists()


@pytest.mark.parametrize("data", [DEEP, None, "deep state"], ids=["deep", "a folder", "deep state"])
def test_a_snapshot_that_cannot_be_one_is_set_aside(
    journal_file: Path, lines: list[bytes], opening: dict[str, Any], data: bytes | str | None
) -> None:
    file = journal_file.with_name("snapshot.json")
    if isinstance(data, str):
        text = b'{"state":' + b'{"a":' * 3000 + b"1" + b"}" * 3001
        data = b'{"snapshot":%b,"sum":"%b"}' % (text, sha256(text).hexdigest().encode())
    put(file, data)
    assert repair(journal_file).verdict.ok
    recovered = recovery.open_or_create(journal_file, **opening)
    assert [note.key for note in recovered.notes] == ["snapshot.damaged"]
    assert not file.exists()


def test_an_endless_line_of_zeros_is_read_in_pieces(
    journal_file: Path, lines: list[bytes], opening: dict[str, Any]
) -> None:
    """Zeros at the end are a block never written, however many; a record behind them makes them damage."""
    zeros = b"\0" * (3 * MAX_LINE)
    journal_file.write_bytes(b"".join([*lines[:20], zeros, b"\n", *lines[20:]]))
    with pytest.raises(JournalDamaged, match="line 21 is not a record"):
        recovery.open_or_create(journal_file, **opening)
    journal_file.write_bytes(b"".join([*lines[:20], zeros]))
    assert recovery.open_or_create(journal_file, **opening).head.n == 20


class FullDisk(FileLayer):
    """A disk with room for half of what is written."""

    def append(self, descriptor: int, data: bytes) -> None:
        super().append(descriptor, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_torn_end_on_a_full_disk_asks_for_room_and_leaves_all_as_it_was(
    journal_file: Path, opening: dict[str, Any]
) -> None:
    torn = journal_file.read_bytes()[:-9]
    journal_file.write_bytes(torn)
    with pytest.raises(JournalUnreadable, match="Free space on its disk"):
        recovery.open_or_create(journal_file, layer=FullDisk(), **opening)
    assert [file.name for file in journal_file.parent.iterdir()] == [journal_file.name]
    assert journal_file.read_bytes() == torn
    recovery.open_or_create(journal_file, **opening)
    copy = journal_file.with_name("journal.jsonl.torn-40")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


def test_a_journal_in_memory_is_recovered_alike(make_lines: MakeLines) -> None:
    lines = make_lines(12)
    whole, torn = b"".join(lines), b"".join(lines)[:-9]
    snapshot = Snapshot("5e" * 16, 5, list(read_records(lines))[4].hash, 0, "0.1.0", {})
    recovered = recovery.recover_bytes(torn, encode_snapshot(snapshot))
    assert (recovered.torn, recovered.head.n, recovered.size) == (True, 11, len(whole) - len(lines[-1]))
    assert [record.n for record in recovered.records()] == list(range(6, 12))


def test_replay_leaves_out_what_raised_and_what_is_no_input(make_lines: MakeLines) -> None:
    lines = make_lines(3)
    chain = Chain(verify(lines).head)
    lines.append(chain.seal({"at": 4, "unc": 0, "in": {"kind": "x"}, "raised": "KeyError: 'x'"}))
    lines.append(chain.seal({"at": 4, "unc": 0, "in": {"kind": "raised", "record": 4, "error": ""}}))
    lines.append(chain.seal({"at": 5, "unc": 0, "result": {"result": "draw"}}))
    seen: list[int] = []
    assert recovery.replay(read_records(lines), lambda record: seen.append(record.n)) == 3
    assert seen == [2, 3, 5]


def test_a_record_that_cannot_be_replayed_is_named(lines: list[bytes]) -> None:
    def step(record: Record) -> None:
        if record.n == 17:
            raise KeyError("seat")

    with pytest.raises(ReplayFailed, match="record 17 cannot be replayed: KeyError: 'seat'"):
        recovery.replay(read_records(lines), step)


def test_a_session_whose_rules_are_gone_is_not_taken_up_without_them(
    tmp_path: Path, opening: dict[str, Any]
) -> None:
    chain = Chain()
    start = Command(id="1", actor="kim", role="referee", name="session start", args={"rules": "club"})
    out = {"outcome": "accepted", "key": "", "data": {"rules": "club", "rules_hash": "ab"}}
    lines = [
        chain.seal(journal_body("5e" * 16, "0.1.0", {})),
        chain.seal({"at": 1, "unc": 0, "in": start, "out": out}),
    ]
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(lines))
    with pytest.raises(RulesMissing, match=r"record 2 starts is played by the rules club.*\[rules\] files"):
        restore(recovery.open_or_create(path, **opening), load_book())


def test_a_command_sent_again_finds_its_answer(journal_file: Path, opening: dict[str, Any]) -> None:
    answers = recovery.open_or_create(journal_file, **opening).answers
    answered = answers.get("張三", "c9")
    assert answered is not None
    assert (answered.n, answered.out) == (9, {"outcome": "accepted", "key": "", "data": {}})
    assert answered.content == content_hash("discard", {"tile": "C", "seat": "E"})
    assert answered.content != content_hash("discard", {"tile": "F", "seat": "E"})
    assert answers.get("李四", "c9") is None
    assert len(answers) == 13


def test_only_the_latest_answers_are_kept() -> None:
    answers = Answers(kept=3)
    for n in range(5):
        answers.put("ref", f"c{n}", n, "", {"outcome": "accepted"})
    assert [answers.get("ref", f"c{n}") is not None for n in range(5)] == [False, False, True, True, True]
