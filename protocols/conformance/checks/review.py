"""All that was heard in the run, looked at once more: counters, checksums, sizes, edges, event numbers."""

from __future__ import annotations

from itertools import pairwise

from protocols.atp import messages as m
from protocols.atp.dictionary import DICTIONARY, TIMING
from protocols.atp.frame import MAX_STUFFED
from protocols.conformance.bench import Bench
from protocols.conformance.checks.bodies import sample_orders
from protocols.conformance.checks.events import toggle
from protocols.conformance.checks.motion import begin_motion, same_end
from protocols.conformance.checks.questions import questions
from protocols.conformance.evidence import Evidence, expect, named, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import FINAL, StageMessage, stage_message, stage_of
from protocols.conformance.wire import Heard
from protocols.vocabulary import Operation

TOLERATED = 0.02  # of the frames: what a mildly noisy line damages
FEW = 3
IDLE = TIMING.rto_min  # between two frames that are not in a row
COUNTERS = 256
US = PPM = 1_000_000
ENDED = 2  # rank of a stage: accepted, under way, ended
ENOUGH, LONG_ENOUGH, EXERCISES = 600, 20.0, 40  # frames, seconds, rounds


async def exercise(bench: Bench) -> None:
    """Enough talk to look back on, where few checks were asked for: questions, events, orders, pauses."""
    begun = bench.now()
    for _ in range(EXERCISES):
        if len(bench.wire.heard) > ENOUGH and bench.now() - bench.wire.heard[0].at > LONG_ENOUGH:
            break
        for question, answer, fits in questions(bench):
            await bench.try_ask(question, answer, fits)
        await sample_orders(bench)
        await toggle(bench)
        await bench.wire.listen(TIMING.beat_idle)
    if bench.settings.motion and bench.now() > begun:
        await bench.ended(await begin_motion(bench))


def frames(bench: Bench) -> list[Heard]:
    """Every good frame of the run."""
    return [heard for era in bench.eras() for heard in era]


def pairs(bench: Bench) -> list[tuple[Heard, Heard]]:
    """Each frame and the next one of the same boot."""
    return [pair for era in bench.eras() for pair in pairwise(era)]


def damaged(bench: Bench) -> list[bytes]:
    """Pieces that were no frames, since the first good one: what came before may be a boot loader's text."""
    found = []
    for wire in bench.wires:
        first = wire.heard[0].at if wire.heard else 0.0
        found += [piece for at, piece in wire.damaged if at > first]
    return found


def tolerated(count: int) -> float:
    """How many of so many frames a line may spoil."""
    return max(FEW, count * TOLERATED)


@check("ATP-R04", phase=Phase.REVIEW)
async def no_flags(bench: Bench) -> Evidence:
    """The upper half of every frame's first byte, and the lower."""
    await bench.once(exercise)
    flagged = sum(bool(heard.flags) for heard in frames(bench))
    expect(flagged == 0, "flags_set", count=flagged)
    strange = {heard.frame.version for heard in frames(bench)} - {DICTIONARY.version}
    expect(not strange, "strange_version", version=min(strange, default=0))
    return saw("frames", count=len(frames(bench)))


@check("ATP-R06", phase=Phase.REVIEW)
async def counters_go_up(bench: Bench) -> Evidence:
    """The counter of each frame against the one before, damage allowed for."""
    await bench.once(exercise)
    heard, missing, still = frames(bench), 0, 0
    for before, after in pairs(bench):
        step = after.frame.counter - before.frame.counter & COUNTERS - 1
        still += step == 0
        missing += (step or 1) - 1
    expect(still <= 1, "counter_still", count=still, total=len(heard))
    right = missing <= tolerated(len(heard)) + FEW * len(damaged(bench))
    expect(right, "counter_jumps", missing=missing, total=len(heard))
    return saw("counters", count=len(heard), missing=missing)


@check("ATP-R08", phase=Phase.REVIEW)
async def checksums(bench: Bench) -> Evidence:
    """Every piece between two zeros."""
    await bench.once(exercise)
    bad, good = len(damaged(bench)), len(frames(bench))
    expect(bad <= tolerated(good), "checksums", bad=bad, good=good)
    return saw("checksums", bad=bad, good=good)


