"""The table of the link machine: complete, resolvable, documented."""

from __future__ import annotations

import pytest

from tablectl.daemon.link import machine
from tablectl.daemon.link.link import Link
from tablectl.daemon.link.machine import STATES, TRANSITIONS, LinkMachine

NAMES = [str(state["name"]) for state in STATES]


def callbacks() -> set[str]:
    """Every callback name of the table, by the machine's own bookkeeping."""
    made = LinkMachine().machine
    found = {callback for state in made.states.values() for callback in state.on_enter + state.on_exit}
    for event in made.events.values():
        for rows in event.transitions.values():
            for row in rows:
                found |= {*row.before, *row.after, *row.prepare, *(c.func for c in row.conditions)}
    return found


@pytest.mark.parametrize("name", sorted(callbacks()))
def test_every_callback_is_a_method_of_the_link(name: str) -> None:
    assert callable(getattr(Link, name))


@pytest.mark.parametrize("trigger", sorted({str(row["trigger"]) for row in TRANSITIONS}))
def test_every_trigger_is_declared_and_bound(trigger: str) -> None:
    assert callable(getattr(LinkMachine, trigger))
    assert trigger in vars(LinkMachine()), "the machine replaced the declaration"


def test_every_state_has_a_sentence() -> None:
    assert machine.__doc__ is not None
    assert [name for name in NAMES if f"- *{name}*: " not in machine.__doc__] == []


def test_every_state_but_closed_can_be_reached_and_left() -> None:
    reached = {row["dest"] for row in TRANSITIONS}
    assert set(NAMES) <= reached
    assert LinkMachine().state == "closed"


def test_closing_is_possible_from_everywhere() -> None:
    assert "end" in LinkMachine().machine.events
    sources = LinkMachine().machine.events["end"].transitions
    assert set(sources) == set(NAMES)
