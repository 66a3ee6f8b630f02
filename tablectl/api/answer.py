"""The answer to a command as every surface gets it: the outcome and its sentences in all languages."""

from __future__ import annotations

from typing import Any

from tablectl.locale import catalog

from .core import Answer
from .spec import CommandSpec

DEFAULT_KEYS = {"accepted": "answer.accepted", "pending": "answer.pending", "refused": "answer.refused"}


def complete(spec: CommandSpec, args: dict[str, Any], answer: Answer, n: int, at: int) -> dict[str, Any]:
    """The answer of record ``n`` with its ``text``, and ``help`` where the catalogue has some."""
    outcome, key = answer["outcome"], answer.get("key", "")
    data = answer.get("data", {})
    fields = {"needs": f"role.{spec.role}", **args, "command": spec.name, **data}
    sentence = key or DEFAULT_KEYS[outcome]
    full = {
        "outcome": outcome,
        "record": n,
        "at": at,
        "key": key,
        "data": data,
        "text": {lang: catalog.text(sentence, lang, **fields) for lang in catalog.LANGUAGES},
    }
    hint = f"{sentence}_help"
    if catalog.known(hint):
        full["help"] = {lang: catalog.text(hint, lang, **fields) for lang in catalog.LANGUAGES}
    return full
