"""Bodies of other versions, types and numbers nobody knows."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.frame import Frame
from protocols.conformance.bench import NOBODY_KNOWS, Bench
from protocols.conformance.evidence import Evidence, expect, saw
from protocols.conformance.register import check
from protocols.conformance.stages import expect_refused
from protocols.conformance.wire import VERSION, Heard
from protocols.vocabulary import Operation, Refusal, Stage

STRANGE_TYPE = 0x7A  # no message of any version
OTHER_VERSION = 9
MORE = b"\x5a\xa5\x00\x11\x22"  # what a newer peer may have appended


@check("ATP-R14")
async def longer_bodies(bench: Bench) -> Evidence:
    """Questions with bytes behind their last field."""
    token = bench.token()
    clock = await bench.try_ask(m.ClockAsk(token), m.Clock, lambda one: one.token == token, extra=MORE)
    expect(clock is not None, "longer_body", question="CLOCK_ASK", size=len(MORE))
    token = bench.token()
    status = await bench.try_ask(m.StatusAsk(token), m.Status, lambda one: one.token == token, extra=MORE)
    expect(status is not None, "longer_body", question="STATUS_ASK", size=len(MORE))
    return saw("answered_all", count=2)


@check("ATP-R15")
async def shorter_bodies(bench: Bench) -> Evidence:
    """A token of one byte; an order whose last fields are missing."""
    token = bench.token() & 0xFF or 0x5C
    clock = await bench.try_ask(m.ClockAsk(token), m.Clock, lambda one: one.token == token, length=1)
    expect(clock is not None, "shorter_body", question="CLOCK_ASK", field="token")
    found = await bench.try_ask(m.Beat(ask=1), m.Beat, lambda one: not one.ask, length=1)
    expect(found is not None, "shorter_body", question="BEAT", field="last_event")
    return saw("answered_all", count=2)


async def replies_to(bench: Bench, frame: Frame) -> list[Heard]:
    """Whatever but events and beats came between a frame and the answer to a question behind it."""
    since = len(bench.wire.heard)
    bench.wire.send_frame(frame)
    answer = await bench.clock()
    heard = bench.wire.heard[since:]
    return [one for one in heard if one is not answer.heard and not _unasked(one.message)]


def _unasked(message: Message | None) -> bool:
    return isinstance(message, m.Event | m.Beat | m.Progress | m.Done | m.Clock)


@check("ATP-R16")
async def unknown_types(bench: Bench) -> Evidence:
    """A frame of a type nobody knows, with a question behind it."""
    frame = Frame(VERSION, 0, STRANGE_TYPE, b"\x01\x02\x03")
    for one in await replies_to(bench, frame):
        message = one.message
        allowed = isinstance(message, m.Error) and (message.code, message.about_type) == (
            m.ErrorCode.UNKNOWN_TYPE,
            STRANGE_TYPE,
        )
        expect(allowed, "answered_nonsense", type=f"0x{STRANGE_TYPE:02X}", answer=f"0x{one.frame.type:02X}")
    return saw("harmless", what=f"0x{STRANGE_TYPE:02X}")


@check("ATP-R17")
async def unknown_operations(bench: Bench) -> Evidence:
    """An order with an operation no version knows."""
    expect_refused((await bench.give(NOBODY_KNOWS)).message, str(NOBODY_KNOWS), Refusal.UNSUPPORTED)
    return saw("refused", operation=NOBODY_KNOWS, refusal=Refusal.UNSUPPORTED.name)


@check("ATP-R18")
async def other_versions(bench: Bench) -> Evidence:
    """A question in a frame of another version."""
    token = bench.token()
    frame = Frame(OTHER_VERSION, 0, m.StatusAsk.TYPE, m.StatusAsk(token).to_bytes())
    for one in await replies_to(bench, frame):
        allowed = isinstance(one.message, m.Error) and one.message.code == m.ErrorCode.VERSION
        expect(allowed, "answered_version", version=OTHER_VERSION, answer=f"0x{one.frame.type:02X}")
    return saw("harmless", what=f"version {OTHER_VERSION}")


@check("ATP-R19")
async def hello_in_every_version(bench: Bench) -> Evidence:
    """A greeting in a frame of another version, of a host that also speaks this one."""
    answer = await bench.say_hello(version=OTHER_VERSION)
    expect(answer is not None, "hello_other_version", version=OTHER_VERSION)
    return saw("hello_other_version", version=OTHER_VERSION)


@check("ATP-R20")
async def errors_are_not_answered(bench: Bench) -> Evidence:
    """ERROR of every kind, with a question behind it."""
    for code in m.ErrorCode:
        frame = bench.wire.frame(m.Error(code, m.Beat.TYPE))
        for one in await replies_to(bench, frame):
            expect(False, "error_answered", code=code.name, answer=f"0x{one.frame.type:02X}")
    return saw("harmless", what="ERROR")


async def sample_orders(bench: Bench) -> list[tuple[int, Stage]]:
    """Orders that move nothing, and how each ended: what a board without lamps does not know is refused."""
    done = []
    for operation in (NOBODY_KNOWS, Operation.CLEAR_FAULT, NOBODY_KNOWS, Operation.LAMPS):
        id = bench.next_id()
        answer = await bench.give(operation, id=id, count=0)
        end = answer.message if isinstance(answer.message, m.Refused) else await bench.ended(id)
        done.append((id, Stage.REFUSED if isinstance(end, m.Refused) else Stage.DONE))
    return done
