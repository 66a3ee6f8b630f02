"""Drivers of other packages: found by their entry points, loaded when a device names one.

Whatever is wrong with such a package is a ``DriverBroken`` that names it and what mends it; it is raised
where a port is opened, so that the devices of other drivers never notice.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

from protocols.driver import Driver
from protocols.errors import DriverBroken
from protocols.plugin import API, GROUP, Plugin
from protocols.transports.base import Opener

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

LOG = logging.getLogger("tablectl")
REASON = 200  # characters of what a stranger's code says
BUILT_IN = ("atp", "lines", "panel")
CALLS = ("open", "operate", "query", "ask_status", "ask_clock", "stop", "acknowledge", "limits", "close")


@cache
def offered() -> Mapping[str, tuple[EntryPoint, ...]]:
    """The drivers other packages offer, by name; more than one entry point where they want the same name."""
    from importlib.metadata import entry_points  # a table without such drivers does not need it

    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in entry_points(group=GROUP):
        found[entry.name] = (*found.get(entry.name, ()), entry)
    return found


def names() -> list[str]:
    """All names a device may have as its driver."""
    return [*BUILT_IN, *sorted(name for name in offered() if name not in BUILT_IN)]


def is_known(name: str) -> bool:
    """Is there a driver of that name, whether it can be loaded or not? Built-in ones cost no look."""
    return name in BUILT_IN or name in offered()


def plugin(name: str) -> Plugin:
    """The offer of that name. Raises ``DriverBroken``."""
    entries = offered().get(name, ())
    if name in BUILT_IN and entries:
        raise DriverBroken("taken", name, package_of(entries[0]), "tablectl itself")
    if len(entries) > 1:
        first, second = sorted(package_of(entry) for entry in entries)[:2]
        raise DriverBroken("taken", name, first, second)
    (entry,) = entries
    found = _outcome(entry)
    if isinstance(found, DriverBroken):
        raise found.with_traceback(None)
    return found


def preload(name: str) -> None:
    """Load it now, while nothing waits: the event loop is not to read modules in the middle of play."""
    with suppress(DriverBroken):  # said again where its port is opened
        plugin(name)


def forget() -> None:
    """Look anew: packages came or went."""
    offered.cache_clear()
    _outcome.cache_clear()


@cache
def _outcome(entry: EntryPoint) -> Plugin | DriverBroken:
    """What loading it came to, once: a package mended meanwhile counts after a restart."""
    try:
        return _load(entry)
    except DriverBroken as error:
        return error


def _load(entry: EntryPoint) -> Plugin:
    package = package_of(entry)
    try:
        offer = entry.load()
    except Exception as error:  # a stranger's code: anything
        LOG.warning("driver %s of %s", entry.name, package, exc_info=True)
        raise DriverBroken("import", entry.name, package, _said(error)) from error
    if not isinstance(offer, Plugin):
        said = f"{entry.value} is a {type(offer).__name__}, not a Plugin"
        raise DriverBroken("contract", entry.name, package, said)
    if offer.api != API:
        raise DriverBroken("version", entry.name, package, str(offer.api), known=API)
    if not callable(offer.make):
        raise DriverBroken("contract", entry.name, package, "its make cannot be called")
    return offer


def make(name: str, opener: Opener, options: Mapping[str, Any]) -> Driver:
    """A driver of another package for one try to connect. Raises ``DriverBroken``."""
    offer = plugin(name)
    package = package_of(offered()[name][0])
    for option in options:
        if option not in offer.options:
            near = "".join(get_close_matches(option, offer.options, n=1))
            valid = ", ".join(offer.options) or "none"
            raise DriverBroken("option", name, package, option, valid=valid, nearest=near or valid)
    try:
        made = offer.make(opener, options)
    except ValueError as error:
        raise DriverBroken("value", name, package, _said(error)) from error
    except Exception as error:
        LOG.warning("driver %s of %s", name, package, exc_info=True)
        raise DriverBroken("failed", name, package, _said(error)) from error
    missing = [call for call in CALLS if not callable(getattr(made, call, None))]
    if missing:
        said = f"a {type(made).__name__} has no {', '.join(missing)}"
        raise DriverBroken("contract", name, package, said)
    return made


def faults() -> list[DriverBroken]:
    """What is wrong with the packages that are installed, whether a device names them or not."""
    found = []
    for name in sorted(offered()):
        try:
            plugin(name)
        except DriverBroken as error:
            found.append(error)
    return found


def package_of(entry: EntryPoint) -> str:
    """The package an entry point came with, as pip knows it."""
    return entry.dist.name if entry.dist is not None else entry.module.partition(".")[0]


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:REASON]
