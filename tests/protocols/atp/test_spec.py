"""SPEC.md is what the dictionary and the vocabulary say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from protocols import vocabulary
from protocols.atp import spec
from protocols.atp.declare import messages_module
from protocols.atp.dictionary import DICTIONARY

ENUMS = re.findall(r"\{\{enum:(\w+)\}\}", spec.TEMPLATE.read_text(encoding="utf-8"))


def test_generated_files_are_fresh() -> None:
    assert spec.render() == spec.SPEC.read_text(encoding="utf-8")
    assert messages_module(DICTIONARY) == spec.MESSAGES.read_text(encoding="utf-8")
    assert spec.main(["--check"]) == 0


def test_a_stale_file_is_found_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(spec, "SPEC", tmp_path / "SPEC.md")
    assert spec.main(["--check"]) == 1
    assert "SPEC.md: stale" in capsys.readouterr().out
    assert spec.main([]) == 0
    assert spec.main(["--check"]) == 0


@pytest.mark.parametrize("name", ENUMS)
def test_every_member_of_an_enum_is_in_the_spec_with_a_meaning(name: str) -> None:
    members = spec.enum_members(name)
    assert [member for _, member, _ in members] == [member.name for member in getattr(vocabulary, name)]
    assert [member for _, member, about in members if not about] == []


def test_every_enum_a_field_names_is_in_the_spec() -> None:
    named = {field.enum for row in DICTIONARY.messages for field in row.fields if field.enum}
    assert named <= {*ENUMS, "Tile", "ErrorCode"}


def test_every_message_is_in_the_spec() -> None:
    text = spec.render()
    assert all(f"0x{row.number:02X} {row.name} (" in text for row in DICTIONARY.messages)
    assert "{{" not in text


def rows_under(head: str) -> list[list[str]]:
    """The cells of the table that begins with this head."""
    lines = spec.TEMPLATE.read_text(encoding="utf-8").split(f"| {head} |", 1)[1].splitlines()[2:]
    table = lines[: next(at for at, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_what_each_operation_needs_and_says_is_in_the_spec() -> None:
    rows = rows_under("operation | tracks")
    assert [row[0] for row in rows] == [operation.name for operation in vocabulary.Operation]
    said = {name for row in rows for name in re.findall(r"[A-Z]+_[A-Z]+", row[3])}
    assert said <= {kind.name for kind in vocabulary.EventKind}


def test_every_refusal_is_in_the_spec() -> None:
    named = {name for row in rows_under("refusal | of") for name in row[0].split(", ")}
    assert named == {refusal.name for refusal in vocabulary.Refusal} - {"NONE"}
