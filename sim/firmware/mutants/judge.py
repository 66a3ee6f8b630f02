"""Judges sources by the conformance suite, by the traces beside the Python twin, and by a command.

The firmware as it is comes first: what notices something of that one would notice it of every fault, and what
it uses of the processor says how long a faulty one may run.
"""

from __future__ import annotations

import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from sim.errors import SimError
from sim.firmware.board import Boot, hosted
from sim.firmware.build import OTHER_SOURCE, SOURCE, BuildError, library
from sim.firmware.conform import Broke, check, stop_at_first
from sim.firmware.differing import Lived, differences, live
from sim.firmware.lockstep import load
from sim.firmware.mutants import child
from sim.firmware.mutants.child import Ended, NotRunError
from sim.firmware.mutants.operators import Mutant
from sim.firmware.sides import CompiledSide, TwinSide
from sim.firmware.traces import TRACES

LINK = ("-O1", "-w")
HANGS = 6  # times the processor time of the firmware as it is: one that takes longer hangs
LEAST_S = 5  # and never less: a short look is measured badly
WHO = {"conformance": "the conformance suite", "traces": "the traces", "tests": "the command"}
Look = Callable[[Path, int], Ended]  # a file for what is said, and seconds of processor time, 0 = any


class BaselineError(SimError):
    """The firmware as it is does not pass unnoticed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one fault. ``by`` whom it was noticed, "" for nobody; ``why``: what told of it."""

    mutant: Mutant
    by: str
    why: str = ""
    seed: int = 0


class Judge:
    """``kept``: a folder for what is compiled; ``then``: the command, which finds the sources by its
    environment."""

    def __init__(self, kept: Path, then: Sequence[str] = ()) -> None:
        self._kept = kept
        self._then = list(then)
        self.limits_s: dict[str, int] = {}  # of processor time, by look

    def begin(self) -> None:
        """Judge the firmware as it is, and measure it. Raises ``BaselineError``."""
        for name in TRACES:
            twin(name)
        with _copied() as folder:
            for name, look in self._looks(folder / "src", folder):
                try:
                    ended = look(folder / name, 0)
                    why = ended.noticed()
                except NotRunError as error:
                    raise BaselineError(
                        f"{WHO[name]} cannot be run on the firmware as it is ({error}), so it could not "
                        "tell a fault either. Mend that first."
                    ) from None
                if why:
                    raise BaselineError(
                        f"The firmware as it is is noticed by {WHO[name]} ({why}), which would notice every "
                        "fault as well. Mend that first."
                    )
                self.limits_s[name] = max(LEAST_S, math.ceil(HANGS * ended.used_s))

    def judge(self, mutant: Mutant) -> Outcome | None:
        """Compile and try one; None where the compiler refuses it. Raises ``NotRunError``."""
        with _copied() as folder:
            mutant.plant(folder / "src")
            try:
                looks = list(self._looks(folder / "src", folder))
            except BuildError:
                return None
            for name, look in looks:
                try:
                    why = look(folder / name, self.limits_s[name]).noticed()
                except NotRunError as error:
                    raise NotRunError(f"{WHO[name]} could not be run on {mutant}: {error}") from None
                if why:
                    return Outcome(mutant, name, why)
        return Outcome(mutant, "")

    def _looks(self, sources: Path, folder: Path) -> Iterator[tuple[str, Look]]:
        """By name, one after another. Raises ``BuildError``."""
        boot = partial(hosted, code=load(library(sources, flags=LINK, cache=self._kept)))
        yield "conformance", partial(child.look, partial(suite, boot))
        yield "traces", partial(child.look, partial(traces, boot))
        if self._then:
            environment = {**os.environ, OTHER_SOURCE: str(sources), "TMPDIR": str(folder)}
            yield "tests", partial(child.command, self._then, environment)


@contextmanager
def _copied() -> Iterator[Path]:
    """A folder with a copy of the sources in it, ``src``; nothing of it is left."""
    folder = Path(tempfile.mkdtemp(prefix="tablectl-mutant-"))
    try:
        shutil.copytree(SOURCE, folder / "src")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def suite(boot: Boot) -> str:
    """The first requirement that is broken."""
    try:
        check(boot, told=stop_at_first)
    except Broke as broke:
        return str(broke)
    return ""


def traces(boot: Boot) -> str:
    """The first trace by which it can be told from the twin."""
    for name, trace in TRACES.items():
        if differences(live(lambda seed: CompiledSide(seed, boot), trace), twin(name)):
            return name
    return ""


@cache
def twin(name: str) -> Lived:
    """What the twin makes of a trace."""
    return live(TwinSide, TRACES[name])
