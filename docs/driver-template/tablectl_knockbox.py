"""A driver for the knock box, a box that does not exist: four buttons, one a seat, by which a player says
*discarded*. Copy this package, invent nothing, and put your maker's protocol in its place.

A line is words and, behind a star, the sum of their bytes in two hex digits: ``GOT 3*3D``. The host says

  ``WHO``        the box: ``IAM serial firmware boot``; boot is another number after each start
  ``ASK token``  the box: ``NOW token ms last``; its clock, and the number of its newest knock
  ``GOT n``      knocks up to n are recorded: the box says ``HIT n ms side`` every second until then

The session knows no clock and no port. It is given bytes and the time and says what to send and when it wants
to be called; that is why its test needs no hardware and no waiting. ``SessionDriver`` does the rest.
"""

from __future__ import annotations

from tablectl.driver_api import (
    NO_SIDE,
    SIDES,
    BoardEvent,
    Capability,
    ClockSample,
    Counters,
    EventKind,
    Gone,
    Hello,
    Opener,
    Operation,
    OperationLimits,
    Options,
    Order,
    Plugin,
    Refusal,
    Reply,
    Report,
    SeatKey,
    SessionDriver,
    Stage,
    Status,
    StoreState,
    TopState,
)

REPEAT_S = 0.25  # until a question is asked again
PING_S = 0.5  # of silence, then the box is asked for its clock
SILENCE_S = 1.75  # of silence, then the box is gone
LONGEST = 80  # bytes of a line; more without an end is noise
LIMITS = OperationLimits(accept=1.0, done=1.0)


def frame(*words: object) -> bytes:
    """One line as it is sent."""
    body = " ".join(map(str, words)).encode("ascii")
    return b"%s*%02X\n" % (body, sum(body) & 0xFF)


def unframe(line: bytes) -> list[str]:
    """The words of a line; none if it is damaged."""
    body, _, check = line.strip().rpartition(b"*")
    return body.decode("ascii").split() if body.isascii() and check == b"%02X" % (sum(body) & 0xFF) else []


