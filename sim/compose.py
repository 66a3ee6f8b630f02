"""Composes walls: a shared wall, the deal with its jump and tail draws give exactly a script's tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from sim.customs import INTERNATIONAL, Customs
from sim.errors import ScriptError
from sim.manners import WallOrder, broken_at, deal
from sim.mechanism.dice import Faces
from sim.mechanism.drum import stacks_a_side
from sim.mechanism.places import TILES_A_STACK
from sim.mechanism.tiles import PLAIN, Tile, make_set
from sim.script import Script

Names = list[list[list[str]]]  # side, stack, tiles from the felt up


def compose_walls(
    hands: Sequence[Sequence[str]],
    events: Sequence[Mapping[str, Any]],
    dice: Sequence[Faces],
    dealer: int,
    tiles: int = PLAIN,
) -> Names:
    """The walls for one script and its throws. Raises ``ScriptError`` where none can be."""
    script = Script.parse({"deal": hands, "events": events, "dealer": dealer})
    return compose(script, dice, tiles)


def compose(
    script: Script,
    dice: Sequence[Faces],
    tiles: int = PLAIN,
    rng: Random | None = None,
    customs: Customs = INTERNATIONAL,
) -> Names:
    """The same for a script already checked; ``rng`` mixes the tiles nobody draws."""
    totals = [sum(faces) for faces in dice]
    sizes = [[TILES_A_STACK] * stacks for stacks in stacks_a_side(tiles)]
    order = WallOrder(sizes, *broken_at(script.dealer, totals, at=customs.break_at == "at"))
    walls: Names = [[[""] * TILES_A_STACK for _ in row] for row in sizes]
    hands = [[*hand] for hand in script.deal]
    draws = [*script.draws]
    if draws:  # the dealer's first draw is the fourteenth tile of his deal
        seat, tile, _ = draws.pop(0)
        hands[seat].append(tile)
    for side, stacks in deal(order, script.dealer):
        for stack in stacks:
            if hands[side]:
                _put(walls, stack, hands[side].pop(0))
    for number, (_, tile, tail) in enumerate(draws, 1):
        if not order.left:
            raise ScriptError(0, f"it draws {len(draws)} tiles in play; the wall gives {number - 1}")
        _put(walls, order.take_tail() if tail else order.take_head(), tile)
    _fill(walls, tiles, rng or Random(0))
    return walls


def _put(walls: Names, stack: tuple[int, int], tile: str) -> None:
    """Put a tile where the next taken of this stack lies: the upper one first."""
    side, index = stack
    place = max(level for level, name in enumerate(walls[side][index]) if not name)
    walls[side][index][place] = tile


def _fill(walls: Names, tiles: int, rng: Random) -> None:
    used = Counter(name for row in walls for stack in row for name in stack if name)
    everything = Counter(tile.name for tile in make_set("A")[:tiles])
    rest = list((everything - used).elements())
    rng.shuffle(rest)
    for row in walls:
        for stack in row:
            stack[:] = [name or rest.pop() for name in stack]


def as_arrivals(walls: Names, tiles: Sequence[Tile]) -> list[list[Tile]]:
    """The real tiles in the order they must come to each side for these walls; missing ones leave gaps."""
    heap: dict[str, list[Tile]] = {}
    for tile in tiles:
        heap.setdefault(tile.name, []).append(tile)
    return [[heap[name].pop() for stack in row for name in stack if heap.get(name)] for row in walls]
