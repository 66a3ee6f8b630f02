"""A trace lived by one side, and in what the lives of two differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from protocols.driver import BoardEvent, Reply, Status
from protocols.vocabulary import Stage
from sim.firmware.acts import Act
from sim.firmware.sides import Side
from sim.timebase import pause, run_virtual

TOLERANCE_S = 5.0  # of any one step of a motion: the plant's motors are no twin's random numbers
ROWS_APART = 3  # stacks, while they grow: the twin lays four tiles at once


@dataclass
class Lived:
    """What came of a trace: each with the second at which the host was told."""

    events: list[tuple[float, Any]] = field(default_factory=list)
    replies: list[tuple[float, Any]] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    seen: tuple[Any, ...] = ()  # by people
    amiss: list[str] = field(default_factory=list)  # at the pins


def event_of(event: BoardEvent) -> tuple[Any, ...]:
    """What two boards must tell alike."""
    return event.kind.name, event.side, event.source.name, event.value


def reply_of(reply: Reply) -> tuple[Any, ...]:
    return reply.id, reply.stage.name, reply.refusal.name, reply.fault.name, reply.side, reply.value


def state_of(status: Status) -> dict[str, Any]:
    names = ("stopped", "homed", "hand", "profile", "top_stacks", "store_stacks", "faults")
    found = {name: getattr(status, name) for name in names}
    running = status.running_id, status.running
    return {**found, "top": status.top.name, "store": status.store.name, "running": running}


async def _live(make: Callable[[int], Side], trace: list[Act], seed: int) -> Lived:
    side = make(seed)
    await side.host.start()
    for act in trace:
        await act(side)
    await pause(0.5)
    reports, seen = [*side.host.reports], ([*side.onlooker.lamps], [*side.onlooker.walls])
    lived = Lived(seen=seen, amiss=await side.amiss())
    side.close()
    for at, report in reports:
        match report:
            case BoardEvent():
                lived.events.append((at, event_of(report)))
            case Reply() if report.stage is not Stage.PROGRESS:
                lived.replies.append((at, reply_of(report)))
            case Status():
                lived.states.append(state_of(report))
    return lived


def live(make: Callable[[int], Side], trace: list[Act], seed: int = 1) -> Lived:
    """Live a trace from a fresh table on."""
    return run_virtual(_live(make, trace, seed))


def by_id(lived: Lived) -> dict[int, list[Any]]:
    """What was said of each order. Of two that end together either may be named first."""
    found: dict[int, list[Any]] = {}
    for _, (id, *stage) in lived.replies:
        found.setdefault(id, []).append(stage)
    return found


def differences(ours: Lived, theirs: Lived) -> list[str]:
    """In what two boards differ, in words; empty when they may not be told apart."""
    found = []
    if by_id(ours) != by_id(theirs):
        found.append(f"answers {by_id(ours)} against {by_id(theirs)}")
    told, expected = [what for _, what in ours.events], [what for _, what in theirs.events]
    if told != expected:
        found.append(f"events {told} against {expected}")
    if ours.seen != theirs.seen:
        found.append(f"people see {ours.seen} against {theirs.seen}")
    found += [f"at the pins {name}" for name in (*ours.amiss, *theirs.amiss)]
    found += _of_states(ours, theirs)
    return found or _of_times(ours, theirs)


def _of_states(ours: Lived, theirs: Lived) -> list[str]:
    found = []
    for one, other in zip_longest(ours.states, theirs.states, fillvalue={"store_stacks": ()}):
        rows = zip(one["store_stacks"], other["store_stacks"], strict=False)
        apart = any(abs(mine - yours) > ROWS_APART for mine, yours in rows)
        if apart or one | {"store_stacks": ()} != other | {"store_stacks": ()}:
            found.append(f"state {one} against {other}")
    return found


def _of_times(ours: Lived, theirs: Lived) -> list[str]:
    """Asked only where the events are the same."""
    ended, found = (0.0, 0.0), []
    for (at, what), (twin_at, _) in zip(ours.events, theirs.events, strict=True):
        if what[0] == "SIDE_DONE":  # the twin looks at its rows every four tiles only
            continue
        if abs((at - ended[0]) - (twin_at - ended[1])) > TOLERANCE_S:
            found.append(f"{what} after {at - ended[0]:.1f} s against {twin_at - ended[1]:.1f} s")
        ended = at, twin_at
    return found
