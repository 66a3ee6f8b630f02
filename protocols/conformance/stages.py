"""The stages of an order as the wire tells them."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.conformance.evidence import Broken, named
from protocols.conformance.wire import Heard
from protocols.vocabulary import Refusal, Stage

StageMessage = m.Accepted | m.Refused | m.Progress | m.Done | m.Failed | m.Unknown
FinalMessage = m.Refused | m.Done | m.Failed
STAGES: dict[type[Message], Stage] = {
    m.Accepted: Stage.ACCEPTED,
    m.Refused: Stage.REFUSED,
    m.Progress: Stage.PROGRESS,
    m.Done: Stage.DONE,
    m.Failed: Stage.FAILED,
    m.Unknown: Stage.UNKNOWN,
}
FINAL = (m.Refused, m.Done, m.Failed)


def stage_message(heard: Heard) -> StageMessage | None:
    """The stage of an order a frame tells, None for any other."""
    return heard.message if isinstance(heard.message, tuple(STAGES)) else None  # type: ignore[return-value]


def queried(said: StageMessage) -> bool:
    """True when it answers a query."""
    return not isinstance(said, m.Unknown) and bool(said.queried)


def expect_refused(said: Message, operation: str, *reasons: Refusal) -> None:
    """Raise ``Broken`` unless an order was refused for one of these reasons."""
    if not isinstance(said, m.Refused):
        raise Broken("not_refused", operation=operation, stage=stage_of(said).name)
    if said.refusal not in reasons:
        wanted = ", ".join(reason.name for reason in reasons)
        refusal = named(Refusal, said.refusal)
        raise Broken("wrong_refusal", operation=operation, refusal=refusal, wanted=wanted)


def stage_of(message: Message) -> Stage:
    """The stage a message tells."""
    return STAGES[type(message)]
