"""A board written from SPEC.md alone: standard library, nothing of this project, about a hundred lines.

python stranger.py FD_OR_PATH      serve as a board on the master of a pty, or on a tty
"""

import contextlib
import os
import select
import struct
import sys
import termios
import time
import tty
import zlib

HELLO_ASK, HELLO, BEAT, ERROR, CLOCK_ASK, CLOCK, STATUS_ASK, STATUS, STOP, STOPPED = range(1, 11)
IDENTITY_ASK, IDENTITY, ABILITIES_ASK, ABILITIES = range(0x0B, 0x0F)
OPERATE, ACCEPTED, REFUSED, PROGRESS, DONE, FAILED, QUERY, UNKNOWN = range(0x10, 0x18)
EVENT, ACK_EVENTS, REPLAY_ASK, EVENTS_LOST = range(0x20, 0x24)
HOME, SET_PROFILE, BUILD, RAISE, LOWER, DICE = range(1, 7)
SECONDS = {HOME: 0.1, BUILD: 0.5, RAISE: 0.2, LOWER: 0.2, DICE: 0.3}
BOOT, TILES, NONE = int.from_bytes(os.urandom(7), "little") + 1, 144, 255
WHO = {1: b"stranger", 2: b"hundred lines", 3: b"S-1", 4: b"0.1"}


