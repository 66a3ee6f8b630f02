"""Display width and harmless text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.console.width import cells, clean, clean_all, clip, pad, wrap


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("張三", 4), ("é", 1), ("e\u0301", 1), ("ｱ", 1), ("Ａ", 2), ("▶", 1), ("🀄", 2)],
)
def test_width_in_cells(text: str, width: int) -> None:
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("張三李四", 5, "張三…"),
        ("張三李四", 4, "張…"),
        ("ab", 0, ""),
    ],
)
def test_a_text_too_long_is_cut_between_characters(text: str, width: int, shown: str) -> None:
    assert clip(text, width) == shown


@given(st.text(max_size=30), st.integers(0, 40), st.sampled_from("<>^"))
def test_padding_gives_exactly_the_width(text: str, width: int, align: str) -> None:
    assert cells(pad(text, width, align)) == width


@given(st.text(alphabet="ab 張三，", max_size=60), st.integers(8, 40))
def test_wrapping_keeps_every_character_and_the_width(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(cells(line) <= width or " " not in line for line in lines)


@pytest.mark.report("B124")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("張三 👪", "張三 👪"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("a\nb\r\tc\x00\x7f", "a␊b␍␉c␀␡"),
        ("\x9b2J\u202eabc\u2066", "�2J�abc�"),
        ("<svg/onload=alert()>{{7*7}}'-alert(1)-'", "<svg/onload=alert()>{{7*7}}'-alert(1)-'"),
        ("\u200d\ud800\ufeff", "\u200d��"),
        ("\u2028", "�"),
    ],
)
def test_text_is_shown_never_obeyed(text: str, shown: str) -> None:
    assert clean(text) == shown
    assert clean_all({text: [text, 1, None, (text,)]}) == {shown: [shown, 1, None, [shown]]}
