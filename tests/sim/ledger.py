"""Keeps the books of a hand from identity events alone, and objects to anything impossible."""

from __future__ import annotations

from collections import Counter

from protocols.driver import BoardEvent
from protocols.vocabulary import EventKind, Meld, SeatKey, WallEnd


class Ledger:
    """What every side holds, as the events say it. Flowers laid open count nowhere."""

    def __init__(self, tiles: int = 144) -> None:
        self.tiles = tiles
        self.hands: list[Counter[str]] = [Counter() for _ in range(4)]
        self.melds: list[list[tuple[str, ...]]] = [[] for _ in range(4)]
        self.drawn = 0
        self.open: tuple[int, str] | None = None
        self.added = ""
        self.discards = 0
        self.wins: list[int] = []
        self.kongs: Counter[Meld] = Counter()
        self.last_draw: tuple[int, WallEnd] | None = None
        self.in_play = False
        self.turn = -1

    def take(self, event: BoardEvent) -> None:
        """Book one event."""
        match event.kind:
            case EventKind.TILE_DRAWN:
                self.hands[event.side][event.tiles[0]] += 1
                self.drawn += 1
                self.last_draw = (event.side, WallEnd(event.value))
                if self.in_play:
                    self._draw(event.side, WallEnd(event.value))
            case EventKind.TILE_DISCARDED:
                self._remove(event.side, event.tiles)
                self.in_play, self.turn = True, event.side
                self.open = (event.side, event.tiles[0])
                self.discards += 1
                self._sizes()
            case EventKind.MELD_SHOWN:
                self._meld(event.side, Meld(event.value), event.tiles)
            case EventKind.SEAT_KEY if event.value == SeatKey.WIN:
                self.wins.append(event.side)

    def _draw(self, side: int, end: WallEnd) -> None:
        if end is WallEnd.HEAD:
            assert self.open is not None
            assert side == (self.open[0] + 1) % 4
        else:
            assert side == self.turn
        self.open, self.turn = None, side

    def _meld(self, side: int, meld: Meld, tiles: tuple[str, ...]) -> None:
        if meld is Meld.FLOWER:
            assert self.drawn < self.tiles  # a flower that nothing can replace is kept
            self._remove(side, tiles)
        elif meld in (Meld.CHOW, Meld.PUNG, Meld.KONG):
            assert self.open is not None
            assert self.drawn < self.tiles  # the last discard is for a win alone
            discarder, claimed = self.open
            assert side != discarder
            assert meld is not Meld.CHOW or side == (discarder + 1) % 4
            own = Counter(tiles) - Counter([claimed])
            assert sum(own.values()) == len(tiles) - 1
            self._remove(side, tuple(own.elements()))
            self.melds[side].append(tiles)
            self.open, self.turn = None, side
            self.kongs[meld] += meld is Meld.KONG
        else:
            assert self.drawn < self.tiles  # no kong on the last tile
            assert self.turn == side or not self.in_play
            self.turn = side
            self.kongs[meld] += 1
            if meld is Meld.ADDED_KONG:
                self.melds[side].remove((tiles[0],) * 3)
                self._remove(side, tiles[:1])
            else:
                self._remove(side, tiles)
            self.melds[side].append(tiles)

    def _remove(self, side: int, tiles: tuple[str, ...]) -> None:
        assert not Counter(tiles) - self.hands[side], (side, tiles, self.hands[side])
        self.hands[side] -= Counter(tiles)

    def _sizes(self) -> None:
        """After a discard everybody holds thirteen, a kong counting as three."""
        for hand, melds in zip(self.hands, self.melds, strict=True):
            assert hand.total() + 3 * len(melds) == 13
