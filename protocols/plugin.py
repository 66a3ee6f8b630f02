"""What a package from outside registers so that its driver can be named in a configuration.

The package has an entry point of the group ``tablectl.drivers``; its name is the driver's, what it leads to
is a ``Plugin``. Nothing is loaded before a device asks for that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from protocols.driver import Driver
from protocols.transports.base import Opener

GROUP = "tablectl.drivers"
API = 1  # version of the contract; another one is refused with a sentence

Options = Mapping[str, Any]
"""What stands under ``options`` of the device: text, numbers, lists, tables."""

Make = Callable[[Opener, Options], Driver]
"""Makes a driver for one try to connect. Opens nothing; raises ``ValueError`` with a sentence for an option
that makes no sense."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A driver package's offer. ``api`` is the version of the contract it is written for, a literal there."""

    api: int
    protocol: str  # what the protocol is called, for people
    make: Make
    options: tuple[str, ...] = ()  # the names its device may have under ``options``
