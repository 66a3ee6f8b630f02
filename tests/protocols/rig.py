"""Two sessions against each other over a line made of a seed, stepped from timer to timer.

Nothing here waits: time is a number the rig moves. ``FakeBoard`` is the judge of what was executed.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from protocols.atp.board import BoardSession
from protocols.atp.codec import Message
from protocols.atp.endpoint import Endpoint
from protocols.atp.host import HostSession
from protocols.driver import BoardEvent, Counters, Gone, Hello, Reply, Report, Status
from protocols.vocabulary import (
    Capability,
    Fault,
    Operation,
    Order,
    Refusal,
    Stage,
    StoreState,
    TopState,
)

T = TypeVar("T")
JOURNAL = bytes(range(16))
HELLO = Hello(
    vendor="acme",
    model="twin",
    serial="0001",
    firmware="1.0.0",
    firmware_hash="ab" * 32,
    boot_id=77,
    boot_count=3,
    uptime_us=5,
    capabilities=Capability.DICE | Capability.LAMPS,
    profiles=(136, 144),
)


@dataclass
class FakeBoard:
    """A board whose orders end when the test says so."""

    boot: int = 77
    executed: list[Order] = field(default_factory=list)
    stops: int = 0
    silences: int = 0
    refuse: Refusal = Refusal.NONE
    at_rest: bool = True
    runs: bool = False
    begun: Callable[[Order], None] = lambda order: None

    def hello(self) -> Hello:
        return Hello(**{name: getattr(HELLO, name) for name in HELLO.__slots__} | {"boot_id": self.boot})

    def status(self) -> Status:
        return Status(
            top=TopState.CLEAR,
            store=StoreState.READY,
            stopped=False,
            homed=True,
            hand=0,
            profile=144,
            running_id=0,
            running=0,
            percent=0,
            last_event=0,
            boot_id=self.boot,
            board_us=9,
            top_stacks=(0, 0, 0, 0),
            store_stacks=(18, 18, 18, 18),
            faults=((Fault.HEAD_JAM, 2),),
        )

    def operate(self, order: Order) -> Refusal:
        if self.refuse is Refusal.NONE:
            self.executed.append(order)
            self.begun(order)
        return self.refuse

    def stop(self) -> bool:
        self.stops += 1
        return self.at_rest

    def host_silent(self) -> None:
        self.silences += 1

    def moving(self) -> bool:
        return self.runs

    def board_us(self, now: float) -> int:
        return int(now * 1e6)


@dataclass
class Noise:
    """What a line does to bytes (per byte) and to pieces (per write)."""

    damage: float = 0.0
    drop: float = 0.0
    delay: float = 0.002
    jitter: float = 0.0
    double: float = 0.0  # a whole write arrives twice

    def apply(self, data: bytes, rng: random.Random) -> bytes:
        if not self.damage and not self.drop:
            return data
        out = bytearray()
        for byte in data:
            roll = rng.random()
            if roll < self.drop:
                continue
            out.append(byte ^ 1 << rng.randrange(8) if roll < self.drop + self.damage else byte)
        return bytes(out)


class Rig:
    """A host, a board and the line between them."""

    def __init__(self, noise: Noise | None = None, seed: int = 1, *, last_event: int = 0, boot: int = 0):
        self.now = 100.0
        self.rng = random.Random(seed)
        self.noise = noise or Noise()
        self.app = FakeBoard()
        self.board = BoardSession(self.app, self.now)
        self.host = HostSession(self.now, journal_id=JOURNAL, last_event=last_event, boot_id=boot)
        self.reports: list[Report] = []
        self.sent: dict[str, list[bytes]] = {"host": [], "board": []}
        self.cut = False
        self._air: list[tuple[float, int, str, bytes]] = []
        self._serial = 0
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._last = {"host": 0.0, "board": 0.0}

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        """Do something later."""
        self._serial += 1
        heapq.heappush(self._timers, (self.now + seconds, self._serial, call))

    def reboot(self) -> None:
        """The board starts again: another boot, an empty memory."""
        self.app.boot += 1
        self.board = BoardSession(self.app, self.now)

    def flush(self) -> None:
        """Put what both ends want to say on the line, take what they learned."""
        for name, data in (("host", self.host.outgoing(self.now)), ("board", self.board.outgoing(self.now))):
            if not data:
                continue
            self.sent[name].append(data)
            if self.cut:
                continue
            for _ in range(2 if self.rng.random() < self.noise.double else 1):
                delay = self.noise.delay + self.rng.random() * self.noise.jitter
                # a line keeps the order of its bytes whatever it does to them
                self._last[name] = max(self._last[name], self.now + delay)
                self._serial += 1
                arriving = self.noise.apply(data, self.rng)
                heapq.heappush(self._air, (self._last[name], self._serial, name, arriving))
        self.reports += self.host.take_reports()

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        """Let time pass, from one thing that happens to the next."""
        end = self.now + seconds
        steps = 0
        self.flush()
        while not until():
            steps += 1
            assert steps < 200_000, "a session spins"
            dues = [due for due in (self.host.due(), self.board.due()) if due is not None]
            dues += [self._air[0][0]] if self._air else []
            dues += [self._timers[0][0]] if self._timers else []
            if not dues or min(dues) > end:
                break
            next_time = min(dues)
            self.now = max(self.now, next_time)
            while self._air and self._air[0][0] <= self.now:
                _, _, name, data = heapq.heappop(self._air)
                receiver = self.board if name == "host" else self.host
                if data:
                    receiver.receive(data, self.now)
            while self._timers and self._timers[0][0] <= self.now:
                heapq.heappop(self._timers)[2]()
            self.host.tick(self.now)
            self.board.tick(self.now)
            self.flush()
        else:
            return
        self.now = end

    def greet(self) -> Rig:
        """Run until the hello is through."""
        self.run(1.4, until=lambda: bool(self.of(Hello)))
        assert self.of(Hello)
        return self

    def operate(self, id: int, operation: Operation = Operation.DICE, **more: int) -> None:
        """Give an order."""
        self.host.operate(Order(id, operation, **more), self.now)

    def of(self, kind: type[T]) -> list[T]:
        """The reports of one kind so far."""
        return [report for report in self.reports if isinstance(report, kind)]

    def stages(self, id: int) -> list[Stage]:
        """What was reported of an order."""
        return [reply.stage for reply in self.of(Reply) if reply.id == id]

    def numbers(self) -> list[int]:
        """The events reported so far."""
        return [event.number for event in self.of(BoardEvent)]

    @property
    def gone(self) -> str:
        """The key of the Gone report, empty while there is none."""
        return "".join(report.key for report in self.of(Gone))


def types(rig: Rig, end: str) -> list[int]:
    """Types of all frames an end has sent."""
    reader = Endpoint("board" if end == "host" else "host", Counters())
    return [message.TYPE for data in rig.sent[end] for message in reader.feed(data)]


def directly(rig: Rig, *sent: Message) -> list[Message]:
    """What the board answers to messages put on its wire."""
    host = Endpoint("host", Counters())
    for message in sent:
        host.send(message)
    rig.board.receive(host.drain(), rig.now)
    return host.feed(rig.board.outgoing(rig.now))
