"""The same trace of commands gives the same answers, events and states in firmware and twin."""

from __future__ import annotations

from functools import cache

import pytest

from tests.sim.firmware.traces import TRACES, CompiledSide, Lived, TwinSide, live

TOLERANCE_S = 4.0  # of any one step of a motion: the plant's motors are no twin's random numbers


ROWS_APART = 3  # stacks, while they grow: the twin lays four tiles at once


@cache
def both(name: str) -> tuple[Lived, Lived]:
    return live(CompiledSide, TRACES[name]), live(TwinSide, TRACES[name])


def by_id(lived: Lived) -> dict[int, list[object]]:
    """What was said of each order. Of two that end together either may be named first."""
    found: dict[int, list[object]] = {}
    for _, (id, *stage) in lived.replies:
        found.setdefault(id, []).append(stage)
    return found


@pytest.mark.parametrize("name", TRACES)
def test_answers_are_the_same_in_the_same_order(name: str) -> None:
    compiled, twin = both(name)
    assert by_id(compiled) == by_id(twin)


@pytest.mark.parametrize("name", TRACES)
def test_events_are_the_same_in_the_same_order(name: str) -> None:
    compiled, twin = both(name)
    assert [what for _, what in compiled.events] == [what for _, what in twin.events]


@pytest.mark.parametrize("name", TRACES)
def test_states_are_the_same(name: str) -> None:
    compiled, twin = both(name)
    assert len(compiled.states) == len(twin.states)
    for one, other in zip(compiled.states, twin.states, strict=True):
        rows = zip(one.pop("store_stacks"), other.pop("store_stacks"), strict=True)
        assert one == other
        assert all(abs(ours - theirs) <= ROWS_APART for ours, theirs in rows)


@pytest.mark.parametrize("name", TRACES)
def test_nothing_takes_much_longer_or_shorter(name: str) -> None:
    compiled, twin = both(name)
    pairs = zip(compiled.events, twin.events, strict=True)
    ended = 0.0, 0.0
    for (at, what), (twin_at, _) in pairs:
        if what[0] != "SIDE_DONE":  # the twin looks at its rows every four tiles only
            assert abs((at - ended[0]) - (twin_at - ended[1])) <= TOLERANCE_S, what
            ended = at, twin_at
