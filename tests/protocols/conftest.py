"""What every test of this package is held to: no terminal stays open behind it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


def open_terminals() -> set[str]:
    """Descriptors of this process that are terminals of any kind."""
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            if os.readlink(link).startswith("/dev/pt"):
                found.add(link.name)
        except OSError:
            continue  # the descriptor of the listing itself
    return found


@pytest.fixture(autouse=True)
def _no_terminal_leaks() -> Iterator[None]:
    before = open_terminals()
    yield
    assert open_terminals() <= before
