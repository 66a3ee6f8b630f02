"""The host's end of a panel tap: a session without I/O, one for each opening of a port.

The board knows nothing: no clock, no events, no results. So all of that is made here, from samples of its
inputs, and each connection counts as another boot: what happened before it is in nobody's memory. It says
hello once the inputs were read, presses only what is ordered, and ends itself with one ``Gone`` report.
"""

from __future__ import annotations

from protocols import driver
from protocols.driver import BoardEvent, Counters, Gone, Report
from protocols.panel import modbus
from protocols.panel.believed import POWER, Believed
from protocols.panel.bus import Bus
from protocols.panel.fingers import Fingers
from protocols.panel.limits import limits_of
from protocols.panel.modbus import Answer
from protocols.panel.orders import Orders
from protocols.panel.signals import Signals
from protocols.panel.wiring import Wiring
from protocols.vocabulary import (
    NO_SIDE,
    Capability,
    EventKind,
    Operation,
    OperationLimits,
    Order,
    PanelKey,
    Source,
    StoreState,
)

POLL = 0.05  # seconds between two samples of the inputs
SILENCE = 1.5  # a board of which nothing sound came for so long is gone
HELLO = 3.0  # before anything sound came at all
ERROR_TRIES = 8  # answers in a row that are errors only
US = 1_000_000


