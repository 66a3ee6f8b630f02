"""What the events of a boot say of the table, so that each STATUS of the run can be held against them.

A STATUS names the newest event it knows, so it is compared with the events up to that one, whenever they
came. Where an event is missing, or an order may have changed something meanwhile, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from protocols.atp import messages as m
from protocols.atp.endpoint import message_of
from protocols.conformance.wire import Heard, Said
from protocols.vocabulary import EventKind, Operation, StoreState, TopState

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
NOT_WHILE = {  # what the top does not do while an order is under way
    Operation.LOWER: (TopState.LOADING, TopState.RAISING),
    Operation.RAISE: (TopState.LOWERING,),
    Operation.BUILD: (TopState.RAISING, TopState.LOWERING),
}
COAST = 5.0  # seconds from a STOP until everything rests, at the most
Wanted = tuple[str, object, object]  # a field of STATUS, what the events say, what it says


@dataclass(slots=True)
class Row:
    """Something the events say, and when the event came that said so."""

    at: float
    said: int


@dataclass(slots=True)
class Belief:
    """What follows from the events so far. None and empty: nothing does."""

    top: Row | None = None
    store: Row | None = None
    centre: Row | None = None  # 1 = a set is being pushed in
    stopped: Row | None = None
    profile: int = 0
    hand: int = 0
    tiles: int = 0  # of the set in store
    rows: dict[int, int] = field(default_factory=dict)  # stacks that stand in the store, by side
    walls: dict[int, int] = field(default_factory=dict)  # stacks on top, by side
    latched: dict[tuple[int, int], bool] = field(default_factory=dict)


@dataclass(slots=True)
class Life:
    """One boot as it was heard on one line."""

    heard: list[Heard]
    orders: list[tuple[float, int]]  # operations sent, and when; a STOP is 0
    margin: float  # seconds an order may have been under way
    events: dict[int, tuple[float, m.Event]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for heard in self.heard:
            if isinstance(heard.message, m.Event):
                self.events.setdefault(heard.message.number, (heard.at, heard.message))

    def sent(self, row: Row, until: float, kept: frozenset[Operation] = frozenset()) -> bool:
        """True when an order that does not leave all as it is may have come between an event and a moment."""
        return any(
            row.at - self.margin <= at <= until and operation not in kept for at, operation in self.orders
        )

    def sent_any(self, operations: tuple[Operation, ...], since: float, until: float) -> bool:
        """True when one of these was sent meanwhile."""
        return any(since <= at <= until and operation in operations for at, operation in self.orders)

    def rests(self, heard: Heard) -> bool:
        """True when no STOP was sent shortly before a frame: what moved has come to rest."""
        return not any(heard.at - COAST <= at <= heard.at and not operation for at, operation in self.orders)

    def states(self) -> Iterator[tuple[float, m.Status, Belief]]:
        """Each STATUS with what the events up to the one it names say."""
        belief, upto = Belief(), min(self.events, default=1) - 1
        for heard in self.heard:
            status = heard.message
            if not isinstance(status, m.Status):
                continue
            for number in range(upto + 1, min(status.last_event, upto + len(self.events) + 1) + 1):
                found = self.events.get(number)
                belief = Belief() if found is None else self._after(belief, *found)
                upto = number
            if upto == status.last_event:
                yield heard.at, status, belief

    def _after(self, belief: Belief, at: float, event: m.Event) -> Belief:
        """What is known after one event more."""
        kind, side, value = event.kind, event.side, event.value
        if kind in (EventKind.STOPPED, EventKind.FAULT_SET, EventKind.KEY_PRESSED, EventKind.BOOT):
            belief.top = belief.store = belief.centre = None
        if kind == EventKind.STOPPED:
            belief.stopped = Row(at, 1)
        elif kind in (EventKind.FAULT_SET, EventKind.FAULT_CLEARED):
            belief.latched[value, side] = kind == EventKind.FAULT_SET
        elif kind == EventKind.PROFILE_CHANGED:
            belief.profile = value
        elif kind in (EventKind.CENTRE_OPENED, EventKind.CENTRE_CLOSED):
            belief.centre, belief.top = Row(at, int(kind == EventKind.CENTRE_OPENED)), None
        elif kind in (EventKind.BUILD_STARTED, EventKind.SIDE_DONE, EventKind.BUILD_DONE):
            self._build(belief, at, event)
        elif kind in (EventKind.WALLS_UP, EventKind.WALLS_DOWN):
            self._walls(belief, at, event)
        return belief

    def _build(self, belief: Belief, at: float, event: m.Event) -> None:
        if event.kind == EventKind.BUILD_STARTED:
            last = belief.store.at if belief.store is not None else 0.0
            if not self.sent_any((Operation.RESUME,), last, at):
                belief.rows = {}
            belief.store, belief.tiles = Row(at, StoreState.BUILDING), 0
        elif event.kind == EventKind.SIDE_DONE:
            belief.rows[event.side] = event.value
        else:
            belief.store, belief.tiles = Row(at, StoreState.READY), event.value

    def _walls(self, belief: Belief, at: float, event: m.Event) -> None:
        up = event.kind == EventKind.WALLS_UP
        belief.top = Row(at, TopState.WALLS_UP if up else TopState.CLEAR)
        belief.hand, belief.centre = event.value if up else 0, None
        belief.walls = belief.rows if up else dict.fromkeys(range(4), 0)
        if up:
            belief.store, belief.rows, belief.tiles = Row(at, StoreState.EMPTY), {}, 0


def lives(eras: list[list[Heard]], said: list[Said], margin: float) -> list[Life]:
    """Every boot of a run. ``said``: all that was sent, on whatever line."""
    orders = []
    for one in said:
        message = message_of(one.frame)
        if isinstance(message, m.Operate):
            orders.append((one.at, message.operation))
        elif isinstance(message, m.Stop):
            orders.append((one.at, 0))
    return [Life(heard, orders, margin) for heard in eras]


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


def latched_twice(life: Life) -> list[int]:
    """Faults that were told as set although they were latched already."""
    stand: set[tuple[int, int]] = set()
    found = []
    for _, event in (life.events[number] for number in sorted(life.events)):
        key = event.value, event.side
        if event.kind == EventKind.FAULT_SET:
            found += [event.value] if key in stand else []
            stand.add(key)
        elif event.kind == EventKind.FAULT_CLEARED:
            stand.discard(key)
    return found


def events_of(found: list[Life]) -> list[m.Event]:
    """Every event of these boots, in order."""
    return [
        event for _, event in chain.from_iterable(sorted(life.events.values(), key=_number) for life in found)
    ]


def _number(row: tuple[float, m.Event]) -> int:
    return row[1].number
