"""Faults of orders: what is accepted, kept, repeated, refused and told of their end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from protocols.atp import messages as m
from protocols.atp.board import BoardApp
from protocols.atp.codec import Message
from protocols.atp.frame import Frame
from protocols.atp.results import Results
from protocols.driver import Reply
from protocols.vocabulary import EventKind, Operation, Refusal, Stage
from sim.faulty.session import Tampered

FEW = 4  # results of a memory that is too small
STAGES = (m.Accepted, m.Refused, m.Progress, m.Done, m.Failed)


class TakesAnything(Tampered):
    """An operation nobody knows is accepted and done."""

    def _begin(self, message: m.Operate) -> Refusal:
        refusal = super()._begin(message)
        if refusal is Refusal.UNSUPPORTED:
            self._held_back.append(m.Done(message.id, 0, message.operation, 0))
            return Refusal.NONE
        return refusal


class MovesFirst(Tampered):
    """What an order begins is told before the order is accepted."""

    def outgoing(self, now: float) -> bytes:
        pieces = [piece for piece in super().outgoing(now).split(b"\0") if piece]
        frames = [Frame.from_bytes(piece) for piece in pieces]
        frames.sort(key=lambda frame: frame.type != m.Event.TYPE)
        return b"".join(frame.to_bytes() for frame in frames)


class DoneTwice(Tampered):
    """DONE is sent again, to be sure."""

    def tell(self, message: Message) -> Iterable[Message]:
        twice = isinstance(message, m.Done) and not message.queried
        return [message, message] if twice else [message]


class DoneUntold(Tampered):
    """DONE and FAILED are told to those who ask, and to nobody else."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [] if isinstance(message, m.Done | m.Failed) and not message.queried else [message]


class _SmallMemory(Results):
    def put(self, reply: Reply) -> None:
        super().put(reply)
        for id in [id for id, kept in self._kept.items() if kept.stage.final and id != reply.id]:
            if len(self._kept) > FEW:
                del self._kept[id]
                self._forgotten = max(self._forgotten, id)


class ShortMemory(Tampered):
    """It keeps four results."""

    def __init__(self, app: BoardApp, now: float) -> None:
        super().__init__(app, now)
        self._results = _SmallMemory()


class _OldestOut(Results):
    def put(self, reply: Reply) -> None:
        self._kept.pop(reply.id, None)
        self._kept[reply.id] = reply
        while len(self._kept) > FEW * 2:
            id = next(iter(self._kept))
            del self._kept[id]
            self._forgotten = max(self._forgotten, id)


class ForgetsRunning(Tampered):
    """An order under way is pushed out of the memory like any other."""

    def __init__(self, app: BoardApp, now: float) -> None:
        super().__init__(app, now)
        self._results = _OldestOut()


class MovesTwice(Tampered):
    """A repeated id is a new order once the first one has ended."""

    def _operate(self, message: m.Operate) -> None:
        kept = self._results.get(message.id)
        if kept is not None and kept.stage is Stage.DONE:
            del self._results._kept[message.id]
        super()._operate(message)


class LooksAtTheRest(Tampered):
    """A repeated id with other arguments is a new order."""

    last: m.Operate | None = None

    def _operate(self, message: m.Operate) -> None:
        if self.last is not None and self.last.id == message.id and self.last != message:
            self._results._kept.pop(message.id, None)
        self.last = message
        super()._operate(message)


class TakesOldIds(Tampered):
    """An id that was pushed out is taken for a new order."""

    def _operate(self, message: m.Operate) -> None:
        self._results._forgotten = -1
        super()._operate(message)


