"""Whole wins at a table that reads tiles: what the record knows is judged, booked, and refused where it is no
win. Every number was added up by hand from the rule files."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.game.state import from_json, to_json
from tablectl.game.view import view
from tests.game.conftest import BOOK, COUNT, Table, tiles


@pytest.fixture
def dealt(table):
    """A hand with known tiles, dealer first, at the dealer's first turn."""

    def make(rules: str, *hands: str, **session: Any) -> Table:
        made = table(rules=rules)
        made.start(**session)
        made.throw(*[(3, 4)] * BOOK[rules].wall.throws.value)
        made.deal(*hands)
        return made

    return make


def points(t: Table) -> list[int]:
    """What each side has won and lost in the newest hand, by its entries in the ledger."""
    session = t.state.session
    entries = [entry for entry in session.ledger if entry.hand == session.hand_no]
    return [sum(e.deltas[session.at(side).id] for e in entries) for side in range(4)]


def fans(t: Table) -> list[str]:
    return [line["id"] for line in t.hand.result["score"]["lines"]]


def go_round(t: Table, *turns: tuple[int, str]) -> None:
    """Sides draw and discard a tile, nobody claiming it."""
    for side, tile in turns:
        t.wait(6)
        t.draw(side, tile)
        t.discard(side, tile)


# 国标麻将


def mcr(dealt, south: str) -> Table:
    """South holds a flower and the upper two of a chow, which East feeds him."""
    t = dealt(
        "mcr", "11m 3m 44m 66m 88m 44p 66p P", south, "77m 99m 55p 88p 77s N N C", "22m 55m 77p 88s 99s S S F"
    )
    t.show(1, "flower", "f1")
    t.draw(1, "N", "tail")
    t.discard(0, "3m")
    t.press(1, "chow")
    t.wait(4)
    t.show(1, "chow", "123m")
    t.discard(1, "N")
    return t


@pytest.mark.report("B069")
@pytest.mark.rule("MCR-S2")
def test_eleven_fan_and_a_flower_by_discard_are_paid_by_the_discarder_and_eight_by_the_others(dealt):
    t = mcr(dealt, "12m 123p 123s 45s 99p f1")
    go_round(t, (2, "C"))
    t.wait(6)
    t.draw(3, "6s")
    t.discard(3, "6s")
    t.press(1, "win")
    t.wait(4)
    assert t.hand.win.verdict.total == 12
    assert t.command("win confirm").outcome == "accepted"
    assert sum(line["points"] for line in t.hand.result["score"]["lines"]) == 12
    assert t.hand.result["score"]["lines"][-1]["zh"] == "花牌"
    assert points(t) == [-8, 36, -8, -20]
    assert t.hand.result["score"]["deltas"] == {"p0": -8, "p1": 36, "p2": -8, "p3": -20}
    assert t.state.session.ledger[-1].kind == "hand"


@pytest.mark.report("B069")
@pytest.mark.rule("MCR-S2")
def test_the_same_self_drawn_is_paid_by_all_alike(dealt):
    t = mcr(dealt, "12m 123p 123s 56p 99s f1")
    go_round(t, (2, "C"), (3, "F"), (0, "P"))
    t.wait(6)
    t.draw(1, "7p")
    t.press(1, "win")
    assert t.command("win confirm").outcome == "accepted"
    assert t.hand.result["score"]["total"] == 12
    assert points(t) == [-20, 60, -20, -20]


@pytest.mark.rule("MCR-S1", "MCR-P7")
def test_a_win_below_eight_is_refused_by_the_rule_book_and_the_hand_goes_on(dealt):
    t = mcr(dealt, "12m 234p 678s 45s 99p f1")
    go_round(t, (2, "C"))
    t.wait(6)
    t.draw(3, "6s")
    t.discard(3, "6s")
    t.press(1, "win")
    t.wait(4)
    refused = t.command("win confirm")
    assert (refused.key, refused.data["reason"], refused.data["rule"]) == (
        "refused.no_win_by_rule",
        "win.below_minimum",
        "MCR-S1",
    )
    assert t.command("win reject", reason="three fan").outcome == "accepted"
    assert not t.hand.over
    assert t.hand.seats[1].no_win == "MCR-P7"
    assert t.state.session.ledger == []


