"""Making a failing script small: leave out what is not needed (delta debugging)."""

from __future__ import annotations

from collections.abc import Callable

MOST_TRIES = 60  # a try plays a whole session


def shrink(lines: list[str], fails: Callable[[list[str]], bool]) -> list[str]:
    """The shortest list found that still ``fails``, which ``lines`` does. Halves first, then less."""
    pieces, tries = 2, 0
    while len(lines) > 1 and tries < MOST_TRIES:
        size = -(-len(lines) // pieces)
        for start in range(0, len(lines), size):
            rest = lines[:start] + lines[start + size :]
            tries += 1
            if rest and fails(rest):
                lines, pieces = rest, max(pieces - 1, 2)
                break
            if tries >= MOST_TRIES:
                break
        else:
            if size == 1:
                break
            pieces = min(len(lines), 2 * pieces)
    return lines
