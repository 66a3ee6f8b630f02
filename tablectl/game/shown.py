"""The tiles of a declared win as a person enters them, where the table does not read them.

How the tile came, the winds, the flowers and who fed which meld stay the record's.
"""

from __future__ import annotations

from typing import Any

from tablectl.game import adjudication, evidence
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.state import SINGLE, Meld, ShownHand, WinState
from tablectl.game.wins import before_referee
from tablectl.rules import verdicts
from tablectl.rules.errors import HandError
from tablectl.rules.mcr import notation

FEEDERS = {1: 3, 2: 2, 3: 1}  # who offered the tile, as written: 1 left, 2 opposite, 3 right of the winner


def show(
    step: Step, side: int, tiles: list[str], winning: str, melds: str, *, last_of_kind: bool
) -> dict[str, Any]:
    """Enter the winner's tiles, the winning one among them: the tile of the record, else the one named, else
    the last. ``melds``: ``[123m,1][EEE,3][1111s]``, where they were not read. Raises ``RefusedCommand``."""
    win = before_referee(step)
    if side != win.side:
        raise RefusedCommand("refused.not_the_winner", seat=step.seat(win.side).wind)
    named = winning or win.tile or tiles[-1]
    if win.tile and named != win.tile:
        raise RefusedCommand("refused.other_tile", tile=named, was=win.tile)
    if named not in tiles:
        raise RefusedCommand("refused.tile_not_shown", tile=named)
    concealed = list(tiles)
    concealed.remove(named)
    laid = _melds(step, side, melds)
    before = win.tile, win.shown
    win.tile, win.shown = named, ShownHand(concealed, laid, last_of_kind)
    try:
        _check(step, win)
    except HandError as error:
        win.tile, win.shown = before
        raise RefusedCommand("refused.impossible", reason=error.key, facts=error.data) from error
    adjudication.judge(step)
    verdict = win.verdict
    return {"legal": verdict is not None and verdict.legal, "total": verdict.total if verdict else 0}


def _check(step: Step, win: WinState) -> None:
    """Let the rule book refuse what cannot lie on a table. Raises `HandError`."""
    facts = evidence.facts_of(step, win)
    if facts is None:
        raise HandError("hand.pools_unread", "tiles laid out alone were not read")
    verdicts.verdict(step.rules, facts)


def _melds(step: Step, side: int, text: str) -> list[Meld]:
    """The winner's sets: the record's, with the tiles as given where it has none."""
    known = [meld for meld in step.seat(side).melds if meld.kind != SINGLE]
    if not text:
        return known
    try:
        given = notation.read_melds(text)
    except ValueError as error:
        raise RefusedCommand("refused.melds_unread", melds=text) from error
    if known and len(known) != len(given):
        raise RefusedCommand("refused.melds_differ", shown=len(given), known=len(known))
    laid = []
    for place, (meld, offered) in enumerate(given):
        origin = (side + FEEDERS[offered]) % 4 if offered else None
        n = step.n
        if known:
            origin = known[place].origin if origin is None and meld.kind != "concealed_kong" else origin
            n = known[place].n
        laid.append(Meld(meld.kind, list(meld.tiles), origin, n=n))
    return laid
