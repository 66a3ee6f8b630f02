"""Without a C compiler nothing here can be tested; then it says so."""

from __future__ import annotations

import pytest

from sim.firmware.build import compiler


@pytest.fixture(autouse=True, scope="session")
def c_compiler() -> None:
    if compiler() is None:
        pytest.skip("no C compiler: install gcc")
