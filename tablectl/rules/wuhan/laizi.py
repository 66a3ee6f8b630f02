"""Which tiles are wild in this hand: the laizi after the indicator, and the pi (WH-W2, WH-W3)."""

from __future__ import annotations

from tablectl.rules import tiles
from tablectl.rules.errors import HandError
from tablectl.rules.wuhan.catalog import kinds
from tablectl.rules.wuhan.settings import ScoreSettings

RED = "C"  # 红中
NUMBERS = len(tiles.NUMBERS)


def laizi_of(indicator: str, settings: ScoreSettings) -> tuple[str, ...]:
    """The wild kinds an indicator tile names: the next of its kind, 9 before 1 (WH-W2).

    With two wild kinds the second is the next of the first. Raises `HandError` for a tile that names none.
    """
    found: list[str] = []
    tile = indicator
    for _ in range(settings.laizi_kinds):
        tile = _beside(tile, 1, settings)
        found.append(tile)
    return tuple(found)


def pi_of(indicator: str, settings: ScoreSettings) -> tuple[str, ...]:
    """The pi kinds (皮): the indicator's and the one before it; none unless played with (WH-W3).

    红中 has its own kong and is never a pi. Raises `HandError` for a tile that names none.
    """
    if not settings.pi:
        return ()
    return tuple(tile for tile in (indicator, _beside(indicator, -1, settings)) if tile != RED)


def _beside(tile: str, step: int, settings: ScoreSettings) -> str:
    if tile not in tiles.KINDS:
        raise HandError("hand.no_tile", f"{tile!r} is no tile of a hand", tile=tile)
    if suit := tiles.suit(tile):
        return f"{(tiles.number(tile) - 1 + step) % NUMBERS + 1}{suit}"
    cycle = kinds().cycle
    beside = cycle[(cycle.index(tile) + step) % len(cycle)]
    if beside == RED and settings.laizi_next == "skip_zhong":
        return _beside(beside, step, settings)
    return beside
