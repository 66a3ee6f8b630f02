"""Seats: drawn by lot, by throws, by software; changed between rounds; set right with the hands replayed."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.game import fairdraw, ledger, seating
from tablectl.game.view import view
from tests.game.evening import ORDER, SECRET, Evening

PLAYERS = ("p0", "p1", "p2", "p3")


def test_without_a_draw_people_sit_as_named():
    t = Evening(east="p2")
    assert t.seats == list(PLAYERS)
    t.open()
    assert t.winds() == {"E": "p2", "S": "p3", "W": "p0", "N": "p1"}


# lots


@pytest.mark.rule("CJ-F9")
def test_who_drew_east_sits_at_side_0_and_deals_first():
    t = Evening("ccm", draw=True)
    assert t.session.phase == "seating"
    assert t.no("hand start").key == "refused.seats_not_drawn"
    t.lots("p2", "p0", "p3", "p1")
    assert (t.session.phase, t.seats) == ("running", ["p2", "p0", "p3", "p1"])
    t.open()
    assert t.winds() == {"E": "p2", "S": "p0", "W": "p3", "N": "p1"}


def test_three_lots_name_the_fourth():
    t = Evening(draw=True)
    t.ok("seat draw", east="p3", south="p2", north="p0")
    assert t.seats == ["p3", "p2", "p1", "p0"]


@pytest.mark.parametrize(
    ("found", "key"),
    [
        ({"east": "p0", "south": "p0", "west": "p1", "north": "p2"}, "refused.seated_twice"),
        ({"east": "p0", "south": "p1"}, "refused.seats_incomplete"),
    ],
    ids=["twice", "two of four"],
)
def test_lots_that_seat_nobody_or_somebody_twice_are_refused(found, key):
    assert Evening(draw=True).no("seat draw", **found).key == key


def test_no_seats_are_drawn_in_mid_session():
    assert Evening().no("seat draw", by="throws").key == "refused.not_seating"


@pytest.mark.rule("CJ-F2")
def test_nobody_sits_in_the_same_seat_in_two_stages():
    t = Evening("ccm", hands=1, stages=4, east="p1")
    t.play("S")
    answer = t.no("seat draw", **dict(zip(ORDER, ("p3", "p2", "p1", "p0"), strict=True)))
    assert (answer.key, answer.data["player"], answer.data["wind"]) == ("refused.seat_again", "p2", "S")
    t.lots("p0", "p1", "p2", "p3")
    t.play("S")
    assert t.no("seat draw", **dict(zip(ORDER, ("p0", "p3", "p1", "p2"), strict=True))).data["player"] == "p0"
    t.lots("p2", "p3", "p0", "p1")
    t.play("S")
    t.lots("p3", "p0", "p1", "p2")
    t.play("S")
    assert t.session.phase == "over"


# throws


def thrown(*throws: tuple[int, int]) -> Evening:
    t = Evening("zungjung", draw=True)
    t.ok("seat draw")
    assert t.session.draw.by == "throws"
    for a, b in throws:
        t.ok("seat throw", first=a, second=b)
    return t


@pytest.mark.rule("ZJ-W4")
@pytest.mark.parametrize(
    ("throws", "thrower", "end", "taker"),
    [
        (((2, 3), (4, 4)), 0, "even", 3),  # 5 = himself; 8 = his upper seat, side 3
        (((1, 1), (1, 2)), 1, "odd", 3),  # 2 = the lower seat, side 1; 3 = opposite of side 1
        (((6, 6), (6, 6)), 3, "even", 2),  # 12 = upper, side 3; 12 = upper of side 3
        (((5, 6), (4, 5)), 2, "odd", 2),  # 11 = opposite; 9 = himself
    ],
    ids=["5 8", "2 3", "12 12", "11 9"],
)
def test_two_throws_name_who_takes_first_and_from_which_end(throws, thrower, end, taker):
    t = thrown(*throws)
    draw = t.session.draw
    assert (draw.thrower, draw.end, draw.taker) == (thrower, end, taker)


@pytest.mark.rule("ZJ-W4")
@pytest.mark.rule("ZJ-W13")
def test_players_take_counter_clockwise_and_who_finds_east_deals():
    t = thrown((2, 3), (4, 4))
    assert t.ok("seat take", wind="W") == {"next": "p0"}
    assert t.ok("seat take", wind="E") == {"next": "p1"}
    t.ok("seat take", wind="N")
    assert t.seats == ["p0", "p2", "p3", "p1"]
    assert t.session.phase == "running"
    t.open()
    assert t.winds()["E"] == "p0"


@pytest.mark.rule("ZJ-W4")
def test_the_dice_of_the_table_stand_for_the_throws():
    t = Evening("zungjung", draw=True)
    t.ok("seat draw", by="throws")
    t.event("dice_result", 2, 1 | 3 << 4)  # side 2 throws 4: its upper seat, side 1
    t.event("dice_result", 1, 2 | 5 << 4)
    draw = t.session.draw
    assert (draw.thrower, draw.end, draw.taker) == (1, "odd", 3)


@pytest.mark.rule("ZJ-W4")
def test_what_contradicts_the_throws_is_flagged_and_stands():
    t = thrown((2, 3), (4, 4))
    t.ok("seat take", wind="W", player="p1")  # p3 takes first
    t.ok("seat take", wind="W", player="p3")  # two have found West
    keys = [flag["what"] for flag in t.published("event.irregular")]
    assert keys == ["irregular.draw_order", "irregular.wind_twice"]
    assert t.session.draw.taken == {"W": "p3"}
    assert {flag["rule"] for flag in t.published("event.irregular")} == {"ZJ-W4"}


@pytest.mark.rule("ZJ-W4")
def test_the_wrong_second_thrower_is_flagged():
    t = Evening("zungjung", draw=True)
    t.ok("seat draw")
    t.ok("seat throw", first=2, second=3, player="p0")
    t.ok("seat throw", first=2, second=3, player="p1")
    assert t.published("event.irregular")[0]["what"] == "irregular.draw_thrower"


@pytest.mark.rule("ZJ-W4")
def test_the_row_is_asked_in_its_order():
    t = Evening("zungjung", draw=True)
    assert t.no("seat take", wind="E").key == "refused.no_row"
    t.ok("seat draw")
    assert t.no("seat take", wind="E").key == "refused.throw_first"
    for _ in range(2):
        t.ok("seat throw", first=1, second=1)
    assert t.no("seat throw", first=1, second=1).key == "refused.no_throw_awaited"


@pytest.mark.rule("ZJ-F4")
def test_seats_are_drawn_again_after_half_a_session():
    t = thrown((2, 3), (2, 3))
    for wind in "ESW":
        t.ok("seat take", wind=wind)
    for _ in range(8):
        t.play("S")
    assert (t.session.phase, t.session.redraw, t.session.stage) == ("seating", True, 1)
    t.score(-8, 8)
    points = t.points
    t.ok("seat draw", **dict(zip(ORDER, ("p3", "p1", "p0", "p2"), strict=True)))
    assert t.points == points
    t.open()
    assert (t.winds()["E"], t.hand.round, t.hand.dealer) == ("p3", "W", 0)


@pytest.mark.rule("ZJ-F4")
def test_given_seats_are_not_drawn_again():
    t = Evening("zungjung")
    for _ in range(9):
        t.play("S")
    assert t.session.phase == "running"


# software


def test_software_commits_itself_before_anybody_chooses():
    t = Evening(draw=True)
    t.chance()
    (told,) = t.published("event.draw_committed")
    assert told["commitment"] == sha256(SECRET.encode()).hexdigest()
    for at, player in enumerate(PLAYERS):
        assert SECRET not in f"{t.effects} {view(t.state, t.now, open=True)}"
        t.ok("seat contribute", player=player, number=at * 7)
    (shown,) = t.published("event.draw_revealed")
    assert (shown["secret"], shown["numbers"]) == (SECRET, [0, 7, 14, 21])
    among = fairdraw.orders(PLAYERS)
    assert t.seats == list(fairdraw.outcome(SECRET, {p: 7 * n for n, p in enumerate(PLAYERS)}, among))
    assert t.session.phase == "running"


def test_a_number_is_given_once_and_only_to_a_draw():
    t = Evening(draw=True)
    assert t.no("seat contribute", player="p0", number=1).key == "refused.no_software_draw"
    assert t.no("seat draw", by="software").key == "refused.no_secret"
    t.chance()
    t.ok("seat contribute", player="p0", number=1)
    assert t.no("seat contribute", player="p0", number=2).key == "refused.contributed"


def test_a_key_at_each_seat_contributes_its_time():
    t = Evening(draw=True)
    t.chance()
    for side in (2, 0, 3, 1):
        t.wait(1.37)
        t.press(side, "discard")
        t.press(side, "discard")  # the first press counts
    (shown,) = t.published("event.draw_revealed")
    assert len(set(shown["numbers"])) == 4
    assert t.session.phase == "running"


def test_a_press_made_before_the_commitment_contributes_nothing():
    t = Evening(draw=True)
    t.wait(5)
    t.chance()
    t.press(1, "discard", at=t.now - 1)
    assert t.session.draw.numbers == {}


def test_a_draw_given_up_shows_its_secret():
    t = Evening(draw=True)
    t.chance()
    t.chance("other")
    assert t.published("event.draw_given_up")[0]["secret"] == SECRET


@pytest.mark.rule("CJ-F2")
def test_software_never_seats_anybody_where_he_sat():
    for at in range(8):
        t = Evening("ccm", hands=1, stages=2)
        t.play("S")
        t.chance(f"secret {at}")
        for player in PLAYERS:
            t.ok("seat contribute", player=player, number=at)
        assert all(now != before for now, before in zip(t.seats, PLAYERS, strict=True))


def test_every_order_is_as_likely():
    among = fairdraw.orders(PLAYERS)
    assert len(among) == 24
    drawn = Counter(fairdraw.outcome(str(at), dict.fromkeys(PLAYERS, at), among) for at in range(4800))
    chi = sum((drawn[order] - 200) ** 2 / 200 for order in among)
    assert chi < 49.7  # 23 degrees of freedom, one in a thousand


@given(st.lists(st.permutations(PLAYERS), max_size=3))
def test_orders_never_repeat_a_seat(earlier):
    for order in fairdraw.orders(PLAYERS, earlier):
        assert all(a != b for old in earlier for a, b in zip(order, old, strict=True))


# between rounds


@pytest.mark.rule("MCR-D2")
@settings(deadline=None, max_examples=12)
@given(st.permutations(PLAYERS), st.lists(st.sampled_from(["E", "S", None]), min_size=16, max_size=16))
def test_every_player_starts_from_every_wind_and_sits_on_every_side(order, winners):
    t = Evening(draw=True)
    t.lots(*order)
    winds, sides = [], []
    for at, winner in enumerate(winners):
        t.play(winner) if at % 4 else winds.append(first_of_round(t, winner, sides))
    assert t.session.ended == "hands"
    for player in PLAYERS:
        assert sorted(next(w for w, p in start.items() if p == player) for start in winds) == list("ENSW")
        assert sorted(seats.index(player) for seats in sides) == [0, 1, 2, 3]
    starts = [[next(w for w, p in start.items() if p == player) for start in winds] for player in order]
    assert starts == [list("ESNW"), list("SEWN"), list("WNES"), list("NWSE")]


def first_of_round(t: Evening, winner: str | None, sides: list[list[str]]) -> dict[str, str]:
    t.open()
    sides.append(t.seats)
    winds = t.winds()
    if winner == "E":
        t.ok("claim", word="win", seat="E")
        t.ok("win confirm")
    else:
        t.ok("discard", seat="E")
        t.wait(4)
        t.ok("wall correct", left=0, reason="empty")
    return winds


@pytest.mark.rule("MCR-D2")
def test_a_change_of_seats_is_shown_with_the_side_each_moves_to():
    t = Evening()
    for _ in range(4):
        t.play("S")
    (told,) = t.published("event.seats_change")
    assert told["rule"] == "MCR-D2"
    shown = [(seat["player"], seat["place"], seat["wind"]) for seat in t.published("event.seat")]
    assert shown == [("p1", 0, "E"), ("p0", 1, "S"), ("p3", 2, "W"), ("p2", 3, "N")]


@pytest.mark.rule("MCR-D2")
def test_with_a_fixed_prevalent_wind_nobody_moves():
    t = Evening(round="S")
    for _ in range(5):
        t.play("S")
    assert t.seats == list(PLAYERS)


def test_two_players_swap_between_hands_only():
    t = Evening()
    t.ok("seat swap", player="p0", other="p3", reason="draught")
    assert t.seats == ["p3", "p1", "p2", "p0"]
    t.ok("seat move", player="p0", side=1, reason="screen")
    assert t.seats == ["p3", "p0", "p2", "p1"]
    t.open()
    assert t.no("seat swap", player="p0", other="p3", reason="x").key == "refused.hand_running"


# corrections


@pytest.mark.report("B084")
def test_seats_corrected_from_a_hand_on_move_its_points_and_results():
    t = Evening()
    for _ in range(3):
        t.play("S")
        t.score(-24, 40, -8, -8)
    lines = [(line.n, dict(line.deltas)) for line in t.session.ledger]
    # in hand 2 side 0 is North, 1 East, 2 South, 3 West: there p0 and p1 had changed places
    t.ok("seat correct", hand=2, east="p0", south="p2", west="p3", north="p1", reason="sat wrong")
    assert t.seats == ["p1", "p0", "p2", "p3"]
    assert t.points == [500 - 24 + 2 * 40, 500 + 40 - 2 * 24, 500 - 24, 500 - 24]
    assert [(line.n, dict(line.deltas)) for line in t.session.ledger[:3]] == lines
    first, second, third = t.state.results
    assert (first["winner"], second["winner"], third["winner"]) == ("p1", "p2", "p3")
    assert (second["dealer"], third["dealer"]) == ("p0", "p2")
    assert second["corrected"][0]["old"]["dealer"] == "p1"
    assert "corrected" not in first
    assert seating.sides_of(t.session, 1) == list(PLAYERS)
    assert seating.sides_of(t.session, 3) == ["p1", "p0", "p2", "p3"]
    assert not t.broken


@pytest.mark.report("B084")
def test_a_correction_reaches_through_a_change_of_seats():
    t = Evening()
    for _ in range(5):
        t.play("S")
    believed = t.seats
    t.ok("seat correct", hand=4, east="p3", south="p1", west="p0", north="p2", reason="sat wrong")
    truth = dict(zip(("p3", "p0", "p1", "p2"), ("p3", "p1", "p0", "p2"), strict=True))
    assert t.seats == [truth[id_] for id_ in believed]
    assert ledger.missing(t.state) == [1, 2, 3, 4, 5]


@pytest.mark.report("B084")
def test_a_correction_ends_at_the_next_draw():
    t = Evening("ccm", hands=1, stages=2)
    t.play("S")
    t.score(-20, 20)
    t.lots("p1", "p2", "p3", "p0")
    seats = t.seats
    t.ok("seat correct", hand=1, east="p1", south="p0", west="p2", north="p3", reason="sat wrong")
    assert t.seats == seats
    assert ledger.totals(t.session) == {"p0": 20, "p1": -20, "p2": 0, "p3": 0}


def test_seats_that_are_recorded_so_are_no_correction():
    t = Evening()
    t.play("S")
    same = dict(zip(ORDER, PLAYERS, strict=True))
    assert t.no("seat correct", hand=1, reason="x", **same).key == "refused.seats_are_so"
    assert t.no("seat correct", hand=7, reason="x", **same).key == "refused.no_such_hand"


def test_seats_of_the_hand_in_play_are_corrected_too():
    t = Evening()
    t.open()
    t.ok("seat correct", hand=1, east="p1", south="p0", west="p2", north="p3", reason="sat wrong")
    t.ok("claim", word="win", seat="E")
    t.ok("win confirm")
    assert (t.hand.result["winner"], t.hand.result["dealer"]) == ("p1", "p1")


@pytest.mark.parametrize("by", ["throws", "software"])
def test_names_are_refused_where_a_draw_is_to_find_them(table, by):
    t = table(rules="mcr")
    t.command("session start", rules="mcr", draw=True)
    answer = t.command("seat draw", by=by, east="p0")
    assert (answer.outcome, answer.key) == ("refused", "refused.names_with_draw")
