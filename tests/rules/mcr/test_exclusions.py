"""What each fan contains and so is not added (MCR-S7), and what is; every fan of the book at least once."""

from __future__ import annotations

import pytest

from tablectl.rules.mcr.catalog import catalogue

# hand, total, fan added, fan there but not added
HANDS = [
    ("[EEE,1][SSS,1]WWWNNN55p", 97, "大四喜 混一色 双暗刻 单钓将", "碰碰和 圈风刻 门风刻 幺九刻"),
    ("[CCC,1]FFFPPP123m55m", 97, "大三元 混一色 双暗刻 单钓将", "箭刻 幺九刻"),
    ("[CCC,1]FFF123m111pPP", 73, "小三元 全带幺 双暗刻 幺九刻 缺一门 单钓将", "箭刻 幺九刻"),
    ("[234s,3]234666sFF888s", 89, "绿一色 一般高", "混一色"),
    ("[234s,3]22233366s888s", 120, "绿一色 清一色 四归一*2 双暗刻 断幺", "无字"),
    ("11123456789992p", 92, "九莲宝灯 双暗刻 连六 幺九刻", "清一色 门前清 幺九刻 无字"),
    ("11123456789992p|EE1000", 93, "九莲宝灯 双暗刻 连六 幺九刻 自摸", "清一色 不求人 幺九刻 无字"),
    ("[1111s,1][2222m,1][3333p,1][4444p,1]88s", 104, "四杠 三色三节高 全求人 幺九刻 无字", "碰碰和 单钓将"),
    ("22334556677884s", 90, "连七对 断幺", "七对 清一色 门前清 无字"),
    ("19m19p119sESWNPFC", 88, "十三幺", "混幺九 五门齐 门前清"),
    ("[111m,1][111p,1]111s99m999s", 80, "清幺九 三同刻", "混幺九 碰碰和 全带幺 双同刻 幺九刻 无字"),
    ("[111m,1][999m,1]111s99p999s", 64, "清幺九", "混幺九 碰碰和 全带幺 双同刻 幺九刻 无字"),
    ("[EEE,1][SSS,1]WWWNN111p", 106, "小四喜 混幺九 混一色 圈风刻 门风刻", "碰碰和 全带幺 幺九刻"),
    ("[EEE,2][SSSS,1]WWWNN555p|NN0000", 77, "小四喜 碰碰和 混一色 明杠", "幺九刻"),
    ("[EEE,1][SSS,1]CCCFFPPP", 132, "小三元 字一色 圈风刻 门风刻", "混幺九 碰碰和 全带幺 箭刻 幺九刻"),
    ("EESSWWNNPPFFCC", 88, "字一色 七对", "混幺九 门前清"),
    ("[EEE,1][111m,1]999s99p111p", 38, "混幺九 圈风刻 门风刻 双同刻", "碰碰和 全带幺 幺九刻"),
    ("111m222p333s44s555m|EE1000", 75, "四暗刻 三色三节高 幺九刻 无字 自摸", "碰碰和 不求人"),
    ("112233778899m5m5m", 67, "一色双龙会 门前清 单钓将", "清一色 平和 一般高 老少副 无字"),
    ("[123m,1]123m123123m44s", 64, "一色四同顺 小于五 平和 缺一门 单钓将", "一色三同顺 四归一 一般高 无字"),
    ("[111m,1]222333m444m55p", 68, "一色四节高 三暗刻 幺九刻 缺一门 无字 单钓将", "一色三节高 碰碰和"),
    ("[123m,1]345567m789m11s", 36, "一色四步高 平和 缺一门 单钓将", "一色三步高 老少副 无字"),
    ("[123m,1]234345m456m11s", 36, "一色四步高 平和 缺一门 单钓将", "一色三步高 连六 无字"),
    ("14m369p25sESWNPFC", 24, "七星不靠", "全不靠 五门齐 门前清"),
    ("14m369p258sESWNPF", 12, "全不靠", "五门齐 门前清"),
    ("[222m,1][444s,1]666p22s888p", 24, "全双刻", "碰碰和 断幺 无字"),
    ("[234m,1]234m234m55m678m", 52, "清一色 一色三同顺 平和 断幺", "一般高 无字"),
    ("[123m,1]123m123m55p123s", 28, "一色三同顺 平和 喜相逢 边张", "一般高 无字"),
    ("[111m,1]222333m789p55p", 30, "一色三节高 双暗刻 幺九刻 缺一门 无字 单钓将", ""),
    ("[789m,1]789p99s789s89m7m", 40, "全大 三色三同顺 全带幺 平和 一般高 边张", "大于五 喜相逢 无字"),
    ("[456m,1]456p55s456s46m5m", 52, "全中 全带五 三色三同顺 平和 一般高 坎张", "断幺 喜相逢 无字"),
    ("[123m,1]123p33s123s12m3m", 36, "全小 三色三同顺 平和 一般高 边张", "小于五 喜相逢 无字"),
    ("[123p,1]456p789p55m456m", 20, "清龙 平和 喜相逢 缺一门", "连六 老少副 无字"),
    ("[123m,2]789m123s55p789s", 16, "三色双龙会", "平和 老少副 喜相逢 无字"),
    ("[345m,1]567m45556p345s", 25, "全带五 三色三步高 平和 喜相逢", "断幺 无字"),
    ("[111m,1]111p111s55p999s", 29, "三同刻 碰碰和 双暗刻 幺九刻*4 无字", "双同刻"),
    ("[EEE,1]SSSWWW55p111s|NN0000", 22, "三风刻 碰碰和 双暗刻 幺九刻 缺一门", "幺九刻"),
    ("[123m,1]123s123p55p678p", 10, "三色三同顺 平和", "喜相逢 无字"),
    ("[666m,1]777p888s33m567s", 12, "三色三节高 双暗刻 断幺", "无字"),
    ("[234p,1]456s888p88sPP8s", 10, "推不倒 双同刻", "缺一门"),
    ("[CCC,1]FFF123m55p789s", 6, "双箭刻", "箭刻 幺九刻"),
    ("[1111s,1][2222m][3333p][444p,1]88s", 51, "三杠 三色三节高 碰碰和 双暗刻 幺九刻 无字 单钓将", ""),
    ("[1111s,1][2222m]345p678p99m", 9, "明暗杠 连六 幺九刻 无字 单钓将", ""),
    ("[1111s,1][2222m,1]345p678p99m", 8, "双明杠 连六 幺九刻 无字 单钓将", ""),
    ("[1111s][2222m][345p,1]678p99m", 10, "双暗杠 连六 幺九刻 无字 单钓将", "双暗刻"),
    ("[1111s][2222m]444p678p99m", 27, "三暗刻 双暗杠 门前清 幺九刻 无字 单钓将", ""),
    ("[234m,1][345p,1][234s,1][CCCC,2]11m", 10, "全求人 箭刻 喜相逢 明杠", "单钓将 幺九刻"),
    ("[234m,1][345p,1][234s,1][CCCC]11m", 6, "箭刻 暗杠 喜相逢 单钓将", "幺九刻"),
    ("[234m,1][345p,1][234s,1][CCC,2]11m|EE1000", 5, "箭刻 喜相逢 单钓将 自摸", "幺九刻"),
    ("258m13369p14788s2p", 17, "组合龙 门前清 平和 坎张", "无字"),
    ("[678m,1]678p78s99m678s9s", 22, "大于五 三色三同顺 平和", "喜相逢 无字"),
    ("789m456p123s123p33m", 14, "花龙 门前清 平和 喜相逢 单钓将", "连六 无字"),
    ("123789s123789p33m|EE1000", 10, "不求人 平和 喜相逢*2 老少副 单钓将", "自摸 无字"),
    ("[EEE,1][111m,1]456s78pFF9p", 11, "五门齐 圈风刻 门风刻 幺九刻", "幺九刻"),
    ("[123m,1][345m,1]567m34sCC5s|EE0110", 30, "一色三步高 海底捞月 和绝张 喜相逢 缺一门", ""),
    ("[123m,1][345m,1]567m34sCC5s|EE1010", 26, "一色三步高 妙手回春 喜相逢 缺一门", "自摸"),
    ("[1111m,1][345m,1]567m34sCC5s|EE1001", 12, "杠上开花 喜相逢 幺九刻 明杠 缺一门", "自摸"),
    ("[123m,1][345m,1]567m34sCC5s|EE0101", 26, "一色三步高 抢杠和 喜相逢 缺一门", "和绝张"),
]
FLOWERED = [("[123m,1][345m,1]678p56sWW7s|EE0000|2", 10, "无番和 花牌*2", "")]

