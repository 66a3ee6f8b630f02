"""A host that falls silent: what moves must stop, the line must fall quiet, and all must go on afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.atp.dictionary import TIMING
from protocols.conformance.bench import Bench
from protocols.conformance.checks.motion import begin_motion
from protocols.conformance.evidence import Evidence, NotApplicable, expect, named, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import FinalMessage, expect_refused, stage_of
from protocols.conformance.wire import Heard
from protocols.vocabulary import EventKind, Fault, Operation, Refusal, Source, StoreState

US = 1_000_000
BEFORE_QUIET = TIMING.silence + TIMING.ask_margin + TIMING.rto_max  # from then on nothing may come
ALONE = BEFORE_QUIET + TIMING.beat_idle + TIMING.rto_max  # longer than a beat or a repetition takes
COME_TO_REST = 2 * TIMING.silence  # from the last word of the host to the end of all motion


@dataclass(slots=True)
class Deserted:
    """A motion whose host fell silent. Times are the board's µs."""

    operation: Operation
    spoke_us: int
    final: FinalMessage
    events: list[m.Event]
    status: m.Status
    homed: m.Status
    cleared: list[m.Event]
    quiet: list[Heard]  # what came when nothing should


async def deserted(bench: Bench) -> Deserted:
    """Order a motion, say nothing for twice the silence, come back, home."""
    newest, operation, id = await _begin_something_long(bench)
    spoke_us, quiet = await say_nothing(bench, COME_TO_REST + TIMING.rto_max)
    final = await bench.ended(id)
    upto = await bench.caught_up()
    events, status = bench.events(newest), await bench.status()
    await bench.carry_out(Operation.HOME)
    await bench.caught_up()
    homed = await bench.status()
    what = Deserted(operation, spoke_us, final, events, status, homed, bench.events(upto), quiet)
    if isinstance(final, m.Done) and await _too_quick(bench, what):
        raise NotApplicable("too_quick", operation=operation.name)
    return what


async def say_nothing(bench: Bench, seconds: float) -> tuple[int, list[Heard]]:
    """Ask once more, then be silent for so long. Returns the board's time of the answer (µs), and what came
    when nothing should."""
    with bench.hushed():
        spoke_us = (await bench.clock()).message.board_us
        spoke = bench.now()
        await bench.wire.listen(seconds)
        return spoke_us, heard_alone(bench, spoke)


def heard_alone(bench: Bench, spoke: float) -> list[Heard]:
    """What came when nothing should, the host having spoken last at ``spoke``."""
    return [heard for heard in bench.wire.heard if heard.begun > spoke + BEFORE_QUIET + bench.repeat]


async def _begin_something_long(bench: Bench) -> tuple[int, Operation, int]:
    """A build, which waits for people, else homing: the newest event before it, what it is, its id."""
    status = await bench.ready()
    newest, id = await bench.caught_up(), bench.next_id()
    if status.store == StoreState.EMPTY:
        said = (await bench.give(Operation.BUILD, id=id)).message
        if isinstance(said, m.Accepted | m.Progress):
            return newest, Operation.BUILD, id
    return newest, Operation.HOME, await begin_motion(bench)


async def _too_quick(bench: Bench, what: Deserted) -> bool:
    """True when the motion was over before the silence was: by its own event, or as quick with a host."""
    if what.operation is Operation.BUILD:
        ends = [event.board_us for event in what.events if event.kind == EventKind.BUILD_DONE]
        return not ends or ends[0] < what.spoke_us + TIMING.silence * US
    begun = bench.now()
    await bench.ended(await begin_motion(bench))
    return bench.now() - begun < 2 * TIMING.silence


@check("ATP-R76", phase=Phase.ALONE)
async def a_deserted_motion(bench: Bench) -> Evidence:
    """A motion of which the host says nothing more."""
    what = await bench.once(deserted)
    went_on = isinstance(what.final, m.Done)
    expect(not went_on, "ran_on", operation=what.operation.name, seconds=TIMING.silence)
    stops = [event.board_us for event in what.events if event.kind == EventKind.STOPPED]
    if not stops:
        return saw("deserted", operation=what.operation.name, seconds=f"{COME_TO_REST:g}")
    seconds = (stops[0] - what.spoke_us) / US
    expect(seconds <= COME_TO_REST, "stopped_late", seconds=f"{seconds:.2f}", limit=f"{COME_TO_REST:g}")
    expect(
        seconds >= TIMING.silence - TIMING.rto_max,
        "stopped_early",
        seconds=f"{seconds:.2f}",
        limit=TIMING.silence,
    )
    return saw("deserted", operation=what.operation.name, seconds=f"{seconds:.2f}")


