"""Every scenario of the corpus is played, and every article of penalties and time is in one of them."""

from __future__ import annotations

from collections import Counter

import pytest

from tablectl.rules.articles import articles, kind
from tests.game.conftest import BOOK
from tests.scenarios.corpus import Scenario, page, scenarios
from tests.scenarios.expected import check
from tests.scenarios.scene import Refused, Scene
from tests.scenarios.steps import do, understood

ALL = scenarios()
AT_LEAST = 150
KINDS = ("P", "T", "E")


def marked(file: str, scenario: Scenario) -> object:
    marks = [pytest.mark.rule(rule) for rule in scenario.articles]
    return pytest.param(file, scenario, id=scenario.id, marks=marks)


@pytest.mark.parametrize(("file", "scenario"), [marked(*row) for row in ALL])
def test_what_happens_is_what_the_rules_say(file: str, scenario: Scenario) -> None:
    scene = Scene(scenario, page(file).hands.get(scenario.hands, {}))
    for said in scenario.steps:
        do(scene, said)
    check(scene, scenario)
    assert scene.broken == []


def test_there_are_enough_and_each_has_a_name_of_its_own() -> None:
    assert len(ALL) >= AT_LEAST
    assert [id_ for id_, count in Counter(one.id for _, one in ALL).items() if count > 1] == []


def test_every_article_of_penalties_and_time_is_in_a_scenario() -> None:
    named = {rule for _, one in ALL for rule in one.articles}
    assert [rule for rule in articles() if kind(rule) in KINDS and rule not in named] == []
    assert sorted(named - set(articles())) == []


@pytest.mark.parametrize("file", ["mcr", "mcr_ema", "zungjung", "ccm", "wuhan"])
def test_a_page_is_about_one_system(file: str) -> None:
    assert {one.rules for one in page(file).scenario} <= set(BOOK)
    assert len({BOOK[one.rules].score.__class__ for one in page(file).scenario}) == 1


def test_every_sentence_is_understood() -> None:
    said = {step for _, one in ALL for step in one.steps}
    assert said
    with pytest.raises(AssertionError, match="no step is"):
        understood("W dances")


def test_a_step_that_is_refused_must_say_so() -> None:
    scenario = next(one for _, one in ALL if one.rules == "mcr" and one.fidelity == "count")
    with pytest.raises(Refused, match="was not refused"):
        do(Scene(scenario, {}), "E discards: refused")
    with pytest.raises(Refused, match="refused:"):
        do(Scene(scenario, {}), "the referee confirms the win")
