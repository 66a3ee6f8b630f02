"""A board nobody speaks to falls quiet, and goes on as before when somebody does again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.atp.dictionary import TIMING
from protocols.atp.frame import Frame
from protocols.conformance.bench import Bench
from protocols.conformance.checks.bodies import OTHER_VERSION, STRANGE_TYPE
from protocols.conformance.checks.events import fresh_event
from protocols.conformance.checks.silence import ALONE, deserted, heard_alone, say_nothing
from protocols.conformance.evidence import Evidence, NotApplicable, expect, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.wire import VERSION, Heard
from protocols.vocabulary import Operation


@dataclass(slots=True)
class Alone:
    """A while without a host. ``number`` is an event nobody has acknowledged, 0 = there is none."""

    number: int
    quiet: list[Heard]  # what came when nothing should
    back: list[Heard]  # what came with the first frames afterwards
    result_kept: bool
    status: m.Status


async def alone(bench: Bench) -> Alone:
    """Say nothing for longer than the board waits, with an event on its way, then speak again."""
    result = (await bench.give(Operation.LAMPS)).message
    with bench.withholding():
        try:
            number = await fresh_event(bench)
        except NotApplicable:
            number = 0
        _, quiet = await say_nothing(bench, ALONE)
        since = len(bench.wire.heard)
        status = await bench.status()
        deadline = bench.now() + bench.repeat
        while number and not _came(bench.wire.heard[since:], number) and await bench.wire.news(deadline):
            pass
        back = bench.wire.heard[since:]
    kept = await bench.query(result.id)
    return Alone(number, quiet, back, not isinstance(kept, m.Unknown), status)


def _came(heard: list[Heard], number: int) -> bool:
    return any(isinstance(one.message, m.Event) and one.message.number == number for one in heard)


@check("ATP-R78", phase=Phase.MIXED)
async def quiet_when_alone(bench: Bench) -> Evidence:
    """Everything heard from the end of the silence until the host speaks again."""
    what = await bench.once(alone)
    quiet = what.quiet
    if bench.settings.motion:
        with suppress(NotApplicable):
            quiet = quiet + (await bench.once(deserted)).quiet
    quiet = quiet + await _among_strangers(bench)
    names = ", ".join(type(heard.message).__name__.upper() for heard in quiet[:3])
    expect(not quiet, "spoke_alone", count=len(quiet), messages=names)
    expect(what.result_kept, "alone_forgot")
    return saw("quiet", seconds=f"{ALONE:.2f}")


async def _among_strangers(bench: Bench) -> list[Heard]:
    """What a board says, errors left out, that hears only what is no sign of life."""
    frames = (
        Frame(VERSION, 0, STRANGE_TYPE, b"\x01"),
        Frame(OTHER_VERSION, 0, m.ClockAsk.TYPE, m.ClockAsk(1).to_bytes()),
    )
    with bench.hushed():
        await bench.clock()
        spoke = bench.now()
        while bench.now() < spoke + ALONE:
            for frame in frames:
                bench.wire.send_frame(frame)
            await bench.wire.listen(TIMING.beat_moving)
        quiet = heard_alone(bench, spoke)
    return [heard for heard in quiet if not isinstance(heard.message, m.Error)]


@check("ATP-R79")
async def on_as_before(bench: Bench) -> Evidence:
    """The first question after a silence: answered without a hello, with what was not acknowledged."""
    what = await bench.once(alone)
    errors = [one for one in what.back if isinstance(one.message, m.Error)]
    expect(not errors, "ungreeted_again", count=len(errors))
    if what.number:
        expect(_came(what.back, what.number), "no_events_after_silence", number=what.number)
    return saw("goes_on", number=what.number)
