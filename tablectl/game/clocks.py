"""Turn clocks and deadlines: data the daemon arms, never timers.

A deadline is decided when the table's time has passed it with no event missing; until then a press that
was made earlier still counts, however late it arrives. Clocks run in *play time*: while a hold stands, or a
win is before the referee, it does not pass, and what had begun before is moved on by as much.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.game import measuring, schedule
from tablectl.game.cases import limits
from tablectl.game.context import SECOND, Step
from tablectl.game.state import HandState, State, Window
from tablectl.game.timestate import Clock
from tablectl.rules.model import Turn


def standing(state: State) -> bool:
    """True while the clocks of the hand must stand: a hold, or a win before the referee."""
    hand = state.hand
    return bool(state.holds) or (hand is not None and hand.phase == "adjudication")


def played(step: Step) -> int:
    """The time of this input as play saw it."""
    return until(step.hand, step.at)


# starting


def start(
    step: Step, side: int, limit_s: int, why: str, *, at: int | None = None, since: Clock | None = None
) -> None:
    """Start a turn's time: now; from the open tile that was claimed (``at`` its moment in play, MCR-T1,
    ZJ-T4); or where another clock had started (``since``)."""
    hand = step.hand
    for clock in [clock for clock in hand.unshown if clock.side == side]:
        _end_unshown(step, clock, "discard")  # his meld was never seen
    hand.clocks += 1
    asked, began, unc = played(step), step.at, step.unc
    if since is not None:
        asked, began, unc = since.started - since.grace, since.began, since.unc
    elif at is not None and hand.window is not None:
        asked, began, unc = at, hand.window.began, hand.window.unc
    started = max(asked, hand.grace_until)  # ZJ-T5
    hand.clock = Clock(
        side,
        limit_s * SECOND,
        started,
        no=hand.clocks,
        began=began,
        unc=unc,
        why=why,
        grace=started - asked,
        waits=bool(hand.unshown),
        timed=step.rules.turn.timing_scope.value == "all" or side in hand.timed,
    )


def next_turn(step: Step, side: int) -> None:
    """A tile was discarded: the next seat's time runs from now."""
    start(step, side, step.rules.turn.discard_s.value, "discard")


def claimed(step: Step, side: int) -> None:
    """The open tile is awarded: the claimer's time runs from its discard. Whose turn it would have been had
    none."""
    hand, window = step.hand, step.hand.window
    if hand.clock is not None and hand.clock.side != side:
        end(step, "taken")
    at = None if window is None else window.counts
    start(step, side, step.rules.turn.discard_s.value, "claim", at=at)


def count_from_now(step: Step, window: Window) -> None:
    """A turn that begins with this open tile is timed from now."""
    window.counts, window.began, window.unc = played(step), step.at, step.unc


def claim_undone(step: Step, side: int) -> None:
    """Nobody took the tile that was awarded: the next seat's time has run from the same discard."""
    since = step.hand.clock
    if since is not None:
        end(step, "taken")
        start(step, side, step.rules.turn.discard_s.value, "discard", since=since)


def replacement(step: Step) -> None:
    """The replacement of a kong begins a turn of its own, where the rules say so (ZJ-T4). Where nobody senses
    draws it is taken to follow the kong at once."""
    hand, rules = step.hand, step.rules.turn
    if rules.replacement_restarts.value and hand.clock is not None and hand.replaces == "kong":
        side = hand.clock.side
        end(step, "replacement")
        start(step, side, rules.discard_s.value, "replacement")


# ending


def end(step: Step, why: str) -> None:
    """The turn whose clock runs is over: measure it."""
    clock, step.hand.clock = step.hand.clock, None
    if clock is not None:
        measuring.measure(step, clock, why, played(step))


def discarded(step: Step, side: int) -> None:
    """The turn seat has discarded: its turn ends, unless the rules want its claimed meld shown too and that
    does not lie there yet (ZJ-T4)."""
    hand = step.hand
    clock = hand.clock
    late = step.rules.turn.stops_at.value == "discard_and_meld" and _owes_meld(hand, side)
    if late and clock is not None and clock.side == side:
        hand.clock = None
        hand.unshown.append(clock)
    else:
        end(step, "discard" if clock is not None and clock.side == side else "taken")


def meld_shown(step: Step, side: int) -> None:
    """A claimed meld lies open. If its owner has discarded already that ends his turn; the others had to
    wait for it, at his cost (ZJ-C13)."""
    hand = step.hand
    if _owes_meld(hand, side):
        return
    late = [clock for clock in hand.unshown if clock.side == side]
    for clock in late:
        _end_unshown(step, clock, "meld")
    if hand.unshown or not late:
        return
    if hand.window is not None and hand.window.side == side:
        count_from_now(step, hand.window)
    if hand.clock is not None and hand.clock.waits:
        begin_now(step, hand.clock, "meld")


