"""Random and mutated inputs by the million for the decoders of the wire, and how fast that went.

``python -m tests.fuzz.wire [INPUTS] [DECODER…]``; `make fuzz-wire` feeds each ten million.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any, Protocol

from sim.timebase import cpu_seconds
from tests.fuzz import board, box, host, lines, modbus
from tests.fuzz.harnesses import HARNESSES, Harness
from tests.fuzz.mutation import inputs

INPUTS = 10_000_000
LIFE = 200  # inputs of one connection: what comes meets what came before
Feed = Callable[[bytes], None]


class Session(Protocol):
    """What is fed input after input."""

    def feed(self, data: bytes) -> None: ...


def _never(session: Any) -> bool:
    return False


SESSIONS: dict[str, tuple[Callable[[int], Session], Callable[[Any], bool]]] = {  # how made, when it is over
    "host": (lambda n: host.Host(greeted=n % 4 != 0), lambda one: bool(one.session.gone)),
    "board": (lambda n: board.Board(greeted=n % 4 != 0), _never),
    "modbus": (lambda n: modbus.Panel(), lambda one: bool(one.session.gone)),
    "lines": (lambda n: lines.Box(greeted=n % 4 != 0), lambda one: bool(one.session.gone)),
    "box": (lambda n: box.Box(greeted=n % 4 != 0), _never),
}


def long_lived(harness: Harness) -> Feed:
    """Feeds a session input after input; the others keep nothing from one to the next."""
    if harness.name in SESSIONS:
        return _Connections(*SESSIONS[harness.name])
    return harness.one


class _Connections:
    """A new session when the old one is gone, or old."""

    def __init__(self, make: Callable[[int], Session], gone: Callable[[Any], bool]) -> None:
        self._make = make
        self._gone = gone
        self._made = self._fed = 0
        self._session = make(0)

    def __call__(self, data: bytes) -> None:
        self._session.feed(data)
        self._fed += 1
        if self._fed == LIFE or self._gone(self._session):
            self._made, self._fed = self._made + 1, 0
            self._session = self._make(self._made)


def feed(harness: Harness, count: int, seed: int = 1) -> float:
    """Feed that many; returns the processor seconds it took. Raises ``AssertionError`` with the input."""
    one, began = long_lived(harness), cpu_seconds()
    made = inputs(harness.corpus(), Random(f"{seed}/{harness.name}"))
    for number, data in enumerate(islice(made, count), 1):
        try:
            one(data)
        except Exception as error:
            raise AssertionError(f"{harness.name}, input {number} of seed {seed}: {data!r}") from error
    return cpu_seconds() - began


def report(name: str, count: int, seconds: float) -> str:
    """The figure, as a line."""
    return (
        f"{name}: {count:,} inputs, none wrong, {seconds:.0f} s, {count / max(seconds, 1e-9):,.0f} a second"
    )


def main(words: list[str]) -> None:
    """Feed the decoders named, or all of the wire."""
    count = int(words[0]) if words else INPUTS
    names = words[1:] or [name for name, harness in HARNESSES.items() if harness.wire]
    for name in names:
        print(report(name, count, feed(HARNESSES[name], count)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