def test_a_referee_may_decide_against_the_rule_book_and_enters_the_points_himself(dealt):
    t = mcr(dealt, "12m 234p 678s 45s 99p f1")
    go_round(t, (2, "C"))
    t.wait(6)
    t.draw(3, "6s")
    t.discard(3, "6s")
    t.press(1, "win")
    t.wait(4)
    assert t.command("win confirm", overrule="a tile was misread").outcome == "accepted"
    assert t.hand.result["overruled"] == "a tile was misread"
    assert "score" not in t.hand.result
    assert t.command("score enter", kind="hand", p0=-8, p1=33, p2=-8, p3=-17).outcome == "accepted"


@pytest.mark.report("B084")
def test_a_hand_scored_by_the_record_is_corrected_by_a_further_line_and_not_entered_twice(dealt):
    t = mcr(dealt, "12m 123p 123s 56p 99s f1")
    go_round(t, (2, "C"), (3, "F"), (0, "P"))
    t.wait(6)
    t.draw(1, "7p")
    t.press(1, "win")
    t.command("win confirm")
    assert t.command("score enter", kind="hand", p0=-8, p1=24, p2=-8, p3=-8).key == "refused.scored_already"
    entry = t.state.session.ledger[-1].n
    right = {"p0": -19, "p1": 57, "p2": -19, "p3": -19}
    assert t.command("score correct", entry=entry, reason="no flower", **right).outcome == "accepted"
    assert points(t) == [-19, 57, -19, -19]
    assert [p.points for p in t.state.session.players] == [481, 557, 481, 481]


def test_the_verdict_is_on_every_screen_while_the_win_is_before_the_referee(dealt):
    t = mcr(dealt, "12m 123p 123s 56p 99s f1")
    go_round(t, (2, "C"), (3, "F"), (0, "P"))
    t.wait(6)
    t.draw(1, "7p")
    t.press(1, "win")
    verdict = view(t.state, t.now)["hand"]["win"]["verdict"]
    assert (verdict["legal"], verdict["total"], verdict["deltas"]) == (True, 12, [-20, 60, -20, -20])
    assert t.published("event.verdict")[-1]["total"] == 12
    assert t.command("win reject", reason="he showed other tiles").outcome == "accepted"
    assert t.published("event.overruled")[-1]["reason"] == "he showed other tiles"


def concealed_kong(dealt) -> Table:
    """South draws his pair, lays a concealed kong of 9s and is to draw its replacement; 9p would win."""
    east, west = "11m 77m 44m 66m 88m 44p 66p P", "77m 99m 55p 88p 77s N N C"
    t = dealt("mcr", east, "9999s 123m 456m 78p 5s", west, "22m 55m 77p 88s 22s S S F")
    t.discard(0, "P")
    t.wait(6)
    t.draw(1, "5s")
    t.show(1, "concealed_kong", "9999s")
    return t


@pytest.mark.rule("MCR-S10", "MCR-C2")
def test_the_replacement_of_a_kong_is_known_from_the_record(dealt):
    """杠上开花 8, 不求人 4, 暗杠 2, 连六 1, 无字 1, 幺九刻 1: nobody had to say so."""
    t = concealed_kong(dealt)
    t.draw(1, "9p", "tail")
    t.press(1, "win")
    assert "杠上开花" in [line.zh for line in t.hand.win.verdict.lines]
    assert t.command("win confirm").outcome == "accepted"
    assert t.hand.result["score"]["total"] == 17
    assert points(t) == [-25, 75, -25, -25]


@pytest.mark.rule("MCR-S14")
def test_the_replacement_of_a_flower_after_a_kong_is_an_ordinary_self_draw(dealt):
    t = concealed_kong(dealt)
    t.draw(1, "f3", "tail")
    t.show(1, "flower", "f3")
    t.draw(1, "9p", "tail")
    t.press(1, "win")
    assert "杠上开花" not in [line.zh for line in t.hand.win.verdict.lines]


def test_a_win_before_the_referee_survives_a_snapshot(dealt):
    t = concealed_kong(dealt)
    t.draw(1, "9p", "tail")
    t.press(1, "win")
    assert t.hand.win.verdict is not None
    assert from_json(to_json(t.state)) == t.state


# 中庸麻雀


