"""Every error has a key of its own and a sentence that its fields fill."""

from __future__ import annotations

from string import Formatter

import pytest

from tablectl.daemon import errors
from tablectl.daemon.errors import DaemonError

CLASSES = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, DaemonError) and hasattr(value, "key")
]


def test_no_two_errors_share_a_key() -> None:
    keys = [error.key for error in CLASSES]
    assert len(set(keys)) == len(keys) > 10


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.key)
def test_the_sentence_is_filled_by_the_fields(error: type[DaemonError]) -> None:
    names = [name for _, name, _, _ in Formatter().parse(error.sentence) if name]
    filled = error(**{name: f"<{name}>" for name in names})
    assert all(f"<{name}>" in str(filled) for name in names)
    assert set(filled.fields) == set(names)
    assert error.exit_code in (1, 2)
