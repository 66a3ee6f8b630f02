"""Every rule a ruleset cites is a rule there is, and a test names it; the coverage page is made from that."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tablectl.rules.articles import articles, kind
from tablectl.rules.book import load_book
from tablectl.rules.data import read
from tablectl.rules.show import rows
from tablectl.tomllines import places_of

ROOT = Path(__file__).parents[2]
BOOK = load_book()
CITED = sorted({row.rule for id_ in BOOK for row in rows(BOOK[id_]) if row.section != "machine"})
PLAYED = ("W", "C", "D", "F")  # kinds of rules of which each must have a test
HOW_MANY = {  # rules of each kind in the four rule books
    "MCR": {"W": 8, "D": 2, "T": 4, "C": 9, "S": 16, "P": 18, "E": 8},
    "ZJ": {"W": 13, "C": 23, "S": 15, "T": 8, "F": 6, "P": 30},
    "CJ": {"F": 10, "W": 4, "T": 2, "D": 1, "C": 5, "S": 11, "P": 10},
    "WH": {"W": 6, "D": 2, "C": 17, "S": 10, "T": 1, "P": 1},
}


def page_module(name: str) -> ModuleType:
    """A module of docs/, which is a folder of scripts and no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rule_marks = page_module("rule_marks")
NAMED = rule_marks.marks(ROOT / "tests")


@pytest.fixture
def coverage(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The maker of the page, which finds its neighbour by name."""
    monkeypatch.setitem(sys.modules, "rule_marks", rule_marks)
    return page_module("rules_coverage")


def owed(rule: str) -> bool:
    """True if a test must name the rule now; rules of time and penalties follow with their part."""
    return kind(rule) in PLAYED or (rule.startswith("MCR-") and kind(rule) == "S")


@pytest.mark.parametrize("rule", CITED)
def test_a_rule_that_a_ruleset_cites_is_one(rule: str) -> None:
    assert rule in articles()


@pytest.mark.parametrize("rule", [rule for rule in CITED if owed(rule)])
def test_a_rule_that_a_ruleset_cites_is_named_by_a_test(rule: str) -> None:
    assert NAMED.get(rule), f'no test carries @pytest.mark.rule("{rule}")'


def test_no_test_names_a_rule_that_there_is_not() -> None:
    ids = {rule for rule in NAMED if rule_marks.RULE.fullmatch(rule)}
    assert ids - set(articles()) == set()


def test_the_list_is_complete_and_in_the_order_of_the_books() -> None:
    counted: dict[str, dict[str, int]] = {}
    for rule in articles():
        prefix = rule.partition("-")[0]
        kinds = counted.setdefault(prefix, {})
        kinds[kind(rule)] = kinds.get(kind(rule), 0) + 1
    assert counted == HOW_MANY
    assert [path[0] for path in places_of(read("articles.toml")) if len(path) == 1] == list(articles())


@pytest.mark.parametrize("rule", articles())
def test_an_article_is_a_line_in_each_language(rule: str) -> None:
    article = articles()[rule]
    assert 8 < len(article.en) < 130
    assert 3 < len(article.zh) < 60
    assert re.search(r"[\u4e00-\u9fff]", article.zh)
    assert not re.search(r"[\u4e00-\u9fff]", article.en)
    assert not article.en.endswith(".")


MARKED = """
import pytest
ROWS = [("x", "MCR-W1"), ("y", "ZJ-C1")]
MORE = {"z": ["CJ-F1"]}
pytestmark = [pytest.mark.rule("WH-W1")]

@pytest.mark.rule("MCR-C1")
@pytest.mark.rule("MCR-C2")
def test_plain(): ...

@pytest.mark.parametrize("a", [pytest.param(*row, marks=pytest.mark.rule(row[1])) for row in ROWS])
def test_table(a): ...

@pytest.mark.parametrize("a", [pytest.param(1, marks=pytest.mark.rule("MCR-T1")), "MCR-T2"])
async def test_one_of_them(a): ...

@pytest.mark.parametrize("a", [row for row in ROWS])
def test_no_mark(a): ...

@pytest.mark.rule("MCR-D1")
class TestClass:
    def test_inside(self): ...
    def helper(self): ...

@pytest.mark.rule("MCR-P1")
def helper(): ...
"""


def test_marks_are_found_in_the_sources() -> None:
    found: dict[str, set[str]] = {}
    for test, rule in rule_marks.of_module(ast.parse(MARKED)):
        found.setdefault(test, set()).add(rule)
    assert found == {
        "test_plain": {"WH-W1", "MCR-C1", "MCR-C2"},
        "test_table": {"WH-W1", "MCR-W1", "ZJ-C1"},
        "test_one_of_them": {"WH-W1", "MCR-T1"},
        "test_no_mark": {"WH-W1"},
        "test_inside": {"WH-W1", "MCR-D1"},
    }


def test_what_is_collected_is_what_is_read() -> None:
    """The table of a test module next door, as pytest sees it and as the sources say it."""
    from tests.rules.test_books import VALUES

    read_there = {rule for rule, tests in NAMED.items() if any("test_books.py" in test for test in tests)}
    assert read_there == {row[3] for row in VALUES}


def test_a_rule_only_compared_is_not_called_covered(coverage: ModuleType) -> None:
    article = articles()["ZJ-W4"]
    compared = {"tests/rules/test_books.py::test_a"}
    assert coverage.status("ZJ-W4", article, compared) == "value only"
    assert coverage.status("ZJ-W4", article, {*compared, "tests/game/test_seating.py::test_b"}) == "covered"
    assert coverage.status("ZJ-W4", article, set()) == "not yet: at the table"
    assert coverage.status("ZJ-P4", article, set()) == "not yet: time and penalties"
    assert coverage.status("ZJ-F6", articles()["ZJ-F6"], set()) == "says nothing of play"


def test_the_page_has_a_row_for_every_rule(coverage: ModuleType) -> None:
    page = coverage.page("")
    assert re.findall(r"^\| ((?:MCR|ZJ|CJ|WH)-\w+) \|", page, re.MULTILINE) == list(articles())
    (row,) = re.findall(r"^\| ZJ-W7 .*$", page, re.MULTILINE)
    assert "`wall.dead_tiles`" in row
    assert "rules/test_books.py: `test_a_ruleset_says_what_its_rules_say`" in row
