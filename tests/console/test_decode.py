"""`tablectl decode`: wire traffic as messages, damage with its reason, tiles covered."""

from __future__ import annotations

import asyncio
import fcntl
import io
import json
import os
import pty
import random
import select
import signal
import subprocess
import sys
import tracemalloc
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import DICTIONARY
from protocols.atp.frame import Frame
from protocols.capture import MAGIC, CaptureWriter, Way
from protocols.vocabulary import (
    TILE_CODES,
    TILE_NAMES,
    Capability,
    EventKind,
    Fault,
    Lamp,
    Operation,
    SeatKey,
    WallEnd,
)
from sim.timebase import run_virtual
from tablectl.console.cli import main
from tablectl.console.decode_file import Heard, heard_in
from tablectl.console.decode_lines import NotSimulated, Veil, entry, line
from tablectl.console.decode_wire import ENDLESS, Cutter, Piece
from tablectl.locale import catalog
from tablectl.rehearsal.room import Room, Setting
from tablectl.rehearsal.virtual import play
from tablectl.rules.book import load_book

DEALT = 85.0  # virtual seconds after which the first tiles of a hand are dealt
TILE = m.Event(1, 5_000_000, EventKind.TILE_DRAWN, 2, 0, WallEnd.HEAD, bytes((TILE_CODES["5p"],)))


def on_the_wire(*messages: Message) -> bytes:
    """Messages in frames, as one end sends them."""
    frames = [Frame(DICTIONARY.version, n, said.TYPE, said.to_bytes()) for n, said in enumerate(messages)]
    return b"".join(frame.to_bytes() for frame in frames)


@pytest.fixture(scope="module")
def capture() -> bytes:
    """Both directions of the line between a daemon and a table, from the hello to the deal."""

    async def listen() -> bytes:
        room, heard = Room(Setting(seed=3), load_book()), bytearray()
        wire = room.line.line
        for name, passes in (("to_a", wire.to_a), ("to_b", wire.to_b)):

            def tap(data: bytes, passes: Any = passes) -> list[bytes]:
                heard.extend(data)
                return list(passes(data))

            setattr(wire, name, tap)
        playing = asyncio.ensure_future(play(room, 1, {"rules": "mcr"}))
        await asyncio.wait([playing], timeout=DEALT)
        playing.cancel()
        await asyncio.wait([playing])
        await room.close()
        return bytes(heard)

    return run_virtual(listen())


