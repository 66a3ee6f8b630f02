"""A claim stands: the win goes to the referee, the meld to the claimer; and how an award is undone."""

from __future__ import annotations

from tablectl.game import adjudication, clocks, repeats, windows
from tablectl.game.context import Step
from tablectl.game.hand import HAND
from tablectl.game.state import Claim, Lifted, Meld, Window, WinState
from tablectl.game.watch import melds

TAKEN = {"chow": 2, "pung": 2, "kong": 3}  # tiles that leave the claimer's hand


def award(step: Step, claim: Claim) -> None:
    """The claim stands: the win goes to the referee, the meld to the claimer."""
    hand = step.hand
    window = hand.window
    assert window is not None
    claim.state = "awarded"
    for other in window.claims:
        if other.state == "open" and claim.word != "win":
            other.state = "beaten"
    if claim.word == "win":
        declare_win(step, claim.side, how_won(window), window)
        return
    _return_drawn_tile(step)
    melds.passed(step, window.side)
    for other in window.claims:
        if other is not claim and other.state == "awarded":  # a chow laid before the pung was called
            other.state = "beaten"
            _take_back(step, other.side)
            step.publish("event.award_undone", side=other.side, word=other.word, tile=window.tile)
    hand.seats[window.side].discards[-1].claimed = True
    own = TAKEN[claim.word]
    seat = hand.seats[claim.side]
    seat.concealed -= own
    seat.melds.append(
        Meld(
            claim.word,
            [window.tile] if window.tile else [],
            origin=window.side,
            claimed=window.tile,
            shown=not step.can("tile_read"),
            n=step.n,
        )
    )
    if claim.word == "kong":
        repeats.granted(step, claim.side, "kong")
        hand.before_kong = list(seat.tiles)
    hand.turn, hand.after_claim, hand.fresh = claim.side, claim.word in ("chow", "pung"), False
    clocks.claimed(step, claim.side)
    step.publish("event.awarded", side=claim.side, word=claim.word, tile=window.tile, origin=window.side)
    HAND.fire(step, "kong_awarded" if claim.word == "kong" else "meld_awarded")


def how_won(window: Window) -> str:
    """How the open tile would be won."""
    return "robbed_kong" if window.kind == "kong" else "discard"


def declare_win(step: Step, side: int, how: str, window: Window | None = None) -> None:
    """A win (和) is before the referee: clocks stop until it is confirmed or rejected (MCR-C4)."""
    hand = step.hand
    origin, tile = (window.side, window.tile) if window else (None, hand.drawn_tile)
    hand.win = WinState(side, how, origin, tile, at=clocks.played(step), back=hand.phase)
    step.publish("event.win_declared", side=side, how=how, origin=origin, tile=tile)
    HAND.fire(step, "win_declared")
    adjudication.judge(step)


def _return_drawn_tile(step: Step) -> None:
    """The next seat drew before the claim was called: its tile goes back to the wall, or, if it has been
    used already, counts as drawn early."""
    hand = step.hand
    window = hand.window
    assert window is not None
    drawer = (window.side + 1) % 4
    if hand.phase == "last_draws":
        _return_last_tiles(step, drawer)
        return
    if hand.phase not in ("decide", "draw") or hand.turn != drawer or not window.given_up:
        return
    seat = hand.seats[drawer]
    if hand.fresh:
        seat.concealed -= 1
        hand.head -= 1
        if hand.drawn_tile in seat.tiles:
            seat.tiles.remove(hand.drawn_tile)
        if step.rules.claims.lifted_tile.value == "choice":
            hand.lifted = Lifted(drawer, hand.drawn_tile)
        step.publish("event.tile_returned", side=drawer, wall_left=hand.wall_left)
    else:
        seat.early += 1
        step.irregular("claim_after_replacement", drawer)


def _return_last_tiles(step: Step, first: int) -> None:
    """As many as have drawn one of the last tiles put it back, the last of them first: nobody has used it,
    and the draws begin anew after this tile's turn (WH-W6)."""
    hand = step.hand
    while hand.last_drawn:
        hand.last_drawn -= 1
        side = (first + hand.last_drawn) % 4
        seat = hand.seats[side]
        seat.concealed -= 1
        hand.head -= 1
        if seat.tiles:
            seat.tiles.pop()  # it came last
        step.publish("event.tile_returned", side=side, wall_left=hand.wall_left)


def _take_back(step: Step, side: int) -> None:
    """Undo the award a seat had last: its own tiles go back to the hand, the claimed one to the pool."""
    hand = step.hand
    seat = hand.seats[side]
    meld = seat.melds.pop()
    assert meld.origin is not None
    seat.concealed += TAKEN[meld.kind]
    own = list(meld.tiles)
    if meld.claimed in own:
        own.remove(meld.claimed)
    seat.tiles += own
    hand.seats[meld.origin].discards[-1].claimed = False


def abandoned(step: Step, drawer: int, end: str) -> bool:
    """The tile was awarded, but nobody took it and the next seat draws: the call was an empty one (MCR-P4).
    Undo the award and say so; the draw is then the next seat's own."""
    hand = step.hand
    seat = hand.seats[hand.turn]
    if hand.phase not in ("decide", "draw") or not seat.melds or seat.melds[-1].shown:
        return False
    meld = seat.melds[-1]
    if meld.origin is None or drawer != (meld.origin + 1) % 4 or end != "head":
        return False
    claimer = hand.turn
    _take_back(step, claimer)
    hand.turn, hand.draw_from, hand.after_claim = drawer, "head", False
    HAND.fire(step, "claim_abandoned")
    window = hand.window or windows.lately(hand)
    if not any(claim.empty and claim.side == claimer for claim in (window.claims if window else [])):
        step.irregular("empty_claim", claimer, word=meld.kind, tile=meld.claimed)
    windows.close_window(step)
    clocks.claim_undone(step, drawer)
    return True
