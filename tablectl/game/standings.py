"""Where everybody stands in a session, by the rules of its system; and a session that is over, summed up.

Everything follows from the ledger and is reckoned anew whenever somebody asks: what is corrected is right
everywhere at once (B084), and no entry counts for more than its points (B098).
"""

from __future__ import annotations

from typing import Any

from tablectl.game import ledger
from tablectl.game.sessionstate import SessionState
from tablectl.game.state import State
from tablectl.rules import standings as rulebook
from tablectl.rules.model import Ruleset
from tablectl.rules.standings import Standings


def of(session: SessionState, rules: Ruleset) -> Standings:
    """The standings as they are now; standard points come with the end of what gives them."""
    forfeited = [player.id for player in session.players if player.status == "forfeited"]
    event = rulebook.Event(session.worth, session.advancing)
    over = session.phase == "over"
    return rulebook.standings(
        rules, ledger.stage_points(session), finished(session), last=forfeited, event=event, over=over
    )


def finished(session: SessionState) -> int:
    """How many stages are over."""
    return session.stage - (0 if session.ended else 1)


def document(session: SessionState, rules: Ruleset | None) -> dict[str, Any]:
    """The standings as plain data: the ``ranking``, and what the system calls its standard points.

    ``per``: into how many parts a standard point is divided; ``standard`` and ``sum`` are in parts.
    """
    now = of(session, rules) if rules is not None and session.players else Standings(())
    return {
        "ranking": [
            {
                "place": one.place,
                "player": one.player,
                "total": one.total,
                "standard": list(one.standard),
                "sum": one.sum,
                "advances": one.advances,
                "wildcard": one.wildcard,
            }
            for one in now.places
        ],
        "standings": {
            "unit": now.unit,
            "per": now.per,
            "rules": list(now.rules),
            "provisional": now.provisional,
            "lot": [list(names) for names in now.lot],
            "event": session.event,
            "final": session.phase == "over",
        },
    }


def summary(state: State) -> dict[str, Any]:
    """A session that is over, in a few lines. One that was cancelled does not count (B088)."""
    session = state.session
    return {
        "rules": session.rules,
        "started": session.started,
        "ended": session.ended,
        "counted": session.ended != "cancelled",
        "players": {player.id: player.name for player in session.players},
        "hands": sum(r["result"] not in ledger.NOT_COUNTED for r in state.results),
        "stages": ledger.stage_points(session),
        **document(session, state.ruleset),
    }
