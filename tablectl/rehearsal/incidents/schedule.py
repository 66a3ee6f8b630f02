"""Which incident is to come about when, and how the referee is to rule on it: a plan made from a seed.

Each kind comes at least once, and each course of a ruling; a longer session has more of them, in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tablectl.rehearsal.courses import Course
from tablectl.rehearsal.incidents.kinds import KINDS, Kind

EARLIEST = 3  # discards of a hand before the first incident
APART = (3, 6)  # discards between two of them, at least and at most
A_HAND = 3  # incidents of a hand until every kind has come; more where the hands are few
LATER_HANDS = 2  # and from then on
FEWEST = 4  # hands that all kinds need: the last is left for what has not come about
FREE = ("dawdle", "draw_early", "call_empty", "expose", "drop_tile", "too_few", "too_many")
COURSES = (
    Course.PROPOSED,
    Course.CHANGED,
    Course.WAIVED,
    Course.RESERVE,
    Course.LATER,
    Course.CORRECTED,
    Course.APPEALED,
)  # one for each of the free kinds, by lot


@dataclass(slots=True, eq=False)
class Incident:
    """One of them: planned for a hand (counted from 1) after a discard, and what came of it."""

    kind: Kind
    hand: int
    discard: int
    side: int  # whose slip it is, where it is somebody's; counted from the one who has just discarded
    course: Course = Course.PROPOSED
    seat: str = ""  # wind of whose slip it is
    tries: int = 0
    case: int = 0  # that it led to, 0 = none yet
    also: list[int] = field(default_factory=list)  # further cases it led to

    @property
    def done(self) -> bool:
        return bool(self.case)


def schedule(seed: int | str, hands: int) -> list[Incident]:
    """The incidents of a session of so many hands, in order; none is planned for the last hand of several."""
    rng = Random(f"{seed}/incidents")
    courses = dict(zip(FREE, rng.sample(COURSES, len(COURSES)), strict=True))
    kinds = [*KINDS]
    rng.shuffle(kinds)
    a_hand = max(A_HAND, -(-len(kinds) // max(1, hands - 1)))
    plan: list[Incident] = []
    for hand in range(1, hands + 1):
        todo, kinds = kinds[:a_hand], kinds[a_hand:]
        first_round = bool(todo)
        if not todo and hand < hands:
            todo = rng.sample(KINDS, LATER_HANDS)
        plan += _of_hand(rng, hand, todo, courses if first_round else {})
    return plan


def _of_hand(rng: Random, hand: int, kinds: list[Kind], courses: dict[str, Course]) -> list[Incident]:
    discard, found = EARLIEST, []
    for kind in sorted(kinds, key=lambda kind: not kind.opening):
        discard += 0 if kind.opening else rng.randint(*APART)
        course = courses.get(kind.name)
        if course is None:
            again = kind.name in FREE and not courses
            course = rng.choice((*COURSES, Course.OVERTURNED)) if again else Course.PROPOSED
        found.append(Incident(kind, hand, discard, rng.randint(1, 3), course))
    return found
