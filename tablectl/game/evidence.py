"""What the record of the hand says about a declared win, put together for the rule book.

Everything comes from what was drawn, discarded and laid out. Where something about the winner's tiles was
not read, or does not fit, there is no evidence and the referee decides alone.
"""

from __future__ import annotations

from typing import cast

from tablectl.game.context import Step
from tablectl.game.state import SINGLE, HandState, Meld, WinState
from tablectl.game.watch import penalty_tiles
from tablectl.rules.melds import MeldKind
from tablectl.rules.verdicts.facts import Facts, Four, How, LaidMeld, Replaced, Thrown
from tablectl.rules.verdicts.verdict import four

PUNG = 3  # tiles of the set a robbed kong was


def facts_of(step: Step, win: WinState) -> Facts | None:
    """The facts of a win; None where the tiles are not known for certain."""
    hand = step.hand
    tiles = held(step, win)
    if tiles is None:
        return None
    concealed, winning = tiles
    laid = sorted(
        ((meld, side) for side in range(len(hand.seats)) for meld in _melds(hand, win, side)),
        key=lambda pair: pair[0].n,
    )
    if any((side == win.side or meld.kind == SINGLE) and not meld.tiles for meld, side in laid):
        return None
    return Facts(
        winner=win.side,
        dealer=hand.dealer,
        winds=tuple(seat.wind for seat in hand.seats),
        round=hand.round,
        concealed=tuple(concealed),
        winning=winning,
        how=cast(How, win.how),
        origin=win.origin,
        melds=tuple(_laid(win, meld, side) for meld, side in laid if meld.kind != SINGLE),
        discards=thrown(hand),
        flowers=tuple(tuple(seat.flowers) for seat in hand.seats),
        singles=tuple(
            tuple(tile for meld in seat.melds if meld.kind == SINGLE for tile in meld.tiles)
            for seat in hand.seats
        ),
        replaced=cast(Replaced, hand.replaces),
        left=hand.live_left,
        last_draws=win.back == "last_draws",
        before_kong=tuple(hand.before_kong) if hand.before_kong else None,
        wild=tuple(hand.wild),
        indicator=hand.indicator,
        chips=four(step.state.session.at(side).points for side in range(len(hand.seats))),
        gained=_gained(hand),
        doubled=step.state.session.doubled,
        last_of_kind=(win.shown.last_of_kind or None) if win.shown is not None else None,
        immunity=win.immunity,
        penalty_tiles=tuple(one.tile for one in penalty_tiles.limited(hand.seats[win.side])),
        mixed=win.mixed,
    )


def thrown(hand: HandState) -> tuple[Thrown, ...]:
    """Every discard of the hand, in the order they were made."""
    pools = ((one, side) for side, seat in enumerate(hand.seats) for one in seat.discards)
    ordered = sorted(pools, key=lambda pair: pair[0].n)
    return tuple(Thrown(side, one.tile, one.claimed) for one, side in ordered)


def held(step: Step, win: WinState) -> tuple[list[str], str] | None:
    """The winner's concealed tiles and the winning one; None where they are not known."""
    hand = step.hand
    if win.shown is not None:
        return win.shown.concealed, win.tile
    seat = hand.seats[win.side]
    tiles, winning = list(seat.tiles), win.tile
    if not step.can("tile_read") or len(tiles) != seat.concealed:
        return None
    if win.how != "self_drawn":
        return (tiles, winning) if winning else None
    if not winning and hand.turns == 0 and tiles:
        winning = tiles[-1]  # the dealer's hand as it was dealt: what he took last
    if winning not in tiles or hand.after_claim:
        return None
    tiles.remove(winning)
    return tiles, winning


def _melds(hand: HandState, win: WinState, side: int) -> list[Meld]:
    if side == win.side and win.shown is not None:
        return win.shown.melds
    return [meld for meld in hand.seats[side].melds if meld.shown]


def _laid(win: WinState, meld: Meld, side: int) -> LaidMeld:
    """A set as the judges know it; the kong that is robbed is still the pung it was (ZJ-S14, WH-S10)."""
    robbed = win.how == "robbed_kong" and side == win.origin
    if robbed and meld.kind == "added_kong" and win.tile in meld.tiles:
        return LaidMeld(side, "pung", tuple(meld.tiles[:PUNG]), meld.origin)
    return LaidMeld(side, cast(MeldKind, meld.kind), tuple(meld.tiles), meld.origin)


def _gained(hand: HandState) -> Four:
    """What earlier winners of the same tile have moved: they are paid first (CJ-C1)."""
    gains = [0] * len(hand.seats)
    for won in hand.won:
        if won.verdict is not None:
            gains = [gain + delta for gain, delta in zip(gains, won.verdict.deltas, strict=True)]
    return four(gains)
