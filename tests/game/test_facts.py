"""Anything may happen at a table in any order: the core takes it, stays whole, and says it in words.

Boards send what they like, people ask what they like, links come and go, deadlines stand. Between the
nonsense play goes on, so that it happens in the middle of a hand as well as at its ends.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from tests.game.chance import CAPABILITIES, RULES, courses
from tests.game.world import BEGINNINGS, Act, begin


def course(begun: str, capabilities: tuple[str, ...], rules: str, what: list[tuple[Act, int, int]]) -> None:
    world = begin(begun, capabilities, rules)
    for act, wait, lag in what:
        world.happen(act, wait, lag)


relaxed = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("begun", BEGINNINGS)
@settings(relaxed, max_examples=150)
@given(CAPABILITIES, RULES, courses)
def test_whatever_happens_the_core_stays_whole(
    begun: str, capabilities: tuple[str, ...], rules: str, what: list[tuple[Act, int, int]]
) -> None:
    course(begun, capabilities, rules, what)


@pytest.mark.long
@pytest.mark.parametrize("begun", BEGINNINGS)
@settings(relaxed, max_examples=4000)
@given(CAPABILITIES, RULES, courses)
def test_whatever_happens_at_length(
    begun: str, capabilities: tuple[str, ...], rules: str, what: list[tuple[Act, int, int]]
) -> None:
    course(begun, capabilities, rules, what)