def zung_jung(dealt) -> Table:
    """South waits on 3s and 6s; the value of a win on 6s by discard is one of the book's."""
    t = dealt(
        "zungjung",
        "11m 44m 66m 88m 44p 66p 6s P",
        "123m 123p 12345s 99p",
        "77m 99m 55p 88p 6s 77s N N",
        "22m 55m 77p 88s 99s S S F",
    )
    t.discard(0, "P")
    go_round(t, (1, "N"), (2, "6s"))
    return t


@pytest.mark.rule("ZJ-S13", "ZJ-S12")
def test_the_first_of_the_round_to_discard_the_tile_answers_for_it(dealt):
    """West threw 6s, then North: South wins off North, but West was the first since South's own discard."""
    t = zung_jung(dealt)
    t.wait(6)
    t.draw(3, "6s")
    t.discard(3, "6s")
    t.press(1, "win")
    t.wait(3)
    assert t.hand.win.verdict.liable == 2
    assert t.command("win confirm").outcome == "accepted"
    value = t.hand.result["score"]["total"]
    assert value == 45  # 三色同順 35, 平和 5, 門前清 5
    assert points(t) == [-25, 135, -85, -25]
    assert t.hand.result["score"]["liable_rule"] == "ZJ-S13"


@pytest.mark.rule("ZJ-C9")
def test_who_does_not_invoke_the_rule_of_the_same_round_answers_himself(dealt):
    t = zung_jung(dealt)
    t.wait(6)
    t.draw(3, "6s")
    t.discard(3, "6s")
    t.press(1, "win")
    t.wait(3)
    assert t.command("win confirm", no_immunity=True).outcome == "accepted"
    assert t.hand.result["score"]["liable"] == "p3"
    assert points(t)[3] == min(points(t))


@pytest.mark.rule("ZJ-S1")
def test_what_is_no_shape_is_no_win(dealt):
    t = zung_jung(dealt)
    t.wait(6)
    t.draw(3, "E")
    t.discard(3, "E")
    t.press(1, "win")
    t.wait(3)
    assert t.command("win confirm").data["reason"] == "win.no_shape"
    assert t.command("win reject", reason="no shape").outcome == "accepted"
    assert not t.hand.over


# 中国竞技麻将


def ccm(dealt, *, west: str = "111p 234p 999p N N N S") -> Table:
    t = dealt(
        "ccm", "11m 44m 66m 88m 44p 66p S P", "123m 456m 999m E E S S", west, "22m 55m 77p 88s 99s W W F"
    )
    t.discard(0, "S")
    return t


@pytest.mark.rule("CJ-C1", "CJ-S5", "CJ-S8")
def test_two_winners_are_paid_in_turn_until_the_chips_run_out(dealt):
    """混一色 20 and 门清 8: 28, by discard 56; with the single wait 4: 32, by discard 64. East holds 100: he
    pays 56, then what is left."""
    t = ccm(dealt)
    t.press(2, "win")
    t.press(1, "win")
    t.wait(3)
    assert (t.hand.win.side, t.hand.win.verdict.deltas) == (1, (-56, 56, 0, 0))
    t.command("win confirm")
    assert (t.hand.win.side, t.hand.win.verdict.deltas) == (2, (-44, 0, 44, 0))
    t.command("win confirm")
    assert [w["score"]["total"] for w in t.hand.result["winners"]] == [28, 32]
    assert points(t) == [-100, 56, 44, 0]
    assert t.hand.result["score"]["deltas"] == {"p0": -100, "p1": 56, "p2": 44, "p3": 0}


@pytest.mark.rule("CJ-S1", "CJ-P4")
def test_a_hand_without_a_technical_fan_is_no_win(dealt):
    t = ccm(dealt, west="123p 234p 777s N N N S")
    t.press(2, "win")
    t.wait(3)
    refused = t.command("win confirm")
    assert (refused.data["reason"], refused.data["rule"]) == ("win.no_fan", "CJ-S1")
    t.command("win reject", reason="no fan")
    assert t.hand.seats[2].mechanical == "CJ-P4"


