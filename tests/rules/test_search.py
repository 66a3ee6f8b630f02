"""A referee finds the article by what he saw, in either language, in haste."""

from __future__ import annotations

import random

import pytest

from tablectl.locale.catalog import LANGUAGES
from tablectl.rules.book import load_book
from tablectl.rules.search import find

BOOK = load_book()


def first(id_: str, text: str, lang: str = "en") -> str:
    found = find(BOOK[id_], text, lang)
    return found[0].id if found else ""


# ruleset, what is typed, what is meant
TYPED = [
    ("mcr", "drew before", "early_draw"),
    ("mcr", "before he drew", "early_draw"),
    ("mcr", "befor drew", "early_draw"),
    ("mcr", "摸牌早", "early_draw"),
    ("mcr", "摸早了", "early_draw"),
    ("mcr", "抢摸", "early_draw"),
    ("mcr", "MCR-P5", "early_draw"),
    ("mcr", "mcr p5", "early_draw"),
    ("mcr", "p5", "early_draw"),
    ("mcr", "Ｐ５", "early_draw"),
    ("mcr", "early_draw", "early_draw"),
    ("mcr", "took two", "long_hand"),
    ("mcr", "late pun", "late_claim"),
    ("mcr", "pung too late", "late_claim"),
    ("mcr", "碰晚", "late_claim"),
    ("mcr", "won wrong tile", "false_win_wrong_tile"),
    ("mcr", "not enough points", "false_win_low"),
    ("mcr", "诈和", "false_win"),
    ("mcr", "相公", "short_hand"),
    ("mcr", "dropped tile", "exposed_tile"),
    ("mcr", "掉了一张牌", "exposed_tile"),
    ("mcr", "swaped tiles", "cheating"),
    ("mcr", "overtme", "overtime"),
    ("mcr", "超时", "overtime"),
    ("mcr", "说了等等", "forbidden_words"),
    ("mcr", "showd hand befor confirm", "hand_laid_down"),
    ("mcr", "knocked over neighbour", "exposes_others"),
    ("mcr-ema", "双叫", "changed_call"),
    ("mcr-ema", "comments", "comment"),
    ("zungjung", "空鸣", "empty_claim"),
    ("zungjung", "dead penalty tile", "penalty_tile_discarded"),
    ("zungjung", "死罚张", "penalty_tile_discarded"),
    ("zungjung", "wrong east", "wrong_dealer"),
    ("zungjung", "drew before", "early_draw"),
    ("zungjung", "先打后摸", "discard_before_draw"),
    ("zungjung", "改口", "changed_call"),
    ("zungjung", "zj-p22", "replacement_before_kong"),
    ("ccm", "flower discarded", "flower_discarded"),
    ("ccm", "打了花牌", "flower_discarded"),
    ("ccm", "zero points", "win_off_zero"),
    ("ccm", "推倒", "hand_laid_down"),
    ("wuhan", "drew before", "early_draw"),
    ("wuhan", "未开口", "false_win_low"),
]


@pytest.mark.parametrize(("id_", "text", "meant"), TYPED, ids=[f"{row[0]}-{row[1]}" for row in TYPED])
def test_what_is_typed_finds_what_is_meant(id_: str, text: str, meant: str) -> None:
    assert first(id_, text) == meant
    assert first(id_, text, "zh-Hans") == meant


CALLED = [
    (id_, name, word)
    for id_ in ("mcr", "zungjung", "ccm")
    for name, one in BOOK[id_].offences.items()
    for word in one.words
]


def best(id_: str, text: str) -> set[str]:
    """The offences that fit best, one or several."""
    found = find(BOOK[id_], text, "en")
    return {one.id for one in found if one.score == found[0].score}


def test_every_word_of_a_catalogue_finds_its_offence() -> None:
    lost = [(id_, name, word) for id_, name, word in CALLED if name not in best(id_, word)]
    assert lost == []


def test_the_order_of_words_does_not_matter() -> None:
    lost = []
    for id_, name, word in random.Random(7).sample(CALLED, 60):
        turned = " ".join(reversed(word.split()))
        if name not in best(id_, turned):
            lost.append((id_, name, turned))
    assert lost == []


def test_a_slip_in_a_long_word_is_forgiven() -> None:
    chance, lost = random.Random(11), []
    long = [row for row in CALLED if row[2].isascii() and any(len(part) > 6 for part in row[2].split())]
    for id_, name, word in chance.sample(long, 60):
        slipped = max(word.split(), key=len)
        at = chance.randrange(2, len(slipped) - 1)
        typed = word.replace(slipped, slipped[:at] + slipped[at + 1 :])
        if name not in [one.id for one in find(BOOK[id_], typed, "en")][:3]:
            lost.append((id_, name, typed))
    assert lost == []


@pytest.mark.parametrize("text", ["xyzzy", "天气", "?", "Z99", "123456"])
def test_what_nobody_means_finds_nothing(text: str) -> None:
    assert find(BOOK["mcr"], text, "en") == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_typed_lists_them_all(lang: str) -> None:
    assert [one.id for one in find(BOOK["ccm"], "  ", lang)] == list(BOOK["ccm"].offences)


def test_an_article_finds_whatever_it_speaks_of_its_own_first() -> None:
    assert [one.id for one in find(BOOK["zungjung"], "ZJ-P8", "en")] == ["exposed_tile", "penalty_tile_used"]
    assert [one.id for one in find(BOOK["mcr"], "P15", "en")] == ["short_hand", "long_hand"]
    assert first("wuhan", "MCR-P5") == "early_draw"


def test_scores_fall_and_stay_between_nothing_and_one() -> None:
    for id_, _, word in random.Random(3).sample(CALLED, 60):
        scores = [one.score for one in find(BOOK[id_], word, "en")]
        assert scores == sorted(scores, reverse=True)
        assert all(0 < score <= 1 for score in scores)
