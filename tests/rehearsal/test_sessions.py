"""Whole sessions of each rule system under virtual time: seats drawn, every hand, changes of seats, breaks,
the end. Ten of each system in the normal run, most of them short; three hundred in the long one.

Every invariant after each input, the record replays, nothing moves twice, points sum to zero, and a session
ends for the reason that results, ledger and breaks give.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from tablectl.game.state import SEATS
from tablectl.rehearsal.room import Setting
from tests.rehearsal.played import BOOK
from tests.rehearsal.whole import Whole, dealers, play_whole, rounds_of

SYSTEMS = ("mcr", "zungjung", "ccm", "wuhan")
SHORT = 3  # hands
LONG_PERFECT = range(1001, 1201)
LONG_CHAOS = range(2001, 2101)
CHUNK = 10


def setting(system: str, seed: int, preset: str = "perfect") -> Setting:
    """Odd seeds read every tile, even ones sense keys alone."""
    return Setting(rules=system, seed=seed, fidelity=("count", "identity")[seed % 2], preset=preset)


@cache
def whole(system: str, seed: int, preset: str = "perfect") -> Whole:
    """A session with all its hands, which several tests look at."""
    return play_whole(setting(system, seed, preset))


@pytest.mark.parametrize("seed", [1, 2], ids=["identity", "count"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_whole_session_ends_and_everything_holds(system: str, seed: int) -> None:
    played = whole(system, seed)
    assert played.wrong == []
    assert {result["result"] for result in played.counted} <= {"win", "draw", "aborted"}
    assert len(played.counted) >= 12 or played.state.session.ended == "broke"
    assert played.state.session.seatings[0].how == BOOK[system].session.seats.value


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_whole_session_ends_where_everything_goes_wrong(system: str) -> None:
    played = whole(system, 4, "chaos")
    assert played.wrong == []
    assert played.kills > 3


@pytest.mark.parametrize("seed", [3, 5, 7, 9, 11, 6])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_short_session_ends_and_everything_holds(system: str, seed: int) -> None:
    played = play_whole(setting(system, seed), hands=SHORT)
    assert played.wrong == []
    ended = played.state.session.ended
    assert (ended, len(played.counted)) == ("hands", SHORT) or (system, ended) == ("ccm", "broke")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_short_session_ends_where_everything_goes_wrong(system: str) -> None:
    played = play_whole(setting(system, 13, "chaos"), hands=SHORT)
    assert played.wrong == []


# what each system asks of a session


@pytest.mark.rule("MCR-D1")
@pytest.mark.rule("MCR-D2")
@pytest.mark.rule("MCR-T4")
@pytest.mark.parametrize("seed", [1, 2])
def test_in_sixteen_hands_everybody_has_sat_everywhere(seed: int) -> None:
    played = whole("mcr", seed)
    session = played.state.session
    assert session.ended == "hands"
    assert [result["round"] for result in played.counted] == [wind for wind in "ESWN" for _ in SEATS]
    for start in range(0, 16, 4):
        assert len(set(dealers(played)[start : start + 4])) == 4
    lines = session.seatings
    assert [(line.hand, line.how) for line in lines] == [
        (1, "lot"),
        *((hand, "change") for hand in (5, 9, 13)),
    ]
    for side in range(4):
        assert len({line.sides[side] for line in lines}) == 4
    [rest] = session.breaks
    assert (rest.kind, rest.by, rest.planned) == ("planned", "command", 900 * 1_000_000)
    assert rest.ended is not None
    assert rest.ended - rest.started >= rest.planned


@pytest.mark.rule("ZJ-W4")
@pytest.mark.rule("ZJ-F2")
@pytest.mark.rule("ZJ-F4")
@pytest.mark.rule("ZJ-W13")
@pytest.mark.parametrize("seed", [1, 2])
def test_seats_are_drawn_by_throws_and_again_after_eight_hands(seed: int) -> None:
    played = whole("zungjung", seed)
    lines = played.state.session.seatings
    assert [(line.hand, line.how) for line in lines] == [(1, "throws"), (9, "throws")]
    firsts = [dealers(played)[at] for at in range(0, 16, 4)]
    assert firsts == [lines[0].sides[0]] * 2 + [lines[1].sides[0]] * 2
    assert len(played.counted) == 16


@pytest.mark.rule("CJ-D1")
@pytest.mark.rule("CJ-F2")
@pytest.mark.rule("CJ-F3")
@pytest.mark.rule("CJ-F4")
@pytest.mark.parametrize("seed", [1, 2])
def test_the_rounds_are_played_or_the_hand_in_progress_is_the_last(seed: int) -> None:
    played = whole("ccm", seed)
    ended = played.state.session.ended
    assert ended in ("hands", "time", "broke")
    assert all(result["result"] in ("win", "draw") for result in played.counted), "it is finished"
    assert ended == "broke" or len(played.counted) > rounds_of(played)[-1] * 4


@pytest.mark.rule("CJ-F4")
@pytest.mark.rule("CJ-S8")
@pytest.mark.parametrize(("seed", "stake"), [(1, 0), (22, 40)], ids=["counted by the book", "entered"])
def test_two_players_without_points_end_it(seed: int, stake: int) -> None:
    played = play_whole(setting("ccm", seed), stake=stake) if stake else whole("ccm", seed)
    session = played.state.session
    assert played.wrong == []
    assert session.ended == "broke"
    assert sum(player.points == 0 for player in session.players) == 2
    assert all(player.points >= 0 for player in session.players), "nobody pays more than he holds"


@pytest.mark.rule("CJ-F2")
@pytest.mark.rule("CJ-S10")
def test_in_four_stages_nobody_sits_in_the_same_seat_twice() -> None:
    played = play_whole(setting("ccm-4x2", 2))
    session = played.state.session
    assert played.wrong == []
    assert (session.stage, len(session.seatings)) == (4, 4)
    for side in range(4):
        assert len({line.sides[side] for line in session.seatings}) == 4
    assert [rest.kind for rest in session.breaks] == ["planned"] * len(session.breaks)


@pytest.mark.rule("WH-D1")
@pytest.mark.rule("WH-T1")
@pytest.mark.parametrize("seed", [1, 2])
def test_sixteen_hands_in_which_winner_and_draw_keep_the_deal(seed: int) -> None:
    played = whole("wuhan", seed)
    assert len(played.counted) == 16
    for result, following in zip(played.counted, dealers(played)[1:], strict=False):
        kept = result["result"] == "draw" or result["winner"] == result["dealer"]
        assert (following == result["dealer"]) is kept
    assert played.state.session.breaks == []


@pytest.mark.parametrize("by", ["lot", "throws", "software"])
def test_seats_are_drawn_in_each_of_the_three_ways(by: str) -> None:
    orders = [play_whole(setting("wuhan", seed), by=by, hands=1) for seed in (31, 33, 35)]
    assert [played.wrong for played in orders] == [[], [], []]
    assert {played.state.session.seatings[0].how for played in orders} == {by}
    assert len({tuple(played.state.session.seatings[0].sides) for played in orders}) > 1


# the long run


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, len(LONG_PERFECT), CHUNK))
@pytest.mark.parametrize("system", SYSTEMS)
def test_many_whole_sessions(system: str, start: int) -> None:
    seeds = LONG_PERFECT[start : start + CHUNK]
    played = {seed: play_whole(setting(system, seed)) for seed in seeds}
    assert {seed: one.wrong for seed, one in played.items() if one.wrong} == {}
    ends = Counter(one.state.session.ended for one in played.values())
    assert set(ends) <= ({"hands", "time", "broke"} if BOOK[system].session.time_s.value else {"hands"})


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, len(LONG_CHAOS), CHUNK))
@pytest.mark.parametrize("system", SYSTEMS)
def test_many_whole_sessions_where_everything_goes_wrong(system: str, start: int) -> None:
    seeds = LONG_CHAOS[start : start + CHUNK]
    wrong = {seed: play_whole(setting(system, seed, "chaos")).wrong for seed in seeds}
    assert {seed: found for seed, found in wrong.items() if found} == {}
