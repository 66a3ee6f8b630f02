"""Events: numbered, stamped, sent, kept, repeated until acknowledged, sent again when asked for."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.dictionary import LIMITS, TIMING
from protocols.conformance.bench import Bench
from protocols.conformance.evidence import Broken, Evidence, NotApplicable, expect, saw
from protocols.conformance.register import check
from protocols.conformance.wire import Heard
from protocols.vocabulary import Capability, Operation

ROUNDS = 4
SOON = 0.9  # of the shortest time-out
REPEATS = 3  # of an event nobody acknowledges, that are waited for


async def toggle(bench: Bench) -> bool:
    """Set another profile, which is an event and no motion; False where the board has no other."""
    if Capability.GEAR_REMOTE not in bench.capabilities or len(bench.profiles) < 2:
        return False
    now = (await bench.status()).profile
    other = next(size for size in bench.profiles if size != now)
    end = await bench.carry_out(Operation.SET_PROFILE, count=other)
    return isinstance(end, m.Done)


async def fresh_event(bench: Bench) -> int:
    """Make the board report something without moving, or with a stop; the number of the newest event.

    Raises ``NotApplicable`` where nothing does.
    """
    before = (await bench.clock()).message.last_event
    if not await toggle(bench):
        status = await bench.status()
        if status.stopped:
            if not bench.settings.motion:
                raise NotApplicable("no_event")
            await bench.carry_out(Operation.HOME)
        await bench.stop()
    deadline = bench.now() + bench.patience
    while (newest := (await bench.clock()).message.last_event) <= before:
        if bench.now() >= deadline:
            raise NotApplicable("no_event")
    return newest


@check("ATP-R66")
async def stamped_when_sensed(bench: Bench) -> Evidence:
    """The clock before, an event, the clock after."""
    for _ in range(ROUNDS):
        with bench.withholding():
            before = (await bench.clock()).message.board_us
            number = await fresh_event(bench)
            after = (await bench.clock()).message.board_us
            await bench.caught_up()
            known, deadline = len(bench.arrivals[number]), bench.now() + bench.patience
            while len(bench.arrivals[number]) == known and await bench.wire.news(deadline):
                pass  # until it comes again
        event = bench.event(number)
        if event is None:
            raise Broken("event_missing", number=number, newest=number)
        right = before <= event.board_us <= after
        expect(right, "wrong_stamp", number=number, stamp=event.board_us, before=before, after=after)
        bodies = {heard.frame.body for heard in bench.arrivals[number]}
        expect(len(bodies) == 1, "event_changed", number=number, count=len(bodies))
    return saw("stamps", count=ROUNDS)


@check("ATP-R67")
async def sent_at_once(bench: Bench) -> Evidence:
    """From the order that causes an event to its arrival, nobody asking for it."""
    if Capability.GEAR_REMOTE not in bench.capabilities or len(bench.profiles) < 2:
        raise NotApplicable("no_event")
    limit = TIMING.rto_initial + bench.repeat
    in_time, slowest = 0, 0.0
    for _ in range(ROUNDS):
        newest = (await bench.clock()).message.last_event
        begun = bench.now()
        await toggle(bench)
        while newest + 1 not in bench.arrivals and await bench.wire.news(begun + bench.patience):
            pass
        arrived = bench.arrivals.get(newest + 1)
        seconds = arrived[0].at - begun if arrived else bench.patience
        in_time += seconds <= limit
        slowest = max(slowest, seconds)
    expect(in_time * 2 > ROUNDS, "event_late", good=in_time, rounds=ROUNDS, ms=round(slowest * 1000))
    return saw("event_soon", count=in_time, ms=round(slowest * 1000))


@check("ATP-R69")
async def repeated_until_acknowledged(bench: Bench) -> Evidence:
    """An event nobody acknowledges comes again; acknowledged, it does not."""
    with bench.withholding():
        number = await fresh_event(bench)
        known = len(bench.arrivals[number])
        deadline = bench.now() + REPEATS * (TIMING.rto_max + bench.repeat)
        while len(bench.arrivals[number]) < known + REPEATS and await bench.wire.news(deadline):
            pass
        repeats = len(bench.arrivals[number]) - known
        expect(repeats >= min(2, REPEATS), "not_repeated", number=number, count=repeats)
    await bench.caught_up()
    bench.acknowledge()
    await bench.clock()  # what was under way is in
    since = await bench.wire.listen(3 * TIMING.rto_max + bench.repeat)
    again = [heard for heard in bench.wire.heard[since:] if number_of(heard) == number]
    if again:  # the acknowledgement may have been lost, once
        bench.acknowledge()
        await bench.clock()
        since = await bench.wire.listen(3 * TIMING.rto_max + bench.repeat)
        again = [heard for heard in bench.wire.heard[since:] if number_of(heard) == number]
    expect(not again, "repeated_for_ever", number=number, count=len(again))
    with bench.withholding():
        early = [await _repeated_early(bench) for _ in range(ROUNDS)]
    expect(sum(early) * 2 <= ROUNDS, "repeated_early", count=sum(early), limit=TIMING.rto_min)
    await oldest_first(bench)
    return saw("event_repeats", count=repeats, number=number)


async def _repeated_early(bench: Bench) -> bool:
    """True when a fresh event came again sooner than any time-out allows."""
    number = await fresh_event(bench)
    deadline = bench.now() + TIMING.rto_max + bench.repeat
    while len(bench.arrivals[number]) < 2 and await bench.wire.news(deadline):
        pass
    times = [heard.at for heard in bench.arrivals[number][:2]]
    return len(times) > 1 and times[1] - times[0] < TIMING.rto_min * SOON


async def oldest_first(bench: Bench) -> None:
    """Raise ``Broken`` unless of many events the oldest few are repeated, acknowledged ones left out."""
    assert bench.hello is not None
    with bench.withholding():
        before = await bench.caught_up()
        for _ in range(LIMITS.event_burst + 2):
            if not await toggle(bench):
                return
        newest = await bench.caught_up()
        for first in (before + 1, before + 3):
            bench.wire.send(m.AckEvents(first - 1, bench.hello.boot))
            await bench.clock()
            await bench.clock()  # what was under way is in
            since = await bench.wire.listen(REPEATS * TIMING.rto_max + bench.repeat)
            came = {number_of(heard) for heard in bench.wire.heard[since:]} - {0}
            wanted = set(range(first, min(first + LIMITS.event_burst, newest + 1)))
            right = first in came and came <= wanted
            expect(right, "not_the_oldest", first=first, numbers=" ".join(map(str, sorted(came))))
    await bench.restore()


def number_of(heard: Heard) -> int:
    """The number of an event, 0 for any other frame."""
    return heard.message.number if isinstance(heard.message, m.Event) else 0


@check("ATP-R70")
async def another_boot_acknowledged(bench: Bench) -> Evidence:
    """An acknowledgement in the name of another boot."""
    assert bench.hello is not None
    with bench.withholding():
        number = await fresh_event(bench)
        for _ in range(ROUNDS):
            bench.wire.send(m.AckEvents(number, bench.hello.boot ^ 0xFF))
        await bench.clock()
        known = len(bench.arrivals[number])
        deadline = bench.now() + bench.patience
        while len(bench.arrivals[number]) == known and await bench.wire.news(deadline):
            pass
        expect(len(bench.arrivals[number]) > known, "wrong_boot_obeyed", number=number)
    return saw("wrong_boot", number=number)
