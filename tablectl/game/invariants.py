"""What must hold after every input, whatever happened. Each violation is a sentence with its numbers.

Checked by tests and campaigns after every step, never by the daemon in play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tablectl.game.play import own_size
from tablectl.game.state import HandState, State
from tablectl.rules.tiles import copies


def violations(state: State) -> list[str]:
    """Every invariant of the state that is broken now."""
    return list(_table(state)) + (list(_hand(state, state.hand)) if state.hand is not None else [])


def _table(state: State) -> Iterator[str]:
    points = [player.points for player in state.session.players]
    if state.ruleset is not None and points and sum(points) != 4 * state.ruleset.session.start_points.value:
        yield f"points sum to {sum(points)}, not to what the players started with"
    order = state.table.order
    hand = state.hand
    moving = order is not None and order.operation in ("build", "raise", "lower") and not _stands(state)
    if order is not None and moving and hand is not None and hand.in_play:
        yield f"{order.operation} is ordered while hand {hand.no} is in play"


def _stands(state: State) -> bool:
    """The order under way raised the walls that stand: only its answer is missing."""
    table, hand = state.table, state.hand
    raised = table.order is not None and table.order.operation == "raise" and table.top == "walls_up"
    return raised and hand is not None and table.order is not None and table.order.hand == hand.no


def _hand(state: State, hand: HandState) -> Iterator[str]:
    placed = 0
    for seat in hand.seats:
        placed += seat.concealed + len(seat.flowers) + len(seat.discards)
        for meld in seat.melds:
            placed += OWN_TILES[meld.kind]
    if placed != hand.head + hand.tail:
        yield f"{placed} tiles lie at the seats, {hand.head + hand.tail} were drawn"
    if hand.wall_left < 0:
        yield f"the wall holds {hand.wall_left} tiles"
    if hand.phase in ("draw", "decide", "claims", "robbing"):
        yield from _sizes(hand)
    # what nobody saw may be misread for the rest of the hand
    if not hand.irregularities and any("tile_read" in d.capabilities for d in state.devices.values()):
        yield from _copies(hand)
    if hand.clock is not None and hand.clock.started > state.now and hand.frozen is None:
        yield f"the clock of side {hand.clock.side} starts in the future"
    if hand.over and (hand.window or hand.clock or hand.result is None):
        yield f"hand {hand.no} is over and something of it still runs"
    if sum(claim.state == "awarded" for claim in (hand.window.claims if hand.window else [])) > 2:
        yield "one discard was awarded more than twice"


OWN_TILES = {"chow": 2, "pung": 2, "kong": 3, "concealed_kong": 4, "added_kong": 3}
# tiles of a meld that came from the seat's own hand; a claimed one is counted in the pool it came from


def _sizes(hand: HandState) -> Iterator[str]:
    irregular = bool(hand.irregularities)
    for side, seat in enumerate(hand.seats):
        size = own_size(seat) - seat.early
        right = 14 if side == hand.turn and hand.phase == "decide" else 13
        if size != right and not irregular:
            yield f"side {side} holds {size} tiles in phase {hand.phase}, not {right}"


def _copies(hand: HandState) -> Iterator[str]:
    seen: list[str] = []
    claimed: list[str] = []  # each lies in a meld and stands in the pool it came from: it is seen twice
    for seat in hand.seats:
        seen += seat.tiles
        seen += seat.flowers
        seen += [discard.tile for discard in seat.discards]
        for meld in seat.melds:
            seen += meld.tiles
            claimed.append(meld.claimed)
    for tile, count in Counter(seen).items():
        if count > 1 and tile:
            count -= claimed.count(tile)
            if count > copies(tile):
                yield f"{count} copies of {tile} lie open or in hands"
