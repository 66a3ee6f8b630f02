"""The words of the line protocol, both ways: reports as lines and lines as reports.

Names are those of the vocabulary in lower case. Whoever meets a word he does not know leaves it alone.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

from protocols import driver
from protocols.lines.line import fields_of
from protocols.vocabulary import (
    NO_SIDE,
    SIDES,
    TILE_CODES,
    Capability,
    EventKind,
    Fault,
    Meld,
    Operation,
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

E = TypeVar("E", bound=IntEnum)
VERSION = 1
NONE = "-"
MOST, DIGITS = (1 << 64) - 1, 20  # the largest number, and how long it is
PERCENT = 100
VALUES: dict[EventKind, type[IntEnum]] = {  # events whose value is a word
    EventKind.SEAT_KEY: SeatKey,
    EventKind.KEY_PRESSED: PanelKey,
    EventKind.FAULT_SET: Fault,
    EventKind.FAULT_CLEARED: Fault,
    EventKind.TILE_DRAWN: WallEnd,
    EventKind.MELD_SHOWN: Meld,
}
STAGES = {
    Stage.ACCEPTED: "ok",
    Stage.REFUSED: "no",
    Stage.PROGRESS: "going",
    Stage.DONE: "done",
    Stage.FAILED: "failed",
    Stage.UNKNOWN: "unknown",
}
STAGE_OF = {word: stage for stage, word in STAGES.items()}
Words = tuple[str, ...]


def name(member: IntEnum) -> str:
    """The word of a member."""
    return member.name.lower()


def member(kind: type[E], word: str) -> E | None:
    """The member of a word, None for one nobody here knows."""
    return kind.__members__.get(word.upper())


def number(word: str) -> int:
    """A number from 0 to 2^64 - 1, as clocks and ids are. Raises ``ValueError``."""
    if not (word.isascii() and word.isdigit() and len(word) <= DIGITS and int(word) <= MOST):
        raise ValueError(word)
    return int(word)


def _side(word: str) -> int:
    """A side; what is none is no side, so that what happened there is told all the same."""
    place = NO_SIDE if word == NONE else number(word)
    return place if place in SIDES else NO_SIDE


def _place(side: int) -> str:
    return NONE if side == NO_SIDE else str(side)


def _safe(text: str) -> str:
    """A text as one word."""
    kept = "".join(char if (char.isascii() and char.isalnum()) or char in "._-/" else "_" for char in text)
    return kept[:24] or NONE


def _text(word: str) -> str:
    return "" if word == NONE else word


# hello


def hello_fields(hello: driver.Hello) -> dict[str, object]:
    """What a box says of itself."""
    flags = [flag.name.lower() for flag in Capability if flag in hello.capabilities and flag.name]
    return {
        "boot": hello.boot_id,
        "count": hello.boot_count,
        "us": hello.uptime_us,
        "vendor": _safe(hello.vendor),
        "model": _safe(hello.model),
        "serial": _safe(hello.serial),
        "fw": _safe(hello.firmware),
        "tiles": ",".join(map(str, hello.profiles)) or NONE,
        "can": ",".join(flags) or NONE,
        "scale": hello.time_scale,
    }


def hello_of(words: Words) -> driver.Hello:
    """Who a box says it is. Raises ``ValueError`` or ``KeyError``."""
    said = fields_of(words)
    can = Capability(0)
    for word in said.get("can", NONE).split(","):
        can |= Capability.__members__.get(word.upper(), Capability(0))
    return driver.Hello(
        vendor=_text(said.get("vendor", "")),
        model=_text(said.get("model", "")),
        serial=_text(said.get("serial", "")),
        firmware=_text(said.get("fw", "")),
        firmware_hash="",
        boot_id=number(said["boot"]),
        boot_count=number(said.get("count", "0")),
        uptime_us=number(said.get("us", "0")),
        capabilities=can,
        profiles=tuple(number(size) for size in _text(said.get("tiles", NONE)).split(",") if size),
        time_scale=number(said.get("scale", "1")) or 1,
    )


# events


def event_words(event: driver.BoardEvent) -> tuple[object, ...]:
    """An event as sent."""
    kind = VALUES.get(event.kind)
    value = name(kind(event.value)) if kind is not None and event.value in list(kind) else event.value
    by = () if event.source is Source.SENSOR else (f"by={name(event.source)}",)
    tiles = (f"tiles={','.join(event.tiles)}",) if event.tiles else ()
    return "event", event.number, event.board_us, name(event.kind), _place(event.side), value, *by, *tiles


def event_of(words: Words) -> driver.BoardEvent | None:
    """An event as received; None for a kind nobody here knows. Raises ``ValueError`` or ``IndexError``."""
    kind = member(EventKind, words[3])
    if kind is None:
        return None
    said = fields_of(words)
    of_value = VALUES.get(kind)
    value = words[5] if len(words) > 5 else "0"
    known = member(of_value, value) if of_value is not None else None
    tiles = tuple(tile for tile in said.get("tiles", "").split(",") if tile in TILE_CODES and tile)
    return driver.BoardEvent(
        number=number(words[1]),
        board_us=number(words[2]),
        kind=kind,
        side=_side(words[4]),
        source=member(Source, said.get("by", "sensor")) or Source.SENSOR,
        value=int(known) if known is not None else number(value),
        tiles=tiles,
    )


# orders


def order_words(order: Order) -> tuple[tuple[object, ...], dict[str, object]]:
    """An order as sent."""
    fields = {"hand": order.hand, "side": _place(order.side), "count": order.count}
    return ("do", order.id, name(order.operation)), fields


def order_of(words: Words) -> Order | None:
    """An order as received; None for an operation nobody here knows. Raises ``ValueError``."""
    operation, said = member(Operation, words[2]), fields_of(words)
    if operation is None:
        return None
    return Order(
        id=number(words[1]),
        operation=operation,
        hand=number(said.get("hand", "0")),
        side=_side(said.get("side", NONE)),
        count=number(said.get("count", "0")),
    )


def reply_words(reply: driver.Reply) -> tuple[object, ...]:
    """A stage as sent."""
    word = STAGES[reply.stage]
    match reply.stage:
        case Stage.REFUSED:
            return word, reply.id, name(reply.refusal)
        case Stage.PROGRESS:
            return word, reply.id, reply.percent
        case Stage.DONE:
            return word, reply.id, reply.value
        case Stage.FAILED:
            return word, reply.id, name(reply.fault), _place(reply.side)
        case _:
            return word, reply.id


def reply_of(words: Words) -> driver.Reply:
    """A stage as received. Raises ``ValueError``, ``KeyError`` or ``IndexError``."""
    stage, id = STAGE_OF[words[0]], number(words[1])
    more = words[2:]
    match stage:
        case Stage.REFUSED:
            reason = member(Refusal, more[0]) if more else None
            return driver.Reply(id, stage, refusal=reason or Refusal.UNSUPPORTED)
        case Stage.PROGRESS:
            return driver.Reply(id, stage, percent=min(PERCENT, number(more[0])))
        case Stage.DONE:
            return driver.Reply(id, stage, percent=100, value=number(more[0]) if more else 0)
        case Stage.FAILED:
            fault = member(Fault, more[0]) if more else None
            side = _side(more[1]) if len(more) > 1 else NO_SIDE
            return driver.Reply(id, stage, fault=Fault.PROTOCOL_ERROR if fault is None else fault, side=side)
        case _:
            return driver.Reply(id, stage)


# status


def status_fields(status: driver.Status) -> dict[str, object]:
    """A snapshot as sent; a keypad leaves out all but the first two."""
    faults = ",".join(f"{name(fault)}/{_place(side)}" for fault, side in status.faults)
    return {
        "boot": status.boot_id,
        "us": status.board_us,
        "top": name(status.top),
        "store": name(status.store),
        "stopped": int(status.stopped),
        "homed": int(status.homed),
        "hand": status.hand,
        "tiles": status.profile,
        "id": status.running_id,
        "op": status.running,
        "up": ",".join(map(str, status.top_stacks)),
        "in": ",".join(map(str, status.store_stacks)),
        "faults": faults or NONE,
    }


def status_of(words: Words, last_event: int) -> driver.Status:
    """A snapshot as received; what is not said is unknown. Raises ``ValueError`` or ``KeyError``."""
    said = fields_of(words)
    top, store = member(TopState, said.get("top", "")), member(StoreState, said.get("store", ""))
    faults = []
    for word in _text(said.get("faults", NONE)).split(","):
        fault, _, side = word.partition("/")
        if word:
            known = member(Fault, fault)
            faults.append((Fault.PROTOCOL_ERROR if known is None else known, _side(side or NONE)))
    return driver.Status(
        top=TopState.UNKNOWN if top is None else top,
        store=StoreState.UNKNOWN if store is None else store,
        stopped=said.get("stopped", "0") != "0",
        homed=said.get("homed", "1") != "0",
        hand=number(said.get("hand", "0")),
        profile=number(said.get("tiles", "0")),
        running_id=number(said.get("id", "0")),
        running=number(said.get("op", "0")),
        percent=0,
        last_event=last_event,
        boot_id=number(said["boot"]),
        board_us=number(said.get("us", "0")),
        top_stacks=_four(said.get("up", "0,0,0,0")),
        store_stacks=_four(said.get("in", "0,0,0,0")),
        faults=tuple(faults),
    )


def _four(word: str) -> tuple[int, int, int, int]:
    east, south, west, north = (number(part) for part in word.split(","))
    return east, south, west, north
