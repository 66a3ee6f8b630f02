"""Between the words of the driver contract and the messages of the wire, both ways.

A number the vocabulary does not know comes from a newer board. It is mapped to something honest, never
dropped silently and never an error: an unknown fault is still a fault.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeVar

from protocols import driver
from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import DICTIONARY
from protocols.vocabulary import (
    NO_SIDE,
    TILE_CODES,
    TILE_NAMES,
    Capability,
    EventKind,
    Fault,
    Refusal,
    Source,
    Stage,
    StoreState,
    TopState,
)

E = TypeVar("E", bound=IntEnum)
PROFILES, FAULTS, TILES = 8, 4, 4  # how many of them a message has room for
PARTS = range(1, 7)  # of an identity: four texts, two halves of a hash
_ROOM = 16  # bytes of one part


def known(kind: type[E], code: int, otherwise: E) -> E:
    """The member of ``kind`` with that number, or ``otherwise`` where there is none."""
    try:
        return kind(code)
    except ValueError:
        return otherwise


def fault_of(code: int) -> Fault:
    """The fault of that code; one nobody knows is a protocol error."""
    return known(Fault, code, Fault.PROTOCOL_ERROR)


def hello_message(hello: driver.Hello, token: int, acknowledged: int) -> m.Hello:
    """What a board answers to a greeting."""
    version = DICTIONARY.version
    return m.Hello(token, version, version, DICTIONARY.hash(version), hello.boot_id, acknowledged)


def identity_message(hello: driver.Hello, part: int) -> m.Identity:
    """One part of who a board is; a part nobody knows is empty."""
    image = bytes.fromhex(hello.firmware_hash)
    texts = (hello.vendor, hello.model, hello.serial, hello.firmware)
    parts = dict(zip(PARTS, [*map(_bytes, texts), image[:_ROOM], image[_ROOM:]], strict=True))
    return m.Identity(part, parts.get(part, b""))


def abilities_message(hello: driver.Hello) -> m.Abilities:
    """What a board says it can do."""
    return m.Abilities(
        capabilities=hello.capabilities,
        profiles=bytes(hello.profiles[:PROFILES]),
        time_scale=hello.time_scale,
        boot_count=hello.boot_count,
        uptime=hello.uptime_us,
    )


def hello_report(hello: m.Hello, parts: dict[int, bytes], abilities: m.Abilities) -> driver.Hello:
    """Who the board says it is, from all its answers to a greeting."""
    vendor, model, serial, firmware, low, high = (parts[part] for part in PARTS)
    image = low + high
    return driver.Hello(
        vendor=_text(vendor),
        model=_text(model),
        serial=_text(serial),
        firmware=_text(firmware),
        firmware_hash=image.hex() if any(image) else "",
        boot_id=hello.boot,
        boot_count=abilities.boot_count,
        uptime_us=abilities.uptime,
        capabilities=Capability(abilities.capabilities),
        profiles=tuple(size for size in abilities.profiles if size),
        time_scale=abilities.time_scale or 1,
    )


def _bytes(text: str) -> bytes:
    # cut at a whole character: a half one would be damage at the other end
    return text.encode()[:_ROOM].decode(errors="ignore").encode()


def _text(data: bytes) -> str:
    return data.rstrip(b"\0").decode(errors="replace")


def status_message(status: driver.Status, token: int, last_event: int) -> m.Status:
    """A snapshot as sent; ``last_event`` is the session's, which numbers the events."""
    faults = status.faults[:FAULTS]
    return m.Status(
        token=token,
        top=status.top,
        store=status.store,
        stopped=status.stopped,
        homed=status.homed,
        profile=status.profile,
        hand=status.hand,
        running_id=status.running_id,
        running=status.running,
        percent=status.percent,
        last_event=last_event,
        boot=status.boot_id,
        board_us=status.board_us,
        top_stacks=bytes(status.top_stacks),
        store_stacks=bytes(status.store_stacks),
        faults=bytes(fault for fault, _ in faults),
        fault_sides=bytes(side for _, side in faults).ljust(FAULTS, bytes((NO_SIDE,))),
    )


def status_report(message: m.Status) -> driver.Status:
    """A snapshot as received."""
    return driver.Status(
        top=known(TopState, message.top, TopState.UNKNOWN),
        store=known(StoreState, message.store, StoreState.UNKNOWN),
        stopped=bool(message.stopped),
        homed=bool(message.homed),
        hand=message.hand,
        profile=message.profile,
        running_id=message.running_id,
        running=message.running,
        percent=message.percent,
        last_event=message.last_event,
        boot_id=message.boot,
        board_us=message.board_us,
        top_stacks=_four(message.top_stacks),
        store_stacks=_four(message.store_stacks),
        faults=tuple(
            (fault_of(code), side)
            for code, side in zip(message.faults, message.fault_sides, strict=True)
            if code
        ),
    )


def _four(stacks: bytes) -> tuple[int, int, int, int]:
    return stacks[0], stacks[1], stacks[2], stacks[3]


def event_message(event: driver.BoardEvent) -> m.Event:
    """An event as sent. Tiles beyond the fourth have no place and are left out."""
    codes = bytes(TILE_CODES[tile] for tile in event.tiles[:TILES])
    return m.Event(event.number, event.board_us, event.kind, event.side, event.source, event.value, codes)


def event_report(message: m.Event) -> driver.BoardEvent | None:
    """An event as received; None for a kind nobody here knows, which is not meant for us."""
    try:
        kind = EventKind(message.kind)
    except ValueError:
        return None
    return driver.BoardEvent(
        number=message.number,
        board_us=message.board_us,
        kind=kind,
        side=message.side,
        source=known(Source, message.source, Source.SENSOR),
        value=message.value,
        tiles=tuple(TILE_NAMES[code] for code in message.tiles if 0 < code < len(TILE_NAMES)),
    )


StageMessage = m.Accepted | m.Refused | m.Progress | m.Done | m.Failed | m.Unknown


def reply_message(reply: driver.Reply, *, queried: bool = False) -> StageMessage:
    """A stage as sent."""
    id, operation = reply.id, reply.operation
    match reply.stage:
        case Stage.ACCEPTED:
            return m.Accepted(id, queried, operation)
        case Stage.REFUSED:
            return m.Refused(id, queried, operation, reply.refusal)
        case Stage.PROGRESS:
            return m.Progress(id, queried, operation, reply.percent)
        case Stage.DONE:
            return m.Done(id, queried, operation, reply.value)
        case Stage.FAILED:
            return m.Failed(id, queried, operation, reply.fault, reply.side)
        case _:
            return m.Unknown(id)


def reply_report(message: Message) -> driver.Reply | None:
    """A stage as received; None for a message that is none."""
    values: dict[str, Any] = {}  # filled in at once: this is on the way from a board's answer to its host
    match message:
        case m.Accepted():
            stage = Stage.ACCEPTED
        case m.Refused():
            # refused for a reason nobody here knows is still refused
            reason = known(Refusal, message.refusal or -1, Refusal.UNSUPPORTED)
            stage, values = Stage.REFUSED, {"refusal": reason}
        case m.Progress():
            stage, values = Stage.PROGRESS, {"percent": message.percent}
        case m.Done():
            stage, values = Stage.DONE, {"percent": 100, "value": message.value}
        case m.Failed():
            stage, values = Stage.FAILED, {"fault": fault_of(message.fault), "side": message.side}
        case m.Unknown():
            return driver.Reply(message.id, Stage.UNKNOWN, queried=True)
        case _:
            return None
    return driver.Reply(
        message.id, stage, queried=bool(message.queried), operation=message.operation, **values
    )
