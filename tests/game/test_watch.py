"""What the table sees by itself of things that should not be, and what people tell it to the same effect."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.game.casestate import Case, PenaltyTile
from tablectl.game.state import Irregularity
from tests.game.conftest import BOOK, COUNT, IDENTITY, Table

EAST, SOUTH, WEST, NORTH = range(4)
HANDS = (
    "11m 3m 44m 66m 88m 44p 66p P",
    "12m 45m 55s 789p E E P N",
    "77m 99m 1p 88p 77s 99s N N",
    "22m 9m 77p 8s 12s S S S F F",
)


@pytest.fixture
def dealt(table):
    """East is to discard."""

    def make(rules: str = "zungjung", hands: tuple[str, ...] = HANDS, **session: Any) -> Table:
        made = table(rules=rules)
        made.start(**session)
        made.throw(*[(3, 4)] * BOOK[rules].wall.throws.value)
        made.deal(*hands)
        if made.phase == "indicator":
            made.show(EAST, "indicator", "W")
        assert made.phase == "decide"
        return made

    return make


def found(t: Table, what: str) -> list[Irregularity]:
    return [i for i in t.hand.irregularities if i.key == f"irregular.{what}"]


def signs(t: Table) -> list[str]:
    """Everything flagged, as the signs of the catalogue."""
    flagged = []
    for one in t.hand.irregularities:
        detail = one.data.get("detail")
        flagged.append(one.key.removeprefix("irregular.") + (f".{detail}" if detail else ""))
    return flagged


def go_round(t: Table, *turns: tuple[int, str]) -> None:
    for side, tile in turns:
        t.wait(3.1)
        t.draw(side, tile)
        t.discard(side, tile)


# calls


@pytest.mark.rule("MCR-P6", "MCR-E2")
@pytest.mark.parametrize("capabilities", [COUNT, IDENTITY], ids=["count", "identity"])
def test_a_call_after_its_window_is_refused_and_a_late_claim(table, capabilities):
    t = table(capabilities, "mcr")
    t.play()
    t.discard(EAST, "3m" if capabilities is IDENTITY else "")
    t.wait(3.4)
    t.press(WEST, "pung")
    assert [(i.side, i.data["word"], i.data["late_ms"]) for i in found(t, "late_claim")] == [
        (WEST, "pung", 400)
    ]
    assert found(t, "late_claim")[0].rule == "MCR-P6"
    t.wait(1)
    t.press(WEST, "pung")  # the same lateness
    assert len(found(t, "late_claim")) == 1


@pytest.mark.rule("MCR-P6")
def test_a_call_in_time_is_none_and_neither_is_a_key_when_nothing_lies_open(table):
    t = table(COUNT, "mcr")
    t.play()
    t.press(WEST, "pung")
    t.press(EAST, "discard")
    t.wait(2.9)
    t.press(WEST, "pung")
    assert not found(t, "late_claim")


@pytest.mark.rule("MCR-P6")
def test_a_tile_that_another_discard_has_covered_is_not_called_late(table):
    t = table(COUNT, "mcr")
    t.play()
    t.press(EAST, "discard")
    t.wait(4)
    t.press(SOUTH, "discard")
    t.wait(1)
    t.press(WEST, "pung")
    assert not found(t, "late_claim")
    assert [claim.word for claim in t.hand.window.claims] == ["pung"]


@pytest.mark.rule("MCR-P4", "ZJ-P15")
@pytest.mark.parametrize(
    ("side", "word", "tile", "empty"),
    [
        (SOUTH, "chow", "3m", False),
        (SOUTH, "chow", "4p", True),
        (SOUTH, "pung", "P", True),
        (WEST, "pung", "88m", True),
        (WEST, "pung", "3m", True),
    ],
)
def test_who_lacks_the_tiles_makes_an_empty_call(dealt, side, word, tile, empty):
    t = dealt()
    t.discard(EAST, tile[-2:])
    t.press(side, word)
    assert bool(found(t, "empty_claim")) == empty


@pytest.mark.rule("ZJ-P15")
def test_an_empty_call_is_flagged_once_though_nobody_takes_the_tile_either(dealt):
    t = dealt("mcr")
    t.discard(EAST, "3m")
    t.press(WEST, "pung")
    t.wait(4)
    t.draw(SOUTH, "C")
    assert len(found(t, "empty_claim")) == 1


@pytest.mark.rule("ZJ-P14", "ZJ-C15")
def test_a_changed_call_is_flagged_unless_it_answers_a_better_one(dealt):
    hands = (HANDS[0], "12m 45m 55s 789p E E P N", "77m 33m 1p 88p 77s 99s N N", HANDS[3])
    t = dealt(hands=hands)
    t.discard(EAST, "3m")
    t.press(SOUTH, "chow")
    t.wait(0.3)
    t.press(SOUTH, "win")
    assert [i.data["was"] for i in found(t, "changed_call")] == ["chow"]
    t = dealt(hands=hands)
    t.discard(EAST, "3m")
    t.press(SOUTH, "chow")
    t.press(WEST, "pung")
    t.wait(0.3)
    t.press(SOUTH, "win")
    assert not found(t, "changed_call")


@pytest.mark.rule("MCR-C1")
def test_where_no_article_is_about_it_a_changed_call_is_nothing_special(dealt):
    t = dealt("mcr")
    t.discard(EAST, "3m")
    t.press(SOUTH, "chow")
    t.wait(0.3)
    t.press(SOUTH, "win")
    assert not signs(t)


# melds


def chowed(t: Table, shown: str) -> None:
    t.discard(EAST, "3m")
    t.press(SOUTH, "chow")
    t.wait(3.5)
    t.show(SOUTH, "chow", shown)


@pytest.mark.rule("ZJ-P13", "MCR-P3")
@pytest.mark.parametrize("rules", ["zungjung", "mcr"])
@pytest.mark.parametrize(("shown", "strange"), [("235m", ["5m"]), ("3m 55s", ["5s", "5s"])], ids=str)
def test_a_wrong_meld_is_seen_at_once_with_the_tiles_that_are_strange_to_it(dealt, rules, shown, strange):
    t = dealt(rules)
    chowed(t, shown)
    assert signs(t) == ["wrong_meld.at_once"]
    assert found(t, "wrong_meld")[0].data["tiles"] == strange


@pytest.mark.rule("ZJ-P13")
def test_the_right_tiles_mend_it(dealt):
    t = dealt()
    chowed(t, "235m")
    t.show(SOUTH, "chow", "123m")
    assert signs(t) == ["wrong_meld.at_once"]
    assert t.hand.seats[SOUTH].melds[0].tiles == ["1m", "2m", "3m"]
    assert sorted(t.hand.seats[SOUTH].tiles) == sorted(
        ["4m", "5m", "5s", "5s", "7p", "8p", "9p", "E", "E", "P", "N"]
    )


@pytest.mark.rule("ZJ-P13")
@pytest.mark.parametrize("shown", ["123m", "234m", "345m"])
def test_a_right_meld_is_not_flagged(dealt, shown):
    t = dealt(hands=(HANDS[0], "12m 45m 55s 789p E E P N", *HANDS[2:]))
    chowed(t, shown)
    assert not signs(t)


@pytest.mark.rule("ZJ-P17", "MCR-P3")
def test_a_person_finds_a_wrong_meld_at_once_or_late_by_what_was_done_since(table):
    def melded(*then: str) -> Table:
        t = table(COUNT, "zungjung")
        t.play()
        t.press(EAST, "discard")
        t.press(WEST, "pung")
        t.wait(1.5)
        for key in then:
            t.wait(2.5)
            t.press(WEST if key == "discard" else NORTH, "discard")
        return t

    t = melded()
    assert t.command("meld wrong", seat="W").data == {"detail": "at_once"}
    t = melded("discard")
    assert t.command("meld wrong", seat="W").data == {"detail": "at_once"}
    t = melded("discard", "next")
    assert t.command("meld wrong", seat="W", tiles=["5m"]).data == {"detail": "late"}
    assert found(t, "wrong_meld")[0].data["tiles"] == ["5m"]
    assert t.command("meld wrong", seat="E").key == "refused.no_such_meld"


@pytest.mark.rule("ZJ-P17")
def test_a_kong_is_past_mending_once_it_is_replaced(dealt):
    t = dealt(hands=(HANDS[0], "12m 45m 55s 789p E E P N", "777m 9m 1p 88p 77s 99s N N", HANDS[3]))
    t.discard(EAST, "3m")
    t.wait(3)
    t.draw(SOUTH, "7m")
    t.discard(SOUTH, "7m")
    t.press(WEST, "kong")
    t.wait(1.5)
    t.show(WEST, "kong", "7777m")
    assert t.command("meld wrong", seat="W").data == {"detail": "at_once"}
    t.draw(WEST, "C", "tail")
    assert t.command("meld wrong", seat="W").data == {"detail": "after_replacement"}


@pytest.mark.rule("ZJ-P18", "ZJ-C2")
def test_who_discards_before_showing_must_have_shown_when_the_next_draws(dealt):
    t = dealt()
    t.discard(EAST, "3m")
    t.press(SOUTH, "chow")
    t.wait(1.5)
    t.discard(SOUTH, "N")
    assert not signs(t)  # in either order, both are needed
    t.wait(3)
    t.draw(WEST, "C")
    assert signs(t) == ["discard_before_show"]
    assert found(t, "discard_before_show")[0].side == SOUTH
    t.show(SOUTH, "chow", "123m")
    assert t.hand.seats[SOUTH].melds[0].shown


@pytest.mark.rule("ZJ-P22")
def test_a_replacement_before_the_kong_lies_there(dealt):
    t = dealt(hands=(HANDS[0], "12m 555m 55s 789p E E P", *HANDS[2:]))
    t.discard(EAST, "3m")
    t.wait(3)
    t.draw(SOUTH, "5m")
    t.draw(SOUTH, "C", "tail")
    assert signs(t) == ["replacement_before_kong"]
    t.show(SOUTH, "concealed_kong", "5555m")
    t.discard(SOUTH, "C")
    assert signs(t) == ["replacement_before_kong"]


@pytest.mark.rule("ZJ-P22")
def test_a_replacement_before_a_claimed_kong_lies_there(dealt):
    t = dealt(hands=(HANDS[0], HANDS[1], "777m 9m 1p 88p 77s 99s N N", HANDS[3]))
    t.discard(EAST, "3m")
    t.wait(3)
    t.draw(SOUTH, "7m")
    t.discard(SOUTH, "7m")
    t.press(WEST, "kong")
    t.wait(1.5)
    t.draw(WEST, "C", "tail")
    assert signs(t) == ["replacement_before_kong"]


@pytest.mark.rule("ZJ-P23")
@pytest.mark.parametrize("said", [True, False])
def test_a_small_kong_has_to_be_said(dealt, said):
    t = dealt(hands=("11m 3m 44m 66m 88m 44p 6p P 5s", "12m 45m 555s 789p E E P", *HANDS[2:]))
    t.discard(EAST, "5s")
    t.press(SOUTH, "pung")
    t.wait(1.5)
    t.show(SOUTH, "pung", "555s")
    t.discard(SOUTH, "P")
    go_round(t, (WEST, "C"), (NORTH, "C"), (EAST, "W"))
    t.wait(3)
    t.draw(SOUTH, "W")
    if said:
        t.press(SOUTH, "kong")
    t.show(SOUTH, "added_kong", "5555s")
    assert ("kong_unsaid" in signs(t)) is not said


@pytest.mark.rule("ZJ-P16")
def test_a_kong_that_is_called_and_never_shown_is_an_empty_one(dealt):
    t = dealt()
    t.press(EAST, "kong")
    t.discard(EAST, "3m")
    assert signs(t) == ["empty_kong"]


# numbers


@pytest.mark.rule("MCR-P15", "ZJ-P11", "ZJ-P12", "CJ-P3")
@pytest.mark.parametrize("rules", ["mcr", "ccm", "wuhan"])
def test_too_few_and_too_many_are_counted_when_a_seat_has_had_its_turn(dealt, rules):
    t = dealt(rules)
    t.discard(EAST, "3m")
    t.wait(3.1)
    t.discard(SOUTH, "N")  # without drawing
    assert "short_hand" in signs(t)
    assert found(t, "short_hand")[0].data == {"counted": 12, "right": 13}
    t.wait(3.1)
    t.draw(WEST, "E")
    t.draw(WEST, "W")
    assert found(t, "long_hand")[0].data == {"counted": 15, "right": 14}
    t.discard(WEST, "E")
    assert len(found(t, "long_hand")) == 1  # known already
    assert "early_draw" not in signs(t)
    for side, tile in ((NORTH, "C"), (EAST, "C"), (SOUTH, "W")):
        t.wait(3.1)
        t.draw(side, tile)
        t.discard(side, tile)
    assert len(found(t, "short_hand")) == 1  # known already


@pytest.mark.rule("ZJ-P2", "ZJ-P11")
def test_who_discards_before_drawing_has_too_few(dealt):
    t = dealt()
    t.discard(EAST, "3m")
    t.wait(1)
    t.discard(SOUTH, "N")
    assert signs(t) == ["act_without_draw", "short_hand"]


@pytest.mark.rule("MCR-P15", "ZJ-C18", "ZJ-P11", "ZJ-P12")
@pytest.mark.parametrize(
    ("seat", "counted", "sign"),
    [
        ("E", 14, []),
        ("E", 13, ["short_hand"]),
        ("S", 13, []),
        ("S", 12, ["short_hand"]),
        ("S", 14, ["long_hand"]),
    ],
)
def test_where_nothing_is_sensed_a_referee_counts(table, seat, counted, sign):
    t = table(COUNT, "zungjung")
    t.play()
    assert t.command("hand count", seat=seat, tiles=counted).outcome == "accepted"
    assert [one for one in signs(t) if one.endswith("hand")] == sign


@pytest.mark.rule("CJ-P5")
def test_a_flower_thrown_away(dealt):
    t = dealt("ccm")
    t.discard(EAST, "3m")
    t.wait(3.1)
    t.draw(SOUTH, "f1")
    t.discard(SOUTH, "f1")
    assert signs(t) == ["flower_discarded"]
    assert t.hand.irregularities[0].rule == "CJ-P5"


@pytest.mark.rule("CJ-S9", "CJ-P5")
@pytest.mark.parametrize(("first", "flagged"), [(300, True), (10, False)], ids=["paid", "blocked"])
def test_the_fourth_flower_may_go_where_its_kong_could_not_be_paid(dealt, first, flagged):
    t = dealt("ccm")
    points = {"p0": 4, "p1": first, "p2": 4, "p3": 400 - 8 - first}  # two would be left with nothing
    for player in t.state.session.players:
        player.points = points[player.id]
    t.hand.seats[SOUTH].flowers = ["f1", "f2", "f3"]
    t.discard(EAST, "3m")
    t.wait(3.1)
    t.draw(SOUTH, "f4")
    t.discard(SOUTH, "f4")
    assert ("flower_discarded" in signs(t)) is flagged
    t.broken.clear()  # points and flowers were put there by hand


# what people say


@pytest.mark.rule("MCR-P11", "ZJ-P7", "CJ-P2", "MCR-P12", "ZJ-P21", "CJ-P8", "ZJ-P10")
@pytest.mark.parametrize("rules", ["mcr", "zungjung", "ccm"])
def test_exposed_tiles_are_flagged_by_their_moment(table, rules):
    t = table(COUNT, rules)
    t.start()
    t.throw(*[(3, 4)] * BOOK[rules].wall.throws.value)
    assert t.command("expose", seat="S", tiles=["5m", "6m"]).data == {"detail": "dealing"}
    t.press(EAST, "discard")
    assert t.command("expose", seat="S", tiles=["5m"]).data == {"detail": ""}
    t.press(WEST, "win")
    t.wait(3)
    assert t.phase == "adjudication"
    assert t.command("expose", seat="N", tiles=["1p", "2p"]).data == {"detail": "before_confirmed"}
    assert t.command("expose", seat="W", tiles=["1p"]).data == {"detail": ""}
    flagged = [one for one in signs(t) if one.startswith("exposed")]
    assert flagged == [
        "exposed_tile.dealing",
        "exposed_tile",
        "exposed_tile.before_confirmed",
        "exposed_tile",
    ]
    assert all(one.rule for one in t.hand.irregularities)


@pytest.mark.rule("MCR-P12", "ZJ-P21", "CJ-P8")
@pytest.mark.parametrize("rules", ["mcr", "zungjung", "ccm"])
def test_a_hand_laid_down_while_another_win_is_looked_at_is_seen_where_tiles_are(dealt, rules):
    t = dealt(rules)
    t.discard(EAST, "3m")
    t.press(SOUTH, "win")
    t.wait(3.1)
    assert t.phase == "adjudication"
    t.show(NORTH, "pung", "SSS")
    assert signs(t) == ["exposed_tile.before_confirmed"]
    assert found(t, "exposed_tile")[0].data["tiles"] == ["S", "S", "S"]


@pytest.mark.rule("MCR-P13")
def test_tiles_of_another(table):
    t = table(COUNT, "mcr")
    t.play()
    assert t.command("expose", seat="S", tiles=["5m"], of="W").outcome == "accepted"
    (one,) = found(t, "exposed_other")
    assert (one.side, one.data["owner"], one.data["tiles"]) == (SOUTH, WEST, ["5m"])


@pytest.mark.rule("MCR-P14", "ZJ-P6", "CJ-P6")
def test_a_name_that_was_said(table):
    t = table(COUNT, "mcr")
    t.play()
    t.command("name", seat="S", tile="5m")
    t.command("name", seat="S", tile="5m", wrong=True)
    assert signs(t)[-2:] == ["named_tile", "named_tile.wrong"]
    assert {one.rule for one in t.hand.irregularities[-2:]} == {"MCR-P14"}


# wins


@pytest.mark.rule("ZJ-P20")
def test_a_win_may_be_taken_back_before_it_is_shown(table):
    t = table(COUNT, "zungjung")
    t.play()
    t.press(EAST, "discard")
    t.press(SOUTH, "win")
    assert t.phase == "adjudication"
    assert t.command("win cancel", role="player", seat="W").key == "refused.no_win_declared"
    assert t.command("win cancel", role="player", seat="S").outcome == "accepted"
    assert t.phase in ("claims", "draw")
    assert signs(t)[-1] == "win_cancelled"
    assert found(t, "win_cancelled")[0].rule == "ZJ-P20"
    assert t.command("win cancel", role="player", seat="S").key == "refused.no_win_declared"


@pytest.mark.rule("ZJ-P20")
def test_a_call_of_a_win_that_still_waits_may_be_taken_back_too(table):
    t = table(COUNT, "zungjung")
    t.play()
    t.press(EAST, "discard")
    t.press(NORTH, "win")
    assert t.hand.win is None  # a nearer seat could still call
    assert t.command("win cancel", role="player", seat="N").outcome == "accepted"
    t.wait(2)
    assert t.hand.win is None
    assert signs(t)[-1] == "win_cancelled"


@pytest.mark.rule("ZJ-P20", "ZJ-P19")
def test_not_after_its_tiles_were_shown(table):
    t = table(COUNT, "zungjung")
    t.play()
    t.command("discard", seat="E", tile="3m")
    t.press(SOUTH, "win")
    shown = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "E", "W", "W", "W"]
    assert t.command("win show", seat="S", tiles=shown).outcome == "accepted"
    assert t.command("win cancel", role="player", seat="S").key == "refused.win_shown"


FALSE = [
    ("mcr", "12m 456m 789p 22s 567s", "below_minimum", "MCR-P7"),
    ("mcr", "45m 456m 789p 22s 444s", "below_minimum", "MCR-P7"),
    ("mcr", "12m 456m 789p 22s 568s", "near", "MCR-P8"),
    ("mcr", "789m 456m 789p 22s 56s", "wrong_tile", "MCR-P9"),
    ("mcr", "15m 48p 27s 369s E S W N", "far", "MCR-P10"),
    ("zungjung", "15m 48p 27s 369s E S W N", "far", "ZJ-P19"),
    ("ccm", "789m 456m 789p 22s 56s", "wrong_tile", "CJ-P4"),
    ("wuhan", "12m 456m 789p 22s 567s", "below_minimum", "WH-P1"),
    ("wuhan", "12m 456m 789p 22s 568s", "near", "WH-P1"),
]


@pytest.mark.rule("MCR-P7", "MCR-P8", "MCR-P9", "MCR-P10", "ZJ-P19", "CJ-P4", "WH-P1")
@pytest.mark.parametrize(
    ("rules", "south", "detail", "rule"), FALSE, ids=[f"{r}-{d}-{s}" for r, s, d, _ in FALSE]
)
def test_a_false_win_is_told_by_how_far_it_was_from_ready(dealt, rules, south, detail, rule):
    t = dealt(rules, (HANDS[0], south, *HANDS[2:]))
    t.discard(EAST, "3m")
    t.press(SOUTH, "win")
    t.wait(3.1)
    assert t.command("win reject", reason="no win").outcome == "accepted"
    assert signs(t) == [f"false_win.{detail}"]
    (one,) = found(t, "false_win")
    assert one.rule == rule
    assert len(one.data["tiles"]) == 13


@pytest.mark.rule("MCR-P7")
def test_where_tiles_are_not_known_a_false_win_is_one_without_more(table):
    t = table(COUNT, "mcr")
    t.play()
    t.press(EAST, "discard")
    t.press(SOUTH, "win")
    t.wait(3.1)
    t.command("win reject", reason="no win")
    assert signs(t) == ["false_win"]
    assert t.hand.seats[SOUTH].no_win == "MCR-P7"  # whichever of the articles it will be


@pytest.mark.rule("ZJ-P8", "ZJ-P9")
def test_a_win_that_needs_a_penalty_tile_is_refused(dealt):
    t = dealt(hands=(HANDS[0], "12m 456m 789p 22s 555s", *HANDS[2:]))
    t.state.cases.append(Case(1, "found", 0, t.hand.no, 1, "kim"))
    t.hand.seats[SOUTH].penalty_tiles.append(PenaltyTile("2m", "ZJ-P7", 1))
    t.discard(EAST, "3m")
    t.press(SOUTH, "win")
    last = t.published("event.refused")[-1]
    assert (last["reason"], last["facts"]["rule"]) == ("refused.penalty_tile", "ZJ-P8")
    assert t.state.cases[0].refused == [t.n]
    t.wait(3)
    t.draw(SOUTH, "3m")
    t.press(SOUTH, "win")
    assert t.hand.win is not None
    assert t.hand.win.verdict.legal
