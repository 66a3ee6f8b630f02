"""Claims (吃 碰 杠 和): who may call for an open tile, until when, and who gets it.

Calls are requests: they are granted by priority, win before kong and pung before chow, the first in the
ruleset's order among equals (MCR-C1, ZJ-C1, CJ-C1, WH-C8), once the window is over or nobody could still do
better. The window is no gate: the next seat may draw in it, and a claimer who lays his meld or discards has
acted on his claim. Where a ruleset gives no number the window is open until somebody plays on (ZJ-C3), and a
call waits ``settle_s`` for a better one.
"""

from __future__ import annotations

from tablectl.game import adjudication, clocks, wall
from tablectl.game.context import SECOND, RefusedCommand, Step
from tablectl.game.hand import HAND
from tablectl.game.state import Claim, HandState, Lifted, Meld, Window, WinState
from tablectl.game.watch import bars, calls, melds, penalty_tiles

TAKEN = {"chow": 2, "pung": 2, "kong": 3}  # tiles that leave the claimer's hand


def next_side(hand: HandState) -> int:
    """The side that draws after the open discard, else after the turn seat."""
    return ((hand.window.side if hand.window else hand.turn) + 1) % 4


def limit_s(step: Step, word: str) -> int:
    """How long a word may be called, in seconds (MCR-T2); 0 = until somebody plays on."""
    claims = step.rules.claims
    return {"win": claims.win_s, "chow": claims.chow_s}.get(word, claims.window_s).value


def open_discard_window(step: Step, side: int, tile: str) -> None:
    """A discard lies open. After the last tile only what the ruleset names may be called (MCR-W5, ZJ-W8)."""
    hand, rules = step.hand, step.rules.claims
    words: list[str] = list(rules.words.value if hand.live_left > 0 else rules.last_discard.value)
    if wall.is_one_of(tile, rules.unclaimable.value, hand.wild):
        words = []
    opened = clocks.played(step)
    limit = max((limit_s(step, word) for word in words), default=0)
    if words and not limit and hand.live_left <= 0:  # nobody can play on: the next seat's time must do
        limit = step.rules.turn.discard_s.value
    until = opened + limit * SECOND if limit or not words else 0
    hand.window, hand.lapsed = Window("discard", side, tile, opened, until, words), None
    clocks.count_from_now(step, hand.window)
    hand.turn, hand.draw_from = (side + 1) % 4, "head"


def wall_ended(step: Step) -> None:
    """The wall turned out to be empty while a tile lies open: nobody can play on, so the window must end."""
    window = step.hand.window
    if window is not None and not window.until and not endless(step, window):
        window.until = clocks.played(step) + step.rules.turn.discard_s.value * SECOND


def open_robbing_window(step: Step, side: int, tile: str) -> None:
    """An added kong lies open and may be robbed (MCR-C2)."""
    opened = clocks.played(step)
    until = opened + step.rules.claims.robbing_s.value * SECOND
    step.hand.window, step.hand.lapsed = Window("kong", side, tile, opened, until, ["win"]), None


def endless(step: Step, window: Window) -> bool:
    """Is the tile open until somebody plays on, no number being given (ZJ-C3)?"""
    numbered = step.rules.claims.window_s.value or window.kind == "kong"
    return not numbered and step.hand.live_left > 0


def has_drawn(step: Step, side: int) -> bool:
    """Where nobody senses draws and no number closes the window, the next seat has drawn by now (ZJ-C4)."""
    window = step.hand.window
    if window is None or step.can("draw_sense") or not endless(step, window) or side != next_side(step.hand):
        return False
    return clocks.played(step) - window.opened > step.rules.claims.draws_after_s.value * SECOND


def rank(step: Step, side: int, word: str) -> tuple[int, int]:
    """Best first: the group of the word, then the distance in turn order from the open tile, or for wins
    from where the ruleset counts them."""
    rules = step.rules.claims
    window = step.hand.window
    assert window is not None
    group = next(i for i, words in enumerate(rules.priority.value) if word in words)
    first = window.side
    if word == "win" and rules.order_from.value == "dealer":
        first = step.hand.dealer  # who comes before all others
    return group, (side - first) % 4


def sorted_claims(step: Step, window: Window) -> list[Claim]:
    """The calls not answered yet, best first."""
    claims = [claim for claim in window.claims if claim.state == "open"]
    return sorted(claims, key=lambda claim: rank(step, claim.side, claim.word))


