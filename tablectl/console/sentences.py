"""Any error of the product as a sentence in the reader's language, harmless on a terminal."""

from __future__ import annotations

from tablectl.api.errors import ApiError
from tablectl.daemon.errors import DaemonError
from tablectl.locale.catalog import known, text
from tablectl.tomlfile import TomlError

from .width import clean


def sentence(error: Exception, lang: str) -> str:
    """What went wrong and what to do; an error without a text says what it says."""
    if isinstance(error, ApiError):
        return clean(error.text(lang))
    if isinstance(error, TomlError) and known(error.key):
        said = text(error.key, lang, **error.data())
        if error.nearest:
            said += " " + text("hint.nearest", lang, nearest=error.nearest)
        return clean(said)
    if isinstance(error, DaemonError) and known(error.key):
        return clean(text(error.key, lang, **error.fields))
    return clean(str(error))
