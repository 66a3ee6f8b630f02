"""Errors of every room in the reader's language."""

from __future__ import annotations

import pytest

from tablectl.api.errors import NoDaemon
from tablectl.console.sentences import sentence
from tablectl.daemon import errors
from tablectl.daemon.config import parse_config
from tablectl.locale import catalog
from tablectl.tomlfile import TomlError

DAEMON_ERRORS = [
    error
    for error in vars(errors).values()
    if isinstance(error, type) and issubclass(error, errors.DaemonError) and "key" in vars(error)
]


@pytest.mark.parametrize("error", DAEMON_ERRORS, ids=lambda error: error.__name__)
def test_the_catalogue_says_what_the_error_says(error: type[errors.DaemonError]) -> None:
    assert catalog.keys("en")[error.key] == error.sentence


def test_the_flaws_of_a_journal_read_the_same() -> None:
    for key, said in errors.FLAW_SENTENCES.items():
        assert catalog.keys("en")[key] == said


def test_a_mistake_in_a_file_has_its_line_and_the_nearest_key() -> None:
    with pytest.raises(TomlError) as caught:
        parse_config("[table]\nnmae = 'x'\n", "my.toml")
    assert sentence(caught.value, "zh-Hans") == "my.toml 第 2 行第 1 列：没有键 table.nmae。 是否指“name”？"
    assert (
        sentence(caught.value, "en")
        == "my.toml, line 2, column 1: there is no key table.nmae. Did you mean “name”?"
    )


def test_other_errors() -> None:
    assert "没有程序应答" in sentence(NoDaemon("error.no_daemon", path="/s"), "zh-Hans")
    assert sentence(OSError("a\x1b[2J"), "en") == "a␛[2J"
