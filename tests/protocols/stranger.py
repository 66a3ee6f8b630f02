"""A board written from SPEC.md alone: it imports the standard library and nothing of this project.

It homes, builds, throws dice and stops. Its maker had nothing but that text, and it worked with the daemon at
the first try; only what he had to guess then, and SPEC.md says now, was changed since.

python stranger.py FD_OR_PATH      serve as a board on the master of a pty, or on a tty
"""

import collections
import contextlib
import os
import random
import select
import struct
import sys
import termios
import time
import tty
import typing
import zlib

HELLO_ASK, HELLO, BEAT, ERROR, CLOCK_ASK, CLOCK, STATUS_ASK, STATUS, STOP, STOPPED = range(0x01, 0x0B)
IDENTITY_ASK, IDENTITY, ABILITIES_ASK, ABILITIES = range(0x0B, 0x0F)
OPERATE, ACCEPTED, REFUSED, PROGRESS, DONE, FAILED, QUERY, UNKNOWN = range(0x10, 0x18)
EVENT, ACK_EVENTS, REPLAY_ASK, EVENTS_LOST = range(0x20, 0x24)
ASKS = {
    HELLO_ASK: "<HBB16s",
    BEAT: "<BBI",
    CLOCK_ASK: "<H",
    STATUS_ASK: "<H",
    STOP: "<",
    IDENTITY_ASK: "<B",
    ABILITIES_ASK: "<",
    OPERATE: "<QBBHH",
    QUERY: "<Q",
    ACK_EVENTS: "<IQ",
    REPLAY_ASK: "<II",
}
HOME, SET_PROFILE, BUILD, DICE, CLEAR_FAULT, LAMPS = 1, 2, 3, 6, 7, 8
MOTIONS, INSTANT = (HOME, BUILD, DICE), (SET_PROFILE, CLEAR_FAULT, LAMPS)
BUSY, NOT_READY, UNSUPPORTED, BAD_ARGUMENT, LATCHED, HALTED = range(1, 7)  # refusals
BOOT, PROFILE_CHANGED, BUILD_STARTED, BUILD_DONE = 1, 2, 5, 7
DICE_STARTED, DICE_RESULT, FAULT_SET, FAULT_CLEARED, AT_REST = 12, 13, 15, 16, 18
SENSOR, HOST = 0, 2
CLEAR, EMPTY, BUILDING, READY = 1, 1, 2, 3
NO_SIDE, HOST_SILENT = 255, 0x94
CAN = sum(
    1 << bit for bit in (0, 2, 3, 6, 8, 9, 15, 16)
)  # gear, dice, readback, stop, faults, log, memory, lamps
IDENTITIES = (b"Stranger", b"Hundred Lines", b"0001", b"0.1", b"", b"")
PROFILES = (136, 144)
HASH = 0x078DE272
SILENCE, REPEAT, MOTION = 1.5, 0.2, 0.3  # seconds


