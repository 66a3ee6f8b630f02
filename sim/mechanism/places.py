"""Where every tile physically is. Tiles only ever move; ``assert_conserved`` proves it.

A wall is four rows of stacks, one row a side. Stack 0 of a row is the right-most as seen from that side's
seat and the index grows to the left, which is clockwise round the table: taking tiles clockwise walks one
row upwards and goes on with stack 0 of side ``(side - 1) % 4``. A stack lists its tiles from the felt up, so
the last one lies on top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum

from protocols.vocabulary import SIDES
from sim.errors import ConservationError
from sim.mechanism.tiles import BACKS, FLOWERS, Tile, in_use, make_set, make_spare

Stack = list[Tile]
Row = list[Stack]
TILES_A_STACK = 2
FLOWERS_A_SET = len(FLOWERS)


class Place(StrEnum):
    """The places a tile can be in."""

    BOX = "box"  # the case beside the table
    DRUM = "drum"
    STORE = "store"  # the walls under the felt
    TOP = "top"  # the walls on the felt
    HAND = "hand"
    POOL = "pool"
    MELD = "meld"  # laid open, flowers too
    TABLE = "table"  # loose on the felt
    JAM = "jam"  # stuck where no tile should be: a head, a slot, the chain
    UNDER = "under"  # under the table
    FLOOR = "floor"


def empty_walls() -> list[Row]:
    return [[] for _ in SIDES]


def tiles_of(walls: list[Row]) -> Iterator[Tile]:
    return (tile for row in walls for stack in row for tile in stack)


def stacks_of(walls: list[Row]) -> tuple[int, int, int, int]:
    """Stacks still standing on each side."""
    east, south, west, north = (sum(1 for stack in row if stack) for row in walls)
    return east, south, west, north


class Places:
    """The tiles of both sets. Set A starts loose on the felt, set B in its box."""

    def __init__(self, profile: int) -> None:
        sets = {back: make_set(back) for back in BACKS}
        self._all = [tile for tiles in sets.values() for tile in tiles]
        self.table: list[Tile] = [tile for tile in sets["A"] if in_use(tile, profile)]
        self.box: list[Tile] = [tile for tile in self._all if tile not in self.table]
        self.drum: list[Tile] = []
        self.store: list[Row] = empty_walls()
        self.top: list[Row] = empty_walls()
        self.hands: list[list[Tile]] = [[] for _ in SIDES]
        self.pools: list[list[Tile]] = [[] for _ in SIDES]
        self.melds: list[list[Tile]] = [[] for _ in SIDES]
        self.jammed: list[Tile] = []
        self.lost: dict[Place, list[Tile]] = {Place.UNDER: [], Place.FLOOR: []}
        self.overlooked: list[Tile] = []  # nobody pushes these in: forgotten ones, and spares in the box
        self.strays: list[Tile] = []  # of the other set, below the felt by mistake

    # what the players move

    def take(self, side: int, row: int, index: int) -> Tile:
        """The upper tile of a stack on the felt goes into the hand of ``side``."""
        tile = self.top[row][index].pop()
        self.hands[side].append(tile)
        return tile

    def turn_up(self, row: int, index: int) -> Tile:
        """The upper tile of a stack is laid face up on the felt."""
        tile = self.top[row][index].pop()
        self.table.append(tile)
        return tile

    def discard(self, side: int, name: str) -> Tile:
        """A tile of the hand goes into the pool."""
        tile = _pick(self.hands[side], name)
        self.pools[side].append(tile)
        return tile

    def lay_open(self, side: int, names: tuple[str, ...]) -> None:
        """Tiles of the hand are laid open beside it."""
        for name in names:
            self.melds[side].append(_pick(self.hands[side], name))

    def claim(self, side: int, discarder: int) -> Tile:
        """The newest tile of the discarder's pool joins the open tiles of ``side``."""
        tile = self.pools[discarder].pop()
        self.melds[side].append(tile)
        return tile

    def push_in(self, profile: int, *, adding: bool = False) -> int:
        """People push one set through the open centre into the drum; returns how many tiles the drum holds.

        The set is the one the store does not hold; ``adding`` = the one being built, for tiles it lacks.
        Flowers go to or come from the box as ``profile`` says. What they overlook stays where it is.
        """
        back = self.set_being_built() if adding else self.set_to_load()
        for heap in self._on_felt():
            self.drum += [tile for tile in heap if self._goes_in(tile, back)]
            heap[:] = [tile for tile in heap if not self._goes_in(tile, back)]
        boxed = [tile for tile in self.box if self._goes_in(tile, back)] + self.drum
        self.box = [tile for tile in self.box if not self._goes_in(tile, back)]
        self.drum = [tile for tile in boxed if tile in self.strays or in_use(tile, profile)]
        self.box += [tile for tile in boxed if tile not in self.strays and not in_use(tile, profile)]
        return len(self.drum)

    def _goes_in(self, tile: Tile, back: str) -> bool:
        return tile.back == back and not (self.overlooked and tile in self.overlooked)

    def forget(self, tile: Tile, where: Place) -> Place:
        """A tile on the felt will be overlooked: it stays in its meld, or falls under the table or down."""
        self.overlooked.append(tile)
        if where is Place.MELD and any(tile in heap for heap in self.melds):
            return Place.MELD
        where = where if where in self.lost else Place.FLOOR
        next(heap for heap in self._on_felt() if tile in heap).remove(tile)
        self.lost[where].append(tile)
        return where

    def found(self, tile: Tile) -> None:
        """Somebody has it and lays it on the felt."""
        self.overlooked.remove(tile)
        for heap in self.lost.values():
            if tile in heap:
                heap.remove(tile)
                self.table.append(tile)

    def stray_in(self, into: str) -> Tile:
        """A tile of the other set gets into the drum with set ``into``: one that lies about, or a spare."""
        back = BACKS[1 - BACKS.index(into)]
        heap = next((heap for heap in (self.box, self.table) if any(one.back == back for one in heap)), None)
        if heap is not None:
            tile = next(one for one in heap if one.back == back)
            heap.remove(tile)
        else:
            tile = make_spare(back)
            self._all.append(tile)
            self.overlooked.append(tile)  # once found it goes into the box and stays there
        self.drum.append(tile)
        self.strays.append(tile)
        return tile

    def sort_out(self, tile: Tile) -> bool:
        """Take a stray out of the drum, or out from where it jams; False while it is out of reach."""
        for heap in (self.drum, self.jammed):
            if tile in heap:
                heap.remove(tile)
                self.strays.remove(tile)
                (self.box if tile in self.overlooked or self._set_is_boxed(tile.back) else self.table).append(
                    tile
                )
                return True
        return False

    def _set_is_boxed(self, back: str) -> bool:
        return sum(tile.back == back for tile in self.box) > FLOWERS_A_SET

    # what the machine moves

    def jam(self, tile: Tile) -> None:
        """A tile on its way from the drum to a head stays stuck."""
        self.drum.remove(tile)
        self.jammed.append(tile)

    def free(self, tile: Tile) -> None:
        """A stuck tile falls back into the drum."""
        self.jammed.remove(tile)
        self.drum.append(tile)

    def stack(self, side: int, tile: Tile) -> None:
        """The head of ``side`` lays a tile of the drum on its row in the store."""
        self.drum.remove(tile)
        row = self.store[side]
        if not row or len(row[-1]) == TILES_A_STACK:
            row.append([])
        row[-1].append(tile)

    def drop_store(self) -> None:
        """The rows in the store fall back into the drum."""
        self.drum += tiles_of(self.store)
        self.store = empty_walls()

    def raise_walls(self) -> None:
        """The trays lift the rows of the store onto the felt."""
        if any(tiles_of(self.top)):
            raise ConservationError("walls were raised into walls that stand on the felt")
        self.top, self.store = self.store, empty_walls()

    def lower_walls(self) -> None:
        """The trays go down; what stood on them lies loose on the felt."""
        self.table += tiles_of(self.top)
        self.top = empty_walls()

    # what can be asked

    def census(self) -> Counter[Place]:
        """How many tiles each place holds."""
        return Counter(place for place, _ in self._located())

    def find(self, tile: Tile) -> Place:
        """Where one piece is."""
        return next(place for place, piece in self._located() if piece is tile)

    def names_on_felt(self) -> Counter[str]:
        """How many of each kind are on or above the felt."""
        below = (Place.BOX, Place.DRUM, Place.STORE, Place.JAM)
        return Counter(tile.name for place, tile in self._located() if place not in below)

    def assert_conserved(self) -> None:
        """Every piece of both sets is in exactly one place, and no place mixes what may not be mixed."""
        seen = Counter(id(tile) for _, tile in self._located())
        wrong = [tile for tile in self._all if seen[id(tile)] != 1]
        if wrong or len(seen) != len(self._all):
            raise ConservationError(f"not in exactly one place: {wrong[:8]}")
        for name, tiles in (("drum", self.drum), ("store", [*tiles_of(self.store)])):
            if len({tile.back for tile in tiles if tile not in self.strays}) > 1:
                raise ConservationError(f"both sets are in the {name}")

    def _on_felt(self) -> Iterator[list[Tile]]:
        yield self.table
        for heaps in (self.hands, self.pools, self.melds):
            yield from heaps
        for row in self.top:
            yield from row

    def set_being_built(self) -> str:
        """The back of what lies in drum, heads and store; the set to load when that is nothing."""
        held = self._backs([*self.drum, *tiles_of(self.store), *self.jammed])
        return max(BACKS, key=lambda back: held[back]) if held else self.set_to_load()

    def set_in_play(self) -> str:
        """The back of what lies on and above the felt."""
        felt = self._backs(tile for heap in self._on_felt() for tile in heap)
        return max(BACKS, key=lambda back: felt[back])

    def set_to_load(self) -> str:
        """The back of the set people push in next."""
        drum, store = self._backs(self.drum), self._backs(tiles_of(self.store))
        if drum or store:
            held = drum or store
            back = max(BACKS, key=lambda back: held[back])
            return back if drum else BACKS[1 - BACKS.index(back)]
        return self.set_in_play()

    def _backs(self, tiles: Iterable[Tile]) -> Counter[str]:
        """How many of each back, strays left out."""
        return Counter(tile.back for tile in tiles if not self.strays or tile not in self.strays)

    def loadable(self, back: str) -> list[Tile]:
        """The tiles of a set that lie on or above the felt."""
        return [tile for heap in self._on_felt() for tile in heap if self._goes_in(tile, back)]

    def _located(self) -> Iterator[tuple[Place, Tile]]:
        flat = (
            (Place.BOX, self.box),
            (Place.DRUM, self.drum),
            (Place.TABLE, self.table),
            (Place.JAM, self.jammed),
            *self.lost.items(),
        )
        for place, tiles in flat:
            yield from ((place, tile) for tile in tiles)
        for place, walls in ((Place.STORE, self.store), (Place.TOP, self.top)):
            yield from ((place, tile) for tile in tiles_of(walls))
        areas = ((Place.HAND, self.hands), (Place.POOL, self.pools), (Place.MELD, self.melds))
        for place, heaps in areas:
            yield from ((place, tile) for heap in heaps for tile in heap)


def _pick(heap: list[Tile], name: str) -> Tile:
    """Take a tile of this name out of the heap, the newest such."""
    for position in range(len(heap) - 1, -1, -1):
        if heap[position].name == name:
            return heap.pop(position)
    raise ConservationError(f"no {name} among {[tile.name for tile in heap]}")