@check("ATP-R09", phase=Phase.REVIEW)
async def sizes(bench: Bench) -> Evidence:
    """The longest piece between two zeros."""
    await bench.once(exercise)
    too_long = sum(len(piece) > MAX_STUFFED for piece in damaged(bench))
    expect(too_long <= tolerated(len(frames(bench))), "too_long", count=too_long, limit=MAX_STUFFED)
    return saw("sizes", longest=max(wire.longest for wire in bench.wires))


@check("ATP-R10", phase=Phase.REVIEW)
async def edges(bench: Bench) -> Evidence:
    """Zeros around frames that came after a pause, and how long a frame waited for its last one."""
    await bench.once(exercise)
    after_pause = [after for before, after in pairs(bench) if after.begun - before.at > IDLE]
    bare = sum(one.edges < 2 for one in after_pause)
    expect(bare * 2 <= len(after_pause), "no_edge", count=bare, total=len(after_pause))
    return saw("edges", count=len(after_pause))


@check("ATP-R65", phase=Phase.REVIEW)
async def numbers_without_gaps(bench: Bench) -> Evidence:
    """Every event of the run: each number there, none said to be lost that had to be kept."""
    await bench.once(exercise)
    newest = await bench.caught_up()
    kept = {number for number in bench.lost if number > newest - 1 or number not in bench.arrivals}
    missing = sorted(number for number in kept if bench.first <= number <= newest)
    expect(not missing, "event_lost", number=missing[0] if missing else 0, newest=newest)
    times = [event.board_us for event in bench.events()]
    backwards = sum(after < before for before, after in pairwise(times))
    expect(backwards == 0, "stamps_back", count=backwards)
    return saw("event_numbers", first=bench.first, last=newest)


@check("ATP-R42", phase=Phase.REVIEW)
async def one_end_each(bench: Bench) -> Evidence:
    """How often the end of each order was told unasked, against how often the order was sent."""
    await bench.once(exercise)
    ended = untold = 0
    for id, heard in bench.stages.items():
        ends = [one.message for one in heard if isinstance(one.message, FINAL) and not one.message.queried]
        asked = [one.message for one in heard if isinstance(one.message, FINAL) and one.message.queried]
        if not id or id not in bench.operations:
            continue
        sends = bench.sends[id]
        expect(
            len(ends) <= sends,
            "ended_twice",
            operation=named(Operation, bench.operations[id]),
            count=len(ends),
            sends=sends,
        )
        ended += bool(ends)
        untold += bool(asked) and not ends
    stage_order(bench)
    total = ended + untold
    expect(untold * 4 <= total, "end_untold", count=untold, total=total)
    return saw("ends", count=ended, asked=untold)


def stage_order(bench: Bench) -> None:
    """Raise ``Broken`` when an order went back a stage, or ended in two ways."""
    for id, found in bench.stages.items():
        stages = [said for said in map(stage_message, found) if said and not isinstance(said, m.Unknown)]
        if id in bench.reused or id not in bench.operations:
            continue
        name = named(Operation, bench.operations[id])
        for before, after in pairwise(stages):
            onwards = _rank(before) <= _rank(after) and (_rank(before) < ENDED or same_end(before, after))
            now = stage_of(after).name
            expect(onwards, "stage_back", operation=name, before=stage_of(before).name, now=now)


def _rank(said: StageMessage) -> int:
    return ENDED if isinstance(said, FINAL) else int(isinstance(said, m.Progress))


@check("ATP-R80", phase=Phase.REVIEW)
async def the_clock_runs(bench: Bench) -> Evidence:
    """Every reading of the run against our own time: never back, never off."""
    await bench.once(exercise)
    await bench.clock()
    late = 2 * max((*bench.round_trips["CLOCK_ASK"], TIMING.rto_initial))
    count, worst, longest = 0, 0.0, 0.0
    for era in bench.eras():
        found = [(one.at, one.message.board_us) for one in era if isinstance(one.message, m.Clock)]
        for (_, before), (_, after) in pairwise(found):
            expect(after >= before, "clock_back", before=before, after=after)
        for at, us in found[1:]:
            apart = at - found[0][0]
            off = abs((us - found[0][1]) / US - apart)
            allowed = apart * TIMING.clock_drift_ppm / PPM + late
            expect(off <= allowed, "clock_off", ms=round(off * 1000), seconds=f"{apart:.1f}")
            worst, longest = max(worst, off), max(longest, apart)
        count += len(found)
    return saw("clock_runs", count=count, ms=f"{worst * 1000:.1f}", seconds=f"{longest:.1f}")