class PanelSession:
    """One connection. Times are loop seconds."""

    def __init__(self, wiring: Wiring, now: float, *, boot_id: int = 0) -> None:
        """``boot_id`` is the last one recorded; this connection is the next."""
        self.counters = Counters()
        self.gone = False
        self._wiring = wiring
        self._boot = boot_id + 1
        self._began = self._now = now
        self._bus = Bus(now, self.counters)
        self._fingers = Fingers(wiring, self._bus)
        self._signals = Signals(wiring.signals())
        self._believed = Believed(wiring, self._signals)
        self._orders = Orders(wiring, self._signals, self._believed, self._fingers, self._report, self._dice)
        self._reports: list[Report] = []
        self._greeted = False
        self._newest = 0
        self._errors = 0
        self._poll_at = now
        self._polling = False
        self._token = 0
        self._clock_asked: list[int] = []  # to be answered by a sample that is still to be taken
        self._status_asked = False
        if wiring.board.pulse == "switch":  # a key may be down since another host died
            self._let_all_go()

    # ---- what the daemon asks ------------------------------------------------------------------------

    def operate(self, order: Order, now: float) -> None:
        """Give an order; the same id again is a repetition and presses nothing."""
        self._orders.operate(order, now)

    def query(self, id: int) -> None:
        """What became of an order of this connection; of any other nobody knows."""
        self._orders.query(id)

    def ask_status(self) -> None:
        """A snapshot, made from the next sample."""
        self._status_asked = True
        self._sample_soon()

    def ask_clock(self) -> int:
        """The clock of this connection, told with the next sample: no change before it is missing then."""
        self._token = self._token + 1 & 0xFFFF or 1
        self._clock_asked.append(self._token)
        self._sample_soon()
        return self._token

    def stop(self, now: float) -> None:
        """Press nothing more, and pause the table if it is building. Nothing else of it can be stopped."""
        self._orders.stop(now)
        if self._believed.store is StoreState.BUILDING:
            self._believed.store = StoreState.PAUSED
            self._fingers.press(("lift_a", "lift_b"), self._paused)
        self.ask_status()

    def acknowledge(self, number: int, boot_id: int) -> None:
        """Nobody keeps the events: there is nothing to forget."""

    def limits(self, operation: Operation) -> OperationLimits:
        """How long to wait for *accepted* and for *done*."""
        return limits_of(operation)

    def take_reports(self) -> list[Report]:
        """What was learned since the last call, in order."""
        reports, self._reports = self._reports, []
        return reports

    def farewell(self) -> bytes:
        """A board that does not let go by itself is told to."""
        return modbus.all_off(self._wiring.board).data if self._wiring.board.pulse == "switch" else b""

    # ---- the line ------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> None:
        """Handle bytes from the board."""
        self._now = now
        if not self.gone:
            self._bus.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """The bytes to send now."""
        self._now = now
        if self.gone:
            return b""
        if self._greeted:
            self._fingers.tick(now)
        if not self._polling and now >= self._poll_at and self._bus.idle:
            self._polling = True
            self._bus.ask(modbus.read_inputs(self._wiring.board), self._sampled)
        return self._bus.outgoing(now)

    def due(self) -> float | None:
        """When ``tick`` wants to be called; None once gone."""
        if self.gone:
            return None
        times = [self._bus.heard + self._patience, self._bus.due()]
        if self._bus.idle:
            times += [self._poll_at, self._fingers.due() if self._greeted else None]
        if self._greeted:
            times += [self._orders.due(), self._believed.due()]
        return max(self._now, min(time for time in times if time is not None))

    def tick(self, now: float) -> None:
        """Do what time asks for."""
        self._now = now
        if self.gone:
            return
        self._bus.tick(now)
        if now >= self._bus.heard + self._patience:
            self._go("silent", f"no sound answer for {self._patience} s")
            return
        if self._believed.walls_stand(now):
            source = Source.HOST if self._believed.hand else Source.PANEL
            self._emit(EventKind.WALLS_UP, value=self._believed.hand & 0xFFFF, source=source)
        self._orders.tick(now)

    @property
    def _patience(self) -> float:
        return SILENCE if self._greeted else HELLO

    def _sample_soon(self) -> None:
        self._poll_at = min(self._poll_at, self._now)

    def _let_all_go(self) -> None:
        def answered(answer: Answer | None, sent: float, at: float) -> None:
            if answer is None or answer.error:
                self._let_all_go()

        self._bus.ask(modbus.all_off(self._wiring.board), answered)

    def _go(self, key: str, detail: str) -> None:
        self.gone = True
        self._reports.append(Gone(key, detail))

    # ---- what the inputs say -------------------------------------------------------------------------

    def _sampled(self, answer: Answer | None, sent: float, now: float) -> None:
        self._polling = False
        self._poll_at = now + POLL
        if answer is None:
            self.counters.retries += 1
            self._poll_at = now
            return
        if answer.error:
            self._errors += 1
            if self._errors >= ERROR_TRIES:
                self._go("errors", f"the board refuses to read its inputs (code {answer.error})")
            return
        self._errors = 0
        changes = self._signals.sample(answer.bits, now)
        if not self._greeted:
            self._greeted = True
            self._believed.begin()
            self._reports.append(self._hello())
        for name, on in sorted(changes, key=lambda change: change[0] != "power"):
            self._changed(name, on, now)
        self._orders.tick(now)
        self._answer_clocks(sent, now)
        if self._status_asked:
            self._status_asked = False
            self._report(self._status())

    def _answer_clocks(self, sent: float, now: float) -> None:
        asked, self._clock_asked = self._clock_asked, []
        read = self._us((sent + now) / 2)  # somewhere in between the inputs were read
        self._reports += [driver.ClockSample(sent, now, read, self._newest, token) for token in asked]

    def _changed(self, name: str, on: bool, now: float) -> None:
        what, _, which = name.partition(" ")
        match what:
            case "ready" if on:
                self._believed.lit()
                self._emit(EventKind.BUILD_DONE, value=self._wiring.table.tiles)
            case "ready":
                self._believed.dark(now)
            case "power":
                if not on:
                    self._believed.lose_power()
                self._emit(EventKind.FAULT_CLEARED if on else EventKind.FAULT_SET, value=POWER[0])
            case "fault":
                fault, side = self._wiring.fault_of(int(which))
                self._emit(EventKind.FAULT_SET if on else EventKind.FAULT_CLEARED, side, fault)
            case "touch" if on and not self._fingers.is_ours(which, now):
                self._touched(which)

    def _touched(self, key: str) -> None:
        """A person's finger. A throw he began is told, though nobody will know what the dice show."""
        what, _, side = key.partition(" ")
        if what == "dice":
            self._emit(EventKind.KEY_PRESSED, int(side), PanelKey.DICE, Source.PANEL)
            self._emit(EventKind.DICE_STARTED, int(side), source=Source.PANEL)
        else:
            self._emit(EventKind.KEY_PRESSED, NO_SIDE, PanelKey.LIFT, Source.PANEL)

    # ---- what is told --------------------------------------------------------------------------------

    def _report(self, report: Report) -> None:
        self._reports.append(report)

    def _emit(
        self, kind: EventKind, side: int = NO_SIDE, value: int = 0, source: Source = Source.SENSOR
    ) -> None:
        self._newest += 1
        self.counters.events += 1
        self._report(BoardEvent(self._newest, self._us(self._now), kind, side, source, value))

    def _dice(self, side: int) -> None:
        self._emit(EventKind.DICE_STARTED, side, source=Source.HOST)

    def _paused(self, pressed: bool | None) -> None:
        """After a stop: where nobody knows whether it paused, nothing is known of the store."""
        if not pressed:
            self._believed.store = StoreState.UNKNOWN
        self.ask_status()

    def _us(self, at: float) -> int:
        return round((at - self._began) * US)

    def _status(self) -> driver.Status:
        return self._believed.status(
            boot_id=self._boot,
            board_us=self._us(self._now),
            last_event=self._newest,
            running=self._orders.running,
        )

    def _hello(self) -> driver.Hello:
        table, board = self._wiring.table, self._wiring.board
        dice = Capability.DICE if self._wiring.keys.dice else Capability(0)
        return driver.Hello(
            vendor="panel tap",
            model=f"{table.model} by {board.model}",
            serial=table.number,
            firmware="",
            firmware_hash=self._wiring.digest(),
            boot_id=self._boot,
            boot_count=self._boot,
            uptime_us=self._us(self._now),
            capabilities=Capability.PAUSE_INSERT | dice,
            profiles=(table.tiles,),
        )
