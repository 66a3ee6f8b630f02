"""What a seat may not do for the rest of a hand: a dead hand, one without claims or kongs, mechanical play.

A bar is laid by a ruling and refuses what the seat asks for. What lies there already is a fact: it is
flagged, with the rule of the bar.
"""

from __future__ import annotations

from tablectl.game.casestate import Bar
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.state import SeatState

OWN_KONG = "own_kong"  # in the own turn, where a claimed one is a word like the others
# What bars an act, the widest first: it is the one that is named.
BARRING = {
    "win": ("mechanical", "no_win"),
    "chow": ("mechanical", "no_claims"),
    "pung": ("mechanical", "no_claims"),
    "kong": ("mechanical", "no_claims", "no_kongs"),
    OWN_KONG: ("mechanical", "no_kongs"),
}


REFUSALS = {
    "mechanical": "refused.mechanical",
    "no_win": "refused.no_win",
    "no_claims": "refused.no_claims",
    "no_kongs": "refused.no_kongs",
}


def bar_on(seat: SeatState, act: str) -> Bar | None:
    """What keeps a seat from an act: a word of a claim, or `OWN_KONG`."""
    for effect in BARRING[act]:
        for bar in seat.bars:
            if bar.effect == effect:
                return bar
    return None


def refuse(step: Step, side: int, act: str, *, tile: str = "") -> None:
    """Refuse what a bar forbids; the case that laid it keeps the record. Raises ``RefusedCommand``."""
    seat = step.seat(side)
    bar = bar_on(seat, act)
    if bar is None:
        return
    step.refused_by(bar)
    word = "kong" if act == OWN_KONG else act
    raise RefusedCommand(REFUSALS[bar.effect], rule=bar.rule, seat=seat.wind, word=word, tile=tile)


def flag_kong(step: Step, side: int, tile: str) -> None:
    """A kong lies there though the seat may declare none."""
    bar = bar_on(step.seat(side), OWN_KONG)
    if bar is not None:
        step.refused_by(bar)
        step.irregular(bar.effect, side, rule=bar.rule, word="kong", tile=tile)


def flag_discard(step: Step, side: int, tile: str) -> None:
    """Another tile than the drawn one was discarded: not in mechanical play (CJ-C5)."""
    bar = next((bar for bar in step.seat(side).bars if bar.effect == "mechanical"), None)
    if bar is not None:
        step.refused_by(bar)
        step.irregular("mechanical", side, rule=bar.rule, word="discard", tile=tile)
