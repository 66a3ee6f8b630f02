"""Faults of hello, boots, beats and silence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from weakref import WeakKeyDictionary

from protocols.atp import messages as m
from protocols.atp.board import BoardApp
from protocols.atp.codec import Message
from protocols.atp.dictionary import TIMING
from protocols.atp.endpoint import VERSION
from protocols.atp.frame import Frame
from protocols.atp.results import Results
from protocols.atp.translate import reply_message
from protocols.driver import Reply
from protocols.vocabulary import Operation, Order, Stage
from sim.faulty.session import Tampered, is_order, message_in


class SpeaksFirst(Tampered):
    """It beats from its boot on, greeted or not."""

    def due(self) -> float | None:
        due = super().due()
        return self._life.sent + TIMING.beat_idle if due is None and not self._greeted else due

    def tick(self, now: float) -> None:
        if not self._greeted and now >= self._life.sent + TIMING.beat_idle:
            self._end.send(m.Beat())
        super().tick(now)


class AnswersStrangers(Tampered):
    """It tells its state to a host that has not said hello."""

    def _handle(self, message: Message, now: float) -> None:
        greeted, self._greeted = self._greeted, self._greeted or isinstance(message, m.StatusAsk)
        super()._handle(message, now)
        self._greeted = self._greeted and (greeted or isinstance(message, m.HelloAsk))


class ObeysStrangers(Tampered):
    """It takes orders from a host that has not said hello."""

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, m.Operate) and not self._greeted:
            self._operate(message)
        super()._handle(message, now)


class ForgetsForStrangers(Tampered):
    """A host of other versions makes it forget what it kept for ours."""

    def _greet(self, ask: m.HelloAsk, now: float) -> None:
        super()._greet(ask, now)
        self._results.greet(ask.journal)


class WrongHash(Tampered):
    """It names a message dictionary nobody has."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, dictionary=0x12345678) if isinstance(message, m.Hello) else message]


_LEFT: WeakKeyDictionary[BoardApp, Results] = WeakKeyDictionary()


class ResultsOutliveIt(Tampered):
    """Results are kept over a boot, as if they were in an EEPROM."""

    def __init__(self, app: BoardApp, now: float) -> None:
        super().__init__(app, now)
        self._results = _LEFT.setdefault(app, self._results)


class OneJournal(Tampered):
    """Results of one journal are told to another."""

    def _greet(self, ask: m.HelloAsk, now: float) -> None:
        super()._greet(replace(ask, journal=b"always the same "), now)


class TellsOrphans(Tampered):
    """The end of another journal's order is told to this one."""

    def _stage(self, id: int, stage: Stage, **values: int) -> None:
        if id in self._results.orphans and stage.final:
            self._end.send(reply_message(Reply(id, stage, value=values.get("value", 0))))
        super()._stage(id, stage, **values)


class AdoptsOrphans(Tampered):
    """An order under way of another journal is taken for the new one of the same id."""

    def _operate(self, message: m.Operate) -> None:
        if message.id in self._results.orphans:
            self._results.orphans.discard(message.id)
            self._results.put(Reply(message.id, Stage.ACCEPTED, operation=Operation(message.operation)))
        super()._operate(message)


class OrphansLinger(Tampered):
    """The id of another journal's order is refused even when that order has long ended."""

    def _stage(self, id: int, stage: Stage, **values: int) -> None:
        orphan = id in self._results.orphans
        super()._stage(id, stage, **values)
        if orphan:
            self._results.orphans.add(id)


class HelloWithoutEvents(Tampered):
    """A repeated hello brings no events."""

    def _greet(self, ask: m.HelloAsk, now: float) -> None:
        again = self._greeted
        super()._greet(ask, now)
        if again:
            self._end.discard()
            acknowledged = self._ring.acknowledged
            self._end.send(m.Hello(ask.token, VERSION, VERSION, 0, self._boot, acknowledged))
            self._ring.acknowledge(self._ring.newest, now)


class HelloForgets(Tampered):
    """Every hello wipes the results, the same journal's too."""

    def _greet(self, ask: m.HelloAsk, now: float) -> None:
        self._results.greet(b"somebody else's.")
        super()._greet(ask, now)


class HelloHomes(Tampered):
    """It homes when a host greets it again."""

    def _greet(self, ask: m.HelloAsk, now: float) -> None:
        again = self._greeted
        super()._greet(ask, now)
        if again:
            self._app.stop()
            self._app.operate(Order(1 << 40, Operation.HOME))


class HelloClearsStop(Tampered):
    """A repeated hello sets the profile back."""

    def _greet(self, ask: m.HelloAsk, now: float) -> None:
        if self._greeted:
            self._app.operate(Order(1 << 41, Operation.SET_PROFILE, count=136))
        super()._greet(ask, now)


class ForgetsGreeting(Tampered):
    """After a silence it wants to be greeted again."""

    def tick(self, now: float) -> None:
        super().tick(now)
        if self._quiet:
            self._greeted = False


class BeatsAlone(Tampered):
    """It goes on beating when no host is heard."""

    def due(self) -> float | None:
        return self._life.sent + TIMING.beat_idle if self._quiet else super().due()

    def tick(self, now: float) -> None:
        super().tick(now)
        if self._quiet and now >= self._life.sent + TIMING.beat_idle:
            self._end.send(self._beat())


class NeverBeats(Tampered):
    """It sends no beat of its own."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [] if isinstance(message, m.Beat) and not self.asked else [message]

    asked = False

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        message = message_in(frame)
        self.asked = isinstance(message, m.Beat) and bool(message.ask)
        return True


class DeafToBeats(Tampered):
    """A beat that asks is not answered."""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        message = message_in(frame)
        return not (isinstance(message, m.Beat) and message.ask)


class BeatsAtRest(Tampered):
    """Its beats say that nothing moves, always."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, moving=0) if isinstance(message, m.Beat) else message]


class BeatsBehind(Tampered):
    """Its beats name no event."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, last_event=0) if isinstance(message, m.Beat) else message]


class SlowBeats(Tampered):
    """It beats as seldom in motion as at rest."""

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Beat) and not self.asked and self._app.moving():
            self.skipped = (self.skipped + 1) % 4
            return [message] if self.skipped == 0 else []
        return [message]

    asked = False
    skipped = 0

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        message = message_in(frame)
        self.asked = isinstance(message, m.Beat) and bool(message.ask)
        return True


class DeafToOrders(Tampered):
    """Every third order or question about one is lost, and so are its repetitions."""

    lost: int = -1
    count = 0

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        message = message_in(frame)
        if not is_order(message) or frame is None:
            return True
        id = int.from_bytes(frame.body[:8], "little")
        if id == self.lost:
            return False
        self.count += 1
        if self.count % 3 == 0:
            self.lost = id
            return False
        return True
