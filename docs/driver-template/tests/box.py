"""The other end, made of software: what the box would answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tablectl_knockbox import frame, unframe


class Box:
    """One box on a line; ``write`` sends to the host. Without ``mute`` it repeats knocks every second."""

    def __init__(self, write: Callable[[bytes], None], serial: str = "K-0001", boot: int = 7) -> None:
        self._write = write
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._buffer = b""
        self._knocks: list[tuple[int, int, int]] = []  # number, ms, button; not yet recorded by the host
        self._count = 0
        self._timer: asyncio.TimerHandle | None = None
        self.serial, self.boot = serial, boot
        self.mute = False

    def received(self, data: bytes) -> None:
        """Bytes of the host."""
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for words in map(unframe, lines):
            if words[:1] == ["WHO"]:
                self._say("IAM", self.serial, "1.2", self.boot)
            elif words[:1] == ["ASK"]:
                self._say("NOW", words[1], self._ms(), self._count)
            elif words[:1] == ["GOT"]:
                self._knocks = [knock for knock in self._knocks if knock[0] > int(words[1])]

    def knock(self, button: int) -> None:
        """Somebody knocks."""
        self._count += 1
        self._knocks.append((self._count, self._ms(), button))
        self._repeat()

    def close(self) -> None:
        """Switch it off."""
        self.mute = True
        if self._timer is not None:
            self._timer.cancel()

    def _repeat(self) -> None:
        for knock in self._knocks:
            self._say("HIT", *knock)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(1.0, self._repeat) if self._knocks else None

    def _say(self, *words: object) -> None:
        if not self.mute:
            self._write(frame(*words))

    def _ms(self) -> int:
        return round((self._loop.time() - self._began) * 1000)
