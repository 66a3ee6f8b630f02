"""Any error of the product as a sentence in the reader's language, harmless on a terminal."""

from __future__ import annotations

from protocols.errors import PortBusy, ProtocolError
from tablectl.api.errors import ApiError
from tablectl.daemon.errors import DaemonError
from tablectl.locale.catalog import known, text
from tablectl.tomlfile import TomlError

from .width import clean


def sentence(error: Exception, lang: str) -> str:
    """What went wrong and what to do; an error without a text says what it says."""
    if isinstance(error, ApiError | TomlError):
        return clean(error.text(lang))
    if isinstance(error, DaemonError | ProtocolError) and known(error.key):
        nameless = isinstance(error, PortBusy) and not error.pid
        return clean(text(f"{error.key}_by_somebody" if nameless else error.key, lang, **error.fields))
    return clean(str(error))
