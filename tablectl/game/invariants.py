"""What must hold after every input, whatever happened. Each violation is a sentence with its numbers.

Checked by tests and campaigns after every step, never by the daemon in play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tablectl.game.cases import lawful
from tablectl.game.casestate import Case
from tablectl.game.ledger import OPEN_SUM, on_table
from tablectl.game.state import HandState, State
from tablectl.game.watch.counting import own_size
from tablectl.rules.tiles import copies


def violations(state: State) -> list[str]:
    """Every invariant of the state that is broken now."""
    hand = list(_hand(state, state.hand)) if state.hand is not None else []
    return [*_table(state), *hand, *lawful.violations(state)]


def _table(state: State) -> Iterator[str]:
    if state.ruleset is not None:
        yield from _points(state, state.ruleset.session.start_points.value)
    order = state.table.order
    hand = state.hand
    moving = order is not None and order.operation in ("build", "raise", "lower") and not _stands(state)
    if order is not None and moving and hand is not None and hand.in_play:
        yield f"{order.operation} is ordered while hand {hand.no} is in play"


def _points(state: State, start: int) -> Iterator[str]:
    """What lies before each player is the start and the lines of the ledger, and nothing else."""
    session = state.session
    lines = on_table(session, session.stage)
    for player in session.players:
        right: int = start + sum(line.deltas.get(player.id, 0) for line in lines)
        if player.points != right:
            yield f"{player.id} has {player.points} points, the ledger says {right}"
    for line in session.ledger:
        total = sum(line.deltas.values())
        if line.kind not in OPEN_SUM and not line.corrects and total:
            yield f"entry {line.n} sums to {total}"
    for result in state.results:
        yield from _scored(state, result)
    if session.players and sorted(player.side for player in session.players) != [0, 1, 2, 3]:
        yield "two players sit at one side"


def _scored(state: State, result: dict[str, Any]) -> Iterator[str]:
    """What the rule book said a hand is worth sums to zero and is the line of the ledger."""
    score = result.get("score")
    if score is None:
        return
    hand, deltas = result["hand"], score["deltas"]
    if sum(deltas.values()):
        yield f"the score of hand {hand} sums to {sum(deltas.values())}"
    lines = [e for e in state.session.ledger if e.hand == hand and e.kind == "hand" and not e.corrects]
    if [line.deltas for line in lines] != [deltas]:
        yield f"the score of hand {hand} is not its line of the ledger"


def _stands(state: State) -> bool:
    """The order under way raised the walls that stand: only its answer is missing."""
    table, hand = state.table, state.hand
    raised = table.order is not None and table.order.operation == "raise" and table.top == "walls_up"
    return raised and hand is not None and table.order is not None and table.order.hand == hand.deal


def _hand(state: State, hand: HandState) -> Iterator[str]:
    placed = 1 if hand.lifted is not None and hand.lifted.left else 0
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
    yield from _barred(state, hand)
    ahead = max(state.now, hand.grace_until)
    if hand.clock is not None and hand.clock.started > ahead and hand.frozen is None:
        yield f"the clock of side {hand.clock.side} starts in the future"
    if hand.over and (hand.window or hand.clock or hand.result is None):
        yield f"hand {hand.no} is over and something of it still runs"
    most = max(2, state.ruleset.claims.winners.value if state.ruleset is not None else 0)
    if sum(claim.state == "awarded" for claim in (hand.window.claims if hand.window else [])) > most:
        yield f"one discard was awarded more than {most} times"


OWN_TILES = {"chow": 2, "pung": 2, "kong": 3, "concealed_kong": 4, "added_kong": 3, "single_kong": 1}
# tiles of a meld that came from the seat's own hand; a claimed one is counted in the pool it came from


def _sizes(hand: HandState) -> Iterator[str]:
    irregular = bool(hand.irregularities)
    for side, seat in enumerate(hand.seats):
        size = own_size(seat) - seat.early
        right = 14 if side == hand.turn and hand.phase == "decide" else 13
        if size != right and not irregular:
            yield f"side {side} holds {size} tiles in phase {hand.phase}, not {right}"


def _barred(state: State, hand: HandState) -> Iterator[str]:
    """Nobody wins by the rules who was barred from it when he declared it."""
    cases = {case.no: case for case in state.cases}
    for won in hand.won:
        bars = [bar for bar in hand.seats[won.side].bars if bar.effect in ("no_win", "mechanical")]
        since = [_since(cases[bar.case]) if bar.case in cases else 0 for bar in bars]
        if since and min(since) < won.at and not won.overruled:
            yield f"side {won.side} has won though {bars[since.index(min(since))].rule} bars it"


def _since(case: Case) -> int:
    """From when on what a case decided stood, or what was found until it is decided."""
    return case.at if case.decision is None else case.decision.at


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
