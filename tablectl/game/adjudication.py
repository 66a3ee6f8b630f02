"""The rule book looks at a declared win, wherever the tiles are known: is it one, and what is it worth.

The verdict is advice to the referee with the weight of the rules: a win it refuses is confirmed only by
overruling it, with a reason that stays in the record. Where a tile was not read there is no verdict.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablectl.game import evidence, ledger
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.state import HandState, WinState
from tablectl.game.watch import penalty_tiles
from tablectl.rules import verdicts
from tablectl.rules.errors import HandError
from tablectl.rules.verdicts.verdict import Verdict

LIMITED = "win.penalty_tile"


def judge(step: Step) -> None:
    """Ask the rule book about the win before the referee, and tell everybody what it says."""
    win = step.hand.win
    if win is None:
        return
    facts = evidence.facts_of(step, win)
    try:
        win.verdict = None if facts is None else verdicts.verdict(step.rules, facts)
    except HandError as error:  # what was read cannot lie on a table: somebody has to look
        win.verdict = None
        step.publish("event.no_verdict", side=win.side, reason=error.key, facts=error.data)
    if win.verdict is None:
        return
    if win.verdict.legal:
        step.publish(
            "event.verdict",
            side=win.side,
            total=win.verdict.total,
            fans=", ".join(f"{line.zh} {line.en}" for line in win.verdict.lines),
            points=ledger.signed(ledger.by_player(step, win.verdict.deltas)),
        )
    else:
        reason, rule = win.verdict.reason, win.verdict.rule
        step.publish("event.verdict_no_win", side=win.side, reason=reason, rule=rule, total=win.verdict.total)


def refuse_limited(step: Step, win: WinState) -> None:
    """Refuse the call of a win that only a penalty tile would complete, where the tiles are known (ZJ-P8).
    Raises ``RefusedCommand``."""
    limited = penalty_tiles.limited(step.seat(win.side))
    if not limited:
        return
    facts = evidence.facts_of(step, win)
    try:
        found = None if facts is None else verdicts.verdict(step.rules, facts)
    except HandError:
        return
    if found is None or found.reason != LIMITED:
        return
    for one in limited:
        step.refused_by(one)
    facts_told = {"seat": step.seat(win.side).wind, "tile": win.tile, "penalty": limited[0].tile}
    raise RefusedCommand("refused.penalty_tile", word="win", rule=found.rule, **facts_told)


def plainly(verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain data, as a screen and a result have it."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(verdict))
    return plain


def score_of(step: Step, win: WinState) -> dict[str, Any] | None:
    """What a confirmed win is worth, for its result; None where the rule book did not call it a win."""
    verdict = win.verdict
    if verdict is None or not verdict.legal:
        return None
    plain = plainly(verdict)
    names = ("total", "lines", "reading", "not_counted", "liable_rule")
    return {
        **{name: plain[name] for name in names},
        "deltas": ledger.by_player(step, verdict.deltas),
        "liable": None if verdict.liable is None else step.state.session.at(verdict.liable).id,
    }


def score_of_hand(step: Step, hand: HandState) -> dict[str, Any] | None:
    """The score of a won hand: that of its first winner, with the points of all of them; None where one of
    the wins was not the rule book's."""
    scores = [score for win in hand.won if (score := score_of(step, win)) is not None]
    if not scores or len(scores) < len(hand.won):
        return None
    deltas = {id_: sum(score["deltas"][id_] for score in scores) for id_ in scores[0]["deltas"]}
    return {**scores[0], "deltas": deltas}
