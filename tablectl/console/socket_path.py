"""Where the daemon of this user listens, found without reading the configuration in the usual case.

The rule is the daemon's own (``tablectl.daemon.config``); a test holds the two together.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

SERVICE_SOCKET = "/run/tablectl/api.sock"
NAME = "api.sock"


def find_socket(asked: str, environ: Mapping[str, str]) -> str:
    """The socket asked for, or the first that is there, or the one a daemon started now would make."""
    if asked:
        return asked
    places = list(_places(environ))
    for path in places:
        if os.path.exists(path):
            return path
    return _configured(environ) or places[0]


def _places(environ: Mapping[str, str]) -> Iterator[str]:
    if service := environ.get("RUNTIME_DIRECTORY", "").split(":")[0]:
        yield os.path.join(service, NAME)
    if os.path.isabs(runtime := environ.get("XDG_RUNTIME_DIR", "")):
        yield os.path.join(runtime, "tablectl", NAME)
    if service := environ.get("STATE_DIRECTORY", "").split(":")[0]:
        yield os.path.join(service, NAME)
    state = environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.join(environ.get("HOME", "/"), ".local", "state")
    yield os.path.join(state, "tablectl", NAME)
    yield SERVICE_SOCKET


def _configured(environ: Mapping[str, str]) -> str:
    """The socket the configuration names; slow, so only when nothing else is there."""
    from tablectl.daemon.config import Overrides, load_settings
    from tablectl.daemon.errors import DaemonError
    from tablectl.tomlfile import TomlError

    try:
        return str(load_settings(Overrides(), environ).socket)
    except (DaemonError, TomlError):  # what is wrong with the configuration is the daemon's to say
        return ""
