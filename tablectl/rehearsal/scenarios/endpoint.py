"""What an endpoint is: one way to a board, what there is at its end, and what can be made to go wrong.

    class MyEndpoint:
        name, about, virtual = "my board", "what carries it", False
        capabilities = Capability.DICE | …        # exactly what its hello says; checked in each run
        traits, levers = frozenset({Trait.MOTION}), frozenset({Lever.UNPLUG})

        def missing(self) -> str: return ""

        @asynccontextmanager
        async def open(self, seed, speed):
            yield my_table                        # a ``Table``; afterwards nothing of it is left

A table runs in the host's loop, in a thread or in another process; with ``virtual`` it is opened under
virtual time (``sim.timebase.run_virtual``) and may wait on the event loop only.

With two things more an endpoint is opened, and its column played, inside a guest (``away``):

        modules = ("vhci_hcd", "cdc_acm")         # of the guest's kernel

        @asynccontextmanager
        async def around(self, guest):            # here, for as long as the guest runs
            yield ["-device", …]                  # what QEMU is to give it
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from protocols.driver import Driver
from protocols.vocabulary import Capability
from sim.guest.machine import Guest


class Trait(StrEnum):
    """What is at the end beside what a hello tells."""

    MOTION = "motion"  # walls that are built and raised
    PEOPLE = "people"  # four who push tiles in, throw, deal and play


class Lever(StrEnum):
    """What can be made to happen; ``amount`` as each says."""

    UNPLUG = "unplug"  # the cable is out for `amount` real seconds, 0 = until PLUG; the board lives on
    PLUG = "plug"  # the cable is put in again
    REBOOT = "reboot"  # the board loses its power for a moment
    LOSE_ANSWER = "lose_answer"  # the next answer to an order is lost, its motion has begun
    LOSE_EVENTS = "lose_events"  # events are lost on the way for `amount` real seconds
    CLOCK_JUMP = "clock_jump"  # the board's clock leaps by `amount` seconds, either way
    JAM = "jam"  # a tile jams in the build that runs or is next, until MEND
    MEND = "mend"  # somebody puts right what jams, and presses the keys only he can press
    KEY = "key"  # the player at side `amount` presses his key *discard*
    CHATTER = "chatter"  # the line carries what means nothing: texts, rubbish


@dataclass(frozen=True, slots=True)
class Truth:
    """What the hardware itself knows, whatever its board says."""

    moving: bool  # something moves now, or will as soon as people are ready
    begun: int  # orders (or presses) of the host that set something in motion so far
    twice: tuple[str, ...] = ()  # what an order set in motion more than once


class Table(Protocol):
    """One opened endpoint."""

    speed: int  # table seconds a real second, as far as this endpoint can hurry

    @property
    def present(self) -> Callable[[], bool] | None:
        """Whether the port is there; None where only opening can tell."""

    def driver(self) -> Driver:
        """A driver for one try to connect."""

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        """Let something happen; returns once it has begun."""

    async def truth(self) -> Truth:
        """What the hardware knows now."""

    async def settle(self) -> None:
        """Return when nothing of a closed driver is left at the port."""


class Endpoint(Protocol):
    """A column of the matrix."""

    name: str
    about: str  # a sentence for the page
    virtual: bool
    capabilities: Capability  # what its board's hello says
    traits: frozenset[Trait]
    levers: frozenset[Lever]

    def missing(self) -> str:
        """What this computer lacks to open it, in words; empty if nothing."""

    def open(self, seed: int, speed: int) -> AbstractAsyncContextManager[Table]:
        """A fresh table, plugged in and switched on."""


@runtime_checkable
class Away(Endpoint, Protocol):
    """A column that is played in a guest: ``open`` is called there, ``missing`` and ``around`` here."""

    modules: Sequence[str]  # of its kernel, loaded before anything runs

    def around(self, guest: Guest) -> AbstractAsyncContextManager[Sequence[str]]:
        """What this computer does for it as long as it runs: yields the devices QEMU gives it. ``guest`` is
        booted afterwards; ``guest.up`` says when."""
