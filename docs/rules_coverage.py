"""docs/rules-coverage.md: every rule, the values of the rulesets that cite it, the tests that name it."""

from __future__ import annotations

from pathlib import Path

import rule_marks

from tablectl.rules.articles import Article, articles, kind
from tablectl.rules.book import load_book
from tablectl.rules.show import rows

ROOT = Path(__file__).parent.parent
SYSTEMS = {"MCR": "mcr", "ZJ": "zungjung", "CJ": "ccm", "WH": "wuhan"}
# Which part of the work a kind of rule belongs to.
PARTS = {
    "W": "at the table",
    "C": "at the table",
    "D": "at the table",
    "F": "at the table",
    "S": "scoring",
    "T": "time and penalties",
    "P": "time and penalties",
    "E": "time and penalties",
}
# These compare the data of a ruleset with the rule, and no behaviour.
BOOKS = ("tests/rules/test_book.py::", "tests/rules/test_books.py::")

HEAD = """\
# Rules, data, tests

{note}
Every rule of the four systems: the values of the rulesets that cite it (`tablectl rules show`), and the tests
that name it with `@pytest.mark.rule`. *Covered*: a test of what happens names it. *Value only*: tests
compare its number in the ruleset with the rule, and nothing else yet. *Not yet*: no test names it; beside it
stands the part of the work it belongs to. What a rule is about: `tablectl rules article ID`.

"""


def page(note: str) -> str:
    """The whole page."""
    named, cited = rule_marks.marks(ROOT / "tests"), citations()
    parts = [HEAD.format(note=note), *summary(named), ""]
    for prefix, id_ in SYSTEMS.items():
        parts += [f"## {load_book()[id_].name.en} ({prefix})", ""]
        parts += ["| rule | about | data | tests | status |", "|---|---|---|---|---|"]
        for rule, article in articles().items():
            if rule.startswith(prefix + "-"):
                parts.append(row(rule, article, cited.get(rule, []), named.get(rule, set())))
        parts.append("")
    return "\n".join(parts)


def citations() -> dict[str, list[str]]:
    """The keys of the rulesets that cite each rule."""
    book, found = load_book(), {}
    for id_ in SYSTEMS.values():
        for one in rows(book[id_]):
            also = book[id_].offences[one.field].also if one.section == "offences" else ()
            for rule in filter(None, (one.rule, *also)):
                found.setdefault(rule, []).append(f"{one.section}.{one.field}")
    return found


def status(rule: str, article: Article, tests: set[str]) -> str:
    """How far a rule is guarded."""
    if article.note:
        return "says nothing of play"
    if any(not test.startswith(BOOKS) for test in tests):
        return "covered"
    return "value only" if tests else f"not yet: {PARTS[kind(rule)]}"


def summary(named: rule_marks.Marks) -> list[str]:
    """How many rules of each part are guarded, and how."""
    lines = ["| part | covered | value only | not yet |", "|---|---|---|---|"]
    for part in dict.fromkeys(PARTS.values()):
        found = [
            status(rule, article, named.get(rule, set())).partition(":")[0]
            for rule, article in articles().items()
            if PARTS[kind(rule)] == part
        ]
        counts = (str(found.count(word)) for word in ("covered", "value only", "not yet"))
        lines.append(f"| {part} | {' | '.join(counts)} |")
    return lines


def row(rule: str, article: Article, keys: list[str], tests: set[str]) -> str:
    """A line of the table; tests are grouped by file."""
    files: dict[str, list[str]] = {}
    for test in sorted(tests):
        path, _, name = test.partition("::")
        files.setdefault(path.removeprefix("tests/"), []).append(f"`{name}`")
    said = "; ".join(f"{path}: {', '.join(names)}" for path, names in files.items())
    data = ", ".join(f"`{key}`" for key in keys)
    return f"| {rule} | {article.en} | {data or '–'} | {said or '–'} | {status(rule, article, tests)} |"
