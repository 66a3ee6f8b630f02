"""Each technical fan by a hand that has it and a near one that has not (CJ-S11)."""

from __future__ import annotations

import pytest

from tablectl.rules.ccm.catalog import edition

# Fan beside the circumstances' extras; "-" for a winning shape without any.
HANDS = {
    "mixed straight": ("[123m,1]456p78s11mEEE9s", "ccm-01"),
    "two of three suits": ("[123m,1]456m78s11pEEE9s", "-"),
    "pure straight": ("[123m,1]456m78m11pEEE9m", "ccm-02"),
    "pure straight, all closed": ("123456789m11pEEE", "ccm-02"),
    "a run that is no three chows": ("[234m,1][567m,1]89m11pEEE7m", "-"),
    "knitted straight": ("[EEE,2]147m258p36s11p9s", "ccm-03"),
    "knitted straight with a chow of its own": ("[456m,1]369m147p25sCC8s", "ccm-03"),
    "knitted straight with a kong": ("[9999s]369m147p25sCC8s", "ccm-03"),
    "half flush": ("[123m,1][EEE,2]456m77mCCC", "ccm-04"),
    "half flush of pairs": ("1133557799mEECC", "ccm-04 ccm-11"),
    "honours only is no half flush": ("[EEE,1][SSS,1]CCCFFWWF", "ccm-05"),
    "all pungs": ("[111m,2][EEEE,2]333s77p999p", "ccm-05"),
    "fourteen singles": ("147m258p369sESWNC", "ccm-06"),
    "fourteen singles of other numbers": ("159m148p269sESWNC", "ccm-06"),
    "fourteen singles, all honours": ("15m259p36sESWNCFP", "ccm-06"),
    "fourteen singles, two of them close": ("157m258p369sESWNC", ""),
    "fourteen singles, two neighbours": ("145m258p369sESWNC", ""),
    "single tile after a chow": ("[123m,1][456m,1][789s,1][EEE,2]2p2p", "ccm-07"),
    "single tile after pungs only": ("[111m,1][444m,1][777s,1][EEEE,2]2p2p", "ccm-05 ccm-07"),
    "a concealed kong is not open": ("[123m,1][456m,1][789s,1][EEEE]2p2p", "-"),
    "last tile, closed wait": ("[123m,1][567p,1]789s22p46s5s|open", "ccm-08"),
    "last tile, edge wait": ("[123m,1][567p,1]789s22p12s3s|open", "ccm-08"),
    "last tile, own pung": ("[555s,1][456p,1]789m22p46s5s", "ccm-08"),
    "last tile, robbed from the pung": ("[123m,1][567p,1]789s22p46s5s|kong", "ccm-08"),
    "last tile, open wait": ("[123m,1][567p,1]789s22p45s6s|open", "-"),
    "last tile, closed and pair at once": ("[123m,1][567p,1]678m3335s4s|open", "-"),
    "closed wait, pung not open": ("[123m,1][567p,1]789s22p46s5s", "-"),
    "three upper": ("[789m,1][789m,1]78s22pEEE9s", "ccm-09"),
    "three middle": ("[456m,1][456p,1]45s22pEEE6s", "ccm-09"),
    "three lower": ("[123m,1][123p,1]13s22pEEE2s", "ccm-09"),
    "three chows of 234": ("[234m,1][234p,1]34s22pEEE2s", "-"),
    "full flush": ("[123m,1][345m,1]567m99m78m6m", "ccm-10"),
    "seven pairs": ("1133m5577p99sEECC", "ccm-11"),
    "seven pairs, four alike": ("1111m5577p99sEECC", "ccm-11"),
    "three dragons": ("[CCC,1][FFFF,2]PPP12m99s3m", "ccm-12"),
    "three dragons, one concealed kong": ("[CCC,1][FFFF]PPP12m99s3m", "ccm-12"),
    "two dragons and the pair": ("[CCC,1][FFFF,2]PP12m999s3m", "-"),
    "all at once": ("[CCC,1][FFFF,2]PPP11m99m1m", "ccm-04 ccm-05 ccm-12"),
    "no fan": ("[123m,1][567p,1]78s22pEEE9s", "-"),
    "thirteen orphans are no shape": ("19m19p19sESWNCFPE", ""),
}


def marks(fans: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.rule(fan) for fan in fans.split() if fan != "-"]


@pytest.mark.rule("CJ-S11")
@pytest.mark.rule("CJ-S1")
@pytest.mark.parametrize(
    ("text", "fans"),
    [pytest.param(text, fans, id=name, marks=marks(fans)) for name, (text, fans) in HANDS.items()],
)
def test_fan_of_a_hand(text, fans, judge, settings) -> None:
    counted = judge(text)
    catalogue = edition(settings)
    assert [line.id for line in counted.fans if not catalogue[line.id].extra] == fans.strip("-").split()
    assert counted.legal == (fans not in ("", "-"))
    assert (counted.form is None) == (not fans)
