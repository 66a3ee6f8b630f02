"""Holds and standing time: what stops the clocks, and how stopped time is taken out of them.

Suspension is not a phase. While a hold stands, or a win is before the referee, clocks stand, deadlines wait
and no motion starts; facts go on being recorded. When the last reason ends, every deadline moves by the
time it stood, so play is exactly where it was and nobody has been charged.
"""

from __future__ import annotations

from tablectl.game import clocks, measuring
from tablectl.game.clocks import running, standing
from tablectl.game.context import SECOND, Step
from tablectl.game.state import HandState, State
from tablectl.game.timestate import Held

WIN = "win"  # under this name stands a win before the referee
LAMPS = {"off": 0, "play": 1, "hold": 2, "win": 3, "closed": 4}


def settle(step: Step) -> None:
    """Bring clocks and lamps in line with the holds; called once at the end of every step."""
    hand = step.state.hand
    if hand is not None:
        _stand_for_win(step, hand)
    if hand is not None and not hand.over:
        if standing(step.state):
            if hand.frozen is None or _stood_before(step, hand, hand.frozen):
                measuring.measure_again(step, step.at)
                hand.frozen = step.at
        elif hand.frozen is not None:
            _thaw(step, hand.frozen, max(hand.frozen, step.at))
            hand.frozen = None
            if hand.in_play:
                _void_agreements(step)
    _show_lamp(step)


def _void_agreements(step: Step) -> None:
    """Play goes on: what one person alone had agreed to is void (B078)."""
    if step.state.pending:
        step.publish("event.pending_void", acts=sorted(step.state.pending))
        step.state.pending.clear()


def _stood_before(step: Step, hand: HandState, frozen: int) -> bool:
    """Has a hold begun in this step that stood before the clocks did? Its cause became known late."""
    return step.at < frozen and any(
        held.since == step.at and held.hand == hand.no for held in step.state.held
    )


def _stand_for_win(step: Step, hand: HandState) -> None:
    """A win before the referee is kept among the holds, as one that has its own end."""
    stands = any(held.name == WIN and held.until is None for held in step.state.held)
    if (hand.phase == "adjudication") == stands:
        return
    if stands:
        step.stood(WIN)
    else:
        step.state.held.append(Held(WIN, "event.win_declared", hand.no, step.at))


def _thaw(step: Step, frozen: int, now: int) -> None:
    """Move what runs by the time it stood. What began after ``frozen``, the cause of the hold being known
    later than it happened, begins now; other holds that were over by then have moved it already."""
    hand = step.hand
    stopped = clocks.until(hand, frozen)
    stood = now - frozen - sum(max(0, min(now, end) - max(frozen, begun)) for begun, end in hand.stood)
    hand.stood = measuring.merged([*hand.stood, (frozen, now)])
    window = hand.window
    if window is not None:
        moved = now - window.opened if window.opened > stopped else stood
        window.opened += moved
        window.counts = now if window.counts > stopped else window.counts + stood
        if window.until:  # else it is open until somebody plays on, and a number would close it
            window.until += moved
    lapsed = hand.lapsed  # what was pressed for it may still be heard
    if lapsed is not None and lapsed.opened <= stopped:
        lapsed.opened += stood
        lapsed.until += stood
    if hand.grace_until > stopped:  # all of it is left if it began after that
        hand.grace_until = min(hand.grace_until + stood, now + step.rules.turn.grace_s.value * SECOND)
    for clock in running(hand):
        asked = clock.started - clock.grace
        if clock.started <= stopped:
            clock.started += stood
            continue
        asked = now if asked > stopped else asked + stood
        clock.started = max(asked, hand.grace_until)
        clock.grace = clock.started - asked


def stood(state: State, name: str, since: int = 0) -> int:
    """µs in which a hold of this name stood (``fault cover_open``) or one of its kind (``fault``, ``call``),
    from ``since`` on; several at once count once, one that stands counts up to now."""
    spans = [
        (max(since, held.since), state.now if held.until is None else held.until)
        for held in state.held
        if held.name == name or held.name.startswith(name + " ")
    ]
    return sum(until - begun for begun, until in measuring.merged(spans))


def forget(state: State) -> None:
    """A hand begins: what stood in the one before the last is in the record."""
    last = state.hand.started if state.hand is not None else 0
    state.held = [held for held in state.held if held.until is None or held.until >= last]


def _given_up(step: Step, hand: HandState) -> bool:
    """Was the deal before this one given up, and is what lies on the felt, or comes up, still that of it?
    Whoever would play with those tiles must be told not to."""
    results = step.state.results
    abandoned = bool(results) and results[-1]["result"] in ("redealt", "void")
    return abandoned and hand.phase in ("building", "raising")


def _show_lamp(step: Step) -> None:
    """Players see the state of the table at their seats, where the board has lamps."""
    table, hand = step.state.table, step.state.hand
    if not step.can("lamps"):
        return
    if hand is None:
        lamp = "off"
    elif hand.over or _given_up(step, hand):
        lamp = "closed"
    elif step.state.holds:
        lamp = "hold"
    elif hand.phase == "adjudication" or hand.won:
        lamp = "win"
    else:
        lamp = "play"
    name = lit_by(step)
    if lamp != table.lamp and step.state.devices[name].link == "online":
        table.lamp = lamp
        order = step.operate(
            "lamps",
            hand=hand.deal if hand else 0,
            side=hand.turn if hand else None,
            count=LAMPS[lamp],
            device=name,
        )
        table.lamp_order = order.id


def lit_by(step: Step) -> str:
    """The device with the seats' lamps: the table's own before a keypad box's. There is one."""
    having = [name for name, device in step.state.devices.items() if "lamps" in device.capabilities]
    return step.state.table.device if step.state.table.device in having else min(having)
