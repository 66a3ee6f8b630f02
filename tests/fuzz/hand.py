"""Hands written in one line, and the judge that counts them."""

from __future__ import annotations

from functools import cache

from tablectl.rules.mcr.count import wins
from tablectl.rules.mcr.hand import check
from tablectl.rules.mcr.notation import read
from tablectl.rules.mcr.settings import ScoreSettings
from tests.fuzz.journal import book


@cache
def settings() -> ScoreSettings:
    """The packed rules."""
    return ScoreSettings.of(book()["mcr"].score)


def one(data: bytes) -> None:
    """A hand that can be judged, or a ``ValueError`` (``HandError`` is one) with a sentence."""
    text = data.decode("utf-8", "replace")
    try:
        hand = read(text)
        check(hand)
    except ValueError as error:
        assert str(error)
        return
    assert wins(hand, settings()) in (True, False)


def seeds() -> list[bytes]:
    """Hands of all the forms the notation has."""
    return [
        b"[EEE,2][1111s]234m5567p7p|ES1000|2",
        b"[EEE2][1111s1+][234m,3]55p5p",
        b"19m19p19sESWNCFPP",
        b"1122334455667p 7p|EE1000|0",
        b"[123m,1][456m,2][789m,3][EEEE]CC|NW0111",
    ]
