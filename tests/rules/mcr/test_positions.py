"""Positions of the rule file (section C4): each hand, its total and its fan."""

from __future__ import annotations

import pytest

from tablectl.rules.mcr.catalog import catalogue

POSITIONS = {
    1: ("33336688m22557s7s", 29, "七对 四归一 断幺 缺一门"),
    2: ("33m22s77pEENCCPPN|EE1000", 31, "七对 五门齐 自摸"),
    3: ("44558m22p225566s8m|EE1000", 27, "七对 断幺 自摸"),
    4: ("22334556677884s", 90, "连七对 断幺"),
    5: ("[123p,1]12355778998p|EE1000", 66, "一色双龙会 坎张 自摸"),
    6: ("23422333444sFF2s|EE1000", 140, "绿一色 一色四同顺 不求人"),
    7: ("22333344668888s", 142, "绿一色 七对 清一色 四归一*2 断幺"),
    8: ("EESSWWNNPPFFCC|EE1000", 89, "字一色 七对 自摸"),
    9: ("258m13369p14788s2p", 17, "组合龙 门前清 平和 坎张"),
    10: ("258m23469p14788s3p", 17, "组合龙 门前清 平和 坎张"),
    11: ("369m147p25sSWNPF8s", 24, "全不靠 组合龙"),
    12: ("14m369p25sESWNPFC|EE1000", 25, "七星不靠 自摸"),
    13: ("[678s,3]147m369s25pSS8p", 12, "组合龙"),
    14: ("[345m,1]567m45556p345s", 25, "全带五 三色三步高 平和 喜相逢"),
    15: ("[111m,1][123m,1]33455553m|EE1000", 32, "清一色 四归一*3 幺九刻 自摸"),
    16: ("[1111m][222s,1]78999s44p9s", 9, "四归一 双暗刻 暗杠 幺九刻*2 无字"),
    17: ("[234m,1][555m,1]567m55576p|EE0101", 15, "抢杠和 四归一 断幺 喜相逢 连六 缺一门"),
    18: ("[666m,2][777m,2][999m,2]78886m|EE0100", 45, "清一色 大于五 和绝张 四归一*2 幺九刻"),
    19: ("[123m,1][345m,1]567m34sCC5s|EE1110", 30, "一色三步高 妙手回春 和绝张 喜相逢 缺一门"),
    20: ("[123m,1][345m,1]567m34sCC5s|EE0110", 30, "一色三步高 海底捞月 和绝张 喜相逢 缺一门"),
    21: ("[1111m][111p,3]999p11999s|EE1001", 90, "清幺九 三暗刻 杠上开花 暗杠"),
    22: ("123789s123789p33m", 8, "门前清 平和 喜相逢*2 老少副 单钓将"),
    23: ("789m456p123s123p33m", 14, "花龙 门前清 平和 喜相逢 单钓将"),
    24: ("12334556723499m", 46, "清一色 一色三步高 门前清 平和 连六 单钓将"),
    25: ("234567p234567sEE", 7, "门前清 喜相逢*2 连六 缺一门 单钓将"),
    26: ("234567p234567sEE|EE1000", 9, "不求人 喜相逢*2 连六 缺一门 单钓将"),
    27: ("[123m,1][345m,1]678p56sWW7s", 8, "无番和"),
    28: ("11123456789992p", 92, "九莲宝灯 双暗刻 幺九刻 连六"),
    29: ("11123456789999m|EE1000", 107, "九莲宝灯 清龙 四归一 自摸"),
    30: ("11134567889992p", 31, "清一色 门前清 双暗刻 连六 幺九刻*2"),
    31: ("[1111s][2222m,1][333p,1]444p88s", 24, "三色三节高 碰碰和 明暗杠 双暗刻 幺九刻 无字 单钓将"),
    32: ("[1111s][2222m,1][4444p,3]333p88s", 51, "三杠 三色三节高 碰碰和 双暗刻 幺九刻 无字 单钓将"),
    33: ("[1111s][2222m][3333p][4444p]88s", 162, "四杠 四暗刻 三色三节高 幺九刻 无字"),
    34: ("1234444678m456p1m|NE1000", 8, "不求人 四归一 缺一门 无字"),
    35: ("[NNN,3]77789m11888p7m", 6, "四归一 双暗刻 幺九刻 缺一门"),
    36: ("[234m,1][345p,1][234s,1][CCCC,2]11m", 10, "全求人 箭刻 喜相逢 明杠"),
    37: ("[EEE,2][SSSS,1]WWWNN555p|SN1000", 82, "小四喜 碰碰和 混一色 圈风刻 双暗刻 明杠 自摸"),
    38: ("19m19p119sESWNPFC|EE1000", 89, "十三幺 自摸"),
    39: ("[123p,1][123m,1]123m12p44s3p", 18, "小于五 平和 一般高*2 喜相逢 边张"),
    40: ("[1111s][2222m]333444p88s", 81, "四暗刻 三色三节高 双暗杠 幺九刻 无字 单钓将"),
}
ILLEGAL = {25, 35}

IDS = {fan.zh: fan.id for fan in catalogue().values()}


def fan_marks(fans: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.rule(IDS[name.partition("*")[0]]) for name in fans.split()]


@pytest.mark.rule("MCR-S15")
@pytest.mark.parametrize(
    ("number", "text", "total", "fans"),
    [pytest.param(n, *row, id=str(n), marks=fan_marks(row[2])) for n, row in POSITIONS.items()],
)
def test_position_is_counted_as_the_rule_file_says(number, text, total, fans, judge, named) -> None:
    counted = judge(text)
    expected = {name: int(times or 1) for name, _, times in (fan.partition("*") for fan in fans.split())}
    assert (counted.total, named(counted)) == (total, expected)
    assert counted.legal == (number not in ILLEGAL)


@pytest.mark.rule("MCR-S1")
@pytest.mark.parametrize(
    ("text", "total", "without_flowers", "legal"),
    [
        ("234567p234567sEE|EE0000|3", 10, 7, False),
        ("[123m,1][345m,1]678p56sWW7s|EE0000|2", 10, 8, True),
    ],
    ids=["flowers do not lift seven to eight", "flowers are added to a chicken hand"],
)
def test_flowers_count_but_not_towards_the_minimum(text, total, without_flowers, legal, judge) -> None:
    counted = judge(text)
    assert (counted.total, counted.without_flowers, counted.legal) == (total, without_flowers, legal)
