"""What can go wrong between a program and the API: each error is a text key and its fields."""

from __future__ import annotations

from typing import Any

from tablectl.locale import catalog


class ApiError(Exception):
    """Base: ``key`` names the sentence, ``data`` fills it, ``nearest`` is the valid word that was meant."""

    def __init__(self, key: str, /, *, nearest: str = "", **data: Any) -> None:
        super().__init__(key)
        self.key = key
        self.data = data
        self.nearest = nearest

    def text(self, lang: str) -> str:
        """The sentence in one language."""
        sentence = catalog.text(self.key, lang, **self.data)
        if self.nearest:
            sentence += " " + catalog.text("hint.nearest", lang, nearest=self.nearest)
        return sentence

    def texts(self) -> dict[str, str]:
        """The sentence in every language."""
        return {lang: self.text(lang) for lang in catalog.LANGUAGES}

    def __str__(self) -> str:
        return self.text("en")


class BadArgument(ApiError):
    """A request that could never be carried out as written: an unknown word, a missing or wrong argument."""


class RequestError(ApiError):
    """A line that is not a request the API knows; ``code`` is the JSON-RPC one."""

    def __init__(self, code: int, key: str, /, *, nearest: str = "", **data: Any) -> None:
        super().__init__(key, nearest=nearest, **data)
        self.code = code


class NoDaemon(ApiError):
    """Nobody answers at the socket, or no longer."""


class SocketError(ApiError):
    """The server cannot listen at its path."""


class AnsweredError(ApiError):
    """The daemon answered with an error: ``sentences`` are its own, by language."""

    def __init__(self, code: int, message: str, sentences: dict[str, str], key: str = "") -> None:
        super().__init__(key or "error.answered")
        self.code = code
        self.message = message
        self.sentences = sentences

    @classmethod
    def read(cls, error: dict[str, Any]) -> AnsweredError:
        """From the ``error`` object of a JSON-RPC reply."""
        data = error.get("data")
        said = data if isinstance(data, dict) else {}
        sentences = said.get("text")
        key = said.get("key")
        return cls(
            error.get("code", 0),
            str(error.get("message", "")),
            sentences if isinstance(sentences, dict) else {},
            key if isinstance(key, str) else "",
        )

    def text(self, lang: str) -> str:
        """The daemon's sentence."""
        return str(self.sentences.get(lang, self.message))