def unbeatable(step: Step, claim: Claim) -> bool:
    """Could no other seat still call anything better? Never where several may win: all are waited for."""
    window = step.hand.window
    if window is None or step.rules.claims.winners.value > 1:
        return False
    others = (
        rank(step, side, word)
        for side in range(4)
        for word in window.words
        if side not in (window.side, claim.side) and not (word == "chow" and side != next_side(step.hand))
    )
    return all(rank(step, claim.side, claim.word) < other for other in others)


def check(step: Step, side: int, word: str, tiles: list[str], *, late: bool = False) -> None:
    """Refuse a call that cannot stand, with the reason. Raises ``RefusedCommand``."""
    hand = step.hand
    window = hand.window
    if window is None or side == window.side:
        calls.after_all(step, side, word, limit_s(step, word))
        raise RefusedCommand("refused.nothing_to_claim", seat=hand.seats[side].wind, word=word)
    seat = hand.seats[side]
    facts = {"seat": seat.wind, "word": word, "tile": window.tile}
    bars.refuse(step, side, word, tile=window.tile)
    if word not in window.words:
        raise step.refusal("not_claimable", **facts)
    if word == "chow" and side != next_side(hand):
        raise step.refusal("chow_not_from_left", **facts)
    limit = limit_s(step, word) if window.kind == "discard" else step.rules.claims.robbing_s.value
    late_ms = 0 if late else calls.too_late(step, side, word, window, limit)
    if late_ms:
        raise step.refusal("claim_too_late", late_ms=late_ms, **facts)
    if word in window.given_up and side == next_side(hand) and not late and not _reopened(step, side, word):
        raise step.refusal("given_up_by_drawing", **facts)
    penalty_tiles.refuse(step, side, word, window.tile, own_of(tiles, window.tile))
    if word == "win":
        adjudication.refuse_limited(
            step, WinState(side, _how(window), window.side, window.tile, 0, hand.phase)
        )
    done = [c for c in window.claims if c.state == "awarded"]
    if done and rank(step, side, word) >= rank(step, done[0].side, done[0].word):
        raise RefusedCommand("refused.already_taken", by=hand.seats[done[0].side].wind, **facts)


def own_of(tiles: list[str], claimed: str) -> list[str]:
    """The caller's own tiles among those he names for a meld."""
    own = list(tiles)
    if claimed in own:
        own.remove(claimed)
    return own


def _reopened(step: Step, side: int, word: str) -> bool:
    """A seat that drew may still win a tile another one claims (ZJ-C4)."""
    window = step.hand.window
    assert window is not None
    called = any(claim.side != side and claim.state in ("open", "awarded") for claim in window.claims)
    return called and word in step.rules.claims.claim_reopens.value


def call(step: Step, side: int, word: str, tiles: list[str], *, late: bool = False) -> None:
    """Enter a call. The last valid call of a seat before the window is decided is the one that counts.
    Raises ``RefusedCommand``."""
    check(step, side, word, tiles, late=late)
    window = step.hand.window
    assert window is not None
    seat = step.seat(side)
    empty = step.can("tile_read") and word != "win" and calls.cannot_meet(step.hand, seat, word, window.tile)
    if empty:
        step.irregular("empty_claim", side, word=word, tile=window.tile)
    before = [c for c in window.claims if c.side == side and c.state == "open"]
    if before:
        window.claims.remove(before[0])
        calls.changed(step, before[0], word, _outranked(step, before[0]))
    window.claims.append(Claim(side, word, step.at, tiles, empty=empty))
    if not window.until and endless(step, window):
        window.until = clocks.played(step) + step.rules.claims.settle_s.value * SECOND
    step.publish("event.claimed", side=side, word=word, changed_from=before[0].word if before else "")
    decide(step, final=False)


def _outranked(step: Step, claim: Claim) -> bool:
    """Has somebody else called better?"""
    window = step.hand.window
    assert window is not None
    others = (other for other in window.claims if other.side != claim.side and other.state == "open")
    mine = rank(step, claim.side, claim.word)
    return any(rank(step, other.side, other.word) < mine for other in others)


def decide(step: Step, *, final: bool) -> None:
    """Award the best open claim, if the window is over or nobody could still beat it."""
    hand = step.hand
    window = hand.window
    if window is None or hand.phase == "adjudication":
        return
    claims = sorted_claims(step, window)
    if claims and (final or unbeatable(step, claims[0])):
        award(step, claims[0])
    elif final:
        lapse(step)


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
        declare_win(step, claim.side, _how(window), window)
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
        hand.before_kong = list(seat.tiles)
    hand.turn, hand.after_claim, hand.fresh = claim.side, claim.word in ("chow", "pung"), False
    clocks.claimed(step, claim.side)
    step.publish("event.awarded", side=claim.side, word=claim.word, tile=window.tile, origin=window.side)
    HAND.fire(step, "kong_awarded" if claim.word == "kong" else "meld_awarded")


