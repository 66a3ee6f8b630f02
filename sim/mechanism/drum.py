"""The drum: which tile arrives at which side, and when. A build is planned as a whole, then happens.

Pure: the same random generator gives the same build, so distributions are tested without any loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from protocols.vocabulary import SIDES
from sim.mechanism.places import TILES_A_STACK
from sim.mechanism.tiles import HONOURS, Tile
from sim.mechanism.timing import BuildTime

# Which tiles come to which side, each row in the order of arrival. `wanted` = tiles a side.
Mix = Callable[[Sequence[Tile], Sequence[int], Random], list[list[Tile]]]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A tile laid on the row of ``side``, so many seconds after the build began."""

    at: float
    side: int
    tile: Tile


def stacks_a_side(tiles: int) -> tuple[int, int, int, int]:
    """Stacks of each side for a set of ``tiles``: as even as they go, the first and third sides longer."""
    each, rest = divmod(tiles // TILES_A_STACK, len(SIDES))
    longer = ((), (0,), (0, 2), (0, 1, 2))[rest]
    east, south, west, north = (each + (side in longer) for side in SIDES)
    return east, south, west, north


def mix_fairly(tiles: Sequence[Tile], wanted: Sequence[int], rng: Random) -> list[list[Tile]]:
    """Every order of the tiles is equally likely."""
    shuffled = list(tiles)
    rng.shuffle(shuffled)
    rows, start = [], 0
    for count in wanted:
        rows.append(shuffled[start : start + count])
        start += count
    return rows


def favour(mix: Mix, side: int, share: float) -> Mix:
    """A cheat's mix: honours tend to the wall of ``side``, each so often."""

    def mix_unfairly(tiles: Sequence[Tile], wanted: Sequence[int], rng: Random) -> list[list[Tile]]:
        rows = mix(tiles, wanted, rng)
        for row in rows[:side] + rows[side + 1 :]:
            for place, tile in enumerate(row):
                if tile.name in HONOURS and rng.random() < share:
                    other = rng.randrange(len(rows[side]))
                    if rows[side][other].name not in HONOURS:
                        row[place], rows[side][other] = rows[side][other], tile
        return rows

    return mix_unfairly


def plan_build(
    tiles: Sequence[Tile], profile: int, time: BuildTime, rng: Random, mix: Mix = mix_fairly
) -> list[Arrival]:
    """The arrivals of one build, in time order.

    With fewer tiles in the drum than ``profile`` the plan ends early and a row stays short; tiles too many
    stay in the drum.
    """
    wanted = [stacks * TILES_A_STACK for stacks in stacks_a_side(profile)]
    rows = [iter(row) for row in mix(tiles, wanted, rng)]
    arrivals: list[Arrival] = []
    now, left, open_sides = 0.0, len(tiles), [side for side in SIDES if wanted[side]]
    while open_sides and left:
        now += rng.expovariate(time.rate(len(open_sides), left))
        side = rng.choice(open_sides)
        tile = next(rows[side], None)
        wanted[side] -= 1
        if not wanted[side] or tile is None:
            open_sides.remove(side)
        if tile is not None:
            arrivals.append(Arrival(now, side, tile))
            left -= 1
    return arrivals


def plan_rest(
    unlaid: Sequence[Arrival], tiles: Sequence[Tile], laid: Sequence[int], profile: int, time: BuildTime,
    rng: Random,
) -> list[Arrival]:  # fmt: skip
    """The arrivals that are left when some tiles are ``laid`` already (tiles a side).

    Those of ``unlaid`` that still lie in the drum (``tiles``) keep their side and order; what was added goes
    wherever there is room.
    """
    room = [stacks * TILES_A_STACK - laid[side] for side, stacks in enumerate(stacks_a_side(profile))]
    order: list[tuple[int, Tile]] = []
    planned = [arrival.tile for arrival in unlaid]
    for arrival in unlaid:
        if arrival.tile in tiles and room[arrival.side]:
            room[arrival.side] -= 1
            order.append((arrival.side, arrival.tile))
    for tile in tiles:
        side = max(SIDES, key=lambda side: room[side])
        if tile not in planned and room[side]:
            room[side] -= 1
            order.append((side, tile))
    arrivals, now = [], 0.0
    for number, (side, tile) in enumerate(order):
        open_sides = len({one for one, _ in order[number:]})
        now += rng.expovariate(time.rate(open_sides, len(order) - number))
        arrivals.append(Arrival(now, side, tile))
    return arrivals