FANS = catalogue()
IDS = {fan.zh: fan.id for fan in FANS.values()}


def names(text: str) -> dict[str, int]:
    return {name: int(times or 1) for name, _, times in (fan.partition("*") for fan in text.split())}


@pytest.mark.rule("MCR-S7")
@pytest.mark.parametrize(
    ("text", "total", "added", "left_out"),
    [
        pytest.param(*row, id=row[0], marks=[pytest.mark.rule(IDS[name]) for name in names(row[2])])
        for row in HANDS + FLOWERED
    ],
)
def test_contained_fan_is_not_added(text, total, added, left_out, judge, named) -> None:
    counted = judge(text)
    assert (counted.total, named(counted)) == (total, names(added))
    assert {FANS[fan].zh for fan, _ in counted.not_counted} == set(left_out.split())


def test_every_fan_is_added_somewhere() -> None:
    assert {name for row in HANDS + FLOWERED for name in names(row[2])} == set(IDS)


@pytest.mark.rule("MCR-S7")
def test_what_is_left_out_names_the_fan_that_contains_it(judge) -> None:
    counted = judge("[123m,1]123m123m55m789p|EE1000")
    because = {FANS[fan].zh: FANS[why].zh if why in FANS else why for fan, why in counted.not_counted}
    assert because == {"无字": "平和", "一般高": "MCR-S6"}


@pytest.mark.rule("MCR-S14")
def test_winning_on_a_flowers_replacement_is_only_self_drawn(judge, named) -> None:
    assert "自摸" in named(judge("[1111m,1][345m,1]567m34sCC5s|EE1000|1"))
