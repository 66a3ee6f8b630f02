"""What happens to the host while a table is played: killed, its power cut, its disk full.

One sentence each, like a fault plan's: ``at record 120: kill``. They can be left out one by one, so a failing
script can be shrunk.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from tablectl.rehearsal.room import Room

SENTENCE = re.compile(r"at record (\d+): (kill|power cut|disk full)(?: (\d+))?")
RATES = {"kill": 1 / 400, "power cut": 1 / 400, "disk full": 1 / 3000}  # per record
LONGEST_TEAR = 400  # bytes of an unsynced write that reached the disk
LONGEST_DOWN = 8  # seconds until somebody has freed the disk; consoles give up after ten


class HostScriptError(ValueError):
    """A sentence that is not one of the host's."""


@dataclass(frozen=True, slots=True)
class Blow:
    """One thing that happens to the host after record ``record``."""

    record: int
    kind: str
    amount: int = 0  # torn bytes of a power cut, seconds of a full disk

    @classmethod
    def parse(cls, text: str) -> Blow:
        """Read a sentence. Raises ``HostScriptError``."""
        match = SENTENCE.fullmatch(text.strip())
        if match is None:
            raise HostScriptError(f"{text!r} is not of the form «at record N: kill|power cut B|disk full S»")
        return cls(int(match[1]), match[2], int(match[3] or 0))

    def __str__(self) -> str:
        return f"at record {self.record}: {self.kind}" + (f" {self.amount}" if self.amount else "")


def chance(seed: int, records: int) -> list[Blow]:
    """Blows by chance, from the seed, for a journal of up to so many records."""
    rng = Random(f"{seed}/host")
    found = []
    for record in range(2, records):
        for kind, rate in RATES.items():
            if rng.random() < rate:
                most = {"power cut": LONGEST_TEAR, "disk full": LONGEST_DOWN}.get(kind, 0)
                found.append(Blow(record, kind, rng.randint(1, most) if most else 0))
    return found


class Host:
    """Deals the blows in a room, each once; ``counts`` says how many of each kind."""

    def __init__(self, blows: Iterable[Blow]) -> None:
        self._waiting = sorted(blows, key=lambda blow: blow.record)
        self._busy = False
        self.counts: Counter[str] = Counter()

    def after(self, room: Room, n: int) -> None:
        """Record ``n`` was applied."""
        if self._waiting and self._waiting[0].record <= n and not self._busy:
            blow = self._waiting.pop(0)
            self._busy = True
            self.counts[blow.kind] += 1
            room.loop.create_task(self._deal(room, blow))

    async def _deal(self, room: Room, blow: Blow) -> None:
        try:
            if blow.kind == "disk full":
                room.journal.fail(OSError(28, "No space left on device"))
            down = float(blow.amount) if blow.kind == "disk full" else 0.0
            await room.kill(down, blow.amount if blow.kind == "power cut" else 0)
        finally:
            self._busy = False
