"""A ruleset with some of its named settings chosen otherwise: ``mcr.mixed_kong=6``."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import msgspec

from tablectl.rules.errors import HandError
from tablectl.rules.model import Ruleset, Score

DIGITS = 9  # of a number that any setting could have


def changed(rules: Ruleset, choices: Sequence[str]) -> Ruleset:
    """The ruleset under these choices of its score section.

    Raises `HandError` for a setting it does not have or a value that is not offered.
    """
    if not choices:
        return rules
    score: dict[str, Any] = msgspec.to_builtins(rules.score)
    named = {rule["setting"]: rule for rule in score.values() if isinstance(rule, dict) and rule["setting"]}
    for choice in choices:
        name, _, value = (part.strip() for part in choice.partition("="))
        if name not in named:
            near = next(iter(get_close_matches(name, named, n=1)), "")
            sentence = f"{name!r} is no setting of the score in {rules.id}"
            raise HandError("score.no_setting", sentence, setting=name, rules=rules.id, nearest=near)
        section = _with(score, named[name], value, type(rules.score))
        if section is None:
            sentence = f"{name} cannot be {value!r}"
            raise HandError("score.no_value", sentence, setting=name, value=value)
        rules = msgspec.structs.replace(rules, score=section)
    return rules


def _with(score: dict[str, Any], rule: dict[str, Any], written: str, kind: type[Score]) -> Score | None:
    """The section with that value, read as a number, a truth or a word, as its kind allows; None for none."""
    plain: list[Any] = [written == "true"] if written in ("true", "false") else []
    plain += [int(written)] if written.isdecimal() and len(written) <= DIGITS else []
    for value in (*plain, written):
        rule["value"] = value
        try:
            return msgspec.convert(score, kind)
        except msgspec.ValidationError:
            continue
    return None
