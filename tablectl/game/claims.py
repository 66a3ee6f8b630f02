"""Claims (吃 碰 杠 和): who may call for an open tile, until when, and who gets it.

Calls are requests: they are granted by priority, win before kong and pung before chow, the first in the
ruleset's order among equals (MCR-C1, ZJ-C1, CJ-C1, WH-C8), once the window is over or nobody could still do
better. A claimer who lays his meld or discards has acted on his claim; where no number closes the window a
call waits ``settle_s`` for a better one (ZJ-C3).
"""

from __future__ import annotations

from tablectl.game import adjudication, awards, clocks, windows
from tablectl.game.context import SECOND, RefusedCommand, Step
from tablectl.game.hand import HAND
from tablectl.game.state import Claim, Window, WinState
from tablectl.game.watch import bars, calls, penalty_tiles


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
        if side not in (window.side, claim.side)
        and not (word == "chow" and side != windows.next_side(step.hand))
    )
    return all(rank(step, claim.side, claim.word) < other for other in others)


def check(step: Step, side: int, word: str, tiles: list[str], *, late: bool = False) -> None:
    """Refuse a call that cannot stand, with the reason. Raises ``RefusedCommand``."""
    hand = step.hand
    window = hand.window
    if window is None or side == window.side:
        calls.after_all(step, side, word)
        raise RefusedCommand("refused.nothing_to_claim", seat=hand.seats[side].wind, word=word)
    seat = hand.seats[side]
    facts = {"seat": seat.wind, "word": word, "tile": window.tile}
    bars.refuse(step, side, word, tile=window.tile)
    if word not in window.words:
        raise step.refusal("not_claimable", **facts)
    if word == "chow" and side != windows.next_side(hand):
        raise step.refusal("chow_not_from_left", **facts)
    late_ms = 0 if late else calls.too_late(step, side, word, window)
    if late_ms:
        raise step.refusal("claim_too_late", late_ms=late_ms, **facts)
    if (
        word in window.given_up
        and side == windows.next_side(hand)
        and not late
        and not _reopened(step, side, word)
    ):
        raise step.refusal("given_up_by_drawing", **facts)
    penalty_tiles.refuse(step, side, word, window.tile, own_of(tiles, window.tile))
    if word == "win":
        adjudication.refuse_limited(
            step, WinState(side, awards.how_won(window), window.side, window.tile, 0, hand.phase)
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
    if not window.until and windows.endless(step, window):
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
        awards.award(step, claims[0])
    elif final:
        lapse(step)


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


def take_pending(step: Step, side: int) -> bool:
    """The seat acts on its claim before the window is over: if its claim is the best so far it stands."""
    hand = step.hand
    window = hand.window
    if window is None or hand.phase == "adjudication":
        return False
    claims = sorted_claims(step, window)
    if not claims or claims[0].side != side or claims[0].word == "win":
        return False
    awards.award(step, claims[0])
    return True


def act_on(step: Step, side: int) -> None:
    """A seat plays on while calls are open: its own best call stands; calls of others go before it."""
    window = step.hand.window
    if not take_pending(step, side) and window and any(c.state == "open" for c in window.claims):
        decide(step, final=True)


def overtaken(step: Step) -> None:
    """The turn seat goes on: whatever was open before is over. After a confirmed win that is the end."""
    windows.close_window(step)
    if step.hand.won:
        HAND.fire(step, "nobody_claims")


def time_out(step: Step) -> None:
    """The time of the window is over: the best call stands. Where a call only waited for better ones, those
    may still be called until the claimer plays on (ZJ-C2)."""
    decide(step, final=True)
    window = step.hand.window
    if window is None or step.hand.phase == "adjudication":
        return
    if windows.endless(step, window):
        window.until = 0
    else:
        windows.close_window(step)


def meld_shown(step: Step, kind: str) -> None:
    """A claimed meld lies open. Where no number is given that ends the right to pung and kong (ZJ-C2), unless
    it was laid sooner after the call than others could call (ZJ-C13)."""
    window = step.hand.window
    if window is not None and kind == "chow" and windows.endless(step, window):
        called = max((claim.at for claim in window.claims if claim.state == "awarded"), default=0)
        if clocks.played(step) - called < step.rules.claims.settle_s.value * SECOND:
            return
        window.words = [word for word in window.words if word == "win"]


def kong_replaced(step: Step) -> None:
    """The replacement of an added kong is drawn. Where no number is given for claims, nobody may rob it any
    more who has not called (ZJ-C16)."""
    window = step.hand.window
    if window is not None and not step.rules.claims.window_s.value and not sorted_claims(step, window):
        windows.close_window(step)


def lapse(step: Step) -> None:
    """The window is over and nobody gets the tile, or nobody else. Passing costs nothing (a time-out is a
    pass)."""
    hand = step.hand
    window = hand.window
    if window is None:
        return
    if windows.endless(step, window) and not hand.won:
        window.until = 0  # whoever called had no right to the tile: it lies open as before
        return
    windows.close_window(step)
    if window.kind == "kong":
        HAND.fire(step, "kong_stands")
    else:
        HAND.fire(step, "nobody_claims")
