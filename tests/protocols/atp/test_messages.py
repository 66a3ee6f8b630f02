"""The codec: every row of the dictionary there and back, and bodies of other versions."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.atp import messages as m
from protocols.atp.codec import Message, struct_code
from protocols.atp.dictionary import DICTIONARY, TIMING, Row
from protocols.atp.frame import MAX_BODY
from protocols.errors import MessageError
from protocols.vocabulary import Operation

BITS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}


def values(row: Row) -> st.SearchStrategy[dict[str, Any]]:
    """Any values the fields of a row can hold."""
    return st.fixed_dictionaries(
        {
            field.name: st.integers(0, 2 ** BITS[field.type] - 1)
            if field.type in BITS
            else st.binary(min_size=(n := int(struct_code(field.type)[:-1])), max_size=n)
            for field in row.fields
        }
    )


KINDS = pytest.mark.parametrize("kind", m.MESSAGES, ids=lambda kind: kind.__name__)


@KINDS
@given(data=st.data())
def test_message_comes_back(kind: type[Any], data: st.DataObject) -> None:
    message = kind(**data.draw(values(kind.LAYOUT.row)))
    assert kind.from_bytes(message.to_bytes()) == message


@KINDS
def test_class_has_the_fields_of_its_row(kind: type[Any]) -> None:
    assert [field.name for field in fields(kind)] == [field.name for field in kind.LAYOUT.row.fields]
    assert kind.LAYOUT.size <= MAX_BODY


@KINDS
def test_a_longer_body_is_of_a_newer_peer(kind: type[Message]) -> None:
    assert kind.from_bytes(bytes(kind.LAYOUT.size) + b"more") == kind()


@KINDS
def test_a_shorter_body_is_of_an_older_peer(kind: type[Message]) -> None:
    assert kind.from_bytes(b"") == kind()


def test_numbers_are_little_endian_without_padding() -> None:
    assert m.Operate(1, 2, 3, 4, 5).to_bytes().hex(" ") == "01 00 00 00 00 00 00 00 02 03 04 00 05 00"


@pytest.mark.parametrize("value", [-1, 2**64])
def test_a_number_that_does_not_fit_is_a_mistake_of_the_caller(value: int) -> None:
    with pytest.raises(MessageError, match="OPERATE cannot be encoded"):
        m.Operate(id=value).to_bytes()


def test_types_and_names_are_unique() -> None:
    assert len({row.number for row in DICTIONARY.messages}) == len(DICTIONARY.messages) == len(m.MESSAGES)
    assert len({row.name for row in DICTIONARY.messages}) == len(DICTIONARY.messages)


def test_every_operation_has_limits() -> None:
    assert set(DICTIONARY.operations) == set(Operation)


def test_hash_of_a_version_does_not_change_with_a_later_one() -> None:
    first = DICTIONARY.messages[0]
    later = replace(first.fields[0], name="later", since=2)
    grown = replace(first, fields=(*first.fields, later))
    new = replace(first, number=99, name="NEW", since=2)
    dictionary = replace(DICTIONARY, messages=(grown, *DICTIONARY.messages[1:], new))
    assert dictionary.hash(1) == DICTIONARY.hash(1)
    assert dictionary.hash(2) != DICTIONARY.hash(1)


def test_asking_begins_while_there_is_still_time() -> None:
    assert TIMING.beat_idle + TIMING.ask_margin + 10 * TIMING.ask_repeat < TIMING.silence
