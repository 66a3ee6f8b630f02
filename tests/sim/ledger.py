"""Keeps the books of a hand from identity events alone, and objects to anything impossible."""

from __future__ import annotations

from collections import Counter

from protocols.driver import BoardEvent
from protocols.vocabulary import EventKind, Meld, SeatKey, WallEnd
from sim.customs import INTERNATIONAL, Customs

DEALT = 53


class Ledger:
    """What every side holds, as the events say it. Flowers and one-tile kongs count nowhere."""

    def __init__(self, tiles: int = 144, customs: Customs = INTERNATIONAL) -> None:
        self.tiles = tiles
        self.customs = customs
        self.tail = 0  # tiles taken from the tail
        self.indicator = ""
        self.laid: Counter[str] = Counter()  # one-tile kongs
        self.last: list[int] = []  # who drew one of the last tiles, for a win alone
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
        acts = (EventKind.TILE_DISCARDED, EventKind.MELD_SHOWN)
        assert not (self.last and event.kind in acts), "only a win follows the last tiles"
        match event.kind:
            case EventKind.TILE_DRAWN:
                self.hands[event.side][event.tiles[0]] += 1
                if self.live <= 0:
                    self._draw_last(event.side, WallEnd(event.value))
                    return
                self.drawn += 1
                self.tail += event.value == WallEnd.TAIL
                self.last_draw = (event.side, WallEnd(event.value))
                if self.in_play:
                    self._draw(event.side, WallEnd(event.value))
            case EventKind.TILE_DISCARDED:
                self._remove(event.side, event.tiles)
                assert not self._is_one_of(event.tiles[0], self.customs.forbidden)
                self.in_play, self.turn = True, event.side
                self.open = (event.side, event.tiles[0])
                self.discards += 1
                self._sizes()
            case EventKind.MELD_SHOWN:
                self._meld(event.side, Meld(event.value), event.tiles)
            case EventKind.SEAT_KEY if event.value == SeatKey.WIN:
                self.wins.append(event.side)

    @property
    def standing(self) -> int:
        """Tiles of the wall."""
        return self.tiles - self.drawn - (self.indicator != "")

    @property
    def live(self) -> int:
        """Tiles of the wall that may be drawn in turn."""
        kept = self.customs.dead_tiles + self.customs.draw_only
        return self.standing - kept + (self.tail % 2 if self.customs.tail_parity else 0)

    @property
    def wild(self) -> tuple[str, ...]:
        return self.customs.wild_of(self.indicator) if self.indicator else ()

    @property
    def drawn_out(self) -> bool:
        """True when nobody may draw any more."""
        return self.live <= 0 and len(self.last) == self.customs.draw_only

    def _is_one_of(self, tile: str, listed: tuple[str, ...]) -> bool:
        return tile in listed or ("wild" in listed and tile in self.wild)

    def _draw_last(self, side: int, end: WallEnd) -> None:
        assert self.open is not None
        assert (side, end) == ((self.open[0] + 1 + len(self.last)) % 4, WallEnd.HEAD)
        assert len(self.last) < self.customs.draw_only
        self.drawn += 1
        self.last.append(side)

    def _turn_up(self, tile: str) -> None:
        assert self.customs.indicator == "head"
        assert (self.drawn, self.indicator, self.in_play) == (DEALT, "", False)
        self.indicator = tile

    def _lay_alone(self, side: int, tile: str) -> None:
        assert self._is_one_of(tile, self.customs.singles)
        assert self.live > 0
        assert self.last_draw is not None
        assert not self.in_play or side == self.last_draw[0], "only in the own turn, after a draw"
        assert self.turn in (side, -1)
        self._remove(side, (tile,))
        self.laid[tile] += 1
        self.turn = side

    def _draw(self, side: int, end: WallEnd) -> None:
        if end is WallEnd.HEAD:
            assert self.open is not None
            assert side == (self.open[0] + 1) % 4
        else:
            assert side == self.turn
        self.open, self.turn = None, side

    def _meld(self, side: int, meld: Meld, tiles: tuple[str, ...]) -> None:
        if meld is Meld.INDICATOR:
            self._turn_up(tiles[0])
        elif meld is Meld.SINGLE_KONG:
            self._lay_alone(side, tiles[0])
        elif meld is Meld.FLOWER:
            assert self.live > 0  # a flower that nothing can replace is kept
            self._remove(side, tiles)
        elif meld in (Meld.CHOW, Meld.PUNG, Meld.KONG):
            assert self.open is not None
            last = [key.name for key in self.customs.last_discard]
            assert self.live > 0 or meld.name in last  # the last discard
            assert not self._is_one_of(self.open[1], self.customs.unclaimable)
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
            assert self.live > 0  # no kong on the last tile
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