def begin_now(step: Step, clock: Clock, why: str) -> None:
    """A clock that was there but did not count counts from now."""
    asked = played(step)
    clock.waits, clock.why = False, why
    clock.began, clock.unc = step.at, step.unc
    clock.started = max(asked, step.hand.grace_until)
    clock.grace = clock.started - asked


def _owes_meld(hand: HandState, side: int) -> bool:
    return any(not meld.shown for meld in hand.seats[side].melds)


def _end_unshown(step: Step, clock: Clock, why: str) -> None:
    step.hand.unshown.remove(clock)
    measuring.measure(step, clock, why, played(step))


def finish(step: Step, result: str) -> None:
    """The hand closes: nothing runs on, and the banks are looked at (ZJ-T1). A hand that does not count
    charges nobody."""
    hand = step.hand
    counts = result not in ("void", "redealt", "cancelled")
    for clock in list(hand.unshown):
        _end_unshown(step, clock, "closed" if counts else "void")
    if hand.clock is not None:
        sides = {win.side for win in hand.won}
        used = result != "win" or hand.clock.side in sides | {win.origin for win in hand.won}
        why = "win" if hand.clock.side in sides else "closed" if used else "taken"
        end(step, why if counts else "void")
    if counts:
        measuring.close_banks(step)


# reading


def running(hand: HandState) -> Iterator[Clock]:
    """Every clock of the hand that runs or stands; seldom more than one."""
    yield from hand.unshown
    if hand.clock is not None:
        yield hand.clock


def until(hand: HandState, now: int) -> int:
    """A moment of the table as play saw it: while the clocks stand, the one they stopped at; one that holds
    came after, which were over before it was heard of, is moved on like everything that had begun then."""
    at = now if hand.frozen is None else min(now, hand.frozen)
    if not hand.stood or at >= hand.stood[-1][1]:
        return at
    return at + sum(max(0, end - max(since, at)) for since, end in hand.stood)


def spent(state: State, now: int) -> int:
    """µs of the running turn used so far, as `measuring.spent` has it; standing time is not in it."""
    hand = state.hand
    return 0 if hand is None or hand.clock is None else measuring.spent(hand, hand.clock, until(hand, now))


def left(state: State, now: int) -> int | None:
    """µs left of the running turn, negative beyond its limit; None without a clock."""
    hand = state.hand
    return None if hand is None or hand.clock is None else left_of(hand, hand.clock, now)


def left_of(hand: HandState, clock: Clock, now: int) -> int:
    """The same of any clock of a hand."""
    return clock.limit - measuring.spent(hand, clock, until(hand, now))


def due(hand: HandState, clock: Clock) -> int:
    """When the limit of a turn is passed."""
    return max(0, clock.started + clock.limit + measuring.given(hand, clock))


def deadlines(state: State) -> list[tuple[str, int]]:
    """(name, table time) of every deadline that runs now, earliest first. While clocks stand only the
    session's time and the mechanism's own limit run, and that only while its device answers."""
    found = schedule.deadlines(state) + limits.deadlines(state)
    order = state.table.order
    if order is not None and order.due and order.stage in ("sent", "accepted"):
        device = state.devices.get(order.device)
        if device is not None and device.link == "online":
            found.append(("order", order.due))
    hand = state.hand
    if hand is not None and not hand.over and not standing(state):
        if hand.window is not None and hand.window.until:
            found.append(("window", hand.window.until))
        if state.ruleset is not None:
            found += _of_turns(hand, state.ruleset.turn)
    return sorted(found, key=lambda deadline: (deadline[1], deadline[0]))


def _of_turns(hand: HandState, rules: Turn) -> Iterator[tuple[str, int]]:
    for clock in running(hand):
        if clock.over or clock.waits or not clock.timed:
            continue
        limit = due(hand, clock)
        yield "turn", limit + 1  # exactly at it is in time
        warning = rules.warning_s.value * SECOND
        if warning and not clock.warned and clock.limit > warning:
            yield "turn warning", max(0, limit - warning)


# what the deadlines do


def passed(step: Step, moment: int) -> None:
    """The limit of a turn is passed: say so. What it costs is known when the turn ends."""
    for clock in running(step.hand):
        if not clock.over and due(step.hand, clock) + 1 == moment:
            clock.over = clock.warned = True
            spent_us = measuring.spent(step.hand, clock, played(step))
            step.publish("event.overtime", side=clock.side, spent_us=spent_us)


def warn(step: Step, moment: int) -> None:
    """The limit of a turn is near: say how many seconds there are."""
    warning = step.rules.turn.warning_s.value
    for clock in running(step.hand):
        if not clock.warned and max(0, due(step.hand, clock) - warning * SECOND) == moment:
            clock.warned = True
            step.publish("event.turn_warning", side=clock.side, left_s=warning, sound="warning")
