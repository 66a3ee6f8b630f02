"""Kill the daemon, pull the cable, reset the board in mid-hand: the table holds and comes back."""

from __future__ import annotations

import msgspec
import pytest

from tablectl.daemon.record import read_records
from tablectl.rehearsal.room import Setting
from tests.rehearsal.rig import Disturbed, Played, check, replayed

SEED = 11


class Killed:
    """A hand whose daemon dies right after record ``at`` was applied, durable or not."""

    def __init__(self, at: int, seed: int = SEED) -> None:
        self.at = at
        self.in_flight = False
        self.durable = b""
        self.restored = ""
        self.disturbed = Disturbed(Setting(seed=seed), self.trouble)
        self.played: Played = self.disturbed.play()

    def trouble(self, room, state, n, item):
        if n == self.at and room.life == 1:
            room.loop.create_task(self.kill(room))

    async def kill(self, room):
        self.durable = room.journal.data
        await room.kill()
        self.restored = replayed(self.durable)
        # the first input of the new life is `restart`; what it found is what the durable records give
        self.in_flight = room.core.state.table.order is not None


def verify_killed(killed: Killed) -> None:
    played = killed.played
    check(played)
    assert played.room.life == 2
    assert [hand["result"] for hand in played.report.hands] in (["win"], ["draw"])
    assert played.journal.startswith(killed.durable), "a durable record was rewritten"
    records = list(read_records(played.journal.splitlines(keepends=True)))
    restarts = [r for r in records if b'"kind":"restart"' in bytes(r.input)]
    assert len(restarts) == 1
    asked = {"restart", "link table"} & set(played.report.released)
    if killed.in_flight:
        assert asked, "a motion was in flight: a person should have looked"
    else:
        assert not asked, "no motion was in flight and both views agreed: nobody should have been asked"
    assert answers_kept(played.journal) == [], "an acknowledged command is not in the record"


def answers_kept(journal: bytes) -> list[int]:
    """Records of commands without their answer: there must be none."""
    found = []
    for record in read_records(journal.splitlines(True)):
        if record.has_input and msgspec.json.decode(record.input)["kind"] == "command" and record.out is None:
            found.append(record.n)
    return found


@pytest.mark.parametrize("tenth", range(1, 40))
def test_kill_at_every_tenth_record(tenth):
    verify_killed(Killed(tenth * 10))


@pytest.mark.parametrize("down", [30.0, 240.0])
@pytest.mark.parametrize("record", range(4, 40, 3))
def test_play_that_went_on_while_no_daemon_ran_is_taken_up(record, down):
    """The players raise no hand for a daemon: walls, throws, the deal and discards may all have happened
    meanwhile. What the board remembers of it is play, not a heap of irregularities."""

    def trouble(room, state, n, item):
        if n == record and room.life == 1:
            room.loop.create_task(room.kill(down=down))

    played = Disturbed(Setting(seed=SEED), trouble).play()
    check(played)
    assert [hand["result"] for hand in played.report.hands] in (["win"], ["draw"])
    assert not played.report.irregular


@pytest.mark.long
@pytest.mark.parametrize("record", range(2, 400))
def test_kill_at_every_record(record):
    verify_killed(Killed(record))


@pytest.mark.long
def test_the_kills_reach_the_end_of_the_hand():
    last = Disturbed(Setting(seed=SEED)).play().room.core.journal.head.n
    assert 350 <= last < 410, f"the hand of seed {SEED} has {last} records now: mend the ranges above"


def test_a_killed_daemon_goes_on_from_a_snapshot_of_the_hand_before():
    killed = []

    def trouble(room, state, n, item):
        if state.hand is not None and state.hand.no == 2 and state.hand.turns == 5 and room.life == 1:
            killed.append(n)
            room.loop.create_task(room.kill())

    played = Disturbed(Setting(seed=3), trouble, hands=2).play()
    check(played)
    assert len(killed) >= 1
    assert played.room.journal.beside
    assert len(played.report.hands) == 2


def test_nobody_is_charged_for_the_time_the_daemon_was_down():
    spent = {}

    def trouble(room, state, n, item):
        hand = state.hand
        if hand is None or hand.clock is None:
            return
        if room.life == 1 and hand.turns == 20 and hand.phase == "decide":
            spent["before"] = state.now - hand.clock.started
            room.loop.create_task(kill_for_a_minute(room))

    async def kill_for_a_minute(room):
        await room.kill(down=60.0)

    played = Disturbed(Setting(seed=SEED), trouble).play()
    check(played)
    assert not [i for i in played.report.irregular if i["what"] == "irregular.overtime"]
