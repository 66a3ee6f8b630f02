"""What is added to a win (CJ-S4), and what is there but not added, and why."""

from __future__ import annotations

import pytest

from tablectl.rules.ccm.catalog import edition

PUNGS = "[111m,2][555p,2]33377s99p7s"  # 对对和 20, no extra
ADDED = {
    "none": (PUNGS, 20, ""),
    "flowers, two each": (PUNGS + "||3", 26, "ccm-flower"),
    "single": ("[111m,2][555p,2]333s777s9p9p", 24, "ccm-wait"),
    "closed": ("[123m,1][456m,1]79m11pEEE8m", 34, "ccm-wait"),
    "edge, seven": ("[123m,1][456m,1]89m11pEEE7m", 34, "ccm-wait"),
    "edge, three": ("[789m,1][456m,1]12m11pEEE3m", 34, "ccm-wait"),
    "open": ("[789m,1][456m,1]23m11pEEE1m", 30, ""),
    "flower's replacement": (PUNGS + "|self flower|1", 28, "ccm-flower ccm-flower-win"),
    "kong's replacement": ("[1111m,2][555p,2]33377s99p7s|self kong", 28, "ccm-kong-win"),
    "robbed kong": ("[789m,1][456m,1]23m11pEEE1m|kong", 30, ""),
    "last draw": (PUNGS + "|self last", 28, "ccm-last-draw"),
    "last discard": (PUNGS + "|last", 28, "ccm-last-discard"),
    "kong's replacement in the last round": (
        "[1111m,2][555p,2]33377s99p7s|self kong last",
        36,
        "ccm-kong-win ccm-last-draw",
    ),
    "concealed, by discard": ("111m555p33377s99p7s", 28, "ccm-concealed"),
    "concealed, self-drawn": ("111m555p33377s99p7s|self", 28, "ccm-concealed"),
    "concealed kong": ("[1111m]555p33377s99p7s", 28, "ccm-concealed"),
    "announced earthly win is worth 0": (PUNGS + "|self earth", 20, "ccm-earth"),
    "knitted straight, single": ("147m258p369s123mEE", 32, "ccm-wait ccm-concealed"),
    "knitted straight, its own tile": ("14m258p369s123mEE7m", 28, "ccm-concealed"),
}

MISSED = {
    "two tiles complete it": ("[123m,1][456m,1]3335m789m4m", 70, ("ccm-wait", "CJ-S4")),
    "closed, or a pair of another": ("[123m,1][EEE,2]3335mCCC4m", 20, ("ccm-wait", "CJ-S4")),
    "drawn and mixed in": ("[123m,1][456m,1]79m11pEEE8m|self mixed", 30, ("ccm-wait", "CJ-C2")),
    "in the single tile": ("[123m,1][456m,1][789s,1][EEE,2]2p2p", 20, ("ccm-wait", "ccm-07")),
    "in the last of its kind": ("[123m,1][567p,1]789s22p46s5s|open", 20, ("ccm-wait", "ccm-08")),
    "concealed, in seven pairs": ("1133m5577p99sEECC", 30, ("ccm-concealed", "ccm-11")),
    "concealed, in unrelated singles": ("147m258p369sESWNC", 20, ("ccm-concealed", "ccm-06")),
}


def extras(counted, settings) -> list[str]:
    catalogue = edition(settings)
    return [line.id for line in counted.fans if catalogue[line.id].extra]


@pytest.mark.rule("CJ-S4")
@pytest.mark.rule("CJ-S2")
@pytest.mark.parametrize(("text", "total", "names"), ADDED.values(), ids=ADDED.keys())
def test_extra_is_added(text, total, names, judge, settings) -> None:
    counted = judge(text)
    assert (counted.total, extras(counted, settings)) == (total, names.split())


@pytest.mark.rule("CJ-S4")
@pytest.mark.parametrize(("text", "total", "missed"), MISSED.values(), ids=MISSED.keys())
def test_extra_is_there_but_not_added(text, total, missed, judge, settings) -> None:
    counted = judge(text)
    assert counted.total == total
    assert missed in counted.not_counted
    assert missed[0] not in extras(counted, settings)


@pytest.mark.rule("CJ-C2")
def test_tile_that_stayed_apart_keeps_the_wait(judge) -> None:
    apart, mixed = (judge("[123m,1][456m,1]79m11pEEE8m|self" + word) for word in ("", " mixed"))
    assert apart.total - mixed.total == 4


@pytest.mark.rule("CJ-S4")
def test_seven_pairs_have_no_wait_at_all(judge) -> None:
    counted = judge("1133m5577p99sEECC")
    assert "ccm-wait" not in {one.id for one in (*counted.fans, *counted.not_counted)}


@pytest.mark.rule("CJ-S1")
def test_extras_alone_do_not_win(judge) -> None:
    counted = judge("[123m,1][567p,1]79s22pEEE8s|self last|2")
    assert (counted.total, counted.legal) == (16, False)


@pytest.mark.rule("CJ-S4")
@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("[123m,1][EEE,2]456m77mCC7m||2", 24),
        ("[123m,1][EEE,2]456mCCC9m9m||2", 28),
    ],
    ids=["two tiles complete it", "single"],
)
def test_worked_example_of_half_flush(text, total, judge) -> None:
    """混一色 20, two flowers 4, single wait 4 (CJ-S5)."""
    assert judge(text).total == total


@pytest.mark.rule("CJ-S2")
def test_seven_pairs_in_one_suit_with_honours_add(judge) -> None:
    """The source's own example of adding: 七对 and 混一色."""
    assert [line.id for line in judge("1133557799mEECC").fans] == ["ccm-04", "ccm-11"]


@pytest.mark.rule("CJ-S2")
def test_best_reading_is_kept(judge) -> None:
    """Four alike in three chows: three lower chows and a full flush beat seven pairs and a full flush."""
    counted = judge("11112222333344m")
    assert counted.total == 30 + 40 + 8
    assert counted.reading[-1] == ("4m", "4m")
