"""All that a driver package needs of tablectl, and the only module of it that a driver package may import.

What is here stays, or its version counts up. A package offers its driver under the entry-point group
``tablectl.drivers``; ``docs/driver-template`` is a whole one.

The offer: ``API`` ``GROUP`` ``Plugin`` ``Make`` ``Options``
The contract: ``Driver`` ``Sink`` ``Report`` ``Counters``
What a driver reports: ``Hello`` ``Status`` ``Reply`` ``BoardEvent`` ``EventsLost`` ``ClockSample``
``OperateFailed`` ``Rejected`` ``Gone``
Words of the table: ``NO_SIDE`` ``SIDES`` ``Capability`` ``EventKind`` ``Fault`` ``Lamp`` ``Meld``
``Operation`` ``OperationLimits`` ``Order`` ``PanelKey`` ``Refusal`` ``SeatKey`` ``Source`` ``Stage``
``StoreState`` ``TopState`` ``WallEnd``
Bytes: ``Opener`` ``Stream`` ``StreamHandler``
A driver made of a session without I/O: ``SessionDriver`` ``HostSession``
What may be raised: ``TransportError`` ``PortUnusable``
"""

from __future__ import annotations

from protocols.driver import (
    BoardEvent,
    ClockSample,
    Counters,
    Driver,
    EventsLost,
    Gone,
    Hello,
    OperateFailed,
    Rejected,
    Reply,
    Report,
    Sink,
    Status,
)
from protocols.errors import PortUnusable, TransportError
from protocols.plugin import API, GROUP, Make, Options, Plugin
from protocols.session_driver import HostSession, SessionDriver
from protocols.transports.base import Opener, Stream, StreamHandler
from protocols.vocabulary import (
    NO_SIDE,
    SIDES,
    Capability,
    EventKind,
    Fault,
    Lamp,
    Meld,
    Operation,
    OperationLimits,
    Order,
    PanelKey,
    Refusal,
    SeatKey,
    Source,
    Stage,
    StoreState,
    TopState,
    WallEnd,
)

__all__ = [
    "API",
    "GROUP",
    "NO_SIDE",
    "SIDES",
    "BoardEvent",
    "Capability",
    "ClockSample",
    "Counters",
    "Driver",
    "EventKind",
    "EventsLost",
    "Fault",
    "Gone",
    "Hello",
    "HostSession",
    "Lamp",
    "Make",
    "Meld",
    "Opener",
    "OperateFailed",
    "Operation",
    "OperationLimits",
    "Options",
    "Order",
    "PanelKey",
    "Plugin",
    "PortUnusable",
    "Refusal",
    "Rejected",
    "Reply",
    "Report",
    "SeatKey",
    "SessionDriver",
    "Sink",
    "Source",
    "Stage",
    "Status",
    "StoreState",
    "Stream",
    "StreamHandler",
    "TopState",
    "TransportError",
    "WallEnd",
]
