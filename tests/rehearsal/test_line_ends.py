"""What no error tells of: a far end gone without a word, a board that a restart of the daemon resets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from protocols.atp import messages as m
from protocols.atp.dictionary import TIMING
from protocols.atp.frame import FrameReader
from protocols.driver import Counters
from sim.timebase import pause, run_virtual
from tablectl.daemon.record import read_records
from tablectl.daemon.restore import input_of
from tablectl.game.inputs import AnyInput, LinkChange
from tablectl.game.state import State
from tablectl.rehearsal.room import Room, Setting
from tests.rehearsal.rig import BOOK, Disturbed, check

MARGIN_S = 0.5
BOOTS_AT = 60  # record after which the daemon is started anew
WAYS = {  # what is lost to the host, to the board; seconds of silence until the host misses the board
    "neither way": (True, True, TIMING.silence),
    "nothing comes back": (True, False, TIMING.silence),
    "nothing arrives": (False, True, 2 * TIMING.silence),  # the board first misses the host, and falls silent
}


def links(journal: bytes) -> list[tuple[str, str]]:
    """States and words of the link, as recorded."""
    items = (input_of(r) for r in read_records(journal.splitlines(keepends=True)) if r.has_input)
    return [(item.state, item.word) for item in items if isinstance(item, LinkChange)]


@pytest.mark.parametrize(("to_host", "to_board", "silence"), WAYS.values(), ids=WAYS)
def test_a_far_end_that_vanishes_without_a_word_is_missed_by_its_signs_of_life(
    to_host: bool, to_board: bool, silence: float
) -> None:
    """As a half-open connection: the port stays, every write succeeds, no end of file ever comes."""

    async def main() -> None:
        room = Room(Setting(seed=3), BOOK)
        client = room.client("kim")
        while room.link.state != "online":
            await pause(0.1)
        await client.command("session start", rules="mcr")
        await client.command("hand start")
        await pause(10)
        assert room.table.machine.moving(), "the walls are being built"
        room.line.to_host.deaf, room.line.to_board.deaf = to_host, to_board
        gone, sent = room.loop.time(), room.link.quality()["bytes_sent"]
        while room.link.state == "online":
            assert room.loop.time() - gone < silence + MARGIN_S
            assert not room.line.line.cuts
            await pause(0.05)
        assert room.loop.time() - gone >= silence - TIMING.beat_moving, "heard just before"
        assert room.link.quality()["bytes_sent"] > sent, "it wrote, and no write failed"
        assert room.link.quality()["last_loss"]["word"] == "board_silent"
        await pause(TIMING.silence)
        assert to_board != room.table.machine.moving(), "what a host ordered rests without that host"
        assert "link table" in room.core.state.holds
        room.line.to_host.deaf = room.line.to_board.deaf = False
        while room.link.state != "online":
            assert room.loop.time() - gone < 60
            await pause(0.1)
        assert not room.log.moved_twice()
        journal = await room.close()
        assert ("lost", "board_silent") in links(journal)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run_virtual(main())


class Restart:
    """A board whose controller resets whenever its port is opened, and prints as it boots."""

    def __init__(self) -> None:
        self.sent: list[tuple[float, bytes]] = []  # by the new daemon, when
        self.booted = 0.0
        self.disturbed = Disturbed(Setting(seed=11), self.trouble)
        self.played = self.disturbed.play()

    def trouble(self, room: Room, state: State, n: int, item: AnyInput) -> None:
        if n == BOOTS_AT and room.life == 1:
            room.loop.create_task(self.restart(room))
        if room.life == 2 and not self.booted and isinstance(item, LinkChange) and item.state == "reconcile":
            self.booted = room.loop.time()

    async def restart(self, room: Room) -> None:
        await pause(0.1)  # it is told to end, so all it knows is on the disk
        await room.kill()
        room.line.line.to_b = self.overhear(room, room.line.line.to_b)
        room.table.reboot()
        room.table.inject("now: text")

    def overhear(self, room: Room, onward: Callable[[bytes], list[bytes]]) -> Callable[[bytes], list[bytes]]:
        def heard(data: bytes) -> list[bytes]:
            self.sent.append((room.loop.time(), data))
            return onward(data)

        return heard


@pytest.mark.report("B003")
def test_a_board_that_a_restart_of_the_daemon_resets_is_waited_for() -> None:
    """The walls are up and a hand is played. Into the boot loader goes nothing but the greeting, which asks
    for nothing and moves nothing, again and again until it is answered."""
    restart = Restart()
    played = restart.played
    check(played)
    states = links(played.journal)
    assert ("reconcile", "board_rebooted") in states
    assert restart.booted
    reader = FrameReader(Counters())
    early = [f.type for at, data in restart.sent if at < restart.booted - 0.5 for f in reader.feed(data)]
    assert len(early) > 3
    assert set(early) == {m.HelloAsk.TYPE}
    assert "link table" in played.asked_holds, "shown, and asked of the referee"
    assert len(played.report.hands) == 1
