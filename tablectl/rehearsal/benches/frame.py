"""A message to bytes and back, beside the time those bytes take on a wire of 115200 baud."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.endpoint import Endpoint
from protocols.driver import Counters
from protocols.vocabulary import EventKind, Source
from sim.timebase import wall_seconds
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, Samples

BAUD, BITS = 115_200, 10  # start, eight data, stop
SHARE = 0.015  # of the wire's time
LIMIT_S = 40e-6
# An event with one tile: 33 bytes on the wire, 31 of them between delimiters.
MESSAGE = m.Event(
    123_456, 987_654_321_000, EventKind.TILE_DISCARDED, 2, Source.SENSOR, 0, bytes((17, 0, 0, 0))
)


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure: both directions of one frame together."""
    board, host = Endpoint("board", Counters()), Endpoint("host", Counters())
    board.send(MESSAGE)
    wire_s = len(board.drain()) * BITS / BAUD
    samples = Samples()
    for _ in range(lab.sizes.rounds):
        samples.begin()
        for _ in range(lab.sizes.frames):
            began = wall_seconds()
            board.send(MESSAGE)
            found = host.feed(board.drain())
            samples.add(wall_seconds() - began)
            assert found == [MESSAGE]
    return [
        Row("bench.frame", at, samples.at(share), beside=wire_s, bound=SHARE, limit=LIMIT_S)
        for at, share in (("p50", 0.5), ("p99", 0.99))
    ]
