"""Before the first hello: what a board that was just switched on says and does. Nothing, but it stops."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import TIMING
from protocols.conformance.bench import Bench
from protocols.conformance.evidence import Broken, Evidence, NotApplicable, expect, named, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import stage_of
from protocols.conformance.wire import Heard
from protocols.vocabulary import Operation

LISTEN = TIMING.beat_idle + TIMING.ask_margin + TIMING.rto_max  # a board that beats or repeats would be heard


@dataclass(slots=True)
class Opening:
    """What was heard before any hello. ``fresh``: nobody has greeted the board since its boot."""

    unasked: list[Heard]
    answers: dict[str, list[Message]]
    fresh: bool
    order: int = 0  # id of an order given too early
    told: tuple[str, ...] = ()  # what was said to it, but errors


async def overture(bench: Bench) -> Opening:
    """What a board says before a hello; one greeted already is switched off and on, if somebody can."""
    opening = await _ungreeted(bench)
    if not opening.fresh and bench.settings.restart is not None:
        await bench.off_and_on()
        opening = await _ungreeted(bench)
    return opening


async def _ungreeted(bench: Bench) -> Opening:
    """Listen, then ask and order without having said hello."""
    since = await bench.wire.listen(LISTEN)
    opening = Opening(bench.wire.heard[since:], {}, False)
    token = bench.token()
    asks: list[Message] = [m.StatusAsk(token), m.ClockAsk(token), m.Query(bench.next_id()), m.AbilitiesAsk()]
    for ask in asks:
        said = await _answers(bench, ask)
        opening.answers[ask.LAYOUT.row.name] = said
        opening.fresh = opening.fresh or any(_no_hello(one, ask) for one in said)
    bench.greeted_before = not opening.fresh
    if opening.fresh and bench.settings.motion:
        await bench.stop()  # else there may be nothing to be homed
        opening.order = bench.next_id()
        said = await _answers(bench, m.Operate(opening.order, Operation.HOME))
        opening.told = tuple(type(one).__name__.upper() for one in said if not isinstance(one, m.Error))
    return opening


async def _answers(bench: Bench, ask: Message) -> list[Message]:
    """What came of a question, asked until anything does."""
    since = len(bench.wire.heard)
    for _ in range(3):
        bench.wire.send(ask)
        if await bench.wire.until(lambda heard: True, bench.now() + bench.repeat, since) is not None:
            break
    return [heard.message for heard in bench.wire.heard[since:] if heard.message is not None]


def _no_hello(message: Message, ask: Message) -> bool:
    return (
        isinstance(message, m.Error)
        and message.code == m.ErrorCode.NO_HELLO
        and message.about_type == ask.TYPE
    )


async def fresh(bench: Bench) -> Opening:
    """The overture of a board nobody has greeted. Raises ``NotApplicable`` for any other."""
    opening = await bench.once(overture)
    if opening.fresh or not bench.greeted_before:
        return opening
    if not any(opening.answers.values()):
        raise Broken("no_answer", question="STATUS_ASK", answer="ERROR", seconds=f"{3 * bench.repeat:.1f}")
    raise NotApplicable("greeted_before")


@check("ATP-R22", phase=Phase.OVERTURE)
async def silent_before_hello(bench: Bench) -> Evidence:
    """Longer than any beat or repetition takes."""
    opening = await fresh(bench)
    names = [type(heard.message).__name__.upper() for heard in opening.unasked]
    expect(not names, "spoke_first", messages=", ".join(names[:3]), count=len(names))
    return saw("silence", seconds=f"{LISTEN:.2f}")


@check("ATP-R23", phase=Phase.OVERTURE)
async def no_hello_no_answer(bench: Bench) -> Evidence:
    """Questions before the hello, and STOP, which needs none."""
    opening = await fresh(bench)
    for name, said in opening.answers.items():
        wrong = [type(one).__name__.upper() for one in said if not isinstance(one, m.Error)]
        expect(not wrong, "answered_ungreeted", question=name, answer=", ".join(wrong))
        right = any(isinstance(one, m.Error) and one.code == m.ErrorCode.NO_HELLO for one in said)
        expect(right, "no_answer", question=name, answer="ERROR", seconds=f"{3 * bench.repeat:.1f}")
    since = len(bench.wire.heard)
    await bench.stop()
    others = [one for one in bench.wire.heard[since:] if not isinstance(one.message, m.Stopped)]
    expect(
        not others,
        "answered_ungreeted",
        question="STOP",
        answer=f"0x{others[0].frame.type:02X}" if others else "",
    )
    return saw("no_hello", count=len(opening.answers))


@check("ATP-R24", phase=Phase.OVERTURE)
async def no_motion_before_hello(bench: Bench) -> Evidence:
    """An order given before the hello, asked after when it has been said."""
    opening = await bench.once(overture)
    if not opening.fresh:
        raise NotApplicable("greeted_before")
    if not opening.order:
        raise NotApplicable("no_motion")
    told = ", ".join(opening.told)
    expect(not opening.told, "early_order", operation="HOME", stage=told)
    await bench.greet()
    said, status, beat = await bench.query(opening.order), await bench.status(), await bench.asked_beat()
    expect(isinstance(said, m.Unknown), "early_order", operation="HOME", stage=stage_of(said).name)
    moves = bool(status.running or beat.moving)
    expect(not moves, "early_order", operation="HOME", stage=named(Operation, status.running))
    return saw("early_order", operation="HOME")
