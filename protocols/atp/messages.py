"""The messages of ATP, one class a row of ``messages.toml``. Generated: change that file instead.

``python -m protocols.atp.spec`` writes it again. Every field defaults to zero, as on the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from protocols.atp.codec import Message


class ErrorCode(IntEnum):
    """Why a message could not be served."""

    NO_HELLO = 1
    VERSION = 2
    UNKNOWN_TYPE = 3


@dataclass(frozen=True, slots=True)
class HelloAsk(Message, row="HELLO_ASK"):
    """The host introduces itself and asks who the board is. The first message of every connection."""

    token: int = 0
    version_min: int = 0
    version_max: int = 0
    journal: bytes = bytes(16)


@dataclass(frozen=True, slots=True)
class Hello(Message, row="HELLO"):
    """The board speaks these versions and is in this boot. Answers HELLO_ASK, each time."""

    token: int = 0
    version_min: int = 0
    version_max: int = 0
    dictionary: int = 0
    boot: int = 0
    acknowledged: int = 0


@dataclass(frozen=True, slots=True)
class IdentityAsk(Message, row="IDENTITY_ASK"):
    """Asks for one part of the board's identity."""

    part: int = 0


@dataclass(frozen=True, slots=True)
class Identity(Message, row="IDENTITY"):
    """One part of who the board is."""

    part: int = 0
    data: bytes = bytes(16)


@dataclass(frozen=True, slots=True)
class AbilitiesAsk(Message, row="ABILITIES_ASK"):
    """Asks what the board can do."""


@dataclass(frozen=True, slots=True)
class Abilities(Message, row="ABILITIES"):
    """What the board can do, and how long it has been up."""

    capabilities: int = 0
    profiles: bytes = bytes(8)
    time_scale: int = 0
    boot_count: int = 0
    uptime: int = 0


@dataclass(frozen=True, slots=True)
class Beat(Message, row="BEAT"):
    """Sign of life, sent only into silence."""

    ask: int = 0
    moving: int = 0
    last_event: int = 0


@dataclass(frozen=True, slots=True)
class Error(Message, row="ERROR"):
    """The peer's message was understood as a frame but cannot be served. Never answered."""

    code: int = 0
    about_type: int = 0


@dataclass(frozen=True, slots=True)
class ClockAsk(Message, row="CLOCK_ASK"):
    """Asks for the board's clock now."""

    token: int = 0


@dataclass(frozen=True, slots=True)
class Clock(Message, row="CLOCK"):
    """The board's clock, read when the CLOCK_ASK was handled."""

    token: int = 0
    board_us: int = 0
    last_event: int = 0


@dataclass(frozen=True, slots=True)
class StatusAsk(Message, row="STATUS_ASK"):
    """Asks for a whole snapshot."""

    token: int = 0


@dataclass(frozen=True, slots=True)
class Status(Message, row="STATUS"):
    """A whole snapshot of the board."""

    token: int = 0
    top: int = 0
    store: int = 0
    stopped: int = 0
    homed: int = 0
    profile: int = 0
    hand: int = 0
    running_id: int = 0
    running: int = 0
    percent: int = 0
    last_event: int = 0
    boot: int = 0
    board_us: int = 0
    top_stacks: bytes = bytes(4)
    store_stacks: bytes = bytes(4)
    faults: bytes = bytes(4)
    fault_sides: bytes = bytes(4)


@dataclass(frozen=True, slots=True)
class Stop(Message, row="STOP"):
    """Stop all motion now. No id, no window, before hello too; repeated until STOPPED."""


@dataclass(frozen=True, slots=True)
class Stopped(Message, row="STOPPED"):
    """Everything is at rest after a STOP. Each STOP received at rest is answered with it."""


@dataclass(frozen=True, slots=True)
class Operate(Message, row="OPERATE"):
    """An order: a state to reach. A repeated id is answered with what is stored and never moves again."""

    id: int = 0
    operation: int = 0
    side: int = 0
    hand: int = 0
    count: int = 0


@dataclass(frozen=True, slots=True)
class Accepted(Message, row="ACCEPTED"):
    """The order will be carried out."""

    id: int = 0
    queried: int = 0
    operation: int = 0


@dataclass(frozen=True, slots=True)
class Refused(Message, row="REFUSED"):
    """The order will not be carried out; nothing moved for it. Final."""

    id: int = 0
    queried: int = 0
    operation: int = 0
    refusal: int = 0


@dataclass(frozen=True, slots=True)
class Progress(Message, row="PROGRESS"):
    """The order is under way. Optional, at most four a second."""

    id: int = 0
    queried: int = 0
    operation: int = 0
    percent: int = 0


@dataclass(frozen=True, slots=True)
class Done(Message, row="DONE"):
    """The state asked for is reached. Final."""

    id: int = 0
    queried: int = 0
    operation: int = 0
    value: int = 0


@dataclass(frozen=True, slots=True)
class Failed(Message, row="FAILED"):
    """The order was begun and could not be finished. Final."""

    id: int = 0
    queried: int = 0
    operation: int = 0
    fault: int = 0
    side: int = 0


@dataclass(frozen=True, slots=True)
class Query(Message, row="QUERY"):
    """What became of an order? Answered with its latest stage, `queried` set, or UNKNOWN. Moves nothing."""

    id: int = 0


@dataclass(frozen=True, slots=True)
class Unknown(Message, row="UNKNOWN"):
    """The board keeps no result under this id."""

    id: int = 0


@dataclass(frozen=True, slots=True)
class Event(Message, row="EVENT"):
    """Something the board sensed. Repeated until acknowledged."""

    number: int = 0
    board_us: int = 0
    kind: int = 0
    side: int = 0
    source: int = 0
    value: int = 0
    tiles: bytes = bytes(4)


@dataclass(frozen=True, slots=True)
class AckEvents(Message, row="ACK_EVENTS"):
    """Every event up to this number is on the host's disk; they need not be repeated."""

    upto: int = 0
    boot: int = 0


@dataclass(frozen=True, slots=True)
class ReplayAsk(Message, row="REPLAY_ASK"):
    """Events are missing: send them again. What the ring no longer holds is answered with EVENTS_LOST."""

    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class EventsLost(Message, row="EVENTS_LOST"):
    """These events are no longer held and will never come. Answers REPLAY_ASK."""

    first: int = 0
    last: int = 0


MESSAGES: tuple[type[Message], ...] = (
    HelloAsk,
    Hello,
    IdentityAsk,
    Identity,
    AbilitiesAsk,
    Abilities,
    Beat,
    Error,
    ClockAsk,
    Clock,
    StatusAsk,
    Status,
    Stop,
    Stopped,
    Operate,
    Accepted,
    Refused,
    Progress,
    Done,
    Failed,
    Query,
    Unknown,
    Event,
    AckEvents,
    ReplayAsk,
    EventsLost,
)
