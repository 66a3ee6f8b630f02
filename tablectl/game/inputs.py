"""Everything that can happen to a table: the only things ``step`` ever takes.

An input is journalled before its effects leave; its JSON form here *is* the record's ``in`` field, so a
field once released keeps its name and meaning. Unknown fields are refused, missing ones default.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Input(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", forbid_unknown_fields=True):
    """Base of all inputs."""


class BoardEvent(Input, frozen=True, tag="event"):
    """A board sensed something. ``event`` is an ``EventKind`` name in lower case."""

    device: str
    event: str
    number: int
    boot: int
    board_us: int
    side: int | None = None
    source: str = "sensor"
    value: int = 0
    tiles: tuple[str, ...] = ()


class OperationReply(Input, frozen=True, tag="reply"):
    """A board answered an order, or a query of its id. ``stage`` is a ``Stage`` name in lower case."""

    device: str
    id: int
    stage: str
    percent: int = 0
    refusal: str = ""
    fault: str = ""
    side: int | None = None
    value: int = 0
    queried: bool = False


class OperationSilent(Input, frozen=True, tag="silent"):
    """An order was never answered: nobody knows whether it began."""

    device: str
    id: int
    attempts: int


class EventsLost(Input, frozen=True, tag="events_lost"):
    """Events ``first``..``last`` of this boot will never come."""

    device: str
    boot: int
    first: int
    last: int


class LinkChange(Input, frozen=True, tag="link"):
    """A device's link reached another state.

    ``state`` is a state of the link machine; ``word`` says why in a key (``cable_pulled``, ``line_noise``,
    ``board_silent``, ``board_rebooted``, ``under_voltage``, ``host_stalled``, ``wrong_board``, ``busy``,
    ``forbidden``, ``missing``…) and ``detail`` carries its numbers. The board's identity is there from
    *hello* on.
    """

    device: str
    state: str
    word: str = ""
    detail: dict[str, Any] = {}
    serial: str = ""
    firmware: str = ""
    firmware_hash: str = ""
    boot: int = 0
    capabilities: tuple[str, ...] = ()
    profiles: tuple[int, ...] = ()
    time_scale: int = 1
    limits: dict[str, int] = {}  # µs of table time an operation may take to *done*


class BoardStatus(Input, frozen=True, tag="status"):
    """The snapshot a board gave while its link was reconciling."""

    device: str
    boot: int
    top: str
    store: str
    stopped: bool
    homed: bool
    hand: int
    profile: int
    running_id: int
    running: str
    last_event: int
    top_stacks: tuple[int, int, int, int] = (0, 0, 0, 0)
    store_stacks: tuple[int, int, int, int] = (0, 0, 0, 0)
    faults: tuple[tuple[str, int], ...] = ()


class Command(Input, frozen=True, tag="command"):
    """A person or program asked for something. ``id`` is the client's, unique per actor."""

    id: str
    actor: str
    role: str
    name: str
    args: dict[str, Any] = {}
    expect: str = ""
    secret: str = ""  # chance from outside, for the acts that need some: the core has none of its own
    refused: str = ""  # text key: the API's guard (role, confirmation) already refused it; only recorded


class Deadline(Input, frozen=True, tag="deadline"):
    """Table time passed ``due`` with no event missing, so the deadline ``name`` stands."""

    name: str
    due: int


class Restarted(Input, frozen=True, tag="restart"):
    """The daemon started again on this record. The gap belongs to nobody."""

    version: str
    torn: bool = False
    reason: str = ""
    gap_s: int = 0  # since the last record, by the computer's date: nothing but a figure to be shown


class ClockStep(Input, frozen=True, tag="clock_step"):
    """The computer's date jumped by ``ms``, forwards or (negative) backwards. Table time did not."""

    ms: int


class Refused(Input, frozen=True, tag="raised"):
    """The input of record ``record`` raised: the state is as if it had not come, and the table is held."""

    record: int
    error: str


AnyInput = (
    BoardEvent
    | OperationReply
    | OperationSilent
    | EventsLost
    | LinkChange
    | BoardStatus
    | Command
    | Deadline
    | Restarted
    | ClockStep
    | Refused
)
