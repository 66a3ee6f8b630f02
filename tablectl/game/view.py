"""The state document: what every screen draws from. Tiles of a hand in play are masked unless opened.

Integers, strings and lists only; times are table time in µs, so a screen interpolates by itself.
"""

from __future__ import annotations

from typing import Any

from tablectl.game import adjudication, clocks, measuring, session_view
from tablectl.game.cases import page
from tablectl.game.state import HandState, SeatState, State
from tablectl.game.timestate import Measurement


def view(state: State, now: int, *, open: bool = False) -> dict[str, Any]:
    """The document at table time ``now``."""
    return {
        "now": now,
        "record": state.changed,
        "table": _table(state),
        "session": session_view.document(state),
        "hand": None if state.hand is None else _hand(state, state.hand, now, open or state.hand.over),
        "holds": [
            {"name": name, "key": hold.key, "since": hold.since, "ends": hold.ends, "data": hold.data}
            for name, hold in sorted(state.holds.items())
        ],
        "links": {
            name: {
                "state": device.link,
                "word": device.word,
                "since": device.since,
                "serial": device.serial,
                "firmware": device.firmware,
            }
            for name, device in sorted(state.devices.items())
        },
        "cases": page.document(state),
        "timeouts": [
            {
                "side": away.side,
                "kind": away.kind,
                "started": away.started,
                "planned_us": away.planned,
                "ended": away.ended,
            }
            for away in state.timeouts
        ],
        "restart": None if state.restart is None else {"at": state.restart.at, "gap_s": state.restart.gap_s},
        "results": state.results[-16:],
    }


def _table(state: State) -> dict[str, Any]:
    table = state.table
    order = table.order
    return {
        "top": table.top,
        "store": table.store,
        "profile": table.profile,
        "hand": table.hand,
        "stopped": table.stopped,
        "homed": table.homed,
        "suspect": table.suspect,
        "faults": [[fault, side] for fault, side in table.faults],
        "order": None
        if order is None
        else {"id": order.id, "operation": order.operation, "stage": order.stage, "percent": order.percent},
        "top_stacks": list(table.top_stacks),
        "store_stacks": list(table.store_stacks),
    }


def _hand(state: State, hand: HandState, now: int, open: bool) -> dict[str, Any]:
    window, win, clock = hand.window, hand.win, hand.clock
    kongs_shown = state.ruleset is not None and state.ruleset.kongs.concealed_shown.value
    return {
        "no": hand.no,
        "phase": hand.phase,
        "turn": hand.turn,
        "thrower": hand.thrower,
        "draw_from": hand.draw_from,
        "total": hand.total,
        "wall_left": hand.wall_left,
        "head": hand.head,
        "tail": hand.tail,
        "indicator": hand.indicator,
        "wild": list(hand.wild),
        "dice": [list(throw) for throw in hand.throws],
        "break": None if hand.break_side is None else {"side": hand.break_side, "stack": hand.break_stack},
        "seats": [
            {
                **_seat(side, seat, open, open or kongs_shown),
                "bank_left_us": _bank_left(state, hand, side, now),
                "overtime": seat.overtime,
            }
            for side, seat in enumerate(hand.seats)
        ],
        "last_discard": None
        if window is None or window.kind != "discard"
        else {"side": window.side, "tile": window.tile},
        "window": None
        if window is None
        else {
            "kind": window.kind,
            "until": window.until,
            "words": list(window.words),
            "claims": [{"side": c.side, "word": c.word, "state": c.state} for c in window.claims],
        },
        "win": None
        if win is None
        else {
            "side": win.side,
            "from": win.origin,
            "how": win.how,
            "tile": win.tile,
            "counts": dict(win.counts),
            "ruling_due": win.ruling_due,
            "verdict": None if win.verdict is None else adjudication.plainly(win.verdict),
        },
        "clock": None
        if clock is None
        else {
            "side": clock.side,
            "limit_us": clock.limit,
            "started": clock.started,
            "spent_us": clocks.spent(state, now),
            "running": hand.frozen is None,
            "left_us": clocks.left(state, now),
            "over": clock.over,
            "warned": clock.warned,
            "timed": clock.timed,
            "waits": clock.waits,
        },
        "measured": None if not hand.measurements else _measured(hand.measurements[-1]),
        "waits": dict(hand.waits),
        "turns": hand.turns,
        "irregularities": len(hand.irregularities),
        "result": hand.result,
    }


def _bank_left(state: State, hand: HandState, side: int, now: int) -> int | None:
    """µs left of the seat's bank, its running turn counted (ZJ-T1); None where there is none."""
    if state.ruleset is None:
        return None
    running = sum(
        measuring.counted(hand, clock, clocks.until(hand, now))
        for clock in clocks.running(hand)
        if clock.side == side and clock.timed
    )
    return measuring.bank_left(hand, state.ruleset.turn, side, running)


def _measured(line: Measurement) -> dict[str, Any]:
    """The turn that ended last."""
    return {
        "side": line.side,
        "spent_us": line.spent,
        "limit_us": line.limit,
        "over_us": line.over,
        "unc_us": line.unc,
        "found": line.found,
        "points": line.points,
    }


def _seat(side: int, seat: SeatState, open: bool, kongs_shown: bool) -> dict[str, Any]:
    return {
        "side": side,
        "seat": seat.wind,
        "concealed": seat.concealed,
        "tiles": list(seat.tiles) if open else None,
        "melds": [
            {
                "kind": meld.kind,
                "tiles": meld.tiles if kongs_shown or meld.kind != "concealed_kong" else [],
                "from": meld.origin,
            }
            for meld in seat.melds
        ],
        "flowers": len(seat.flowers),
        "discards": [discard.tile for discard in seat.discards if not discard.claimed],
        "no_win": bool(seat.no_win),
        "mechanical": bool(seat.mechanical),
        "bars": [{"effect": bar.effect, "rule": bar.rule, "case": bar.case} for bar in seat.bars],
        "penalty_tiles": [
            {"tile": one.tile, "live": one.live, "forced": one.forced, "rule": one.rule}
            for one in seat.penalty_tiles
        ],
    }
