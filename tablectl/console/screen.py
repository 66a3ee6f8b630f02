"""A terminal that shows the live view: redrawn in place, restored at the end, however it ends."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable
from typing import Any, TextIO

from .paint import ASCII_SHAPES
from .terminal import Terminal
from .view import EVENTS, event_line, render

ENTER = "\x1b[?1049h\x1b[?25l"  # another screen, no cursor
LEAVE = "\x1b[?25h\x1b[?1049l"
HOME, TO_LINE_END, TO_SCREEN_END = "\x1b[H", "\x1b[K", "\x1b[J"


class Screen:
    """Draws documents. Without a screen to redraw (``--plain``, a pipe) each event is a line instead."""

    def __init__(self, terminal: Terminal, out: TextIO | None = None) -> None:
        self.terminal = terminal
        self._out = out or sys.stdout
        self._entered = False
        self._last = ""
        self.events: deque[dict[str, Any]] = deque(maxlen=EVENTS)
        self.doc: dict[str, Any] = {}

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def event(self, event: dict[str, Any]) -> None:
        """Something happened."""
        self.events.append(event)
        if not self.terminal.is_screen:
            self._write(event_line(event, self.doc, self.terminal.lang) + "\n")

    def draw(self, doc: dict[str, Any], age_s: float = 0.0) -> None:
        """Show a state; ``age_s`` is how old it is."""
        self.doc = doc
        if not self.terminal.is_screen:
            return
        if not self._entered:
            self._entered = True
            self._write(ENTER)
        self._last = self.frame(doc, self.events, age_s)
        self._write(HOME + self._last.replace("\n", TO_LINE_END + "\n") + TO_LINE_END + TO_SCREEN_END)

    def frame(self, doc: dict[str, Any], events: Iterable[dict[str, Any]], age_s: float) -> str:
        """The view as this terminal shows it."""
        terminal = self.terminal
        shape = terminal.width, terminal.color, age_s, terminal.height
        return render(doc, list(events), terminal.lang, *shape)

    def close(self) -> None:
        """Give the terminal back; the last picture stays on it."""
        if self._entered:
            self._entered = False
            self._write(LEAVE + self._last + "\n")

    def _write(self, text: str) -> None:
        if "utf" not in (self._out.encoding or "").lower():
            text = text.translate(ASCII_SHAPES)
        self._out.write(text)
        self._out.flush()
