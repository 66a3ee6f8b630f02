"""Messages out of good frames of any type and body, and what the driver makes of them."""

from __future__ import annotations

from random import Random

from protocols.atp import messages as m
from protocols.atp import translate
from protocols.atp.endpoint import message_of
from protocols.atp.frame import MAX_BODY, Frame
from protocols.driver import Hello
from protocols.vocabulary import EventKind, Fault, Operation, Stage, StoreState, TopState

HEAD = 2  # version and flags, type; then the body


def one(data: bytes) -> None:
    """Every body decodes; what is decoded is written the same again; numbers nobody knows become words."""
    if len(data) < HEAD:
        return
    frame = Frame(data[0] & 0x0F, 0, data[1], data[HEAD : HEAD + MAX_BODY])
    message = message_of(frame)
    if message is None:
        return
    layout = message.LAYOUT
    assert message.to_bytes() == frame.body[: layout.size].ljust(layout.size, b"\0")
    match message:
        case m.Status():
            status = translate.status_report(message)
            assert isinstance(status.top, TopState)
            assert isinstance(status.store, StoreState)
            assert all(isinstance(fault, Fault) for fault, _ in status.faults)
        case m.Event():
            event = translate.event_report(message)
            assert event is None or isinstance(event.kind, EventKind)
        case m.Hello():
            parts = {part: data[:16].ljust(16, b"\0") for part in translate.PARTS}
            hello = translate.hello_report(message, parts, m.Abilities.from_bytes(frame.body))
            assert isinstance(hello, Hello)
            assert hello.time_scale > 0
        case _:
            reply = translate.reply_report(message)
            assert reply is None or isinstance(reply.stage, Stage)


def bodies() -> list[tuple[int, bytes]]:
    """Type and body of every message: empty, plausible and full."""
    rng = Random("bodies")
    found = []
    for kind in m.MESSAGES:
        size = kind.LAYOUT.size
        found += [(kind.TYPE, bytes(size)), (kind.TYPE, b"\xff" * size), (kind.TYPE, rng.randbytes(size))]
    found.append((m.Operate.TYPE, m.Operate(0x1A00, Operation.DICE, 2, 0, 2).to_bytes()))
    found.append((m.Event.TYPE, m.Event(1, 5, EventKind.SEAT_KEY, 1, 0, 3).to_bytes()))
    return found


def seeds() -> list[bytes]:
    """One of each message, as this harness takes them."""
    return [bytes((1, type_)) + body for type_, body in bodies()]
