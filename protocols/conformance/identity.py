"""Who the board says it is, for the head of a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocols.vocabulary import Capability

if TYPE_CHECKING:
    from protocols.conformance.bench import Bench

VENDOR, MODEL, SERIAL, FIRMWARE, HASH_HEAD, HASH_TAIL = range(1, 7)


@dataclass(frozen=True, slots=True)
class Who:
    """The identity of a board as plain data."""

    vendor: str
    model: str
    serial: str
    firmware: str
    firmware_hash: str  # hex, "" = not known
    boot: int
    boot_count: int
    capabilities: tuple[str, ...]
    profiles: tuple[int, ...]
    time_scale: int


def who_of(bench: Bench) -> Who:
    """What the board said of itself."""

    def text(part: int) -> str:
        return bench.identity.get(part, b"").rstrip(b"\0").decode(errors="replace")

    image = bench.identity.get(HASH_HEAD, b"") + bench.identity.get(HASH_TAIL, b"")
    names = tuple(one.name for one in Capability if one in bench.capabilities and one.name)
    return Who(
        vendor=text(VENDOR),
        model=text(MODEL),
        serial=text(SERIAL),
        firmware=text(FIRMWARE),
        firmware_hash=image.hex() if any(image) else "",
        boot=bench.hello.boot if bench.hello is not None else 0,
        boot_count=bench.abilities.boot_count if bench.abilities is not None else 0,
        capabilities=names,
        profiles=tuple(bench.profiles),
        time_scale=bench.scale,
    )
