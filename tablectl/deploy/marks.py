"""The first line of every file written by an installation, by which a later one knows whose it is now.

It holds a digest of what follows: where it does not fit any more, a person changed the file, and then it is
theirs. A second digest, of the template, tells whether there is anything new to offer them.
"""

from __future__ import annotations

import hashlib
import re

LINE = "# Written by `tablectl install` (mark {content}-{template}). Once you change it, it is yours.\n"
PATTERN = re.compile(r"# Written by `tablectl install` \(mark ([0-9a-f]{16})-([0-9a-f]{16})\)[^\n]*\n")


def marked(text: str, template: str | None = None) -> str:
    """The text with its first line; ``template`` is what it is before places are filled."""
    return LINE.format(content=_digest(text), template=_digest(text if template is None else template)) + text


def is_untouched(text: str) -> bool:
    """Did nobody change the file since it was written?"""
    found = PATTERN.match(text)
    return found is not None and _digest(text[found.end() :]) == found[1]


def template_of(text: str) -> str:
    """The digest of the template a file was made from, "" where there is none."""
    found = PATTERN.match(text)
    return found[2] if found else ""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
