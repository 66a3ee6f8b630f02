"""One line of a batch answered: a question with the fields of `tablectl score`, or a line of a list of cases.

A line of a list is known by its fields and answered in the form of its ``expected``, by the packed rules:
``discards`` (Zung Jung payments), ``event`` or ``events`` (CCM), ``hand_text`` with ``players`` (Wuhan) or
without (MCR), and a Zung Jung hand with an ``id``. Everything else is a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tablectl.rules import systems
from tablectl.rules.ccm import lines as ccm
from tablectl.rules.errors import HandError
from tablectl.rules.mcr import lines as mcr
from tablectl.rules.model import Ruleset
from tablectl.rules.scoring.asked import Asked
from tablectl.rules.scoring.choices import changed
from tablectl.rules.scoring.plain import plain
from tablectl.rules.wuhan import lines as wuhan
from tablectl.rules.zungjung import lines as zungjung

# Of a Zung Jung hand in a list; a question about one has no id, or fields these lines do not have.
HAND = frozenset(
    ("id", "rules", "tiles", "seat", "self_draw", "wall_last", "kong", "heaven", "earth", "kept_apart",
     "setting", "expected", "equal_reading", "why")
)  # fmt: skip


def answer(
    line: Any, book: Mapping[str, Ruleset], defaults: Mapping[str, Any], *, explain: bool = False
) -> dict[str, Any]:
    """The answer to a line; ``defaults`` are the fields a question need not repeat.

    Raises `HandError` for a question that cannot be answered; a refused line of a list says so itself.
    """
    if not isinstance(line, dict):
        raise HandError("line.form", "the line is no object with fields")
    if "discards" in line:
        return zungjung.answer(line)
    if "event" in line or "events" in line:
        return ccm.answer(line)
    if "hand_text" in line:
        return wuhan.answer(line) if "players" in line else mcr.answer(line)
    if line.get("rules") == "zungjung" and "id" in line and line.keys() <= HAND:
        return zungjung.answer(line)
    try:
        asked = msgspec.convert({**defaults, **line}, Asked)
    except msgspec.ValidationError as error:
        raise HandError("line.field", f"the line cannot be read: {error}", reason=str(error)) from None
    rules = changed(named(asked.rules, book), asked.settings)
    return plain(systems.score(asked, rules), rules, explain=explain)


def named(id_: str, book: Mapping[str, Ruleset]) -> Ruleset:
    """The ruleset of that id. Raises `HandError`."""
    if id_ not in book:
        raise HandError("line.rules", f"{id_!r} is no ruleset", rules=id_, valid=" ".join(book))
    return book[id_]
