"""Seeded hands under virtual time: each ends, the invariants hold after every input, the record replays to
the same state, the tiles lie where the daemon believes them, nothing moved twice; a seed gives its bytes.

Fifty seeds in the normal run, a thousand in the long one; odd seeds sense keys only, even ones every tile.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter

import pytest

from tablectl.daemon.record import read_records
from tablectl.daemon.restore import input_of
from tablectl.game import step as game
from tablectl.game.inputs import BoardEvent
from tablectl.rehearsal.room import Setting
from tests.rehearsal.played import BOOK, Played, play_session

FIDELITIES = ("identity", "count")
CHUNK = 10
NORMAL = range(1, 51)
ALL = range(1, 1001)


def setting(seed: int) -> Setting:
    return Setting(seed=seed, fidelity=FIDELITIES[seed % 2])


def chunks(seeds: range) -> list[range]:
    return [seeds[at : at + CHUNK] for at in range(0, len(seeds), CHUNK)]


def play_all(seeds: range) -> list[Played]:
    played = [play_session(setting(seed)) for seed in seeds]
    assert [(p.setting.seed, failures) for p in played if (failures := p.failures())] == []
    return played


@pytest.mark.report("B039")
@pytest.mark.parametrize("seeds", chunks(NORMAL), ids=str)
def test_a_seeded_hand_ends_and_everything_holds(seeds: range) -> None:
    played = play_all(seeds)
    # Hands that are over before anybody has played would prove nothing.
    assert sum(p.report.hands[0]["turns"] for p in played) > 20 * len(played)
    assert {p.report.hands[0]["result"] for p in played} <= {"win", "draw"}


@pytest.mark.long
@pytest.mark.parametrize("seeds", chunks(ALL[len(NORMAL) :]), ids=str)
def test_a_thousand_seeded_hands(seeds: range) -> None:
    play_all(seeds)


def test_a_session_of_hands_goes_on_from_one_to_the_next() -> None:
    played = play_session(Setting(seed=77), hands=3)
    assert played.failures(hands=3) == []
    hands = played.report.hands
    assert [hand["hand"] for hand in hands] == [1, 2, 3]
    assert [hand["dealer"] for hand in hands] == ["p0", "p1", "p2"]  # MCR-D1


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, id="3")])
def test_a_seed_gives_its_journal_byte_for_byte(seed: int) -> None:
    assert play_session(setting(seed)).record == play_session(setting(seed)).record


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4, 51))
def test_fifty_seeds_give_their_journals_byte_for_byte(seed: int) -> None:
    test_a_seed_gives_its_journal_byte_for_byte(seed)


@pytest.mark.report("B039")
@pytest.mark.parametrize("seed", [2, 4, 30])
def test_the_wall_is_right_after_every_tile_live_and_replayed(seed: int) -> None:
    """Seeds with flowers and kongs; the tiles of the wall are counted from what the board said alone."""
    played = play_session(setting(seed))
    state, drawn, melds = game.new_state(), 0, set()
    for record in read_records(played.record.splitlines(keepends=True)):
        if not record.has_input:
            continue
        item = input_of(record)
        game.step(state, record.n, record.at, record.unc, item, BOOK)
        if isinstance(item, BoardEvent):
            drawn += item.event == "tile_drawn"
            melds |= {item.value} if item.event == "meld_shown" else set()
        if state.hand is not None:
            assert state.hand.wall_left == state.hand.total - drawn, f"record {record.n}"
    assert drawn > 60
    assert melds & {3, 4, 5, 6}  # kongs and flowers: tiles from the tail


def test_another_seed_is_another_hand() -> None:
    records = Counter(play_session(setting(seed)).record for seed in (2, 4, 6))
    assert max(records.values()) == 1


ELSEWHERE = """
import hashlib, sys
from tests.rehearsal.test_hands import play_session, setting
print(hashlib.sha256(play_session(setting(int(sys.argv[1]))).record).hexdigest())
"""


@pytest.mark.process
@pytest.mark.parametrize("hash_seed", ["1", "424242"])
def test_the_bytes_do_not_hang_on_the_process(hash_seed: str) -> None:
    there = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, "2"],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert there.returncode == 0, there.stderr
    assert there.stdout.strip() == hashlib.sha256(play_session(setting(2)).record).hexdigest()
