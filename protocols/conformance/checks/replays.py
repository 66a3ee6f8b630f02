"""Events sent again when asked for: what is kept, what is lost, what was not asked for."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.dictionary import LIMITS, TIMING
from protocols.conformance.bench import Bench
from protocols.conformance.checks.events import ROUNDS, fresh_event, number_of, toggle
from protocols.conformance.evidence import Evidence, NotApplicable, expect, saw
from protocols.conformance.register import check
from protocols.conformance.wire import Heard

OVERHEAD = 10  # bytes of a frame beside its body
FILL = LIMITS.ring + 6  # events that push the oldest out


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
            known, found = len(found), {number_of(heard) for heard in bench.wire.heard[start:]}
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
    early = [number_of(heard) for heard in frames[:at] if 0 < number_of(heard) <= newest]
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
        extra = [number_of(heard) for heard in frames if 0 < number_of(heard) <= newest]
        expect(not extra, "replayed_more", number=extra[0] if extra else 0, first=first, last=last)


async def _drained(bench: Bench) -> None:
    """Wait until no event is under way any more."""
    for _ in range(FILL):
        since = await bench.wire.listen(bench.repeat + TIMING.rto_max)
        if not any(map(number_of, bench.wire.heard[since:])):
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