@check("ATP-R77", phase=Phase.ALONE)
async def how_it_is_told(bench: Bench) -> Evidence:
    """The end of the order, the fault, STATUS."""
    what = await bench.once(deserted)
    expect(
        isinstance(what.final, m.Failed),
        "not_failed",
        operation=what.operation.name,
        stage=stage_of(what.final).name,
    )
    assert isinstance(what.final, m.Failed)
    silent = int(Fault.HOST_SILENT_STOP)
    right = what.final.fault == silent
    expect(
        right,
        "wrong_failure",
        operation=what.operation.name,
        fault=named(Fault, what.final.fault),
        side=what.final.side,
    )
    expect(what.status.stopped == 1, "wrong_state", field="stopped", wanted="1", said=what.status.stopped)
    stops = sum(event.kind == EventKind.STOPPED for event in what.events) - (what.operation is Operation.HOME)
    expect(stops == 1 or what.operation is Operation.HOME, "stopped_events", count=stops)
    expect(silent in what.status.faults, "not_latched", fault=Fault.HOST_SILENT_STOP.name)
    return saw("told_silent", operation=what.operation.name)


@check("ATP-R84", phase=Phase.ALONE)
async def latched_faults(bench: Bench) -> Evidence:
    """The fault of a host that fell silent: its events, and STATUS before and after HOME."""
    what = await bench.once(deserted)
    silent = int(Fault.HOST_SILENT_STOP)
    if silent not in what.status.faults and not isinstance(what.final, m.Failed):
        raise NotApplicable("no_fault")
    told = [event for event in what.events if event.kind == EventKind.FAULT_SET and event.value == silent]
    expect(len(told) == 1, "fault_events", kind="FAULT_SET", count=len(told))
    expect(silent in what.status.faults, "not_latched", fault=Fault.HOST_SILENT_STOP.name)
    over = [
        event for event in what.cleared if event.kind == EventKind.FAULT_CLEARED and event.value == silent
    ]
    gone = silent not in what.homed.faults
    expect(bool(over) == gone, "fault_events", kind="FAULT_CLEARED", count=len(over))
    return saw("latched", fault=Fault.HOST_SILENT_STOP.name)


@check("ATP-R85", phase=Phase.ALONE)
async def home_clears(bench: Bench) -> Evidence:
    """STATUS after HOME: no stop, no fault whose cause is gone."""
    what = await bench.once(deserted)
    silent = int(Fault.HOST_SILENT_STOP)
    if silent not in what.status.faults:
        raise NotApplicable("no_fault")
    expect(silent not in what.homed.faults, "not_cleared", fault=Fault.HOST_SILENT_STOP.name, by="HOME")
    expect(what.homed.stopped == 0, "wrong_state", field="stopped", wanted="0", said=what.homed.stopped)
    await cleared_by_order(bench)
    return saw("cleared", fault=Fault.HOST_SILENT_STOP.name)


async def cleared_by_order(bench: Bench) -> None:
    """Raise ``Broken`` unless CLEAR_FAULT clears such a fault too, and leaves the stop standing."""
    await begin_motion(bench)
    _, quiet = await say_nothing(bench, COME_TO_REST + TIMING.rto_max)
    names = ", ".join(type(heard.message).__name__.upper() for heard in quiet[:3])
    expect(not quiet, "spoke_alone", count=len(quiet), messages=names)
    upto, before = await bench.caught_up(), await bench.status()
    silent = int(Fault.HOST_SILENT_STOP)
    if silent not in before.faults:
        return
    refused = (await bench.give(Operation.LOWER)).message
    expect_refused(refused, "LOWER", *(Refusal.STOPPED, Refusal.FAULT_LATCHED, Refusal.UNSUPPORTED))
    end = await bench.carry_out(Operation.CLEAR_FAULT)
    if not isinstance(end, m.Done):
        return
    await bench.caught_up()
    after = await bench.status()
    expect(silent not in after.faults, "not_cleared", fault=Fault.HOST_SILENT_STOP.name, by="CLEAR_FAULT")
    expect(after.stopped == 1, "wrong_state", field="stopped", wanted="1", said=after.stopped)
    for event in bench.events(upto):
        if event.kind == EventKind.FAULT_CLEARED and event.value == silent:
            right = event.source == Source.HOST
            expect(
                right, "event_field", event="FAULT_CLEARED", field="source", said=named(Source, event.source)
            )
