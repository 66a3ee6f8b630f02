"""A dirty line, a pulled cable, a board that resets: with frames, retransmission and events for real."""

from __future__ import annotations

import pytest

from protocols.atp.frame import Frame, FrameReader
from tablectl.rehearsal.room import Setting
from tests.rehearsal.rig import Disturbed, check

LIGHT = (0.002, 0.001)  # a frame in ten lost
HEAVY = (0.02, 0.01)  # half the frames lost
HARD_HOLDS = ("link table",)


def noisy(seed: int, damage: float, drop: float):
    def trouble(room, state, n, item):
        for noise in (room.line.to_host, room.line.to_board):
            noise.damage, noise.drop = damage, drop

    return Disturbed(Setting(seed=seed), trouble).play()


class Witness:
    """Stands behind the noise at both ends and knows what was sent: what a reader gets is either a frame
    somebody sent, whole, or damage; damage includes frames run together and frames cut in two."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: set[bytes] = set()
        self.accepted: list[bytes] = []
        self.heard: dict[int, bytearray] = {}  # by reader
        self.readers: list[FrameReader] = []
        to_bytes, feed = Frame.to_bytes, FrameReader.feed

        def sending(frame: Frame) -> bytes:
            data = to_bytes(frame)
            self.sent.add(data.strip(b"\0"))
            return data

        def feeding(reader: FrameReader, data: bytes) -> list[Frame]:
            if id(reader) not in self.heard:
                self.readers.append(reader)  # kept, so that no other gets its id
            self.heard.setdefault(id(reader), bytearray()).extend(data)
            frames = feed(reader, data)
            self.accepted += [to_bytes(frame).strip(b"\0") for frame in frames]
            return frames

        monkeypatch.setattr(Frame, "to_bytes", sending)
        monkeypatch.setattr(FrameReader, "feed", feeding)

    def counters_agree(self) -> int:
        """Damaged pieces in all; each end must have refused exactly those it got."""
        refused = 0
        for reader in self.readers:
            pieces = bytes(self.heard[id(reader)]).split(b"\0")[:-1]
            damaged = sum(bool(piece) and piece not in self.sent for piece in pieces)
            assert reader._counters.crc_errors == damaged
            refused += damaged
        return refused


@pytest.fixture
def witness(monkeypatch):
    return Witness(monkeypatch)


@pytest.mark.parametrize("seed", range(6))
def test_light_noise_costs_no_hold(seed, witness):
    played = noisy(seed, *LIGHT)
    check(played)
    assert played.asked_holds in ([], ["no table"])
    assert set(witness.accepted) <= witness.sent
    assert len(witness.readers) == 2, "one connection, both its ends"
    assert witness.counters_agree() > 0


@pytest.mark.parametrize("seed", range(6))
def test_heavy_noise_is_only_slow(seed, witness):
    played = noisy(seed, *HEAVY)
    check(played)
    assert len(played.report.hands) == 1
    assert set(witness.accepted) <= witness.sent
    assert witness.counters_agree() > 100


def unplugged(seed, at, seconds):
    """Pull the cable after input ``at``."""
    times = {}

    def trouble(room, state, n, item):
        device = state.devices.get("table")
        if n == at and "out" not in times:
            times["out"] = state.now
            room.line.unplug()
            room.loop.call_later(seconds, replug, room)
        if "in" in times and "online" not in times and device and device.link == "online":
            times["online"] = state.now

    def replug(room):
        times["in"] = room.clock.now_us()
        room.line.replug()

    return Disturbed(Setting(seed=seed), trouble).play(), times


@pytest.mark.parametrize("at", [12, 20, 25, 60, 150, 250])
@pytest.mark.parametrize("seconds", [0.2, 5.0, 120.0])
@pytest.mark.report("B025")
def test_a_pulled_cable_holds_and_comes_back_within_a_second(at, seconds):
    played, times = unplugged(11, at, seconds)
    check(played)
    assert times["online"] - times["in"] <= 1_000_000
    assert "link table" in played.asked_holds
    assert not [i for i in played.report.irregular if i["what"] == "irregular.overtime"]


def rebooted(seed, at, off):
    def trouble(room, state, n, item):
        if n == at and room.table.board is not None:
            room.loop.call_soon(room.table.reboot, off)

    return Disturbed(Setting(seed=seed), trouble).play()


@pytest.mark.parametrize("at", [12, 20, 25, 60, 150, 250])
def test_a_board_that_resets_is_a_question_to_the_referee(at):
    played = rebooted(11, at, 0.0)
    check(played)
    assert "link table" in played.report.released or "order" in played.report.released


@pytest.mark.parametrize("seed", range(4))
def test_lost_and_late_replies_move_nothing_twice(seed):
    def trouble(room, state, n, item):
        if n % 40 == 10:
            room.table.lose_replies(2)
        if n % 40 == 30:
            room.table.delay_replies(2.0, 1)

    played = Disturbed(Setting(seed=seed), trouble).play()
    check(played)
