"""The list on the simulated bus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sim.usb.bus import SimBus
from sim.usb.checks.bench import Bench, Outcome
from sim.usb.checks.lists import run


def simulated() -> dict[str, Outcome]:
    """What comes of each call."""
    bus = SimBus()

    @contextmanager
    def nobody() -> Iterator[None]:
        devices = [place.device for place in bus.places()]
        for device in devices:
            device.forbidden = True
        try:
            yield
        finally:
            for device in devices:
                device.forbidden = False

    bench = Bench(bus, bus, nobody)
    run(bench)
    assert not bus.handles, "the list left a handle open"
    return bench.outcomes
