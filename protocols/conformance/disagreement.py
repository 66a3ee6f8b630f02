"""Where a STATUS says something else than the events it knows, or contradicts itself."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.atp import messages as m
from protocols.conformance.history import Belief, Life
from protocols.vocabulary import Operation, StoreState, TopState

STORE_KEPT = frozenset(  # orders that leave a build, or a set in store, as it is
    {
        Operation.BUILD,
        Operation.LOWER,
        Operation.DICE,
        Operation.LAMPS,
        Operation.SET_PROFILE,
        Operation.CLEAR_FAULT,
    }
)
TOP_KEPT = STORE_KEPT - {Operation.BUILD, Operation.LOWER} | {Operation.ABORT_BUILD, Operation.PURGE}
UNDER_WAY_ON_TOP = (TopState.LOADING, TopState.RAISING, TopState.LOWERING)
NOT_WHILE: dict[int, tuple[TopState, ...]] = {  # what the top does not do while an order is under way
    Operation.LOWER: (TopState.LOADING, TopState.RAISING),
    Operation.RAISE: (TopState.LOWERING,),
    Operation.BUILD: (TopState.RAISING, TopState.LOWERING),
}
Wanted = tuple[str, object, object]  # a field of STATUS, what the events say, what it says


def unlike(life: Life, sides: bool) -> Iterator[Wanted]:
    """Where a STATUS says something else than the events do. ``sides``: it counts stacks side by side."""
    for at, status, belief in life.states():
        yield from _tracks(life, at, status, belief)
        if sides:
            yield from _stacks(life, at, status, belief)
        if belief.profile and status.profile != belief.profile:
            yield "profile", belief.profile, status.profile


def _tracks(life: Life, at: float, status: m.Status, belief: Belief) -> Iterator[Wanted]:
    top, store, centre = belief.top, belief.store, belief.centre
    if top is not None and not life.sent(top, at, TOP_KEPT):
        if status.top != top.said:
            yield "top", TopState(top.said).name, status.top
        if status.hand != belief.hand:
            yield "hand", belief.hand, status.hand
    if store is not None and not life.sent(store, at, STORE_KEPT) and status.store != store.said:
        yield "store", StoreState(store.said).name, status.store
    if centre is not None and status.running in (Operation.BUILD, Operation.RAISE):
        loads = not life.sent_any((Operation.PAUSE, Operation.RESUME), 0.0, at) or store is None
        if centre.said and loads and status.top != TopState.LOADING:
            yield "top", TopState.LOADING.name, status.top
    closed = centre is not None and not centre.said and not life.sent(centre, at, TOP_KEPT)
    if closed and status.top == TopState.LOADING:
        yield "top", TopState.CLEAR.name, status.top


def _stacks(life: Life, at: float, status: m.Status, belief: Belief) -> Iterator[Wanted]:
    store, top = belief.store, belief.top
    if store is not None and not life.sent(store, at, STORE_KEPT):
        said = list(status.store_stacks)
        for side, stacks in belief.rows.items():
            if side < len(said) and said[side] != stacks:
                yield "store_stacks", stacks, said[side]
        if store.said == StoreState.READY and 2 * sum(said) != belief.tiles:
            yield "store_stacks", belief.tiles // 2, sum(said)
        if store.said == StoreState.BUILDING and not belief.rows:
            changed = life.sent_any((Operation.SET_PROFILE,), store.at - life.margin, at)
            if not changed and 2 * sum(said) >= status.profile:
                yield "store_stacks", f"less than {status.profile // 2}", sum(said)
    if top is not None and not life.sent(top, at, TOP_KEPT):
        said = list(status.top_stacks)
        for side, stacks in belief.walls.items():
            if side < len(said) and said[side] != stacks:
                yield "top_stacks", stacks, said[side]


def contradicting(life: Life, sides: bool) -> Iterator[Wanted]:
    """Where a STATUS contradicts itself. ``sides``: it counts stacks side by side."""
    for heard in life.heard:
        status = heard.message
        if not isinstance(status, m.Status):
            continue
        if status.stopped and not status.running:
            if status.top in UNDER_WAY_ON_TOP and life.rests(heard):
                yield "top", "UNKNOWN, CLEAR, WALLS_UP", TopState(status.top).name
            if status.store == StoreState.BUILDING and life.rests(heard):
                yield "store", "EMPTY, PAUSED, READY, SHORT, UNKNOWN", StoreState.BUILDING.name
        elsewhere = NOT_WHILE.get(status.running, ())
        if status.top in elsewhere:
            yield "top", Operation(status.running).name, TopState(status.top).name
        if sides:
            yield from _counted(status)


def _counted(status: m.Status) -> Iterator[Wanted]:
    store, top = sum(status.store_stacks), sum(status.top_stacks)
    if status.store == StoreState.EMPTY and store:
        yield "store_stacks", 0, store
    if status.store == StoreState.READY and not store:
        yield "store_stacks", "a set", store
    if status.top == TopState.CLEAR and top:
        yield "top_stacks", 0, top
    if status.top == TopState.WALLS_UP and not top:
        yield "top_stacks", "a set", top


def unmoved(life: Life) -> Iterator[Wanted]:
    """Where STATUS, asked for again and again, never said that walls were on their way."""
    seen: dict[tuple[int, TopState], list[int]] = {}
    for _, status, belief in life.states():
        closed = belief.centre is not None and not belief.centre.said
        if status.running == Operation.LOWER:
            seen.setdefault((status.running_id, TopState.LOWERING), []).append(status.top)
        elif status.running == Operation.RAISE and closed:
            seen.setdefault((status.running_id, TopState.RAISING), []).append(status.top)
    for (_, wanted), tops in seen.items():
        if len(tops) > 1 and wanted not in tops:
            yield "top", wanted.name, TopState(tops[-1]).name


def unlatched(life: Life) -> Iterator[Wanted]:
    """Where a STATUS hides a fault the events say is latched, or shows one that was cleared."""
    for _, status, belief in life.states():
        shown = set(zip(status.faults, status.fault_sides, strict=True))
        for key, latched in belief.latched.items():
            room = sum(belief.latched.values()) <= len(status.faults)
            if (key in shown) != latched and (room or not latched):
                yield "faults", key[0] if latched else 0, 0 if latched else key[0]


def unstopped(life: Life) -> Iterator[Wanted]:
    """Where a STATUS after STOPPED says that no stop stands, although nobody has homed."""
    for at, status, belief in life.states():
        row = belief.stopped
        homed = row is None or life.sent_any((Operation.HOME,), row.at - life.margin, at)
        if not homed and not status.stopped:
            yield "stopped", 1, status.stopped
