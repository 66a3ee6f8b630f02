"""All that was heard in the run, looked at once more: counters, checksums, sizes, edges, event numbers."""

from __future__ import annotations

from itertools import pairwise

from protocols.atp.dictionary import DICTIONARY, TIMING
from protocols.atp.frame import MAX_STUFFED
from protocols.conformance.bench import Bench
from protocols.conformance.evidence import Evidence, expect, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.wire import Heard

TOLERATED = 0.02  # of the frames: what a mildly noisy line damages
FEW = 3
IDLE = TIMING.rto_min  # between two frames that are not in a row
COUNTERS = 256


def frames(bench: Bench) -> list[Heard]:
    """Every good frame of this opening of the port."""
    return bench.wire.heard


def damaged(bench: Bench) -> int:
    """Pieces that were no frames, since the first good one: what came before may be a boot loader's text."""
    first = bench.wire.heard[0].at if bench.wire.heard else 0.0
    return sum(at > first for at, _ in bench.wire.damaged)


def tolerated(count: int) -> float:
    """How many of so many frames a line may spoil."""
    return max(FEW, count * TOLERATED)


@check("ATP-R04", phase=Phase.REVIEW)
async def no_flags(bench: Bench) -> Evidence:
    """The upper half of every frame's first byte, and the lower."""
    flagged = sum(bool(heard.flags) for heard in frames(bench))
    expect(flagged == 0, "flags_set", count=flagged)
    strange = {heard.frame.version for heard in frames(bench)} - {DICTIONARY.version}
    expect(not strange, "strange_version", version=min(strange, default=0))
    return saw("frames", count=len(frames(bench)))


@check("ATP-R06", phase=Phase.REVIEW)
async def counters_go_up(bench: Bench) -> Evidence:
    """The counter of each frame against the one before, damage allowed for."""
    heard, missing, still = frames(bench), 0, 0
    for before, after in pairwise(heard):
        step = after.frame.counter - before.frame.counter & COUNTERS - 1
        still += step == 0
        missing += (step or 1) - 1
    expect(still <= 1, "counter_still", count=still, total=len(heard))
    right = missing <= tolerated(len(heard)) + FEW * damaged(bench)
    expect(right, "counter_jumps", missing=missing, total=len(heard))
    return saw("counters", count=len(heard), missing=missing)


@check("ATP-R08", phase=Phase.REVIEW)
async def checksums(bench: Bench) -> Evidence:
    """Every piece between two zeros."""
    bad, good = damaged(bench), len(frames(bench))
    expect(bad <= tolerated(good), "checksums", bad=bad, good=good)
    return saw("checksums", bad=bad, good=good)


@check("ATP-R09", phase=Phase.REVIEW)
async def sizes(bench: Bench) -> Evidence:
    """The longest piece between two zeros."""
    too_long = sum(len(piece) > MAX_STUFFED for _, piece in bench.wire.damaged)
    expect(too_long <= tolerated(len(frames(bench))), "too_long", count=too_long, limit=MAX_STUFFED)
    return saw("sizes", longest=bench.wire.longest)


@check("ATP-R10", phase=Phase.REVIEW)
async def edges(bench: Bench) -> Evidence:
    """Zeros around frames that came after a pause, and how long a frame waited for its last one."""
    heard = frames(bench)
    after_pause = [after for before, after in pairwise(heard) if after.begun - before.at > IDLE]
    bare = sum(one.edges < 2 for one in after_pause)
    expect(bare * 2 <= len(after_pause), "no_edge", count=bare, total=len(after_pause))
    return saw("edges", count=len(after_pause))


@check("ATP-R65", phase=Phase.REVIEW)
async def numbers_without_gaps(bench: Bench) -> Evidence:
    """Every event of the run: each number there, none said to be lost that had to be kept."""
    newest = await bench.caught_up()
    kept = {number for number in bench.lost if number > newest - 1 or number not in bench.arrivals}
    missing = sorted(number for number in kept if bench.first <= number <= newest)
    expect(not missing, "event_lost", number=missing[0] if missing else 0, newest=newest)
    times = [event.board_us for event in bench.events()]
    backwards = sum(after < before for before, after in pairwise(times))
    expect(backwards == 0, "stamps_back", count=backwards)
    changed = sum(len({heard.frame.body for heard in arrivals}) > 1 for arrivals in bench.arrivals.values())
    expect(changed == 0, "event_changed", count=changed)
    return saw("event_numbers", first=bench.first, last=newest)
