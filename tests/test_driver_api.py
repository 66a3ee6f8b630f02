"""What driver packages import: one module, whose docstring lists all that is in it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from protocols.driver import Driver
from tablectl import driver_api
from tablectl.daemon.plugins import CALLS

TEMPLATE = Path(__file__).parent.parent / "docs/driver-template"
IMPORT = re.compile(r"^\s*(?:from|import) +(tablectl|protocols|sim)\b([\w.]*)", re.MULTILINE)


def test_the_docstring_lists_every_name_and_no_other() -> None:
    listed = re.findall(r"``([A-Za-z_]+)``", driver_api.__doc__ or "")
    assert sorted(listed) == sorted(driver_api.__all__)
    assert all(hasattr(driver_api, name) for name in driver_api.__all__)


def test_the_template_imports_nothing_else_of_ours() -> None:
    for module in TEMPLATE.glob("*.py"):
        assert {"".join(found) for found in IMPORT.findall(module.read_text("utf-8"))} == {
            "tablectl.driver_api"
        }, module


def test_a_driver_package_does_not_load_the_daemon() -> None:
    code = "import sys, tablectl.driver_api; print([m for m in sys.modules if m.startswith('tablectl.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['tablectl.driver_api']"


def test_what_is_asked_of_a_driver_is_the_contract() -> None:
    public = {name for name, value in vars(Driver).items() if callable(value) and name[0] != "_"}
    assert set(CALLS) == public