@pytest.fixture
def decode(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Decode bytes: exit code, lines of standard output, standard error."""
    monkeypatch.setenv("TABLECTL_LANG", "en")

    def run(data: bytes, *options: str) -> tuple[int, list[str], str]:
        path = tmp_path / "wire.atp"
        path.write_bytes(data)
        code = main(["decode", str(path), *options])
        said = capsys.readouterr()
        return code, said.out.splitlines(), said.err

    return run


def test_a_capture_is_told_message_by_message(decode: Any, capture: bytes) -> None:
    code, lines, err = decode(capture)
    assert (code, err) == (0, "")
    assert lines[0].split()[:4] == ["host", "HELLO_ASK", "token", "1,"]
    assert lines[1].split()[:2] == ["board", "HELLO"]
    assert lines[-1] == f"{len(lines) - 1} frames, nothing damaged"
    whole = "\n".join(lines)
    for said in (
        "part vendor, data tablectl",
        "operation BUILD, side –, hand 1",
        "kind DICE_RESULT, side 0",
        "count PLAY",
        "capabilities GEAR_REMOTE DICE",
        "top CLEAR, store EMPTY",
    ):
        assert said in whole
    drawn = next(said for said in lines if "TILE_DRAWN" in said)
    assert drawn.startswith(" 0:01:0")  # the board's clock
    assert drawn.endswith("value HEAD, tiles ??")


def test_json_is_an_object_a_message(decode: Any, capture: bytes) -> None:
    code, lines, _ = decode(capture, "--json")
    found = [json.loads(said) for said in lines]
    assert code == 0
    assert found[0]["offset"] == 1
    assert {one["from"] for one in found} == {"host", "board", "both"}
    counters = [one["counter"] for one in found if one["type"] == "OPERATE"]
    assert counters == sorted(counters)
    clock = next(one for one in found if one["type"] == "CLOCK")
    assert set(clock["fields"]) == {"token", "board_us", "last_event"}


def test_no_tile_of_a_capture_is_shown_unasked(decode: Any, capture: bytes) -> None:
    def tiles(*options: str) -> list[str]:
        found = [json.loads(said) for said in decode(capture, "--json", *options)[1]]
        return [tile for one in found for tile in one.get("fields", {}).get("tiles", [])]

    assert len(tiles()) > 50
    assert set(tiles()) == {"??"}
    shown = tiles("--open")
    assert len(shown) == len(tiles())
    assert set(shown) <= set(TILE_NAMES[1:])


@pytest.mark.parametrize("kind", m.MESSAGES, ids=lambda kind: kind.LAYOUT.row.name)
def test_every_message_of_the_dictionary_has_its_fields_told(kind: type[Message], decode: Any) -> None:
    _, lines, _ = decode(on_the_wire(kind()))
    row = kind.LAYOUT.row
    assert row.name in lines[0]
    for field in row.fields:
        assert f"{field.name} " in lines[0] or field.name == "board_us"


WORDS = [
    (m.Event(1, 0, EventKind.DICE_RESULT, 1, 1, 0x43), "side 1, source PANEL, value 3 4"),
    (m.Event(1, 0, EventKind.SEAT_KEY, 1, 0, SeatKey.PUNG), "side 1, source SENSOR, value PUNG"),
    (m.Event(1, 0, EventKind.FAULT_SET, 255, 0, Fault.DRUM_JAM), "side –, source SENSOR, value DRUM_JAM"),
    (m.Event(1, 0, 77, 9, 9, 5), "kind 77, side 9, source 9, value 5"),
    (m.Done(7, 0, Operation.DICE, 0x61), "id 7, queried no, operation DICE, value 1 6"),
    (m.Done(7, 1, Operation.BUILD, 144), "queried yes, operation BUILD, value 144"),
    (m.Operate(7, Operation.LAMPS, 255, 1, Lamp.HOLD), "operation LAMPS, side –, hand 1, count HOLD"),
    (m.Operate(7, 99), "operation 99"),
    (m.Status(faults=bytes((Fault.HEAD_JAM, 0xEE)), fault_sides=bytes((2, 255, 255, 255))),
     "faults HEAD_JAM 238, fault_sides 2 –"),
    (m.Abilities(Capability.LAMPS | 1 << 20), "capabilities LAMPS bit 20, profiles –"),
    (m.Error(2, 0x10), "code VERSION, about_type OPERATE"),
    (m.Error(9, 0x7F), "code 9, about_type 0x7F"),
    (m.Identity(4, b"1.2"), "part firmware, data 1.2"),
    (m.Identity(4, b"\x1b[2J\xff"), "data ␛[2J\ufffd"),
    (m.Identity(9, b"x"), "part 9, data 78000000000000000000000000000000"),
    (m.Beat(1, 1, 3), "board  BEAT          ask yes, moving yes, last_event 3"),
    (m.Beat(), "either BEAT"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "said"), WORDS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_numbers_are_named_and_strange_ones_kept(message: Message, said: str, decode: Any) -> None:
    assert said in decode(on_the_wire(message))[1][0]


def test_what_is_spoken_elsewhere_is_told_as_strange(decode: Any) -> None:
    data = Frame(1, 0, 0x7F, b"abc").to_bytes() + Frame(2, 1, m.Status.TYPE, b"abcd").to_bytes()
    code, lines, _ = decode(data)
    assert code == 0
    assert "0x7F          a type nobody here knows, 3 bytes" in lines[0]
    assert "STATUS        protocol version 2, not spoken here, 4 bytes" in lines[1]


FRAME = on_the_wire(TILE)
GOOD = on_the_wire(m.Beat())
DAMAGE = {
    "a changed byte": (FRAME[:9] + bytes((FRAME[9] ^ 1,)) + FRAME[10:], "checksum", len(FRAME) - 2, "EVENT"),
    "a code byte that points past the end": (b"\0\xff" + FRAME[2:], "stuffing", len(FRAME) - 2, None),
    "a lost byte": (FRAME[:-3] + FRAME[-2:], "stuffing", len(FRAME) - 3, None),
    "half a frame": (FRAME[: len(FRAME) // 2] + b"\0", "checksum", len(FRAME) // 2 - 1, "EVENT"),
    "two bytes": (b"\0\x02\x05\0", "too short", 2, None),
    "text of a boot loader": (b"boot v1\r\nresend: stopped\r\n\0", "stuffing", 26, None),
    "a run without delimiter": (b"\xff" * 300 + b"\0", "too long", 300, None),
}


@pytest.mark.report("B011")
@pytest.mark.parametrize("name", DAMAGE)
def test_damage_has_its_reason_and_size_and_harms_no_neighbour(name: str, decode: Any) -> None:
    data, reason, size, kind = DAMAGE[name]
    code, lines, _ = decode(GOOD + data + GOOD, "--json")
    before, damaged, after = map(json.loads, lines)
    assert code == 0
    assert before["type"] == after["type"] == "BEAT"
    assert (damaged["damaged"], damaged["bytes"], damaged.get("type")) == (reason, size, kind)
    assert "fields" not in damaged  # what is in it could be a tile
    assert after["offset"] == len(GOOD) + len(data) + 1
    _, lines, _ = decode(GOOD + data + GOOD)
    flaw = catalog.text("decode.flaw." + reason.replace(" ", "_"), "en")
    assert f"damaged: {flaw}, {size} bytes" in lines[1]
    assert lines[-1] == f"2 frames; damaged: 1, {size} bytes in all"


def test_a_capture_cut_anywhere_is_told_up_to_there(capture: bytes, decode: Any) -> None:
    cut = capture[: len(capture) // 3 - 1].rstrip(b"\0")[:-2]
    code, lines, _ = decode(cut)
    assert code == 0
    assert lines[-2].strip().startswith("damaged: no end, ")
    assert len(lines) > 50


def test_a_capture_in_single_bytes_is_the_same(capture: bytes) -> None:
    rng = random.Random(1)
    spoiled = bytes(byte ^ 8 if rng.random() < 0.01 else byte for byte in capture[:5000]) + b"tail"
    whole, bytewise = Cutter(), Cutter()
    one_by_one = [piece for byte in spoiled for piece in bytewise.feed(bytes((byte,)))]
    assert [*one_by_one, *bytewise.end()] == [*whole.feed(spoiled), *whole.end()]


def test_every_byte_is_in_a_piece_or_a_delimiter() -> None:
    noise = random.Random(2).randbytes(50_000)
    cutter = Cutter()
    found = [*cutter.feed(noise), *cutter.end()]
    assert sum(piece.size for piece in found) == len(noise) - noise.count(0)
    for piece in found:
        assert noise[piece.offset - 1 : piece.offset] in (b"\0", b"")
        assert 0 not in noise[piece.offset : piece.offset + piece.size]


def test_an_endless_run_is_told_before_it_ends() -> None:
    cutter = Cutter()
    found = [piece for _ in range(100) for piece in cutter.feed(b"\xaa" * 100)]
    assert found[0] == Piece(0, found[0].size, flaw="too long")
    assert ENDLESS <= found[0].size <= ENDLESS + 256 + 100
    assert found[1].offset == found[0].size


def test_nothing_and_what_is_no_capture_is_said_in_a_sentence(decode: Any) -> None:
    code, lines, err = decode(b"")
    assert (code, lines) == (1, [])
    assert "is empty" in err
    code, lines, err = decode(b"root:x:0:0:root:/root:/bin/bash\n" * 40)
    assert (code, lines) == (1, [])
    assert "holds no ATP frame in its 1280 bytes" in err


def test_a_megabyte_of_noise_is_no_capture_and_takes_no_memory(tmp_path: Path, decode: Any) -> None:
    noise = random.Random(3).randbytes(1_000_000)
    code, lines, err = decode(noise)
    assert (code, lines) == (1, [])
    assert "no ATP frame in its 1000000 bytes" in err
    for data in (noise, noise.replace(b"\0", b"\1")):
        (tmp_path / "wire.atp").write_bytes(data + FRAME)
        tracemalloc.start()
        found = sum(1 for heard in heard_in(tmp_path / "wire.atp") if heard.piece.frame)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found == 1
        assert peak < 2_000_000


def recorded(*chunks: tuple[Way, int, bytes]) -> bytes:
    """A file as `tablectl record` writes it."""
    file = io.BytesIO()
    writer = CaptureWriter(file)
    for way, us, data in chunks:
        writer.write(way, us, data)
    return file.getvalue()


def test_a_recording_tells_when_and_which_way(decode: Any) -> None:
    beat, split = on_the_wire(m.Beat()), len(FRAME) // 2
    data = recorded(
        (Way.TO_BOARD, 1_500, beat[:3]),
        (Way.TO_HOST, 2_000, FRAME[:split]),
        (Way.TO_BOARD, 2_500_000, beat[3:]),
        (Way.TO_HOST, 2_600_000, FRAME[split:] + b"\1"),
    )
    code, lines, _ = decode(data)
    assert code == 0
    assert lines[0].split()[:3] == ["2.500", "host", "BEAT"]
    assert lines[1].split()[:4] == ["2.600", "0:00:05.000", "board", "EVENT"]
    assert lines[2].split()[:3] == ["2.600", "board", "damaged:"]
    found = [json.loads(said) for said in decode(data, "--json")[1]]
    assert [one["from"] for one in found] == ["host", "board", "board"]
    assert [one["seconds"] for one in found] == [2.5, 2.6, 2.6]
    assert found[1]["fields"]["tiles"] == ["??"]


def test_a_recording_cut_off_is_told_up_to_there_and_a_damaged_one_says_where(decode: Any) -> None:
    whole = recorded((Way.TO_HOST, 5, FRAME), (Way.TO_HOST, 9, FRAME))
    assert decode(whole[:-7])[1][-1] == "1 frames, nothing damaged"
    second = (len(whole) + len(MAGIC)) // 2
    code, lines, err = decode(whole[:second] + b"\7" + whole[second + 1 :])
    assert (code, len(lines)) == (1, 1)
    assert f"is damaged from byte {second} on" in err


@pytest.mark.parametrize("path", ["none", "."], ids=["missing", "folder"])
def test_what_cannot_be_read_is_usage(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["decode", path, "--lang", "en"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_port_that_is_not_there_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decode", "/dev/no-such-port", "--lang", "en"]) == 5
    assert "there is no port /dev/no-such-port: plug the board in" in capsys.readouterr().err


def test_tiles_of_a_port_wait_for_the_board_to_say_that_it_is_simulated() -> None:
    veil = Veil(wanted_open=True, live=True)

    def tiles(data: bytes) -> Any:
        return [entry(Heard(piece), veil).get("fields", {}).get("tiles") for piece in Cutter().feed(data)]

    assert tiles(on_the_wire(TILE)) == [["??"]]
    assert tiles(on_the_wire(m.Abilities(Capability.SIMULATED), TILE)) == [None, ["5p"]]
    assert tiles(on_the_wire(m.Hello(), TILE)) == [None, ["??"]]  # perhaps another board
    with pytest.raises(NotSimulated):
        tiles(on_the_wire(m.Abilities(Capability.DICE)))


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_every_line_has_its_words_in(lang: str) -> None:
    for sender in ("host", "board", "both"):
        assert catalog.text(f"decode.from.{sender}", lang) != f"decode.from.{sender}"
    for flaw in ("checksum", "stuffing", "too long", "too short", "unfinished"):
        said = line(
            entry(Heard(Piece(0, 3, flaw=flaw, would_be=2)), Veil(wanted_open=False, live=False)), lang
        )
        assert "decode." not in said
        assert "HELLO" in said


# ---- ports ---------------------------------------------------------------------------------------------


class Port:
    """A pty whose master is the wire."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)
        self.listener: subprocess.Popen[bytes] | None = None

    def listen(self, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tablectl", "decode", self.path, "--lang", "en", *options]
        pipe = subprocess.PIPE
        self.listener = subprocess.Popen(command, stdout=pipe, stderr=pipe, bufsize=0)
        return self.listener

    def hear(self, data: bytes) -> bytes:
        """Put it on the wire again and again until the listener, who may still be starting, tells of it."""
        assert self.listener is not None
        assert self.listener.stdout is not None
        for _ in range(400):
            os.write(self.master, data)
            if select.select([self.listener.stdout], [], [], 0.05)[0]:
                return self.listener.stdout.readline()
        raise AssertionError("nothing was told")

    def close(self) -> None:
        if self.listener is not None:
            self.listener.kill()
            self.listener.communicate()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def port() -> Iterator[Port]:
    made = Port()
    yield made
    made.close()


@pytest.mark.process
def test_a_port_is_listened_to_until_ctrl_c_and_never_written_to(port: Port) -> None:
    listener = port.listen()
    first = port.hear(on_the_wire(TILE)).decode()
    assert first.split()[1:4] == ["0:00:05.000", "board", "EVENT"]
    assert first.endswith("tiles ??\n")
    listener.send_signal(signal.SIGINT)
    out, err = listener.communicate(timeout=20)
    assert listener.returncode == 130
    assert out.splitlines()[-1].endswith(b" frames, nothing damaged")
    assert err == b""
    assert select.select([port.master], [], [], 0)[0] == []


@pytest.mark.process
def test_the_tiles_of_a_real_table_are_refused(port: Port) -> None:
    listener = port.listen("--open")
    port.hear(on_the_wire(m.Abilities(Capability.SIMULATED), TILE))
    os.write(port.master, on_the_wire(m.Abilities(Capability.DICE), TILE))
    out, err = listener.communicate(timeout=20)
    assert listener.returncode == 3
    assert out.rstrip().endswith(b"tiles 5p")
    assert b"a real one: its tiles are not shown" in err


@pytest.mark.process
def test_a_port_that_another_program_holds_is_left_alone(port: Port) -> None:
    fcntl.flock(port.slave, fcntl.LOCK_EX | fcntl.LOCK_NB)
    listener = port.listen()
    _, err = listener.communicate(timeout=20)
    assert listener.returncode == 5
    assert b"is busy: " in err
    assert f"pid {os.getpid()}".encode() in err
