"""Nobody's file is replaced or removed by a name given for a port or a socket."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from sim.endpoints.pty import PtyEndpoint
from sim.errors import EndpointError


@pytest.mark.process
@pytest.mark.parametrize("name", ["table", "table.new"])
def test_a_file_in_the_way_is_left_alone(tmp_path, name):
    (tmp_path / name).write_text("precious")

    async def attach() -> None:
        end = PtyEndpoint(tmp_path / "table", Random(1))
        try:
            with pytest.raises(EndpointError, match="no link to a port"):
                end.attach(lambda data: None)
        finally:
            end.close()

    asyncio.run(attach())
    assert (tmp_path / name).read_text() == "precious"
