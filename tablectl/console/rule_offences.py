"""``tablectl rules offences``: what may go wrong in a system and what it costs; found by what one saw."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from tablectl.locale.catalog import LANGUAGES, text
from tablectl.rules.ladders import costs
from tablectl.rules.offences import Offence
from tablectl.rules.search import Found, find

from . import penalty_words
from .terminal import OK, Terminal
from .typed_rules import typed
from .width import clean, pad, wrap

NAME_CELLS, RULE_CELLS = 25, 9
INDENT = "  "


def offences(args: Namespace) -> int:
    """Print the offences of a rule system, or those that fit what was typed, best first."""
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    ruleset = typed(args.id)
    found = find(ruleset, args.text or "", terminal.lang)
    if args.json:
        terminal.json({"id": ruleset.id, "offences": [_data(one) for one in found]})
    elif not found:
        terminal.say("rules.no_offence", text=args.text)
    for line in [] if args.json else lines(found, terminal):
        terminal.line(clean(line))
    return OK


def lines(found: Sequence[Found], terminal: Terminal) -> Iterator[str]:
    """Each offence: its id, article and name; below what it costs."""
    width = terminal.width - len(INDENT)
    for one in found:
        name, cost = title(one.offence, terminal.lang), cost_of(one.offence, terminal.lang)
        if terminal.plain:
            yield f"{one.id}: {one.offence.rule}; {name}; {cost}"
            continue
        head = pad(one.id, NAME_CELLS) + pad(one.offence.rule, RULE_CELLS)
        first, *more = wrap(name, terminal.width - NAME_CELLS - RULE_CELLS)
        yield head + first
        yield from (" " * (NAME_CELLS + RULE_CELLS) + line for line in more)
        yield from (INDENT + line for line in wrap(cost, width))


def title(offence: Offence, lang: str) -> str:
    """What the offence is called."""
    return offence.zh if lang.startswith("zh") else offence.en


def cost_of(offence: Offence, lang: str) -> str:
    """What it costs, marked where no book says so."""
    mark = f" {text('rules.provisional_mark', lang)}" if offence.provisional else ""
    return penalty_words.offence(costs(offence), lang) + mark


def _data(one: Found) -> dict[str, Any]:
    offence = one.offence
    said = {lang: {"name": title(offence, lang), "costs": cost_of(offence, lang)} for lang in LANGUAGES}
    return {
        "id": one.id,
        "rule": offence.rule,
        "score": round(one.score, 3),
        **costs(offence),
        "provisional": offence.provisional,
        "setting": offence.setting,
        "text": said,
    }
