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

COAST = 5.0  # seconds from a STOP until everything rests, at the most


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
