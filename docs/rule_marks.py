"""Which tests name which rule: ``@pytest.mark.rule("…")``, read from the sources without running them.

A mark whose rule is written in a table (``pytest.param(*row, marks=pytest.mark.rule(row[3]))``) names every
id in the literals its loop goes through; a mark made of anything else names nothing that can be read here.
Scenarios name their rules in their files.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

RULE = re.compile(r"(?:MCR|ZJ|CJ|WH)-[A-Z]\d+b?")
Marks = dict[str, set[str]]  # rule -> "tests/….py::test_name"


def marks(folder: Path) -> Marks:
    """Every rule that a test below the folder names, with those tests."""
    found: Marks = {}
    for path in sorted(folder.rglob("test_*.py")):
        place = path.relative_to(folder.parent).as_posix()
        for test, rule in of_module(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(rule, set()).add(f"{place}::{test}")
    for path in sorted((folder / "scenarios").glob("*.toml")):
        place = path.relative_to(folder.parent).as_posix()
        for scenario in tomllib.loads(path.read_text(encoding="utf-8"))["scenario"]:
            for rule in scenario["articles"]:
                found.setdefault(rule, set()).add(f"{place}::{scenario['id']}")
    return found


def of_module(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(test, rule) of a module; marks of a class, or of the whole module, are marks of its tests."""
    values = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    whole = list(_rules([values["pytestmark"]], values)) if "pytestmark" in values else []
    yield from _of_body(tree.body, whole, values)


def _of_body(
    body: list[ast.stmt], around: list[str], values: dict[str, ast.expr]
) -> Iterator[tuple[str, str]]:
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        rules = [*around, *_rules(node.decorator_list, values)]
        if isinstance(node, ast.ClassDef):
            yield from _of_body(node.body, rules, values)
        elif node.name.startswith("test_"):
            yield from ((node.name, rule) for rule in rules)


def _rules(decorators: list[ast.expr], values: dict[str, ast.expr]) -> Iterator[str]:
    """The rules of the marks among decorators, and in the tables these go through."""
    for decorator in decorators:
        for node in _reached(decorator, values):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                yield from _named(node)
            elif isinstance(node, ast.ListComp | ast.GeneratorExp) and _marks_rule(node.elt):
                for generator in node.generators:
                    yield from _ids(_reached(generator.iter, values))


def _reached(node: ast.expr, values: dict[str, ast.expr]) -> list[ast.AST]:
    """Every node below, and below the module's own values that are named there."""
    nodes = list(ast.walk(node))
    for name in {one.id for one in nodes if isinstance(one, ast.Name)} & set(values):
        nodes += _reached(values[name], {key: value for key, value in values.items() if key != name})
    return nodes


def _marks_rule(element: ast.expr) -> bool:
    """True if the element of a loop is marked by a rule that is not spelled out there."""
    calls = [
        call
        for call in ast.walk(element)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule"
    ]
    return any(not list(_named(call)) for call in calls)


def _named(call: ast.Call) -> Iterator[str]:
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value


def _ids(nodes: list[ast.AST]) -> Iterator[str]:
    """The rule ids among the literals of a table."""
    for one in nodes:
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and RULE.fullmatch(one.value):
            yield one.value
