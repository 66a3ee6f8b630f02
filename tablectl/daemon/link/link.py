"""The link to one device: keeps one driver alive, tells the core what comes, carries what it wants.

It decides nothing about the table. It connects, confirms who answers, says in a word why a link is gone, and
comes back by itself where that may help. It orders no motion of its own: after a (re)connect it only asks.

Told to the core are *reconcile* and *online* (together, once the snapshot is there), *lost*, *backoff* and
*refused*; the passing states of a try are for screens (`quality`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from transitions import EventData

from protocols import driver
from protocols.driver import Driver
from protocols.errors import TransportError
from tablectl.daemon.link import translate
from tablectl.daemon.link.backoff import LOOK, BackOff
from tablectl.daemon.link.board import Board
from tablectl.daemon.link.clockdesk import ClockDesk
from tablectl.daemon.link.evidence import Evidence
from tablectl.daemon.link.machine import LinkMachine
from tablectl.daemon.link.quality import Quality
from tablectl.daemon.link.telling import Clock, Emit, Teller, done_limits
from tablectl.daemon.link.words import FINAL, Word, judge, opening_detail, opening_word
from tablectl.game.effects import Operate, Query

HANDSHAKE = 10.0  # seconds from opening to online, on however bad a line
WITHHELD = 3.0  # seconds a board may hold an event back without sending it

ClockAnswer = Callable[[int, int, int], None]  # board time as table µs, its last event, uncertainty µs


class Link(LinkMachine):
    """One device's link. Calls return at once; they and all emissions belong to the event loop.

    ``driver_factory`` makes a driver for each try, which looks its port up anew. ``path_exists`` says
    whether the port is there; None if only opening it can tell. ``port_faults`` is what the port survived.
    ``belongs_to`` names the other device of this table that a serial number is known of.
    """

    def __init__(
        self,
        name: str,
        port: str,
        driver_factory: Callable[[], Driver],
        *,
        loop: asyncio.AbstractEventLoop,
        clock: Clock,
        emit: Emit,
        journal_id: bytes,
        expected_serial: str | None = None,
        path_exists: Callable[[], bool] | None = None,
        port_faults: Mapping[str, int] | None = None,
        belongs_to: Callable[[str], str] = lambda serial: "",
    ) -> None:
        self.name = name
        self.port = port
        self.board = Board(expected_serial)
        self._factory = driver_factory
        self._loop = loop
        self._clock = clock
        self._journal_id = journal_id
        self._path_exists = path_exists
        self._port_faults = {} if port_faults is None else port_faults
        self._belongs_to = belongs_to
        self._driver: Driver | None = None
        self._opening: asyncio.Task[None] | None = None
        self._kept: list[driver.Report] = []  # reports that came before their turn
        self._deadline: asyncio.TimerHandle | None = None  # of the handshake
        self._next_look: asyncio.TimerHandle | None = None
        self._due = 0.0  # no try before this
        self._online_at = 0.0
        self._news: tuple[Word, dict[str, Any]] = (Word.NONE, {})  # what the last hello brought
        self._withheld: tuple[int, float] | None = None  # last event received, since when
        self._stop_wanted = False
        self._desk = ClockDesk(loop)
        self._evidence = Evidence(loop)
        self._backoff = BackOff()
        self._quality = Quality()
        self._teller = Teller(
            name,
            loop=loop,
            clock=clock,
            emit=emit,
            board=self.board,
            sync=self._desk.sync,
            evidence=self._evidence,
        )
        super().__init__()

    # ---- what the daemon asks ------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to connect; from here the link never gives up by itself."""
        self.begin()

    async def close(self) -> None:
        """End for good; the handle is closed when this returns. Nothing is told."""
        opening = self._opening
        self.end()
        if opening is not None:
            await asyncio.wait({opening})

    def retry(self) -> bool:
        """A person asks for a try now; False if the link is not waiting for one."""
        return self.state in ("backoff", "refused") and self.again()

    def adopt(self) -> None:
        """Forget the board: another table takes its place, and whoever says hello next is it."""
        self.board.forget()
        if self.state in ("backoff", "refused"):
            self.again()
        elif self.state != "closed":
            self.lose(word=Word.SWAPPED, detail={})

    def operate(self, effect: Operate) -> None:
        """Carry an order. Without a link it never leaves: the core was told of the loss, and asks."""
        if self.state == "online" and self._driver is not None:
            self._driver.operate(translate.order(effect))

    def query(self, effect: Query) -> None:
        """Ask what became of an order. Without a link nothing happens: the core asks again at the next."""
        if self.state == "online" and self._driver is not None:
            self._driver.query(effect.id)

    def ask_status(self) -> None:
        """Ask for the board's snapshot. Without a link nothing happens: the next one begins with it."""
        if self.state == "online" and self._driver is not None:
            self._driver.ask_status()

    def stop(self) -> bool:
        """Stop all motion: now, or, if nobody hears it (then False), first thing after the next hello."""
        self._stop_wanted = self._acquainted() is None
        if self._driver is not None:
            self._driver.stop()  # harmless to any board, so it does not wait for a hello
        return not self._stop_wanted

    def durable(self, boot: int, event_number: int) -> None:
        """Events of ``boot`` up to this number are recorded. Before `start`: what the journal holds."""
        if self.state == "closed":
            self.board.restore(boot, event_number)
        elif self.board.record(boot, event_number) and (known := self._acquainted()) is not None:
            known.acknowledge(event_number, boot)

    def last_event(self, boot: int) -> int:
        """Number of the newest event of ``boot`` told to the core; 0 = none, or another boot."""
        return self.board.received if boot == self.board.boot else 0

    def ask_clock(self, callback: ClockAnswer) -> bool:
        """Ask the board's clock. False without a link, and then no call; a loss on the way drops it too."""
        if self.state != "online":
            return False
        self._desk.ask(partial(self._answer_clock, callback))
        return True

    def quality(self) -> dict[str, Any]:
        """The state of the link and the numbers of its line, for a screen. Times are table µs."""
        hello, told = self.board.hello, self._teller
        counters = None if self._driver is None else self._driver.counters
        return {
            "device": self.name,
            "port": self.port,
            "state": self.state,
            "word": told.word.value,
            "detail": told.detail,
            "since": told.since,
            "rounds": self._backoff.rounds,
            "stalls": self._evidence.stalls,
            "port_faults": dict(self._port_faults),
            "serial": hello.serial if hello else "",
            "firmware": hello.firmware if hello else "",
            **self._quality.report(counters, self._desk.sync, self._loop.time()),
        }

    # ---- entering a state ----------------------------------------------------------------------------

    def open_port(self, event: EventData) -> None:
        """Make a driver and let it open the port and say hello."""
        self._cancel_timers()
        self._driver = made = self._factory()
        self._evidence.watch(made)
        self._deadline = self._loop.call_later(HANDSHAKE, self._too_slow)
        self._opening = self._loop.create_task(self._open(made), name=f"open {self.port}")
        self._opening.add_done_callback(partial(self._open_ended, made))

    def check_the_board(self, event: EventData) -> None:
        """Is it the board we expect? Then learn its clock before any of its events counts."""
        hello, made, board = self.board.hello, self._driver, self.board
        assert hello is not None
        assert made is not None
        other = self._belongs_to(hello.serial)
        if stranger := board.neighbour(hello, self.name, self.port, other) or board.stranger(hello):
            self.lose(word=Word.WRONG_BOARD, detail=stranger)
            return
        self._quality.connections += 1
        if hello.boot_id != board.boot:
            self._desk.sync.reset()
        self._news = board.meet(hello)
        self._clock.set_scale(self.board.time_scale)
        if self._stop_wanted:
            self.stop()
        if board.recorded:
            made.acknowledge(board.recorded, board.boot)
        self._desk.begin(made.ask_clock, self.timed)

    def ask_for_the_snapshot(self, event: EventData) -> None:
        """The clock is known; what does the board look like?"""
        assert self._driver is not None
        self._driver.ask_status()

    def settle(self, event: EventData) -> None:
        """Both views are known; from here the table may be moved."""
        self._cancel_timers()
        self._online_at = self._loop.time()
        self._withheld = None
        self._teller.change(self.state, *self._news)

    def release_port(self, event: EventData) -> None:
        """Close the old handle and all that hangs on it, before anything new is opened."""
        self._cancel_timers()
        self._desk.rest()
        self._evidence.rest()
        self._kept.clear()
        if self._opening is not None:
            self._opening.cancel()
            self._opening = None
        if self._driver is not None:
            made, self._driver = self._driver, None
            self._quality.ended(made.counters)
            made.close()

    def tell_the_loss(self, event: EventData) -> None:
        """Say why, so that the table is held; then wait for the next try."""
        self._quality.lost(self._loop.time(), event.kwargs["word"].value)
        self._teller.change(self.state, **event.kwargs)
        self.wait(**event.kwargs)

    def tell_the_refusal(self, event: EventData) -> None:
        """Leave a wrong board alone until it is exchanged or a person asks for another try."""
        self._teller.change(self.state, **event.kwargs)
        self._arm_look()

    def wait_for_the_next_try(self, event: EventData) -> None:
        """Choose the wait by how far the last try came, and say why there is no table."""
        word, detail = event.kwargs.get("word", Word.MISSING), event.kwargs.get("detail", {})
        source = event.transition.source if event.transition is not None else ""
        now = self._loop.time()
        self._due = now + self._backoff.wait(source, word, now - self._online_at)
        self._say_why(word, detail)
        self._arm_look()

    # ---- conditions and effects of the table ---------------------------------------------------------

    def is_final(self, event: EventData) -> bool:
        """Is it of no use to try again with this board?"""
        return event.kwargs["word"] in FINAL

    def is_port_there(self, event: EventData | None = None) -> bool:
        """Is the port there, as far as one can tell without opening it?"""
        return self._path_exists is None or self._path_exists()

    def is_due(self, event: EventData) -> bool:
        """Is the wait over?"""
        return self._loop.time() >= self._due

    def look_again(self, event: EventData) -> None:
        """Not yet. A port that vanished while we waited is opened as soon as it is back."""
        if self.state == "backoff" and not self.is_port_there():
            if not self._backoff.needs_a_person:
                self._due = self._loop.time()
            self._say_why(Word.MISSING, {})
        self._arm_look()

    def forget_failures(self, event: EventData) -> None:
        """A person asked: count anew."""
        self._backoff.forget()

    # ---- what the driver reports ---------------------------------------------------------------------

    def _hear(self, made: Driver, report: driver.Report) -> None:
        """Take one report; of a driver already given up, none. What comes before its turn is kept."""
        if made is not self._driver:
            return
        match report:
            case driver.Gone() | driver.Rejected(key="version"):
                word, facts = judge(report.key, report.detail, self._evidence, self._loop.time())
                self.lose(word=word, detail=facts)
            case driver.Rejected():
                pass  # counted by the driver, which gives up by itself when nothing else comes
            case _ if self.state == "opening":
                self._kept.append(report)
            case driver.Hello() if self.state == "hello":
                self.board.hello = report
                self.greeted()
            case _ if self._acquainted() is not None and self.board.is_new_boot(report):
                self.lose(word=Word.BOARD_REBOOTED, detail={})  # the next hello fetches its events
            case driver.ClockSample():
                self._teller.clock_heard(report)
                self._desk.heard(report)
                self._look_for_withheld(report.last_event)
            case driver.Status() if self.state == "reconcile":
                self._reconcile(made, report)
            case _ if self.state == "online":
                self._teller.report(report)
                if not self._desk.sync.ready:  # its clock has jumped
                    self._desk.ask_soon()
            case _:
                self._kept.append(report)

    def _reconcile(self, made: Driver, status: driver.Status) -> None:
        """The snapshot is there: say who the board is, what it did meanwhile, and how it stands."""
        self._teller.change(self.state, *self._news, limits=done_limits(made))
        for report in self._take_kept():
            self._teller.report(report)
        self._teller.snapshot(status)
        self.matched()

    def _look_for_withheld(self, newest: int) -> None:
        """A board that has an event and never sends it has fallen asleep: a new hello fetches it."""
        received, now = self.board.received, self._loop.time()
        if self.state != "online" or newest <= received:
            self._withheld = None
            return
        if self._withheld is None or self._withheld[0] != received:
            self._withheld = (received, now)
        if now - self._withheld[1] < WITHHELD:
            self._desk.ask_soon()
        else:
            self.lose(word=Word.BOARD_SILENT, detail={"withheld": [received + 1, newest]})

    # ---- small things --------------------------------------------------------------------------------

    async def _open(self, made: Driver) -> None:
        await made.open(
            partial(self._hear, made),
            journal_id=self._journal_id,
            last_event=self.board.recorded,
            boot_id=self.board.boot,
        )

    def _open_ended(self, made: Driver, opening: asyncio.Task[None]) -> None:
        error = None if opening.cancelled() else opening.exception()
        if made is not self._driver:
            return
        self._opening = None
        if error is None:
            self.opened()
            for report in self._take_kept():  # what was faster than the call that opened the port
                self._hear(made, report)
        elif isinstance(error, TransportError):
            self.lose(word=opening_word(error.key), detail=opening_detail(error))
        else:
            self._loop.call_exception_handler({"message": f"opening {self.port}", "exception": error})
            self.lose(word=Word.FAILED, detail={"detail": repr(error)})

    def _too_slow(self) -> None:
        self.lose(word=Word.NO_HANDSHAKE, detail={"in": self.state})

    def _acquainted(self) -> Driver | None:
        """The driver, once the right board answered on it."""
        return self._driver if self.state in ("verify", "reconcile", "online") else None

    def _take_kept(self) -> list[driver.Report]:
        kept, self._kept = self._kept, []
        return kept

    def _answer_clock(self, callback: ClockAnswer, sample: driver.ClockSample) -> None:
        at, uncertainty = self._teller.table_time(sample.board_us)
        callback(at, sample.last_event, uncertainty)

    def _say_why(self, word: Word, detail: dict[str, Any]) -> None:
        """The deepest reason: a person is needed, else there is no port, else what was found."""
        if self._backoff.needs_a_person:
            detail = {"cause": word.value, "rounds": self._backoff.rounds}
            word = Word.NEEDS_A_PERSON
        elif not self.is_port_there():
            word, detail = Word.MISSING, {}
        self._teller.change(self.state, word, detail)

    def _arm_look(self) -> None:
        """Come back when the wait is over; where a path can be looked at, four times a second until then."""
        wait = self._due - self._loop.time() if self.state == "backoff" else LOOK
        if self._path_exists is not None:
            wait = min(wait, LOOK) if wait > 0 else LOOK
        elif self.state == "refused":
            return
        self._next_look = self._loop.call_later(wait, self.look)

    def _cancel_timers(self) -> None:
        for timer in (self._deadline, self._next_look):
            if timer is not None:
                timer.cancel()
        self._deadline = self._next_look = None
