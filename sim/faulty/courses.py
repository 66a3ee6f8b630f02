"""Faults that show only when a build, a replay or a silence is looked at as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.frame import Frame
from protocols.vocabulary import EventKind, Operation, Order, Refusal, Source, StoreState, TopState
from sim.faulty.session import Tampered
from sim.faulty.tables import put
from sim.world import SimTable

MORE = 2  # events before those that were asked for


class BuildsUnannounced(Tampered):
    """No event tells that a build has begun."""

    def event(self, kind: EventKind, **values: object) -> int:
        if kind is EventKind.BUILD_STARTED:
            return self._ring.newest
        return super().event(kind, **values)  # type: ignore[arg-type]


class ThreeSides(Tampered):
    """Of the last side nobody is told that it is done."""

    def event(self, kind: EventKind, **values: object) -> int:
        if kind is EventKind.SIDE_DONE and values["side"] == 2:
            return self._ring.newest
        return super().event(kind, **values)  # type: ignore[arg-type]


class NeverLoading(Tampered):
    """STATUS does not say that the centre waits for tiles."""

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Status) and message.top == TopState.LOADING:
            return [replace(message, top=TopState.CLEAR)]
        return [message]


class ReadyTooSoon(Tampered):
    """STATUS calls a set complete while it is being built."""

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Status) and message.store == StoreState.BUILDING:
            return [replace(message, store=StoreState.READY)]
        return [message]


class ForgetsWalls(Tampered):
    """STATUS counts no stacks on top."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, top_stacks=bytes(4)) if isinstance(message, m.Status) else message]


class ValueForAll(Tampered):
    """DONE of every order has a value."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, value=message.value or 1) if isinstance(message, m.Done) else message]


class RepeatsAtOnce(Tampered):
    """Every event is sent twice, to be sure."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [message, message] if isinstance(message, m.Event) else [message]


class ReplaysMore(Tampered):
    """A replay begins a little before what was asked for."""

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, m.ReplayAsk):
            message = replace(message, first=max(1, message.first - MORE))
        super()._handle(message, now)


class HearsStrangers(Tampered):
    """A frame nobody knows is a sign of life."""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        self._life.heard = now
        return True


def home_drops_the_set(table: SimTable) -> None:
    """Homing lets a complete set fall back into the drum."""
    put(table.machine, "rows_full", lambda: False)


def keeps_faults_of_a_host(table: SimTable) -> None:
    """CLEAR_FAULT forgets nothing."""
    forget = table.machine.alarms.forget_gone

    def only_at_home(*only: object, source: Source = Source.SENSOR) -> None:
        if source is not Source.HOST:
            forget(*only, source=source)  # type: ignore[arg-type]

    put(table.machine.alarms, "forget_gone", only_at_home)


def rows_stay(table: SimTable) -> None:
    """Neither homing nor an abort lets part-built rows fall back."""
    put(table.machine, "drop_store", lambda: None)


def refuses_lamps_in_a_stop(table: SimTable) -> None:
    """While a stop stands nothing is taken, not even what moves nothing."""
    order = table.machine.order

    def strict(given: Order) -> Refusal:
        if table.machine.stopped and given.operation is not Operation.HOME:
            return Refusal.STOPPED
        return order(given)

    put(table.machine, "order", strict)
