"""The driver contract: what the daemon may ask of any board and what any board may report.

A driver owns one connection to one device. It never blocks, never retries a motion by itself under a new
id, and tells everything it learns as a report to the sink it was given. Reconnecting, reconciling and
deciding are the daemon's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from protocols.vocabulary import (
    NO_SIDE,
    Capability,
    EventKind,
    Fault,
    Operation,
    OperationLimits,
    Order,
    Refusal,
    Source,
    Stage,
    StoreState,
    TopState,
)


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the board is."""

    vendor: str
    model: str
    serial: str
    firmware: str
    firmware_hash: str  # hex SHA-256
    boot_id: int  # new at each boot
    boot_count: int
    uptime_us: int
    capabilities: Capability
    profiles: tuple[int, ...]  # tiles of one set it can build
    time_scale: int = 1  # a simulated table may run faster than real; a real board is 1


@dataclass(frozen=True, slots=True)
class Status:
    """A whole snapshot of the board."""

    top: TopState
    store: StoreState
    stopped: bool
    homed: bool
    hand: int  # hand the walls on top were raised for, 0 = none or by the panel
    profile: int
    running_id: int  # 0 = nothing runs
    running: int  # Operation, 0 = nothing
    percent: int
    last_event: int  # number of the newest event the board holds
    boot_id: int
    board_us: int
    top_stacks: tuple[int, int, int, int]
    store_stacks: tuple[int, int, int, int]
    faults: tuple[tuple[Fault, int], ...]  # (fault, side)


@dataclass(frozen=True, slots=True)
class Reply:
    """A stage of an ordered operation, or the answer to a query of its id."""

    id: int
    stage: Stage
    percent: int = 0
    refusal: Refusal = Refusal.NONE
    fault: Fault = Fault.NONE
    side: int = NO_SIDE
    value: int = 0  # DICE: the faces as in DICE_RESULT; BUILD: tiles counted
    queried: bool = False  # True when it answers a query
    operation: int = 0  # Operation, where the board names it


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """Something the board sensed. ``board_us`` is its own clock, u64 µs since its boot."""

    number: int
    board_us: int
    kind: EventKind
    side: int = NO_SIDE
    source: Source = Source.SENSOR
    value: int = 0
    tiles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EventsLost:
    """Events `first`..`last` will never come: the board no longer holds them."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ClockSample:
    """One exchange of clocks: host seconds before and after, the board's µs between, and the number of
    the last event the board had at that moment."""

    sent: float
    received: float
    board_us: int
    last_event: int
    token: int


@dataclass(frozen=True, slots=True)
class OperateFailed:
    """An order was never answered within its acceptance limit: nobody knows whether it began."""

    id: int
    attempts: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """The peer answers, but only with errors, or is not what it should be (version, dictionary)."""

    key: str
    detail: str


@dataclass(frozen=True, slots=True)
class Gone:
    """The connection is over. ``key`` says from which evidence: ``port`` (vanished), ``silent``,
    ``errors``, ``version``, ``closed``, ``driver`` (one of another package failed)."""

    key: str
    detail: str


Report = Hello | Status | Reply | BoardEvent | EventsLost | ClockSample | OperateFailed | Rejected | Gone
Sink = Callable[[Report], None]


@dataclass(slots=True)
class Counters:
    """What the line did, since the connection opened."""

    frames_sent: int = 0
    frames_received: int = 0
    bytes_sent: int = 0
    bytes_received: int = 0
    retries: int = 0
    crc_errors: int = 0  # frames whose checksum or stuffing was wrong
    bad_bytes: int = 0  # bytes inside those frames
    unknown: int = 0  # good frames of a type or length nobody knows
    peer_errors: int = 0  # error answers of the peer
    late: int = 0  # answers nobody waited for any more
    events: int = 0
    events_repeated: int = 0
    events_lost: int = 0
    frames_missed: int = 0  # gaps in the peer's frame counter
    srtt: float = 0.0
    rttvar: float = 0.0
    rto: float = 0.0
    round_trips: list[float] = field(default_factory=list)  # the newest, seconds, at most 512


class Driver(Protocol):
    """One open connection. Every call returns at once; what comes of it arrives at the sink."""

    counters: Counters

    async def open(self, sink: Sink, *, journal_id: bytes, last_event: int, boot_id: int = 0) -> None:
        """Open the port and say hello; reports go to ``sink`` in order, in the event loop.

        ``journal_id`` is 16 bytes; a board forgets results kept for another journal. ``last_event`` is
        the last event already recorded of boot ``boot_id`` (0 = none known).
        Raises ``TransportError`` if the port cannot be opened.
        """

    def operate(self, order: Order) -> None: ...

    def query(self, id: int) -> None: ...

    def ask_status(self) -> None: ...

    def ask_clock(self) -> int:
        """Ask for the board's clock now; returns the token of the ClockSample that will answer."""

    def stop(self) -> None:
        """Stop all motion: outside windows and ids, repeated until the board reports stopped."""

    def acknowledge(self, number: int, boot_id: int) -> None:
        """Every event up to ``number`` is durably recorded; the board may forget it."""

    def limits(self, operation: Operation) -> OperationLimits: ...

    def close(self) -> None:
        """Close the handle; no report comes afterwards."""
