"""Noise on a line, from a seed: bytes damaged or lost, bytes late, pieces cut, silence."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random

BITS = 8


class Noise:
    """Changes what travels in one direction, and counts what it did.

    ``damage`` and ``drop`` are probabilities a byte; a damaged byte has one bit turned over. ``jitter`` is
    the most a piece is late, seconds. ``pieces`` cuts what arrives into pieces of at most that many bytes.
    ``deaf`` loses everything.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.damage = 0.0
        self.drop = 0.0
        self.jitter = 0.0
        self.pieces = 0
        self.deaf = False
        self.bytes_damaged = 0
        self.bytes_dropped = 0

    @property
    def calm(self) -> bool:
        """True while bytes pass unchanged."""
        return not (self.damage or self.drop or self.pieces or self.deaf)

    def late(self) -> float:
        """How late the next piece is."""
        return self._rng.uniform(0.0, self.jitter) if self.jitter else 0.0

    def __call__(self, data: bytes) -> list[bytes]:
        """The pieces that arrive."""
        if self.calm:
            return [data]
        if self.deaf:
            self.bytes_dropped += len(data)
            return []
        if self.damage or self.drop:
            data = self._spoil(data)
        if not self.pieces:
            return [data] if data else []
        return [data[start : start + self.pieces] for start in range(0, len(data), self.pieces)]

    def _spoil(self, data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            chance = self._rng.random()
            if chance < self.drop:
                self.bytes_dropped += 1
            elif chance < self.drop + self.damage:
                self.bytes_damaged += 1
                out.append(byte ^ 1 << self._rng.randrange(BITS))
            else:
                out.append(byte)
        return bytes(out)


class Lag:
    """Delivers pieces in order, each late as its noise says, and none during a pause."""

    def __init__(self, noise: Noise, deliver: Callable[[bytes], None]) -> None:
        self._noise = noise
        self._deliver = deliver
        self._free_at = 0.0
        self._waiting: deque[bytes] = deque()

    def pause(self, seconds: float) -> None:
        """Nothing passes for so long; it is late, not lost."""
        self._free_at = asyncio.get_running_loop().time() + seconds

    def send(self, data: bytes) -> None:
        """Take bytes on."""
        if not (self._free_at or self._waiting or self._noise.jitter):  # never late so far
            self._deliver(data)
            return
        loop = asyncio.get_running_loop()
        at = max(self._free_at, loop.time() + self._noise.late())
        if not self._waiting and at <= loop.time():
            self._deliver(data)
            return
        self._free_at = at
        self._waiting.append(data)
        loop.call_at(at, self._next)

    def _next(self) -> None:
        self._deliver(self._waiting.popleft())