def who_has_nothing(t: Table, side: int) -> None:
    """Bring a side down to no points, for the two others."""
    session = t.state.session
    losing = session.at(side).id
    winning = [player.id for player in session.players if player.id != losing]
    given = dict(zip(winning, (60, 40, 0), strict=True))
    answer = t.command("score enter", kind="penalty", reason="to begin with", **given, **{losing: -100})
    assert answer.outcome == "accepted"


@pytest.mark.rule("CJ-S8", "CJ-P9", "CJ-S1")
def test_who_wins_off_a_player_without_points_is_fined_and_plays_on(dealt):
    """28 by discard would have been 56: to East, and 10 to each of the three. South holds 160."""
    t = dealt(
        "ccm",
        "11m 44m 66m 88m 44p 66p S P",
        "123m 456m 999m E E S S",
        "22s 33s 55p 88p 77s N N C",
        "22m 55m 77p 88s 99s W W F",
    )
    who_has_nothing(t, 0)
    before = [t.state.session.at(side).points for side in range(4)]
    t.discard(0, "S")
    t.press(1, "win")
    t.wait(3)
    refused = t.command("win confirm")
    assert (refused.data["reason"], refused.data["rule"]) == ("win.payer_out", "CJ-S8")
    t.command("win reject", reason="East has nothing")
    after = [t.state.session.at(side).points for side in range(4)]
    assert [b - a for a, b in zip(before, after, strict=True)] == [66, -86, 10, 10]
    assert not t.hand.over
    assert t.hand.seats[1].mechanical == ""


@pytest.mark.rule("CJ-D1")
def test_all_is_doubled_when_the_dealer_has_won_and_deals_again(dealt):
    t = ccm(dealt)
    t.state.session.doubled = True
    t.press(1, "win")
    t.wait(3)
    assert t.hand.win.verdict.deltas == (-100, 100, 0, 0)  # of 112 what East holds


@pytest.mark.rule("CJ-S7")
def test_who_fed_the_first_three_melds_pays_a_self_drawn_win_alone(dealt):
    """South pungs E, S and 9m, all from East, and draws: 对对和 and 混一色 by the table, three shares from
    East as far as his chips go."""
    east = "11m 44m 66m 88m E S 9m P 2s 4s"
    t = dealt(
        "ccm", east, "99m E E S S 222m 55m 3p 3p", "22s 33s 55p 88p 77s N N C", "33m 77p 88s 99s W W F F 6s"
    )
    for tile, own, drawn in (("E", "3p", "1s"), ("S", "3p", "7s"), ("9m", "5m", "8s")):
        t.discard(0, tile)
        t.press(1, "pung")
        t.wait(3)
        t.show(1, "pung", "999m" if tile == "9m" else tile * 3)
        t.discard(1, own)
        go_round(t, (2, "C"), (3, "P"))
        t.wait(6)
        t.draw(0, drawn)
    t.discard(0, "P")
    t.wait(6)
    t.draw(1, "5m")
    t.press(1, "win")
    assert (t.hand.win.verdict.liable, t.hand.win.verdict.liable_rule) == (0, "CJ-S7")
    assert t.command("win confirm").outcome == "accepted"
    total = t.hand.result["score"]["total"]
    assert points(t) == [-min(100, 3 * total), min(100, 3 * total), 0, 0]


# 武汉麻将


def wuhan(dealt, south: str = "33p 55p 99p 1p 2p 4p 67p 88p") -> Table:
    """The indicator is 1m, so 2m is wild; nobody holds one."""
    east, west = "11m 44m 66m 88m 3p 5p 9p 1s 4s P", "77m 99m 22s 77s N N F 6s 5s"
    t = dealt("wuhan", east, south, west, "33m 55m 3s 8s 99s S S 6s 4s E")
    t.show(0, "indicator", "1m")
    return t


def three_pungs(t: Table) -> None:
    """South pungs 3p, 5p and 9p, all thrown by East, and waits with 67p 88p."""
    for tile, own, drawn in (("3p", "1p", "1s"), ("5p", "2p", "7s"), ("9p", "4p", "W")):
        t.discard(0, tile)
        t.press(1, "pung")
        t.wait(3)
        t.show(1, "pung", f"{tile[0] * 3}p")
        t.discard(1, own)
        go_round(t, (2, "F"), (3, "E"))
        t.wait(6)
        t.draw(0, drawn)
    t.discard(0, "W")


