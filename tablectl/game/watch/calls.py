"""Calls that should not have been made: too late, without the tiles for them, changed (MCR-P4, MCR-P6).

A late call is refused and still an act of its caller; so is one he cannot meet, which stands until another
tile is taken.
"""

from __future__ import annotations

from tablectl.game import clocks, windows
from tablectl.game.context import SECOND, RefusedCommand, Step
from tablectl.game.state import Claim, HandState, SeatState, Window
from tablectl.rules.tiles import number, suit

NEEDED = {"pung": 2, "kong": 3}  # equal tiles of the claimer's own
HIGHEST = 9  # number of a suit
HEARD = ("open", "awarded", "beaten", "rejected", "overtaken")  # all but late: the same call is nothing new


def too_late(step: Step, side: int, word: str, window: Window) -> int:
    """How many ms after its time a word is called, 0 = in time. Flagged once a seat and open tile."""
    limit_s = windows.limit_of(step, window, word)
    over = clocks.played(step) - window.opened - limit_s * SECOND
    if not limit_s or over <= 0:
        return 0
    late_ms = over // 1000
    if not any(claim.side == side and claim.state == "late" for claim in window.claims):
        window.claims.append(Claim(side, word, step.at, state="late"))
        step.irregular("late_claim", side, word=word, tile=window.tile, late_ms=late_ms)
    return late_ms


def after_all(step: Step, side: int, word: str) -> None:
    """A call though no tile lies open any more: too late for the one that lay there last."""
    lapsed = windows.lately(step.hand)
    if lapsed is None or side == lapsed.side or word not in lapsed.words:
        return
    own = [claim for claim in lapsed.claims if claim.side == side and claim.state in HEARD]
    if not any(claim.state == "awarded" or claim.word == word for claim in own):
        too_late(step, side, word, lapsed)


def refuse_overtaken(step: Step, side: int, word: str) -> None:
    """A key pressed before the tile that lies open now came there calls nothing. Was it for one that has been
    decided before the key was heard, the referee is told; nothing is undone by itself. Raises
    ``RefusedCommand``."""
    hand, pressed = step.hand, clocks.played(step)
    if hand.window is not None and pressed + step.unc >= hand.window.opened:
        return
    was = hand.lapsed
    if was is None or side == was.side or word not in was.words or not was.opened <= pressed <= was.until:
        _refuse_early(step, side, word)
        return
    if not any(claim.side == side and claim.state in HEARD for claim in was.claims):
        was.claims.append(Claim(side, word, step.at, state="overtaken"))
        early_ms = (was.until - pressed) // 1000
        step.irregular("claim_overtaken", side, word=word, tile=was.tile, early_ms=early_ms)
    raise RefusedCommand("refused.claim_overtaken", seat=hand.seats[side].wind, word=word, tile=was.tile)


def _refuse_early(step: Step, side: int, word: str) -> None:
    """A tile cannot be called before it lies there. Raises ``RefusedCommand``."""
    window = step.hand.window
    if window is None or side == window.side or word not in window.words:
        return
    raise RefusedCommand("refused.nothing_to_claim", seat=step.hand.seats[side].wind, word=word)


def looked_too_long(step: Step, side: int) -> None:
    """A self-drawn win declared after the time there is to look at the hand (MCR-E2). It is a win all the
    same; what the delay costs is the referee's to say."""
    hand, limit_s = step.hand, step.rules.claims.selfdraw_s.value
    if not limit_s or hand.drawn_at is None:
        return
    over = clocks.played(step) - hand.drawn_at - limit_s * SECOND
    if over > 0:
        step.irregular("late_claim", side, word="win", late_ms=over // 1000, detail="self_drawn")


def cannot_meet(hand: HandState, seat: SeatState, word: str, tile: str) -> bool:
    """Does the seat lack the tiles for its call? Only where its whole hand is read. A wild tile is none of a
    claimed set, not even as itself (WH-W5)."""
    if not tile or len(seat.tiles) != seat.concealed or "" in seat.tiles:
        return False
    held = [own for own in seat.tiles if own not in hand.wild]
    if word == "chow":
        return not chow_pairs(held, tile)
    return held.count(tile) < NEEDED.get(word, 0)


def chow_pairs(held: list[str], tile: str) -> list[tuple[str, str]]:
    """The pairs of held tiles that make a chow with the tile."""
    low, found = number(tile), []
    for one, other in ((-2, -1), (-1, 1), (1, 2)):
        pair = f"{low + one}{suit(tile)}", f"{low + other}{suit(tile)}"
        if low and low + one > 0 and low + other <= HIGHEST and all(own in held for own in pair):
            found.append(pair)
    return found


def changed(step: Step, old: Claim, word: str, outranked: bool) -> None:
    """Another word instead of the first. Free while nothing is shown, but somebody may do it too often; who
    only answers a better call of another has a right to (ZJ-C15)."""
    if old.word != word and not outranked and step.watches("changed_call"):
        step.irregular("changed_call", old.side, word=word, was=old.word)
