"""What a board makes of the bytes it gets: pieces of any size, damage, counters, flags."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.dictionary import DICTIONARY, LIMITS, TIMING
from protocols.atp.frame import MAX_STUFFED, Frame
from protocols.conformance.bench import Bench
from protocols.conformance.evidence import Evidence, expect, saw
from protocols.conformance.register import check
from protocols.conformance.wire import VERSION

ROUNDS = 6  # of a trial that the line may spoil once in a while
SPOILT = 2  # trials of a dozen that a noisy line may spoil
PACKET = LIMITS.window  # questions in one write...
PADDING = bytes(32)  # ...with so many zeros between them that no USB packet holds it all
BYTE_APART = 1e-3  # seconds between bytes that come one by one
ALL_FLAGS = 0xF0
TEXT = b"Booting v1.0 ... ok\r\n"


async def answered(bench: Bench, *tokens: int, since: int | None = None, ahead: int = 0) -> int:
    """How many of these clock questions were answered, from frame ``since`` on; waits for all of them.

    ``ahead`` bytes were sent before them and are under way.
    """
    since = len(bench.wire.heard) if since is None else since
    deadline = bench.now() + bench.repeat + bench.under_way(ahead)

    def count() -> int:
        heard = {one.message.token for one in bench.wire.heard[since:] if isinstance(one.message, m.Clock)}
        return len(heard & set(tokens))

    while count() < len(tokens) and await bench.wire.news(deadline):
        pass
    return count()


def clock_frame(bench: Bench, token: int) -> Frame:
    """A question for the clock, not sent yet."""
    return bench.wire.frame(m.ClockAsk(token))


@check("ATP-R02")
async def one_long_write(bench: Bench) -> Evidence:
    """As many questions as a host may have under way, in one write longer than a packet."""
    best = 0
    for _ in range(ROUNDS):
        tokens = [bench.token() for _ in range(PACKET)]
        data = PADDING.join(clock_frame(bench, token).to_bytes() for token in tokens)
        bench.wire.send_bytes(data)
        best = max(best, await answered(bench, *tokens))
        if best == PACKET:
            return saw("long_write", count=PACKET, size=len(data))
    expect(False, "long_write", count=PACKET, answered=best)
    raise AssertionError


@check("ATP-R12")
async def byte_by_byte(bench: Bench) -> Evidence:
    """A question a byte at a time, then one with a long pause in its middle."""
    good = 0
    for _ in range(ROUNDS):
        token, since = bench.token(), len(bench.wire.heard)
        for byte in clock_frame(bench, token).to_bytes():
            bench.wire.send_bytes(bytes([byte]))
            await bench.wire.listen(BYTE_APART)
        good += await answered(bench, token, since=since)
    expect(good * 2 > ROUNDS, "pieces", good=good, rounds=ROUNDS)
    paused = 0
    with bench.hushed():  # a beat in between would end the piece
        for _ in range(ROUNDS):
            token = bench.token()
            data = clock_frame(bench, token).to_bytes()
            bench.wire.send_bytes(data[: len(data) // 2])
            await bench.wire.listen(TIMING.result_query)
            bench.wire.send_bytes(data[len(data) // 2 :])
            paused += await answered(bench, token)
    expect(paused * 2 > ROUNDS, "pause_inside", good=paused, rounds=ROUNDS, seconds=TIMING.result_query)
    return saw("pieces", good=good + paused, rounds=2 * ROUNDS)


@check("ATP-R11")
async def damage_is_dropped(bench: Bench) -> Evidence:
    """Each kind of damage, with a good question right behind it."""
    good = kinds = 0
    spoilt_tokens, asked, since = [], set(), len(bench.wire.heard)
    for _ in range(ROUNDS // 2):
        for spoil in (_wrong_checksum, _flipped, _too_short, _cut_off, _noise):
            spoilt, token = bench.token(), bench.token()
            spoilt_tokens.append(spoilt)
            bench.wire.send_bytes(spoil(clock_frame(bench, spoilt)))
            bench.wire.send_frame(clock_frame(bench, token))
            good += await answered(bench, token)
            kinds += 1
            asked.add(token)
    said = [one.message.token for one in bench.wire.heard[since:] if isinstance(one.message, m.Clock)]
    twice = [token for token in asked if said.count(token) > 1]  # each was asked once
    expect(not twice, "damage_answered", count=len(twice))
    wrongly = [token for token in spoilt_tokens if token in said]
    expect(not wrongly, "damage_answered", count=len(wrongly))
    expect(good * 2 > kinds, "after_damage", good=good, rounds=kinds)
    return saw("after_damage", good=good, rounds=kinds)


def _wrong_checksum(frame: Frame) -> bytes:
    """The last run of the stuffing carries the checksum."""
    data = bytearray(frame.to_bytes())
    data[-2] = data[-2] ^ 0x2A or 0x2B  # another one, and no zero
    return bytes(data)


def _flipped(frame: Frame) -> bytes:
    """One bit of the body; the checksum is that of the body before."""
    other = Frame(frame.version, frame.counter, frame.type, frame.body[:-1] + bytes([frame.body[-1] ^ 0x80]))
    data = bytearray(other.to_bytes())
    right = frame.to_bytes()
    if len(data) == len(right):
        data[-5:-1] = right[-5:-1]
    return bytes(data)


def _too_short(frame: Frame) -> bytes:
    """Less than a header and a checksum."""
    return b"\0" + bytes((3, VERSION, 7)) + b"\0"


def _cut_off(frame: Frame) -> bytes:
    """The rest never comes; the next frame's first zero ends it."""
    return frame.to_bytes()[:-4]


def _noise(frame: Frame) -> bytes:
    """Text, and bytes that look like nothing, on an idle line."""
    return TEXT + bytes(range(1, 40)) + b"\0\0\0" + b"\xff" * 9


@check("ATP-R13")
async def overlong_pieces(bench: Bench) -> Evidence:
    """Bytes without a zero, more than a frame has, then more than most buffers have."""
    good, sizes = 0, (MAX_STUFFED + 1, 2 * MAX_STUFFED, 1024)
    for size in sizes * 2:
        token = bench.token()
        bench.wire.send_bytes(bytes(1 + index % 255 for index in range(size)))
        bench.wire.send_frame(clock_frame(bench, token))
        good += await answered(bench, token, ahead=size)
    expect(good * 2 > len(sizes) * 2, "overlong", good=good, rounds=2 * len(sizes), size=max(sizes))
    return saw("overlong", good=good, rounds=2 * len(sizes), size=max(sizes))


@check("ATP-R05")
async def flags_are_ignored(bench: Bench) -> Evidence:
    """A question with all flags set."""
    token = bench.token()
    found = await bench.try_ask(
        m.ClockAsk(token), m.Clock, lambda clock: clock.token == token, version=VERSION | ALL_FLAGS
    )
    expect(found is not None, "flags_not_ignored", flags="0xF")
    return saw("answered_all", count=1)


@check("ATP-R07")
async def any_counter_will_do(bench: Bench) -> Evidence:
    """The same counter again and again, then one that jumps back and forth."""
    counters = (*[7] * ROUNDS, 200, 3, 255, 0, 128, 127)
    good = 0
    with bench.hushed():  # a beat in between would have a counter of its own
        for counter in counters:
            token = bench.token()
            frame = Frame(DICTIONARY.version, counter, m.ClockAsk.TYPE, m.ClockAsk(token).to_bytes())
            bench.wire.send_frame(frame)
            good += await answered(bench, token)
    expect(good >= len(counters) - SPOILT, "counter_minded", good=good, rounds=len(counters))
    return saw("answered_all", count=good)
