"""The conformance suite as tests: ``pytest --hil=PORT`` has one item a requirement, and no other.

A plug-in for pytest: ``tests/conftest.py`` loads it, elsewhere ``-p tablectl.console.hil_pytest`` does. The
suite is run once, when the first item is. pytest can ask nobody, so nothing moves without ``--hil-yes``.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from protocols.conformance.evidence import Result, Verdict
from protocols.conformance.settings import Settings
from protocols.errors import ProtocolError

REPORT = pytest.StashKey[dict[str, Result]]()


class NotKept(Exception):
    """A requirement the board does not keep."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the suite."""
    group = parser.getgroup("hil", "conformance of a board (tablectl hil)")
    group.addoption("--hil", metavar="PORT", help="check the board at this port, and run no other test")
    group.addoption("--hil-yes", action="store_true", help="the table may move")
    group.addoption("--hil-baud", type=int, default=115_200, help="speed of the port")
    group.addoption("--hil-only", default="", help="only these requirements, commas between them")
    group.addoption("--hil-lang", default="en", help="language of the evidence")


def pytest_configure(config: pytest.Config) -> None:
    """The marks of its items, which another project does not know."""
    config.addinivalue_line("markers", "process: starts real processes, ptys or sockets in real time")
    if not config.pluginmanager.hasplugin("timeout"):
        config.addinivalue_line("markers", "timeout(seconds): how long it may take, 0 = as long as it likes")


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """With a board to check, no file is read for tests."""
    return True if config.getoption("hil") else None


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[Any]) -> None:
    """One item a requirement where a board is to be checked."""
    if config.getoption("hil"):
        items[:] = [Item.from_parent(session, name=id) for id in sorted(_chosen(config))]


class Item(pytest.Item):
    """One requirement."""

    def __init__(self, **of: Any) -> None:
        super().__init__(**of)
        self.add_marker(pytest.mark.timeout(0))  # the first one waits for all
        self.add_marker(pytest.mark.process)

    def runtest(self) -> None:
        """Tell what the suite says of it. Raises ``NotKept``."""
        from .hil_words import why

        result = _report(self.config)[self.name]
        said = why(result, self.config.getoption("hil_lang"))
        if result.verdict is Verdict.NOT_APPLICABLE:
            pytest.skip(said)
        if result.verdict is Verdict.FAILED:
            raise NotKept(said)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """The sentence of SPEC.md and what was seen; no traceback, for nothing went wrong here."""
        if not isinstance(excinfo.value, NotKept):
            return str(super().repr_failure(excinfo, style))
        return f"{self.reportinfo()[2]}\n{excinfo.value}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the requirement stands, and what it says."""
        from protocols.atp.requirements import requirements
        from protocols.atp.spec import SPEC

        said = requirements()[self.name].said(self.config.getoption("hil_lang"))
        return SPEC, 0, f"{self.name}: {said}"


def _chosen(config: pytest.Config) -> frozenset[str]:
    """The requirements asked for, all where none is named."""
    from protocols.atp.requirements import requirements
    from tablectl.api.errors import BadArgument

    from .hil import chosen_ids

    try:
        return chosen_ids(config.getoption("hil_only")) or frozenset(requirements())
    except BadArgument as error:
        raise pytest.UsageError(error.text(config.getoption("hil_lang"))) from None


def _report(config: pytest.Config) -> dict[str, Result]:
    """What the suite says, run once a session."""
    if REPORT not in config.stash:
        from .hil import check
        from .sentences import sentence

        port, baud = config.getoption("hil"), config.getoption("hil_baud")
        settings = Settings(motion=config.getoption("hil_yes"), baud=baud, only=_chosen(config))
        try:
            report = asyncio.run(check(port, baud, settings))
        except ProtocolError as error:
            pytest.exit(sentence(error, config.getoption("hil_lang")), pytest.ExitCode.USAGE_ERROR)
        config.stash[REPORT] = {result.requirement: result for result in report.results}
    return config.stash[REPORT]
