"""Signs of life: beats into silence, beats that answer, and what they say."""

from __future__ import annotations

from itertools import pairwise

from protocols.atp import messages as m
from protocols.atp.dictionary import TIMING
from protocols.conformance.bench import Bench
from protocols.conformance.checks.events import fresh_event
from protocols.conformance.checks.motion import begin_motion, journey
from protocols.conformance.evidence import Evidence, NotApplicable, expect, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import FINAL
from protocols.conformance.wire import Heard

BEATS = 4  # that are waited for
TIMES = 5


def latest(bench: Bench, interval: float) -> float:
    """The longest pause between two frames of a board that keeps the interval."""
    return interval + TIMING.ask_margin + bench.repeat - TIMING.rto_initial + TIMING.rto_min


async def pauses(bench: Bench, interval: float) -> list[float]:
    """The pauses between the board's frames while nobody asks anything, over some intervals."""
    await bench.caught_up()
    await bench.clock()
    since = len(bench.wire.heard) - 1
    await bench.wire.listen(BEATS * interval + TIMING.ask_margin)
    frames: list[Heard] = bench.wire.heard[since:]
    last = bench.now()
    times = [heard.at for heard in frames]
    return [after - before for before, after in pairwise([*times, last])][: len(times)]


@check("ATP-R73", phase=Phase.MIXED)
async def beats_into_silence(bench: Bench) -> Evidence:
    """The pauses between frames at rest, and while a motor runs."""
    idle = await pauses(bench, TIMING.beat_idle)
    limit = latest(bench, TIMING.beat_idle)
    late = [seconds for seconds in idle if seconds > limit]
    expect(len(late) <= len(idle) // BEATS, "no_beat", seconds=f"{max(idle):.2f}", limit=TIMING.beat_idle)
    if not bench.settings.motion:
        return saw("beats", seconds=f"{max(idle):.2f}")
    id = await begin_motion(bench)
    moving = await pauses(bench, TIMING.beat_moving)
    still = any(isinstance(one.message, FINAL) for one in bench.stages[id])
    await bench.ended(id)
    limit = latest(bench, TIMING.beat_moving)
    late = [seconds for seconds in moving if seconds > limit]
    right = still or len(late) <= len(moving) // BEATS
    expect(right, "no_beat", seconds=f"{max(moving):.2f}", limit=TIMING.beat_moving)
    return saw("beats_moving", seconds=f"{max(idle):.2f}", moving=f"{max(moving):.2f}")


@check("ATP-R74")
async def asked_beats(bench: Bench) -> Evidence:
    """BEAT that asks, several times."""
    answered, slowest = 0, 0.0
    for _ in range(TIMES):
        found = await bench.try_ask(m.Beat(ask=1), m.Beat, lambda one: not one.ask, tries=1)
        if found is not None:
            answered += 1
            slowest = max(slowest, found.seconds)
    expect(answered * 2 > TIMES, "beat_unanswered", answered=answered, times=TIMES)
    limit = bench.repeat
    expect(slowest <= limit, "late", question="BEAT", ms=round(slowest * 1000), limit=f"{limit:.2f}")
    return saw("beat_answers", answered=answered, ms=f"{slowest * 1000:.1f}")


@check("ATP-R75", phase=Phase.MIXED)
async def what_beats_say(bench: Bench) -> Evidence:
    """The newest event and ``moving``, at rest and in motion."""
    number = await _newest(bench)
    beat = await bench.asked_beat()
    clock = (await bench.clock()).message
    right = number <= beat.last_event <= clock.last_event
    expect(right, "beat_event", said=beat.last_event, wanted=clock.last_event)
    status = await bench.status()
    expect(not beat.moving or bool(status.running), "beat_moving", said=beat.moving, wanted=0)
    if not bench.settings.motion:
        return saw("beat_tells", number=beat.last_event)
    trip = await bench.once(journey)
    if trip.status.running_id == trip.id:
        expect(bool(trip.beats[0].moving), "beat_moving", said=0, wanted=1)
    return saw("beat_tells", number=beat.last_event)


async def _newest(bench: Bench) -> int:
    """The newest event, a fresh one where that is possible."""
    try:
        return await fresh_event(bench)
    except NotApplicable:
        return (await bench.clock()).message.last_event
