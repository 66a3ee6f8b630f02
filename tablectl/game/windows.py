"""The time in which an open tile may be claimed or a kong robbed.

The window is no gate: the next seat may draw in it. Where a ruleset gives no number it is open until somebody
plays on (ZJ-C3).
"""

from __future__ import annotations

from tablectl.game import clocks, wall
from tablectl.game.context import SECOND, Step
from tablectl.game.state import HandState, Window


def next_side(hand: HandState) -> int:
    """The side that draws after the open discard, else after the turn seat."""
    return ((hand.window.side if hand.window else hand.turn) + 1) % 4


def limit_s(step: Step, word: str) -> int:
    """How long a word may be called, in seconds (MCR-T2); 0 = until somebody plays on."""
    claims = step.rules.claims
    return {"win": claims.win_s, "chow": claims.chow_s}.get(word, claims.window_s).value


def limit_of(step: Step, window: Window, word: str) -> int:
    """The same for the tile that lies, or lay, in this window: a kong has one limit for all."""
    return limit_s(step, word) if window.kind == "discard" else step.rules.claims.robbing_s.value


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
    window = Window("discard", side, tile, opened, until, words)
    _open(step, window)
    clocks.count_from_now(step, window)
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
    _open(step, Window("kong", side, tile, opened, until, ["win"]))


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


def next_seat_draws(step: Step) -> None:
    """The next seat draws in the open window: it gives up what the ruleset says, the others do not."""
    window = step.hand.window
    if window is not None and not window.given_up:
        window.given_up = list(step.rules.claims.draw_closes.value)
        drawer = (window.side + 1) % 4
        for claim in window.claims:
            if claim.side == drawer and claim.word in window.given_up and claim.state == "open":
                claim.state = "beaten"


def close_window(step: Step) -> None:
    """The tile lies open no longer: by its time, or by an act before it. A second act is about another."""
    hand, now = step.hand, clocks.played(step)
    if hand.window is None:
        if hand.lapsed is not None:
            hand.lapsed.past = True
        return
    if not hand.window.until or now < hand.window.until:
        hand.window.until = now - 1
    hand.window, hand.lapsed = None, hand.window


def lately(hand: HandState) -> Window | None:
    """What lay open last, as long as nobody has played on."""
    return None if hand.lapsed is None or hand.lapsed.past else hand.lapsed


def _open(step: Step, window: Window) -> None:
    close_window(step)
    step.hand.window = window
    if step.hand.lapsed is not None:
        step.hand.lapsed.past = True