class Board:
    def __init__(self, fd: int) -> None:
        self.fd, self.boot, self.born = fd, random.getrandbits(63) + 1, self.now()
        self.counter, self.greeted, self.heard, self.sent, self.repeat = 0, False, -9.0, 0.0, 0.0
        self.pieces = b""
        self.journal, self.forgotten = b"", 0
        self.results: dict[int, tuple[int, int, bytes]] = {}  # id -> stage, operation, rest
        self.id, self.op, self.due = 0, 0, 0.0  # the one order under way
        self.steps: typing.Generator[float, None, int] | None = None
        self.ring: collections.deque[tuple[int, ...]] = collections.deque(maxlen=64)
        self.newest, self.acked = 0, 0
        self.top, self.store, self.stopped, self.homed, self.fault = 0, 0, 0, 0, 0
        self.profile, self.tiles = PROFILES[0], 0
        self.event(BOOT, value=1)  # said after the first hello

    def now(self) -> float:
        return time.monotonic()  # noqa: TID251 - a board lives in real time

    def us(self) -> int:
        return int((self.now() - self.born) * 1e6)

    # ---- out -----------------------------------------------------------------------------------------

    def send(self, kind: int, layout: str = "", *fields: int | bytes) -> None:
        silent = self.now() - self.heard > SILENCE
        if silent or (not self.greeted and kind not in (HELLO, ERROR, STOPPED)):
            return
        raw = bytes((1, self.counter, kind)) + struct.pack("<" + layout, *fields)
        raw += struct.pack("<I", zlib.crc32(raw))
        self.counter, self.sent = (self.counter + 1) % 256, self.now()
        stuffed = b"".join(bytes([len(run) + 1]) + run for run in raw.split(b"\0"))
        with contextlib.suppress(BlockingIOError):  # nobody reads: lost on the line
            os.write(self.fd, b"\0" + stuffed + b"\0")

    def beat(self) -> None:
        self.send(BEAT, "BBI", 0, self.id > 0, self.newest)

    def event(self, kind: int, side: int = NO_SIDE, value: int = 0, source: int = SENSOR) -> None:
        self.newest += 1
        self.ring.append((self.newest, self.us(), kind, side, source, value))
        self.send_events([self.ring[-1]])

    def send_events(self, events: list[tuple[int, ...]]) -> None:
        for event in events:
            self.send(EVENT, "IQBBBI4x", *event)
        self.repeat = self.now() + REPEAT

    def unacked(self) -> list[tuple[int, ...]]:
        return [event for event in self.ring if event[0] > self.acked]

    # ---- orders --------------------------------------------------------------------------------------

    def answer(self, id: int, queried: int = 0) -> None:
        if id not in self.results:
            return self.send(UNKNOWN, "Q", id)
        stage, op, rest = self.results[id]
        self.send(stage, f"QBB{len(rest)}s", id, queried, op, rest)

    def store_stage(self, id: int, stage: int, op: int, rest: bytes = b"") -> None:
        self.results[id] = stage, op, rest  # stored first, then said
        if len(self.results) > 8:
            self.forgotten = min(i for i in self.results if i not in (id, self.id))
            del self.results[self.forgotten]
        self.answer(id)

    def end(self, stage: int, rest: bytes) -> None:
        id, op, self.id, self.op, self.steps = self.id, self.op, 0, 0, None
        if stage == FAILED and op in (HOME, BUILD):
            self.homed, self.store = 0, 0  # half a set: nobody knows
        if id:
            self.store_stage(id, stage, op, rest)

    def operate(self, id: int, op: int, side: int, hand: int, count: int) -> None:
        if id in self.results or id <= self.forgotten:
            return self.answer(id)
        refusal = self.refusal(op, side, count)
        if refusal:
            return self.store_stage(id, REFUSED, op, bytes([refusal]))
        self.store_stage(id, ACCEPTED, op)
        if op in MOTIONS:
            self.id, self.op, self.steps, self.due = id, op, self.move(id, op, side, count), 0.0
            return None
        if op == SET_PROFILE and count != self.profile:
            self.profile = count
            self.event(PROFILE_CHANGED, value=count, source=HOST)
        if op == CLEAR_FAULT:
            self.clear(HOST)
        return self.store_stage(id, DONE, op, bytes(4))

    def refusal(self, op: int, side: int, count: int) -> int:
        if op not in (*MOTIONS, *INSTANT):
            return UNSUPPORTED
        if op == DICE and not (side < 4 and 1 <= count <= 8):
            return BAD_ARGUMENT
        if op == SET_PROFILE and count not in PROFILES:
            return BAD_ARGUMENT
        if op in MOTIONS and self.id:
            return BUSY
        if op == HOME or op in INSTANT:
            return 0
        if self.stopped:
            return HALTED
        if self.fault:
            return LATCHED
        return NOT_READY if op == BUILD and not self.homed else 0

    def clear(self, source: int) -> None:
        if self.fault:
            self.event(FAULT_CLEARED, value=self.fault, source=source)
        self.fault = 0

    def move(self, id: int, op: int, side: int, count: int) -> typing.Generator[float, None, int]:
        if op == HOME:
            yield MOTION
            self.top, self.store, self.stopped, self.homed = CLEAR, self.store or EMPTY, 0, 1
            self.clear(SENSOR)
            return 0
        if op == DICE:
            self.event(DICE_STARTED, side, source=HOST)
            yield MOTION
            faces = sum(random.randint(1, 6) << 4 * die for die in range(count))
            self.event(DICE_RESULT, side, faces, HOST)
            return faces
        if self.store != READY:
            self.store = BUILDING
            self.event(BUILD_STARTED)
            yield MOTION
            self.store_stage(id, PROGRESS, op, bytes([50]))
            yield MOTION
            self.store, self.tiles = READY, self.profile
            self.event(BUILD_DONE, value=self.tiles)
        return self.tiles

    def rest(self, fault: int) -> None:
        news = self.id or not self.stopped
        self.stopped = 1
        self.end(FAILED, bytes((fault, NO_SIDE)))
        if news:
            self.event(AT_REST)

    # ---- in ------------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> None:
        *pieces, rest = (self.pieces + data).split(b"\0")
        self.pieces = rest[:256]  # too long to be a frame: stays too long
        for piece in pieces:
            if 0 < len(piece) < 256:
                self.frame(piece)

    def frame(self, piece: bytes) -> None:
        raw, at = b"", 0
        while at < len(piece):
            raw, at = raw + piece[at + 1 : at + piece[at]] + b"\0", at + piece[at]
        raw = raw[:-1]  # no zero behind the last run
        if at != len(piece) or len(raw) < 7 or struct.pack("<I", zlib.crc32(raw[:-4])) != raw[-4:]:
            return
        kind, body = raw[2], raw[3:-4]
        if kind not in ASKS or (raw[0] & 15 != 1 and kind != HELLO_ASK):
            return
        self.heard = self.now()
        fields = struct.unpack_from(ASKS[kind], body.ljust(struct.calcsize(ASKS[kind]), b"\0"))
        if not self.greeted and kind not in (HELLO_ASK, STOP):
            self.send(ERROR, "BB", 1, kind)
        else:
            self.handle(kind, *fields)

    def handle(self, kind: int, *f: typing.Any) -> None:
        if kind == HELLO_ASK:
            self.greet(*f)
        elif kind == BEAT and f[0]:
            self.beat()
        elif kind == CLOCK_ASK:
            self.send(CLOCK, "HQI", f[0], self.us(), self.newest)
        elif kind == STATUS_ASK:
            self.status(f[0])
        elif kind == STOP:
            self.rest(0)
            self.send(STOPPED)
        elif kind == IDENTITY_ASK and 1 <= f[0] <= 6:
            self.send(IDENTITY, "B16s", f[0], IDENTITIES[f[0] - 1])
        elif kind == ABILITIES_ASK:
            self.send(ABILITIES, "I8sHIQ", CAN, bytes(PROFILES), 1, 1, self.us())
        elif kind == OPERATE:
            self.operate(*f)
        elif kind == QUERY:
            self.answer(f[0], queried=1)
        elif kind == ACK_EVENTS and f[1] == self.boot:
            self.acked = max(self.acked, min(f[0], self.newest))
        elif kind == REPLAY_ASK:
            self.replay(*f)

    def greet(self, token: int, lowest: int, highest: int, journal: bytes) -> None:
        self.send(HELLO, "HBBIQI", token, 1, 1, HASH, self.boot, self.acked)
        if not lowest <= 1 <= highest:
            return
        self.greeted = True
        if journal != self.journal:  # another record: its ids are not these
            self.journal, self.forgotten, self.id = journal, 0, 0
            self.results.clear()
            self.end(FAILED, b"")
        self.send_events(self.unacked())

    def status(self, token: int) -> None:
        stage, _, rest = self.results.get(self.id, (0, 0, b""))
        percent = rest[0] if stage == PROGRESS else 0
        state = (self.top, self.store, self.stopped, self.homed, self.profile, 0, self.id, self.op, percent)
        clock = (self.newest, self.boot, self.us())
        self.send(STATUS, "H5BHQBBIQQ8x4s4s", token, *state, *clock, bytes([self.fault]), b"\xff" * 4)

    def replay(self, first: int, last: int) -> None:
        last, oldest = min(last or self.newest, self.newest), self.ring[0][0]
        if first < oldest and first <= last:
            self.send(EVENTS_LOST, "II", first, min(last, oldest - 1))
        self.send_events([event for event in self.ring if first <= event[0] <= last])

    # ---- time ----------------------------------------------------------------------------------------

    def tick(self) -> None:
        now = self.now()
        if self.id and now - self.heard > SILENCE:  # alone: stop the motors
            self.rest(HOST_SILENT)
            self.fault = HOST_SILENT
            self.event(FAULT_SET, value=HOST_SILENT)
        if self.steps is not None and now >= self.due:
            try:
                self.due = now + next(self.steps)
            except StopIteration as done:
                self.end(DONE, struct.pack("<I", done.value))
        if now >= self.repeat:
            self.send_events(self.unacked()[:4])
        if now - self.sent > (0.25 if self.id else 1.0):
            self.beat()


def serve(fd: int) -> None:
    """Be a board on this descriptor until the other side is gone."""
    board = Board(fd)
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
    os.set_blocking(descriptor, False)
    serve(descriptor)