@pytest.mark.rule("WH-S8", "WH-S6", "WH-C14")
def test_who_fed_the_third_meld_of_one_suit_pays_for_all(dealt):
    """清一色 10, hard x2, three openings x8: 160 from each, x1.5 = 240 from North who discards; East fed
    the third meld and pays all three shares."""
    t = wuhan(dealt)
    three_pungs(t)
    go_round(t, (1, "P"), (2, "W"))
    t.wait(6)
    t.draw(3, "8p")
    t.discard(3, "8p")
    t.press(1, "win")
    t.wait(4)
    assert t.command("win confirm").outcome == "accepted"
    assert (fans(t), t.hand.result["score"]["liable"]) == (["wh-02"], "p0")
    assert points(t) == [-560, 560, 0, 0]


@pytest.mark.rule("WH-S4")
def test_the_discarded_laizi_of_a_loser_doubles_what_he_pays(dealt):
    """As above, but West threw a laizi: his share is 320 and with 包 East pays it too."""
    t = wuhan(dealt)
    three_pungs(t)
    go_round(t, (1, "P"), (2, "2m"))
    t.wait(6)
    t.draw(3, "8p")
    t.discard(3, "8p")
    t.press(1, "win")
    t.wait(4)
    t.command("win confirm")
    assert points(t) == [-720, 720, 0, 0]


@pytest.mark.rule("WH-C1", "WH-P1")
def test_a_hand_that_is_not_opened_is_no_win(dealt):
    t = wuhan(dealt, "123p 456p 777p 67p 88p")
    t.discard(0, "4s")
    go_round(t, (1, "P"), (2, "W"))
    t.wait(6)
    t.draw(3, "8p")
    t.discard(3, "8p")
    t.press(1, "win")
    t.wait(4)
    refused = t.command("win confirm")
    assert (refused.data["reason"], refused.data["rule"]) == ("win.not_opened", "WH-C1")
    t.command("win reject", reason="not opened")
    assert not t.hand.over


# 读不到牌的牌桌: tiles are entered


def at_a_count_table(table) -> Table:
    """South wins off East's first discard, and nothing has been read."""
    t = table(COUNT)
    t.start()
    t.throw((3, 4), (3, 4))
    t.press(0, "discard")
    t.press(1, "win")
    t.wait(4)
    return t


@pytest.mark.rule("MCR-S2")
def test_entered_tiles_are_judged_with_what_the_record_knows(table):
    """三色三同顺 8, 连六 1, 平和 2, 门前清 2 = 13 by discard of East: 21, 8, 8."""
    t = at_a_count_table(table)
    assert t.hand.win.verdict is None
    answer = t.command("win show", seat="S", tiles=tiles("123m 123p 123s 456s 99p"), win="6s")
    assert (answer.outcome, answer.data) == ("accepted", {"legal": True, "total": 13})
    t.command("win confirm")
    assert points(t) == [-21, 37, -8, -8]


@pytest.mark.parametrize(
    ("entered", "reason"),
    [
        ({"tiles": tiles("123m 123p 123s 456s 9p")}, "refused.impossible"),
        ({"tiles": tiles("123m 123p 12333s 3333s 9p")}, "refused.impossible"),
        ({"tiles": tiles("123m 123p 123s 456s 99p"), "win": "7s"}, "refused.tile_not_shown"),
        ({"tiles": tiles("123m 123p 123s 456s 99p"), "seat": "W"}, "refused.not_the_winner"),
        ({"tiles": tiles("123p 123s 456s 99p"), "melds": "[12m,1]"}, "refused.impossible"),
        ({"tiles": tiles("123p 123s 456s 99p"), "melds": "123m"}, "refused.melds_unread"),
    ],
    ids=["one short", "five alike", "not among them", "another seat", "no set", "no brackets"],
)
def test_what_cannot_be_is_refused_and_nothing_is_judged(table, entered, reason):
    t = at_a_count_table(table)
    assert t.command("win show", **{"seat": "S", **entered}).key == reason
    assert t.hand.win.verdict is None


def test_without_tiles_the_referee_decides_and_enters_the_points(table):
    t = at_a_count_table(table)
    assert t.command("win confirm").outcome == "accepted"
    assert "score" not in t.hand.result
    assert t.state.session.ledger == []