class NeverMarked(Tampered):
    """Answers to queries do not say that they are."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, queried=0) if isinstance(message, STAGES) else message]


class AnswersQueriesWrong(Tampered):
    """Every query is answered with DONE."""

    def tell(self, message: Message) -> Iterable[Message]:
        asked = isinstance(message, m.Unknown) or (isinstance(message, m.Refused) and message.queried)
        if asked and isinstance(message, m.Refused | m.Unknown):
            return [m.Done(message.id, 1, getattr(message, "operation", 0), 0)]
        return [message]


class TakesSecond(Tampered):
    """A second order for a track in use is accepted, and done with the first."""

    def _begin(self, message: m.Operate) -> Refusal:
        refusal = super()._begin(message)
        if refusal is Refusal.BUSY:
            self._held_back.append(m.Done(message.id, 0, message.operation, 0))
            return Refusal.NONE
        return refusal


class LooksAtOthers(Tampered):
    """An order without a hand must not name one."""

    def _begin(self, message: m.Operate) -> Refusal:
        if message.operation == Operation.CLEAR_FAULT and message.hand:
            return Refusal.BAD_ARGUMENT
        return super()._begin(message)


class ResultAfterDone(Tampered):
    """The faces of a throw are told after its DONE."""

    def outgoing(self, now: float) -> bytes:
        pieces = [piece for piece in super().outgoing(now).split(b"\0") if piece]
        frames = [Frame.from_bytes(piece) for piece in pieces]
        late = [frame for frame in frames if _is_result(frame)]
        return b"".join(frame.to_bytes() for frame in [f for f in frames if f not in late] + late)


class ResultFirst(Tampered):
    """A throw reports its faces before its start."""

    def event(self, kind: EventKind, **values: object) -> int:
        other = {EventKind.DICE_STARTED: EventKind.DICE_RESULT, EventKind.DICE_RESULT: EventKind.DICE_STARTED}
        return super().event(other.get(kind, kind), **values)  # type: ignore[arg-type]


def _is_result(frame: Frame) -> bool:
    return frame.type == m.Event.TYPE and m.Event.from_bytes(frame.body).kind == EventKind.DICE_RESULT


class OtherFaces(Tampered):
    """DONE tells other faces than DICE_RESULT."""

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Done) and message.operation == Operation.DICE:
            return [replace(message, value=message.value ^ 0x7)]
        return [message]


class OtherSide(Tampered):
    """Throws are reported for the side opposite."""

    def tell(self, message: Message) -> Iterable[Message]:
        thrown = isinstance(message, m.Event) and message.kind in (
            EventKind.DICE_STARTED,
            EventKind.DICE_RESULT,
        )
        if thrown and isinstance(message, m.Event):
            return [replace(message, side=(message.side + 2) % 4)]
        return [message]


class OtherHand(Tampered):
    """WALLS_UP names the hand before."""

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Event) and message.kind == EventKind.WALLS_UP:
            return [replace(message, value=max(0, message.value - 1))]
        return [message]


class StatusForgetsHand(Tampered):
    """STATUS never names the hand."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, hand=0) if isinstance(message, m.Status) else message]


class CannotHome(Tampered):
    """HOME is no operation of it."""

    def _begin(self, message: m.Operate) -> Refusal:
        return Refusal.UNSUPPORTED if message.operation == Operation.HOME else super()._begin(message)


class CannotSetProfile(Tampered):
    """It names two profiles, says it can set them, and cannot."""

    def _begin(self, message: m.Operate) -> Refusal:
        return Refusal.UNSUPPORTED if message.operation == Operation.SET_PROFILE else super()._begin(message)


class ClaimsLamps(Tampered):
    """It says that it has lamps, and does not know the order for them."""

    def _begin(self, message: m.Operate) -> Refusal:
        return Refusal.UNSUPPORTED if message.operation == Operation.LAMPS else super()._begin(message)


class ClaimsDice(Tampered):
    """It says that it has dice, and has none."""

    def _begin(self, message: m.Operate) -> Refusal:
        return Refusal.UNSUPPORTED if message.operation == Operation.DICE else super()._begin(message)


class WrongReason(Tampered):
    """Whatever it refuses, it says that the cover is open."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, refusal=int(Refusal.LOCKED)) if isinstance(message, m.Refused) else message]


class TakesBadArguments(Tampered):
    """A profile it does not have is set all the same."""

    def _begin(self, message: m.Operate) -> Refusal:
        refusal = super()._begin(message)
        if refusal is Refusal.BAD_ARGUMENT and message.operation == Operation.SET_PROFILE:
            self._held_back.append(m.Done(message.id, 0, message.operation, 0))
            return Refusal.NONE
        return refusal


class CountsDown(Tampered):
    """Progress tells what is left to do."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [
            replace(message, percent=100 - message.percent) if isinstance(message, m.Progress) else message
        ]
