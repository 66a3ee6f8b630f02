"""Colours and shapes of the terminal view. A state is always a colour, a shape and a word together."""

from __future__ import annotations

RED, GREEN, YELLOW, CYAN, GREY, BOLD = "31", "32", "33", "36", "90", "1"

# What a terminal without Unicode shows instead.
ASCII_SHAPES = str.maketrans(
    {
        "█": "#", "▄": "=", "▅": "=", "▂": "_", "·": ".", "×": "x", "▶": ">", "■": "#", "◆": "*", "○": "o",
        "●": "o", "◐": "~", "✕": "x", "│": "|", "─": "-", "┌": "+", "┐": "+", "└": "+", "┘": "+", "…": "~",
        "–": "-", "—": "-", "±": "+", "“": '"', "”": '"', "µ": "u",
    }
)  # fmt: skip


class Brush:
    """Paints text that is already padded: escape sequences must not be counted as cells."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def __call__(self, text: str, *codes: str) -> str:
        """The text in these colours, or as it is on a terminal without."""
        if not self._color or not codes or not text:
            return text
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m"
