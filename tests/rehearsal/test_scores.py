"""Simulated hands carry real scores: players and rule book agree on every win, and the books add up.

Players judge by what they see at the table, the engine by its record: two readings of the same hand. Whose
chips suffice no player is told, so there, and only there, the rule book may refuse what a player declares.
"""

from __future__ import annotations

import pytest

from tablectl.game import ledger
from tablectl.locale import catalog
from tablectl.rehearsal.outcome import Outcome
from tablectl.rehearsal.room import Setting
from tablectl.rehearsal.sheet import sheet
from tests.rehearsal.played import BOOK, Played, play_session

SYSTEMS = ("mcr", "zungjung", "ccm", "wuhan")
HANDS = 3
BY_CHIPS = {"win.payer_out", "win.opponent_out", "win.nothing_left", "win.not_first"}


def played(system: str, seed: int) -> Played:
    return play_session(Setting(rules=system, seed=seed), HANDS, {"rules": system, "hands": HANDS})


@pytest.mark.rule("MCR-S1", "ZJ-S1", "CJ-S1", "WH-C1")
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", [1, 22])
def test_every_win_a_player_declares_is_one_by_the_rule_book_and_is_booked(system: str, seed: int) -> None:
    game = played(system, seed)
    won = [hand for hand in game.report.hands if hand["result"] == "win"]
    assert set(game.report.rejected) <= BY_CHIPS
    assert game.broken == []
    assert all("score" in hand for hand in won)
    session = game.state.session
    assert ledger.missing(game.state) == []
    totals = ledger.totals(session)
    assert sum(totals.values()) == 0
    for player in session.players:
        booked = [entry.deltas[player.id] for entry in session.ledger]
        assert totals[player.id] == sum(booked)
        assert player.points == BOOK[system].session.start_points.value + sum(
            entry.deltas[player.id] for entry in session.ledger if entry.table
        )


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_the_sheet_names_every_fan_with_its_article_and_who_pays(lang: str) -> None:
    won = next(hand for hand in played("mcr", 1).report.hands if hand["result"] == "win")
    lines = list(sheet(Outcome(hands=[won], journal="/dev/null"), BOOK, lang))
    for line in won["score"]["lines"]:
        named = line["zh" if lang == "zh-Hans" else "en"]
        assert any(named in shown and line["rule"] in shown for shown in lines)
    paid = catalog.text(
        "sheet.score", lang, total=won["score"]["total"], points=ledger.signed(won["score"]["deltas"])
    )
    assert paid in lines