class Session:
    """One connection; a ``HostSession`` of the contract. Times are seconds of any clock that only goes on."""

    def __init__(self, now: float, last_event: int, boot_id: int, sides: tuple[int, ...]) -> None:
        self.counters = Counters()
        self.gone = False
        self._sides = sides
        self._boot, self._received = boot_id, last_event
        self._serial = self._firmware = ""  # until it said who it is
        self._clock_ms = 0
        self._buffer = bytearray()
        self._out = bytearray()
        self._reports: list[Report] = []
        self._asked: dict[int, float] = {}  # token -> when it was asked
        self._token = 0
        self._status_token = 0  # the clock that completes a snapshot
        self._heard = self._said = now
        self._again = now  # when the unanswered question is asked (again)

    # What the daemon asks. Nothing of this box moves, so there is nothing to stop and nothing to order.

    def operate(self, order: Order, now: float) -> None:
        self._reports.append(Reply(order.id, Stage.REFUSED, refusal=Refusal.UNSUPPORTED))

    def query(self, id: int) -> None:
        self._reports.append(Reply(id, Stage.UNKNOWN, queried=True))

    def ask_clock(self) -> int:
        self._token += 1
        self._asked[self._token] = -1.0
        return self._token

    def ask_status(self) -> None:
        self._status_token = self.ask_clock()

    def stop(self, now: float) -> None:
        return

    def acknowledge(self, number: int, boot_id: int) -> None:
        if boot_id == self._boot:
            self._out += frame("GOT", number)

    def limits(self, operation: Operation) -> OperationLimits:
        return LIMITS

    def take_reports(self) -> list[Report]:
        reports, self._reports = self._reports, []
        return reports

    def farewell(self) -> bytes:
        return b""

    # The line.

    def receive(self, data: bytes, now: float) -> None:
        self.counters.bytes_received += len(data)
        self._buffer += data
        *lines, rest = self._buffer.split(b"\n")
        self._buffer = rest[-LONGEST:]
        for line in lines:
            words = unframe(bytes(line))
            if not words:
                self.counters.crc_errors += 1
                self.counters.bad_bytes += len(line)
                continue
            try:
                self._handle(words[0], words[1:], now)
                self.counters.frames_received += 1
                self._heard = now
            except (ValueError, IndexError):  # sound, and makes no sense: another firmware
                self.counters.unknown += 1

    def outgoing(self, now: float) -> bytes:
        if not self._serial and now >= self._again:
            self._out += frame("WHO")
            self._again = now + REPEAT_S
        for token, asked in list(self._asked.items()) if self._serial else ():
            if asked < 0 or now >= asked + REPEAT_S:
                self.counters.retries += asked >= 0
                self._asked[token] = now
                self._out += frame("ASK", token)
        data, self._out = bytes(self._out), bytearray()
        if data:
            self._said = now
            self.counters.frames_sent += data.count(b"\n")
            self.counters.bytes_sent += len(data)
        return data

    def due(self) -> float | None:
        if self.gone:
            return None
        times = [self._heard + SILENCE_S]
        times += [max(self._heard, self._said) + PING_S] if self._serial else [self._again]
        times += [max(asked, 0.0) + REPEAT_S for asked in self._asked.values()] if self._serial else []
        return min(times)

    def tick(self, now: float) -> None:
        if self.gone:
            return
        if now >= self._heard + SILENCE_S:
            self.gone = True
            self._reports.append(Gone("silent", "no good line came"))
        elif self._serial and now >= max(self._heard, self._said) + PING_S:
            self.ask_clock()

    # What the box says.

    def _handle(self, word: str, words: list[str], now: float) -> None:
        if word == "IAM":
            self._on_hello(words[0], words[1], int(words[2]))
        elif word == "NOW" and self._serial:
            token, ms, last = map(int, words[:3])
            self._clock_ms = ms
            if (asked := self._asked.pop(token, None)) is None or asked < 0:
                self.counters.late += 1
            elif token == self._status_token:
                self._reports.append(self._status(last))
            else:
                self._reports.append(ClockSample(asked, now, ms * 1000, last, token))
        elif word == "HIT" and self._serial:
            self._on_knock(*map(int, words[:3]))

    def _on_hello(self, serial: str, firmware: str, boot: int) -> None:
        if boot != self._boot:  # it counts from 1 again
            self._boot, self._received = boot, 0
        self._serial, self._firmware = serial, firmware
        self._reports.append(
            Hello(
                vendor="Example",
                model="knock box",
                serial=serial,
                firmware=firmware,
                firmware_hash="",
                boot_id=boot,
                boot_count=boot,
                uptime_us=self._clock_ms * 1000,
                capabilities=Capability.SEAT_KEYS | Capability.EVENT_LOG,
                profiles=(),
            )
        )

    def _on_knock(self, number: int, ms: int, button: int) -> None:
        if number != self._received + 1:  # known, or one before it is still to come: the box says it again
            self.counters.events_repeated += number <= self._received
            return
        side = self._sides[button]
        self._received = number
        self.counters.events += 1
        self._reports.append(
            BoardEvent(number, ms * 1000, EventKind.SEAT_KEY, side, value=int(SeatKey.DISCARD))
        )

    def _status(self, last: int) -> Status:
        return Status(
            top=TopState.UNKNOWN,
            store=StoreState.UNKNOWN,
            stopped=False,
            homed=True,
            hand=0,
            profile=0,
            running_id=0,
            running=0,
            percent=0,
            last_event=last,
            boot_id=self._boot,
            board_us=self._clock_ms * 1000,
            top_stacks=(0, 0, 0, 0),
            store_stacks=(0, 0, 0, 0),
            faults=(),
        )


def make(opener: Opener, options: Options) -> SessionDriver:
    """A driver for one try to connect. ``sides`` says at which side each button lies."""
    sides = tuple(options.get("sides", SIDES))
    if sorted(sides) != list(SIDES):
        raise ValueError(f"sides must name 0, 1, 2 and 3 once each, not {sides}; {NO_SIDE} is none")

    def begin(now: float, journal_id: bytes, last_event: int, boot_id: int) -> Session:
        return Session(now, last_event, boot_id, sides)

    return SessionDriver(opener, begin, lambda operation: LIMITS)


PLUGIN = Plugin(api=1, protocol="knock lines", make=make, options=("sides",))
