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
OVERHEAD = 10  # bytes of a frame beside its body
SOON = 0.9  # of the shortest time-out
REPEATS = 3  # of an event nobody acknowledges, that are waited for
FILL = LIMITS.ring + 6  # events that push the oldest out


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
    again = [heard for heard in bench.wire.heard[since:] if _number(heard) == number]
    if again:  # the acknowledgement may have been lost, once
        bench.acknowledge()
        await bench.clock()
        since = await bench.wire.listen(3 * TIMING.rto_max + bench.repeat)
        again = [heard for heard in bench.wire.heard[since:] if _number(heard) == number]
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
            came = {_number(heard) for heard in bench.wire.heard[since:]} - {0}
            wanted = set(range(first, min(first + LIMITS.event_burst, newest + 1)))
            right = first in came and came <= wanted
            expect(right, "not_the_oldest", first=first, numbers=" ".join(map(str, sorted(came))))
    await bench.restore()


def _number(heard: Heard) -> int:
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


async def full_ring(bench: Bench) -> int:
    """More events than a board must keep; the number of the newest."""
    for _ in range(FILL):
        if not await toggle(bench):
            raise NotApplicable("no_event")
    await bench.restore()
    return await bench.caught_up()


async def replay(bench: Bench, first: int, last: int, wanted: set[int]) -> tuple[set[int], list[Heard]]:
    """Ask for events until all wanted have come again; which came, and the frames since the last question."""
    found: set[int] = set()
    start = since = len(bench.wire.heard)
    size = len(wanted) * (m.Event.LAYOUT.size + OVERHEAD)
    pause = bench.repeat + TIMING.rto_max + bench.under_way(size)  # a board may send a handful at a time
    for _ in range(ROUNDS * ROUNDS):
        since = len(bench.wire.heard)
        bench.wire.send(m.ReplayAsk(first, last))
        deadline = bench.now() + pause
        while not wanted <= found and await bench.wire.news(deadline):
            known, found = len(found), {_number(heard) for heard in bench.wire.heard[start:]}
            if len(found) > known:
                deadline = bench.now() + pause
        if wanted <= found:
            break
    return found, bench.wire.heard[since:]


@check("ATP-R68")
async def the_last_are_kept(bench: Bench) -> Evidence:
    """As many as the ring holds, all acknowledged, asked for again."""
    await bench.once(full_ring)
    newest = await bench.caught_up()
    first = max(1, newest - LIMITS.ring + 1)
    wanted = set(range(first, newest + 1))
    found, _ = await replay(bench, first, newest, wanted)
    missing = sorted(wanted - found)
    expect(not missing, "not_kept", count=len(missing), number=missing[0] if missing else 0, ring=LIMITS.ring)
    return saw("kept", count=len(wanted), first=first, last=newest)


@check("ATP-R71")
async def replays_say_what_is_lost(bench: Bench) -> Evidence:
    """From the first event of the boot on: one EVENTS_LOST, then what is held."""
    await bench.once(full_ring)
    newest = await bench.caught_up()
    held = max(1, newest - LIMITS.ring + 1)
    for _ in range(ROUNDS):
        found, frames = await replay(bench, 1, newest, set(range(held, newest + 1)))
        lost = [heard.message for heard in frames if isinstance(heard.message, m.EventsLost)]
        if len(lost) == 1 or not found:
            break
    oldest = min((number for number in found if number), default=0)
    if oldest == 1:
        expect(not lost, "lost_but_sent", first=1, last=lost[0].last if lost else 0)
        return saw("replay", first=1, last=newest, lost=0)
    expect(len(lost) == 1, "no_lost", count=len(lost), first=1, last=oldest - 1)
    right = lost[0].first == 1 and lost[0].last < held
    expect(right, "wrong_lost", first=lost[0].first, last=lost[0].last, held=held)
    missing = sorted(set(range(lost[0].last + 1, newest + 1)) - found)
    expect(not missing, "not_replayed", number=missing[0] if missing else 0, first=1, last=newest)
    at = next(index for index, heard in enumerate(frames) if isinstance(heard.message, m.EventsLost))
    early = [_number(heard) for heard in frames[:at] if 0 < _number(heard) <= newest]
    expect(len(early) <= LIMITS.event_burst, "lost_too_late", number=early[0] if early else 0)
    await parts_of_the_ring(bench, lost[0].last + 1, newest)
    return saw("replay", first=lost[0].last + 1, last=newest, lost=lost[0].last)


async def parts_of_the_ring(bench: Bench, held: int, newest: int) -> None:
    """Raise ``Broken`` unless a part of what is held is sent alone, and of what is lost or to come none."""
    first, last = held + 3, held + 5
    await _drained(bench)
    found, frames = await replay(bench, first, last, set(range(first, last + 1)))
    beyond = sorted(found - set(range(first, last + 1)) - {0})
    expect(not beyond, "replayed_more", number=beyond[0] if beyond else 0, first=first, last=last)
    expect(not _losses(frames), "lost_but_sent", first=first, last=last)
    for first, last in ((1, held - 2), (newest + 1, newest + 3)):
        for _ in range(ROUNDS):
            await _drained(bench)
            since = len(bench.wire.heard)
            bench.wire.send(m.ReplayAsk(first, last))
            await bench.clock()
            await bench.wire.listen(bench.repeat)
            frames = bench.wire.heard[since:]
            lost = _losses(frames)
            if lost or first > newest:
                break
        wanted = [m.EventsLost(first, last)] if last <= newest else []
        right = lost == wanted
        expect(
            right,
            "wrong_lost",
            first=lost[0].first if lost else 0,
            last=lost[0].last if lost else 0,
            held=held,
        )
        extra = [_number(heard) for heard in frames if 0 < _number(heard) <= newest]
        expect(not extra, "replayed_more", number=extra[0] if extra else 0, first=first, last=last)


async def _drained(bench: Bench) -> None:
    """Wait until no event is under way any more."""
    for _ in range(FILL):
        since = await bench.wire.listen(bench.repeat + TIMING.rto_max)
        if not any(map(_number, bench.wire.heard[since:])):
            return


def _losses(frames: list[Heard]) -> list[m.EventsLost]:
    return [heard.message for heard in frames if isinstance(heard.message, m.EventsLost)]


@check("ATP-R72")
async def up_to_the_newest(bench: Bench) -> Evidence:
    """A replay up to 0, and one up to a number far above."""
    newest = await fresh_event(bench)
    await bench.caught_up()
    for last in (0, newest + 1000):
        found, _ = await replay(bench, newest, last, {newest})
        expect(newest in found, "newest_not_meant", last=last, newest=newest)
    return saw("newest_meant", newest=newest)
