"""A process of its own for each look: it may crash, or run for ever, and what it used is measured."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sim.errors import SimError

CLEAN, NOTICED, NOT_RUN = 0, 1, 127  # exit codes, also a test runner's
FROM_OUTSIDE = (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)  # says nothing of the firmware


class NotRunError(SimError):
    """A look that could not be made: it says nothing, of whatever it was to look at."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child came to its end. ``code``: its exit code, or a signal's number below zero."""

    code: int
    said: str
    used_s: float  # processor time, its own children's included

    def noticed(self) -> str:
        """What it noticed first; empty when nothing. Raises ``NotRunError``."""
        if self.code == CLEAN:
            return ""
        lines = [line for line in self.said.splitlines() if line.strip()]
        if self.code < 0 and -self.code not in FROM_OUTSIDE:
            return f"it ends with {signal.Signals(-self.code).name}"
        if self.code != NOTICED:
            how = f"exit code {self.code}" if self.code > 0 else signal.Signals(-self.code).name
            raise NotRunError(": ".join([how, *lines[-1:]]))
        told = [line for line in lines if line.startswith(("FAILED", "ERROR "))] or lines
        return told[0].split("::")[-1].split(" - ")[0] if told else "it says so"


def look(act: Callable[[], str], said: Path, limit_s: int = 0) -> Ended:
    """Do in a child what returns what it notices; ``limit_s`` of processor time, 0 = as it likes."""

    def inside() -> int:
        try:
            told = act()
        except BaseException as error:
            if isinstance(error, OSError) and error.errno is not None:  # this computer's, not the firmware's
                raise
            told = type(error).__name__
        said.write_text(told, encoding="utf-8")
        return NOTICED if told else CLEAN

    return _child(inside, said, limit_s)


def command(words: list[str], environment: dict[str, str], said: Path, limit_s: int = 0) -> Ended:
    """The same with a program: it has noticed something if it ends as a test runner does whose test fails."""

    def inside() -> int:
        with said.open("wb") as file:
            os.dup2(file.fileno(), 1)
        try:
            os.execvpe(words[0], words, environment)
        except OSError as error:
            said.write_text(f"{words[0]}: {error.strerror}", encoding="utf-8")
        return NOT_RUN

    return _child(inside, said, limit_s)


def _child(inside: Callable[[], int], said: Path, limit_s: int) -> Ended:
    child = os.fork()
    if not child:
        code = NOT_RUN
        try:
            if limit_s:
                resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))  # the first one tells why
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, 1)
            os.dup2(devnull, 2)
            code = inside()
        except BaseException as error:
            with suppress(OSError):
                said.write_text(str(error) or type(error).__name__, encoding="utf-8")
        finally:
            os._exit(code)
    _, status, used = os.wait4(child, 0)
    told = said.read_text(encoding="utf-8", errors="replace") if said.exists() else ""
    return Ended(os.waitstatus_to_exitcode(status), told, used.ru_utime + used.ru_stime)
