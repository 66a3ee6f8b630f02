"""A bench for each test; whatever was started at it is gone when the test is over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.process.rig import Bench, alive


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    with TemporaryDirectory(prefix="bench-") as folder:  # a short path: it holds sockets
        bench = Bench(Path(folder))
        yield bench
        await bench.close()
        assert not [program.pid for program in bench.programs if alive(program.pid)]
