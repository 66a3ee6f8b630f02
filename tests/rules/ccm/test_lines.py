"""Lines of case lists that the lists with answers do not have: events, settings, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.rules.ccm.lines import answer

HUNDRED = [100, 100, 100, 100]


def line(event: dict[str, Any], chips: list[int] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "id": "X",
        "system": "ccm",
        "chips": chips or HUNDRED,
        "dealer": 0,
        "doubled": False,
        "event": event,
        **more,
    }


def won(player: int = 0, mode: str = "discard", giver: int | None = 1, **winner: Any) -> dict[str, Any]:
    return {"do": "win", "mode": mode, "from": giver, "winners": [{"player": player, **winner}]}


@pytest.mark.rule("CJ-S6")
def test_flower_kong_and_chase() -> None:
    assert answer(line({"do": "kong", "kind": "flower", "player": 2}))["chips"] == [92, 92, 124, 92]
    assert answer(line({"do": "zhuipai", "player": 2}))["raw"] == [[0, 0, 12, 0]]


@pytest.mark.rule("CJ-P10")
def test_penalty_off_the_table() -> None:
    told = answer(line({"do": "penalty", "player": 2, "to": None, "points": 30}))
    assert (told["chips"], told["paid"], told["off_table"]) == (
        [100, 100, 70, 100],
        [[0, 0, 30, 0]],
        [0, 0, 0, 0],
    )


@pytest.mark.rule("CJ-S4")
@pytest.mark.parametrize(
    ("mode", "extras", "paid"),
    [
        ("self_draw", {"miaoshou": True, "gangshang": True}, 36),
        ("self_draw", {"buhua": True, "flowers": 1}, 28),
        ("self_draw", {"wait": True, "mixed": True}, 20),
        ("rob", {"miaoshou": True, "wait": True}, 96),
        ("discard", {"menqing": True, "haidi": False}, 56),
    ],
)
def test_extras_told_by_name(mode, extras, paid) -> None:
    giver = None if mode == "self_draw" else 1
    event = won(mode=mode, giver=giver, fans=["ccm-04"], extras=extras)
    assert answer(line(event))["raw"][0][1] == paid


@pytest.mark.rule("CJ-S7")
@pytest.mark.parametrize(
    ("bao", "fans", "raw"),
    [
        ({"rule": "b_feed", "player": 3}, ["ccm-05"], [0, 0, 0, 60]),
        ({"rule": "b_deal"}, ["ccm-04"], [0, 40, 0, 0]),
        ({"rule": "c", "hung": "5p", "win": "7p", "changed": False}, ["ccm-07"], [0, 60, 0, 0]),
        ({"rule": "c", "hung": "5p", "win": "8p", "changed": False}, ["ccm-07"], [0, 40, 0, 0]),
        ([{"rule": "a", "player": 2}, {"rule": "b_feed", "player": 3}], ["ccm-05"], [0, 0, 0, 60]),
    ],
    ids=["feeder", "no real flush", "related", "not related", "several"],
)
def test_liability_told(bao, fans, raw) -> None:
    assert answer(line(won(fans=fans, extras={}, bao=bao)))["raw"] == [raw]


@pytest.mark.rule("CJ-S1")
def test_wins_that_do_not_stand() -> None:
    told = answer(line(won(fans=[], extras={"flowers": 4})))
    assert (told["legal"], told["reason"], told["chips"]) == (False, "no technical fan", HUNDRED)
    told = answer(line(won(total=20), [200, 0, 100, 100]))
    assert (told["legal"], told["reason"], told["chips"]) == (
        False,
        "payer has no points",
        [130, 50, 110, 110],
    )
    told = answer(line(won(total=20), [150, 40, 0, 210]))
    assert (told["legal"], told["reason"], told["paid"]) == (
        False,
        "winner would not be first",
        [[0, 0, 0, 0]],
    )


@pytest.mark.rule("CJ-S9")
@pytest.mark.parametrize(
    "setting",
    ["ccm.first_tie=true", ["ccm.guapai=none", "ccm.first_tie=true"], {"ccm.first_tie": True}],
    ids=["one", "several", "a table"],
)
def test_line_holds_under_its_setting(setting) -> None:
    told = line(won(total=20), [160, 40, 0, 200])
    assert not answer(told)["legal"]
    assert answer({**told, "setting": setting})["chips"] == [200, 0, 0, 200]


@pytest.mark.parametrize(
    ("told", "key"),
    [
        (line(won(fans=["ccm-13"])), "line.fan"),
        (line(won(fans=["ccm-wait"])), "line.fan"),
        (line(won(fans=["ccm-04"], extras={"luck": True})), "line.extra"),
        (line(won(fans=["ccm-04"], extras={"flowers": -1})), "line.extra"),
        (line(won(fans=["ccm-04"], extras={"miaoshou": True})), "line.extra_mode"),
        (line(won(fans=["ccm-04"], extras={"haidi": True}, mode="self_draw", giver=None)), "line.extra_mode"),
        (line(won(total=20, bao={"rule": "d"})), "line.bao"),
        (line(won(total=20, bao={"rule": "a"})), "line.player"),
        (line(won(total=20, giver=0)), "win.own_tile"),
        (line({"do": "draw"}), "line.event"),
        (line({"do": "kong", "kind": "golden", "player": 1}), "line.form"),
        (line({"do": "kong", "player": 1}, [100, 100]), "line.form"),
        (line({"do": "kong", "kind": "small", "player": 1}, setting="ccm.first_tie=perhaps"), "line.setting"),
        ({"chips": HUNDRED}, "line.no_event"),
    ],
)
def test_refused_line_names_the_reason(told, key) -> None:
    assert answer(told) == {"error": key}
