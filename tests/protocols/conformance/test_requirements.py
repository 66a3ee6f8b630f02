"""Every sentence of SPEC.md with *must* has one number, one row, and one check or a reason why none."""

from __future__ import annotations

import re
import tomllib

import pytest

from protocols.atp.requirements import MARK, MUST, TABLE, TEMPLATE, requirements, sentences
from protocols.atp.spec import SPEC
from protocols.conformance import checks
from protocols.conformance.register import CHECKS, check
from tablectl.locale import catalog

PIECES = sentences(TEMPLATE.read_text(encoding="utf-8"))
ROWS = tomllib.loads(TABLE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece[:40])
def test_every_must_has_one_number(piece: str) -> None:
    assert len(MARK.findall(piece)) == 1, piece
    assert len(MUST.findall(piece)) == 1, piece


def test_no_must_is_missed_by_cutting_into_sentences() -> None:
    template = TEMPLATE.read_text(encoding="utf-8")
    assert len(PIECES) == len(MUST.findall(template)) == len(MARK.findall(template))


def test_numbers_are_there_once_and_in_order() -> None:
    ids = MARK.findall(TEMPLATE.read_text(encoding="utf-8"))
    assert len(set(ids)) == len(ids)
    assert ids == sorted(ids)


def test_every_number_has_a_row_and_every_row_a_number() -> None:
    assert set(ROWS) == set(requirements())


def test_every_requirement_is_checked_once_or_has_a_reason() -> None:
    assert checks.__all__
    observed = {one.id for one in requirements().values() if one.observed}
    assert set(CHECKS) == observed
    assert all(one.of == "board" for one in requirements().values() if one.observed)


def test_a_second_check_of_a_requirement_is_refused() -> None:
    with pytest.raises(ValueError, match="ATP-R02 has a check already"):
        check("ATP-R02")(CHECKS["ATP-R02"].run)


def test_the_numbers_are_shown_in_the_spec() -> None:
    text = SPEC.read_text(encoding="utf-8")
    assert re.findall(r"\[(ATP-R\d+)\]", text) == list(requirements())


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_every_requirement_is_said_and_explained_in_both_languages(lang: str) -> None:
    for one in requirements().values():
        assert one.said(lang), one.id
        assert one.checked(lang), one.id
        assert (lang == "en") == one.said(lang).isascii() or "…" in one.said(lang) or "µ" in one.said(lang)