def next_winner(step: Step) -> None:
    """A win was confirmed and others may win the same tile: the next call, or those still to come."""
    hand = step.hand
    hand.win = None
    window = hand.window
    assert window is not None
    window.words = ["win"]
    for claim in window.claims:
        if claim.state == "open" and claim.word != "win":
            claim.state = "beaten"
    decide(step, final=0 < window.until <= clocks.played(step) or bool(sorted_claims(step, window)))


def _how(window: Window) -> str:
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
    if hand.phase not in ("decide", "draw", "last_draws") or hand.turn != drawer or not window.given_up:
        return
    seat = hand.seats[drawer]
    hand.last_drawn = 0  # if it was the first of the last tiles, none of them is drawn now
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
    window = hand.window or hand.lapsed
    if not any(claim.empty and claim.side == claimer for claim in (window.claims if window else [])):
        step.irregular("empty_claim", claimer, word=meld.kind, tile=meld.claimed)
    close_window(step)
    clocks.claim_undone(step, drawer)
    return True


def next_seat_draws(step: Step) -> None:
    """The next seat draws in the open window: it gives up what the ruleset says, the others do not."""
    window = step.hand.window
    if window is not None and not window.given_up:
        window.given_up = list(step.rules.claims.draw_closes.value)
        drawer = (window.side + 1) % 4
        for claim in window.claims:
            if claim.side == drawer and claim.word in window.given_up and claim.state == "open":
                claim.state = "beaten"


def take_pending(step: Step, side: int) -> bool:
    """The seat acts on its claim before the window is over: if its claim is the best so far it stands."""
    hand = step.hand
    window = hand.window
    if window is None or hand.phase == "adjudication":
        return False
    claims = sorted_claims(step, window)
    if not claims or claims[0].side != side or claims[0].word == "win":
        return False
    award(step, claims[0])
    return True


def act_on(step: Step, side: int) -> None:
    """A seat plays on while calls are open: its own best call stands; calls of others go before it."""
    window = step.hand.window
    if not take_pending(step, side) and window and any(c.state == "open" for c in window.claims):
        decide(step, final=True)


def overtaken(step: Step) -> None:
    """The turn seat goes on: whatever was open before is over. After a confirmed win that is the end."""
    close_window(step)
    if step.hand.won:
        HAND.fire(step, "nobody_claims")


def time_out(step: Step) -> None:
    """The time of the window is over: the best call stands. Where a call only waited for better ones, those
    may still be called until the claimer plays on (ZJ-C2)."""
    decide(step, final=True)
    window = step.hand.window
    if window is None or step.hand.phase == "adjudication":
        return
    if endless(step, window):
        window.until = 0
    else:
        close_window(step)


def meld_shown(step: Step, kind: str) -> None:
    """A claimed meld lies open. Where no number is given that ends the right to pung and kong (ZJ-C2), unless
    it was laid sooner after the call than others could call (ZJ-C13)."""
    window = step.hand.window
    if window is not None and kind == "chow" and endless(step, window):
        called = max((claim.at for claim in window.claims if claim.state == "awarded"), default=0)
        if clocks.played(step) - called < step.rules.claims.settle_s.value * SECOND:
            return
        window.words = [word for word in window.words if word == "win"]


def kong_replaced(step: Step) -> None:
    """The replacement of an added kong is drawn. Where no number is given for claims, nobody may rob it any
    more who has not called (ZJ-C16)."""
    window = step.hand.window
    if window is not None and not step.rules.claims.window_s.value and not sorted_claims(step, window):
        close_window(step)


def lapse(step: Step) -> None:
    """The window is over and nobody gets the tile, or nobody else. Passing costs nothing (a time-out is a
    pass)."""
    hand = step.hand
    window = hand.window
    if window is None:
        return
    if endless(step, window) and not hand.won:
        window.until = 0  # whoever called had no right to the tile: it lies open as before
        return
    close_window(step)
    if window.kind == "kong":
        HAND.fire(step, "kong_stands")
    else:
        HAND.fire(step, "nobody_claims")


def close_window(step: Step) -> None:
    """The tile lies open no longer."""
    step.hand.window, step.hand.lapsed = None, step.hand.window