class Stranger:
    def __init__(self, fd: int) -> None:
        self.fd, self.buffer, self.counter, self.greeted, self.journal = fd, b"", 0, False, b""
        self.start = self.heard = self.spoke = self.now()
        self.results: dict[int, tuple[int, bytes]] = {}  # id -> stage and what follows `queried` in it
        self.running: dict[int, tuple[float, int, int]] = {}  # id -> when done, operation, side
        self.events: list[bytes] = []
        self.acknowledged, self.resend, self.stopped, self.top, self.store, self.hand = 0, 0.0, 0, 1, 1, 0

    def now(self) -> float:
        return time.monotonic()  # noqa: TID251 - a board lives in real time

    def micros(self) -> int:
        return int((self.now() - self.start) * 1e6)

    def send(self, kind: int, body: bytes = b"") -> None:
        inside = bytes((1, self.counter, kind)) + body
        runs = (inside + struct.pack("<I", zlib.crc32(inside))).split(b"\0")
        os.write(self.fd, b"\0" + b"".join(bytes((len(run) + 1,)) + run for run in runs) + b"\0")
        self.counter, self.spoke = (self.counter + 1) % 256, self.now()

    def feed(self, data: bytes) -> None:
        *pieces, self.buffer = (self.buffer + data).split(b"\0")
        for piece in pieces:
            runs, at = [], 0
            while at < len(piece):
                runs.append(piece[at + 1 : at + piece[at]])
                at += piece[at]
            inside = b"\0".join(runs)
            whole = at == len(piece) and len(inside) >= 7
            if whole and struct.pack("<I", zlib.crc32(inside[:-4])) == inside[-4:]:
                self.heard = self.now()
                self.handle(inside[2], inside[3:-4].ljust(32, b"\0"))

    def handle(self, kind: int, body: bytes) -> None:
        if kind == HELLO_ASK:
            self.results = self.results if body[4:20] == self.journal else {}
            self.journal, self.greeted, self.resend = body[4:20], True, 0.0
            self.send(HELLO, body[:2] + struct.pack("<BBIQI", 1, 1, 0, BOOT, self.acknowledged))
        elif kind == STOP:
            self.stopped = 1
            self.fail_all(0)
            self.send(STOPPED)
        elif not self.greeted and kind != ERROR:
            self.send(ERROR, bytes((1, kind)))
        elif kind == IDENTITY_ASK:
            self.send(IDENTITY, body[:1] + WHO.get(body[0], b"").ljust(16, b"\0"))
        elif kind == ABILITIES_ASK:
            self.send(
                ABILITIES, struct.pack("<I8sHIQ", 1 << 2 | 1 << 15, bytes((TILES,)), 1, 1, self.micros())
            )
        elif kind == CLOCK_ASK:
            self.send(CLOCK, body[:2] + struct.pack("<QI", self.micros(), len(self.events)))
        elif kind == STATUS_ASK:
            id, (_, operation, _) = next(iter(self.running.items()), (0, (0, 0, 0)))
            state = (self.top, self.store, self.stopped, 1, TILES, self.hand, id, operation, 0)
            stacks = [bytes((18 if up else 0,)) * 4 for up in (self.top == 4, self.store == 3)]
            clock = (len(self.events), BOOT, self.micros(), *stacks, b"", b"\xff" * 4)
            self.send(STATUS, body[:2] + struct.pack("<5BHQBBIQQ4s4s4s4s", *state, *clock))
        elif kind == OPERATE:
            self.operate(*struct.unpack("<QBBH", body[:12]))
        elif kind == QUERY:
            self.answer(int.from_bytes(body[:8], "little"), queried=1)
        elif kind == ACK_EVENTS and int.from_bytes(body[4:12], "little") == BOOT:
            self.acknowledged = max(self.acknowledged, int.from_bytes(body[:4], "little"))
        elif kind == REPLAY_ASK:
            first, last = struct.unpack("<II", body[:8])
            for event in self.events[first - 1 : last or None]:
                self.send(EVENT, event)
        elif kind == BEAT and body[0]:
            self.beat()

    def beat(self) -> None:
        self.send(BEAT, struct.pack("<BBI", 0, bool(self.running), len(self.events)))

    def event(self, kind: int, side: int = NONE, value: int = 0) -> None:
        number = len(self.events) + 1
        self.events.append(struct.pack("<IQBBBI4x", number, self.micros(), kind, side, 0, value))
        self.resend = 0.0

    def answer(self, id: int, queried: int = 0) -> None:
        stage, rest = self.results.get(id, (UNKNOWN, b""))
        self.send(stage, struct.pack("<QB", id, queried) + rest)

    def stage(self, id: int, stage: int, rest: bytes) -> None:
        self.results[id] = stage, rest
        self.answer(id)

    def operate(self, id: int, operation: int, side: int, hand: int) -> None:
        if id in self.results:
            self.answer(id)
        elif (self.stopped or self.running) and operation in SECONDS and operation != HOME:
            self.stage(id, REFUSED, bytes((operation, 6 if self.stopped else 1)))
        else:
            self.running[id] = self.now() + SECONDS.get(operation, 0.0), operation, side
            self.hand = hand if operation == RAISE else self.hand
            self.stage(id, ACCEPTED, bytes((operation,)))
            if operation in (BUILD, DICE):
                self.event(*((5,) if operation == BUILD else (12, side)))

    def finish(self, id: int) -> None:
        _, operation, side = self.running.pop(id)
        value = {BUILD: TILES, DICE: 0x42}.get(operation, 0)
        if operation == BUILD:
            self.store = 3
            for place in range(4):
                self.event(6, place, 18)
            self.event(7, NONE, TILES)
        elif operation == DICE:
            self.event(13, side, value)
        elif operation in (RAISE, LOWER):
            self.top, self.store = (4, 1) if operation == RAISE else (1, self.store)
            self.event(*((10, NONE, self.hand) if operation == RAISE else (11,)))
        self.stopped = 0 if operation == HOME else self.stopped
        self.stage(id, DONE, struct.pack("<BI", operation, value))

    def fail_all(self, fault: int) -> None:
        for id, (_, operation, _) in self.running.items():
            self.stage(id, FAILED, bytes((operation, fault, NONE)))
        self.running.clear()

    def tick(self) -> None:
        now = self.now()
        for id in [id for id, (due, _, _) in self.running.items() if now >= due]:
            self.finish(id)
        if now - self.heard > 1.5:
            self.fail_all(0x94)
        elif self.greeted:
            if self.acknowledged < len(self.events) and now >= self.resend:
                self.resend = now + 0.2
                for event in self.events[self.acknowledged : self.acknowledged + 8]:
                    self.send(EVENT, event)
            if now - self.spoke >= (0.25 if self.running else 1.0):
                self.beat()


def serve(fd: int) -> None:
    """Be a board on this descriptor until the other side is gone."""
    board = Stranger(fd)
    with contextlib.suppress(OSError):
        while True:
            if select.select([fd], [], [], 0.01)[0]:
                data = os.read(fd, 4096)
                if not data:
                    return
                board.feed(data)
            board.tick()


if __name__ == "__main__":
    where = sys.argv[1]
    descriptor = int(where) if where.isdigit() else os.open(where, os.O_RDWR | os.O_NOCTTY)
    with contextlib.suppress(termios.error):  # a master may refuse; its owner has set the line
        tty.setraw(descriptor)
    serve(descriptor)
