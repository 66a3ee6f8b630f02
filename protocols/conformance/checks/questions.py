"""Questions: each answered, each repetition too, in time and with what matches."""

from __future__ import annotations

from collections.abc import Callable

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import TIMING
from protocols.conformance.bench import ID_STEP, Bench
from protocols.conformance.checks.greeting import difference, state_of
from protocols.conformance.evidence import Evidence, expect, saw
from protocols.conformance.register import check
from protocols.conformance.wire import line_seconds

TIMES = 5
OVERHEAD = 7  # bytes of header and checksum
Question = tuple[Message, type[Message], Callable[[Message], bool]]


def questions(bench: Bench) -> list[Question]:
    """One of each kind, with what its answer must say to match."""
    token, id = bench.token(), 7 * ID_STEP
    return [
        (m.HelloAsk(token, 1, 1, bench.journal), m.Hello, _with("token", token)),
        *((m.IdentityAsk(part), m.Identity, _with("part", part)) for part in range(1, 7)),
        (m.AbilitiesAsk(), m.Abilities, lambda message: True),
        (m.StatusAsk(token), m.Status, _with("token", token)),
        (m.ClockAsk(token), m.Clock, _with("token", token)),
        (m.Query(id), m.Unknown, _with("id", id)),
        (m.Beat(ask=1), m.Beat, _with("ask", 0)),
    ]


def _with(name: str, value: int) -> Callable[[Message], bool]:
    return lambda message: getattr(message, name) == value


@check("ATP-R38")
async def every_question(bench: Bench) -> Evidence:
    """Each question of the table, with a token of its own each time."""
    count = 0
    for _ in range(2):
        for question, answer, fits in questions(bench):
            await bench.ask(question, answer, fits)
            count += 1
    return saw("answered_all", count=count)


@check("ATP-R39")
async def every_repetition(bench: Bench) -> Evidence:
    """The same frames again and again, and the state before and after."""
    before = await bench.status()
    for question, answer, fits in questions(bench):
        answered = 0
        for _ in range(TIMES):
            answered += await bench.try_ask(question, answer, fits, tries=2) is not None
        name = question.LAYOUT.row.name
        expect(answered * 2 > TIMES, "not_again", question=name, answered=answered, times=TIMES)
    after = await bench.status()
    expect(state_of(before) == state_of(after), "question_changed", **difference(before, after))
    return saw("repeated", count=len(questions(bench)), times=TIMES)


@check("ATP-R40")
async def answers_in_time(bench: Bench) -> Evidence:
    """The best of several round trips of each question, less the time of its bytes on the line."""
    worst, slowest = -1.0, ""
    for index in range(len(questions(bench))):
        best = bench.patience
        for _ in range(TIMES):
            question, answer, fits = questions(bench)[
                index
            ]  # anew, or a late answer would pass for a quick one
            found = await bench.try_ask(question, answer, fits)
            if found is not None and found.tries == 1:
                size = question.LAYOUT.size + answer.LAYOUT.size + 2 * OVERHEAD
                best = min(best, found.seconds - line_seconds(size, bench.settings.baud))
        name = question.LAYOUT.row.name
        right = best <= TIMING.rto_initial
        expect(right, "late", question=name, ms=round(best * 1000), limit=TIMING.rto_initial)
        if best > worst:
            worst, slowest = best, name
    return saw("in_time", question=slowest, ms=f"{max(0.0, worst) * 1000:.1f}", limit=TIMING.rto_initial)
