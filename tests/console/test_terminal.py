"""What leaves the command line: JSON and text any terminal survives."""

from __future__ import annotations

import io
import json

import pytest

from tablectl.console.paint import ASCII_SHAPES
from tablectl.console.screen import ENTER, LEAVE, Screen
from tablectl.console.terminal import Terminal, json_text
from tests.console.document import EVENTS, HOSTILE, document


@pytest.mark.report("B124")
@pytest.mark.parametrize("utf8", [True, False])
def test_json_says_the_same_and_moves_no_cursor(utf8: bool) -> None:
    value = {"name": HOSTILE, "zh": "張三", "n": [1, None, True]}
    text = json_text(value, utf8=utf8)
    assert json.loads(text) == value
    assert not set(text) & set("\x1b\x9b\u202e\n")
    assert ("張三" in text) == utf8


class Tty(io.TextIOWrapper):
    """A terminal to write on."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._bytes = io.BytesIO()
        super().__init__(self._bytes, encoding=encoding, errors="replace", newline="")

    def shown(self) -> str:
        self.flush()
        return self._bytes.getvalue().decode(self.encoding)


def terminal(monkeypatch: pytest.MonkeyPatch, *, tty: bool = True, plain: bool = False) -> Terminal:
    monkeypatch.setattr("sys.stdout.isatty", lambda: tty, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal("en", plain=plain)


def test_a_screen_is_entered_redrawn_and_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    out = Tty()
    with Screen(terminal(monkeypatch), out) as screen:
        for event in EVENTS:
            screen.event(event)
        screen.draw(document())
        screen.draw(document())
    shown = out.shown()
    assert shown.count(ENTER) == shown.count(LEAVE) == 1
    assert shown.count("\x1b[H") == 2
    assert "\x1b[2J" not in shown, "no flicker"
    assert "hand 3 of 16" in shown.split(LEAVE)[1], "the last picture stays"


@pytest.mark.parametrize(("tty", "plain"), [(False, False), (True, True)], ids=["pipe", "--plain"])
def test_without_a_screen_each_event_is_a_line(
    monkeypatch: pytest.MonkeyPatch, tty: bool, plain: bool
) -> None:
    out = Tty()
    with Screen(terminal(monkeypatch, tty=tty, plain=plain), out) as screen:
        screen.draw(document())
        for event in EVENTS:
            screen.event(event)
    assert len(out.shown().splitlines()) == len(EVENTS)
    assert "\x1b" not in out.shown()


@pytest.mark.report("B109")
def test_an_ascii_terminal_gets_other_shapes_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    out = Tty("ascii")
    with Screen(terminal(monkeypatch), out) as screen:
        screen.draw(document())
    assert "> South" in out.shown()
    assert "##" in out.shown()


def test_every_shape_has_one_ascii_cell() -> None:
    assert all(
        isinstance(shape, str) and shape.isascii() and len(shape) == 1 for shape in ASCII_SHAPES.values()
    )


def test_the_last_row_of_the_screen_is_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    shown = Screen(terminal(monkeypatch), Tty()).frame(document(), EVENTS, 0.0).split("\n")
    assert len(shown) == 24
    assert "clock ±450 µs" in shown[-1]


def test_no_color_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal(monkeypatch).color
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Terminal("en").color
