"""Each word from its own evidence, told once."""

from __future__ import annotations

import pytest

from protocols.driver import Counters, Gone, Rejected
from protocols.errors import PortBusy, PortForbidden, PortMissing, PortUnusable
from protocols.vocabulary import EventKind, Fault
from tablectl.daemon.link import evidence as evidence_room
from tablectl.daemon.link.evidence import Evidence
from tablectl.daemon.link.words import Word, judge, opening_word


def clean(room) -> None:
    """Nothing but the end itself."""


def dirty(room) -> None:
    """One frame in three damaged in the last seconds."""
    room.board.live.counters.crc_errors += 30
    room.board.live.counters.frames_received += 60


def long_ago_dirty(room) -> None:
    dirty(room)
    room.run(20.0)


def dip(room) -> None:
    room.board.senses(EventKind.POWER_DIP, value=4380)


def under_voltage_fault(room) -> None:
    room.board.senses(EventKind.FAULT_SET, value=Fault.UNDERVOLTAGE)


def other_fault(room) -> None:
    room.board.senses(EventKind.FAULT_SET, value=Fault.CHAIN_JAM)


def dip_long_ago(room) -> None:
    dip(room)
    room.run(20.0)


def old_dip_told_late(room) -> None:
    """The dip was 50 s ago; only the event came just now."""
    room.board.senses(EventKind.POWER_DIP, value=4380, board_us=room.board.us() - 50_000_000)


def stall(room) -> None:
    """This process did not run for two seconds."""
    room.loop.stall(2.0)


def stall_noticed_before(room) -> None:
    stall(room)
    room.run(0.01)


CASES = {
    "port vanished": (clean, "port", "cable_pulled"),
    "silence on a clean line": (clean, "silent", "board_silent"),
    "silence on a dirty line": (dirty, "silent", "line_noise"),
    "errors on a dirty line": (dirty, "errors", "line_noise"),
    "a line that was dirty long ago": (long_ago_dirty, "silent", "board_silent"),
    "errors only": (clean, "errors", "errors"),
    "dip, then silence": (dip, "silent", "under_voltage"),
    "dip, then the port vanished": (dip, "port", "under_voltage"),
    "under-voltage fault, then silence": (under_voltage_fault, "silent", "under_voltage"),
    "another fault, then silence": (other_fault, "silent", "board_silent"),
    "dip long ago": (dip_long_ago, "silent", "board_silent"),
    "dip of long ago told late": (old_dip_told_late, "silent", "board_silent"),
    "we stood still": (stall, "silent", "host_stalled"),
    "we stood still, noticed": (stall_noticed_before, "silent", "host_stalled"),
    "we stood still and the cable went": (stall, "port", "cable_pulled"),
    "the other end closed": (clean, "closed", "closed"),
}


@pytest.mark.parametrize(("before", "key", "word"), CASES.values(), ids=CASES.keys())
def test_word_of_a_loss(room, before, key: str, word: str) -> None:
    room.online()
    before(room)
    room.board.gone(key)
    assert room.states()[0] == ("lost", word)


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (PortMissing("/dev/table"), "missing"),
        (PortBusy("/dev/table", 77, "modemmanager"), "busy"),
        (PortForbidden("/dev/table", "dialout"), "forbidden"),
        (PortUnusable("/dev/table", "not a tty"), "unusable"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_word_of_a_port_that_does_not_open(room, error, word: str) -> None:
    room.board.port_error = error
    room.make().start()
    room.run(60.0)
    assert room.states() == [("backoff", word)], "told once, not once a try"
    assert room.tries() > 5
    assert room.changes("backoff")[0].detail["port"] == "/dev/table"


def test_error_of_another_kind_is_reported_and_tried_again(room) -> None:
    room.board.port_error = ZeroDivisionError("a bug")  # type: ignore[assignment]
    room.make().start()
    room.run(1.0)
    assert room.states() == [("backoff", "failed")]
    assert room.complaints
    room.complaints.clear()
    room.board.port_error = None
    room.run(10.0)
    assert room.link.state == "online"


def test_stall_without_a_loss_is_counted(room) -> None:
    link = room.online()
    stall(room)
    room.run(1.0)
    assert link.state == "online"
    assert link.quality()["stalls"] == 1


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(evidence_room.JUST_BEFORE - 0.1, "under_voltage"), (evidence_room.JUST_BEFORE + 0.1, "board_silent")],
)
def test_how_long_a_dip_explains_a_silence(room, seconds: float, told: str) -> None:
    room.online()
    dip(room)
    room.run(seconds)
    room.board.gone("silent")
    assert room.states()[0] == ("lost", told)
    if told == "under_voltage":
        assert room.changes("lost")[0].detail["millivolts"] == 4380


@pytest.mark.parametrize(
    "report", [Rejected("version", "2..3"), Gone("version", "2..3")], ids=["rejected", "gone"]
)
def test_no_version_in_common_is_final(room, report) -> None:
    room.board.mute_at = "hello"
    room.make().start()
    room.run(0.1)
    room.board.says(report)
    room.run(60.0)
    assert room.states() == [("refused", "version")]
    assert room.tries() == 1


def test_single_complaint_of_the_peer_ends_nothing(room) -> None:
    link = room.online()
    room.board.says(Rejected("unknown_type", "0x7f"))
    room.run(1.0)
    assert link.state == "online"
    assert room.told == []


@pytest.mark.parametrize(
    ("bad", "good", "heard", "noisy"),
    [(2, 20, 900, False), (3, 100, 4000, False), (3, 0, 40, True), (0, 0, 60, True), (0, 0, 3, False)],
    ids=["two damaged", "few among many", "all damaged", "bytes without a frame", "a crumb"],
)
def test_how_dirty_a_line_is(room, bad: int, good: int, heard: int, noisy: bool) -> None:
    made, evidence = room.driver(), Evidence(room.loop)
    evidence.watch(made)
    made.counters = Counters(crc_errors=bad, frames_received=good, bytes_received=heard)
    word, _ = judge("silent", "", evidence, room.loop.time())
    assert word is (Word.LINE_NOISE if noisy else Word.BOARD_SILENT)


def test_bytes_before_the_last_good_frame_are_no_noise(room) -> None:
    made, evidence = room.driver(), Evidence(room.loop)
    evidence.watch(made)
    made.counters = Counters(frames_received=100, bytes_received=4000)
    room.run(1.5)
    assert judge("silent", "", evidence, room.loop.time()) == (Word.BOARD_SILENT, {})


def test_unheard_of_opening_error_is_failed() -> None:
    assert opening_word("port.on_fire") is Word.FAILED
