"""Noise does what its numbers say, and the same again from the same seed."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from sim.endpoints.noise import Lag, Noise
from sim.timebase import run_virtual

SENT = bytes(range(256)) * 200


def test_calm_lines_change_nothing() -> None:
    assert Noise(Random(1))(SENT) == [SENT]


@pytest.mark.parametrize(("damage", "drop"), [(0.002, 0.001), (0.02, 0.01)])
def test_rates_and_counts(damage: float, drop: float) -> None:
    noise = Noise(Random("rates"))
    noise.damage, noise.drop = damage, drop
    (arrived,) = noise(SENT)
    assert len(arrived) == len(SENT) - noise.bytes_dropped
    assert noise.bytes_dropped / len(SENT) == pytest.approx(drop, rel=0.4)
    assert noise.bytes_damaged / len(SENT) == pytest.approx(damage, rel=0.4)
    again = Noise(Random("rates"))
    again.damage, again.drop = damage, drop
    assert again(SENT) == [arrived]


def test_pieces_and_silence() -> None:
    noise = Noise(Random(1))
    noise.pieces = 3
    assert noise(b"abcdefgh") == [b"abc", b"def", b"gh"]
    noise.deaf = True
    assert noise(b"abc") == []


def test_late_pieces_keep_their_order_and_a_pause_loses_nothing() -> None:
    async def main() -> list[tuple[float, bytes]]:
        loop = asyncio.get_running_loop()
        noise = Noise(Random(4))
        arrived: list[tuple[float, bytes]] = []
        lag = Lag(noise, lambda data: arrived.append((loop.time(), data)))
        noise.jitter = 0.02
        for number in range(50):
            lag.send(bytes([number]))
        noise.jitter = 0.0
        lag.pause(2.0)
        lag.send(b"last")
        done = loop.create_future()
        loop.call_later(5.0, done.set_result, None)
        await done
        return arrived

    arrived = run_virtual(main())
    assert [data for _, data in arrived] == [bytes([number]) for number in range(50)] + [b"last"]
    assert 0 < arrived[49][0] <= 0.02
    assert arrived[50][0] == pytest.approx(2.0)
