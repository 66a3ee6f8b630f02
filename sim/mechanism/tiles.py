"""Real tiles: two sets with backs of different colours."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.vocabulary import TILE_NAMES

BACKS = ("A", "B")
FLOWERS = tuple(name for name in TILE_NAMES if name.startswith("f"))
KINDS = tuple(name for name in TILE_NAMES if name and name not in FLOWERS)
HONOURS = frozenset("ESWNCFP")
COPIES = 4
PLAIN = len(KINDS) * COPIES  # a set without flowers: 136
FULL = PLAIN + len(FLOWERS)  # 144


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """One piece of plastic. Two tiles are the same only if they are the same piece."""

    name: str
    back: str
    copy: int

    def __repr__(self) -> str:
        return f"{self.back}:{self.name}#{self.copy}"


def make_set(back: str) -> list[Tile]:
    """A whole set as it comes in its box: four of each kind and the eight flowers."""
    plain = [Tile(name, back, copy) for name in KINDS for copy in range(COPIES)]
    return plain + [Tile(name, back, 0) for name in FLOWERS]


def make_spare(back: str) -> Tile:
    """A piece that lies in the box in case another gets lost."""
    return Tile(KINDS[0], back, COPIES)


def in_use(tile: Tile, profile: int) -> bool:
    """True when the tile belongs to a game of ``profile`` tiles: flowers only in the full set."""
    return profile >= FULL or tile.name not in FLOWERS
