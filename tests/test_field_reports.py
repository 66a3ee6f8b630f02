"""Every field report that concerns what there is has a test that names it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SERIAL = (
    "B001", "B003", "B005", "B007", "B010", "B011", "B012", "B014", "B017", "B020", "B022", "B023", "B025",
    "B027",
)  # fmt: skip
MACHINES = (
    "B028", "B030", "B032", "B033", "B034", "B037", "B039", "B041", "B043", "B046", "B048", "B051", "B053",
    "B055",
)  # fmt: skip
SCORES = ("B069", "B072")
DAEMONS = ("B099", "B101", "B105", "B107", "B109", "B110", "B112", "B113")


def named() -> dict[str, list[str]]:
    """Field report -> the tests that carry its mark."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.report":
                for id_ in node.args:
                    if isinstance(id_, ast.Constant):
                        found.setdefault(str(id_.value), []).append(path.name)
    return found


NAMED = named()


@pytest.mark.parametrize("report", [*SERIAL, *MACHINES, *SCORES, *DAEMONS])
def test_each_field_report_is_guarded_by_a_test(report: str) -> None:
    assert NAMED.get(report), f"no test carries @pytest.mark.report({report!r})"


def test_a_mark_is_spelled_like_a_field_report() -> None:
    assert [id_ for id_ in NAMED if not (id_[:1] == "B" and id_[1:].isdigit() and len(id_) == 4)] == []
