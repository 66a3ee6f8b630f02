"""``tablectl rules``: the rule systems as people read them; two side by side; a house ruleset checked."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from tablectl.api.arguments import one_of
from tablectl.api.errors import BadArgument
from tablectl.locale.catalog import LANGUAGES, text
from tablectl.rules.articles import articles
from tablectl.rules.book import RuleBook, load_book
from tablectl.rules.model import Ruleset
from tablectl.rules.show import differences, rows

from .rule_lines import pair_data, pair_lines, row_data, row_lines
from .terminal import OK, USAGE, Terminal
from .typed_rules import BadRulesFile, house, typed
from .width import clean


def list_(args: Namespace) -> int:
    """Print the rule systems, a line each."""
    book, terminal = load_book(), _terminal(args)
    if args.json:
        terminal.json({"rulesets": [_entry(book, ruleset) for ruleset in book.values()]})
        return OK
    for ruleset in book.values():
        entry = _entry(book, ruleset)
        title = f"{entry['zh']} · {entry['en']}"
        parts = [text("rules.list_line", args.lang, id=ruleset.id, title=title, tiles=entry["tiles"])]
        if entry["extends"]:
            parts.append(text("rules.list_base", args.lang, base=entry["extends"]))
        if entry["provisional"]:
            parts.append(text("rules.list_provisional", args.lang, count=entry["provisional"]))
        terminal.line(clean(" · ".join(parts)))
    return OK


def show(args: Namespace) -> int:
    """Print a rule system, or only what no book gives."""
    ruleset, terminal = typed(args.id), _terminal(args)
    found = rows(ruleset, args.provisional)
    if args.json:
        terminal.json({"id": ruleset.id, "values": [row_data(row) for row in found]})
        return OK
    terminal.line(_title(ruleset))
    _print(terminal, row_lines(found, terminal))
    return OK


def diff(args: Namespace) -> int:
    """Print where two rule systems differ, side by side."""
    terminal = _terminal(args)
    left, right = typed(args.left), typed(args.right)
    found = differences(left, right)
    if args.json:
        terminal.json({"left": left.id, "right": right.id, "differences": [pair_data(one) for one in found]})
        return OK
    if not found:
        terminal.say("rules.same", left=left.id, right=right.id)
    else:
        _print(terminal, pair_lines(found, left.id, right.id, terminal))
    return OK


def check(args: Namespace) -> int:
    """Check a house ruleset: what it changes, or the first thing wrong with it (exit code 2)."""
    terminal = _terminal(args)
    try:
        book, id_ = house(args.file)
    except BadRulesFile as error:
        if args.json:
            said = {lang: error.text(lang) for lang in LANGUAGES}
            terminal.json({"ok": False, "key": error.key, **error.wrong.data(), "text": said})
        else:
            terminal.complain(f"tablectl: {error.text(args.lang)}")
        return USAGE
    base = book.base(id_)
    found = differences(book[base], book[id_], origins=True) if base else []
    if args.json:
        changes = [pair_data(one) for one in found]
        terminal.json({"ok": True, "id": id_, "extends": base, "changes": changes})
        return OK
    key = "rules.whole" if not base else "rules.changed" if found else "rules.nothing_changed"
    terminal.line(clean(text(key, args.lang, source=args.file, base=base, count=len(found))))
    _print(terminal, pair_lines(found, base, id_, terminal))
    return OK


def article(args: Namespace) -> int:
    """Print in a line what a rule is about."""
    terminal = _terminal(args)
    known = articles()
    id_ = next((known_id for known_id in known if known_id.casefold() == args.id.casefold()), "")
    if not id_:
        near = one_of(args.id, known, "bad.article").nearest
        raise BadArgument("bad.article", nearest=near, given=args.id)
    if args.json:
        terminal.json({"id": id_, "text": {lang: known[id_].text(lang) for lang in LANGUAGES}})
    else:
        terminal.line(f"{id_}  {known[id_].text(args.lang)}")
    return OK


def _terminal(args: Namespace) -> Terminal:
    return Terminal(args.lang, plain=args.plain, as_json=args.json)


def _entry(book: RuleBook, ruleset: Ruleset) -> dict[str, Any]:
    return {
        "id": ruleset.id,
        "zh": ruleset.name.zh,
        "en": ruleset.name.en,
        "tiles": ruleset.wall.tiles.value,
        "extends": book.base(ruleset.id),
        "provisional": len(rows(ruleset, provisional_only=True)),
    }


def _print(terminal: Terminal, lines: Iterable[str]) -> None:
    for line in lines:
        terminal.line(clean(line))


def _title(ruleset: Ruleset) -> str:
    return clean(f"{ruleset.id} · {ruleset.name.zh} · {ruleset.name.en}")
