"""The record of a rehearsal on one page: what each seat ended with, the result, the wire, the journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablectl.console.figures import parts, signed
from tablectl.daemon.record import read_records
from tablectl.daemon.restore import input_of
from tablectl.game import ledger, standings
from tablectl.game import step as game
from tablectl.game.state import State
from tablectl.game.view import view
from tablectl.locale import catalog
from tablectl.rehearsal import points
from tablectl.rehearsal.outcome import Outcome
from tablectl.rules.book import RuleBook
from tablectl.rules.tiles import in_order

ROW = 6  # discards lie in rows of six (MCR-C3)


def sheet(outcome: Outcome, book: RuleBook, lang: str) -> Iterator[str]:
    """The lines of the page."""
    for result in outcome.hands:
        yield catalog.text(
            f"sheet.{result['result']}", lang, **{"from": None, **result, "hand": result["hand"]}
        )
        for winner in result.get("winners", ()):
            yield from _score(winner, lang)
    state = _last_state(Path(outcome.journal), book)
    if state is not None and state.hand is not None:
        document = view(state, state.now, open=True)
        for seat in document["hand"]["seats"]:
            yield _seat(seat, document["session"]["players"], lang)
    yield catalog.text(
        "sheet.wire",
        lang,
        frames=outcome.frames,
        retries=outcome.retries,
        crc_errors=outcome.crc_errors,
    )
    yield catalog.text(
        "sheet.record",
        lang,
        inputs=outcome.inputs,
        violations=len(outcome.violations),
        digest=outcome.digest[:16],
        virtual_s=round(outcome.virtual_s),
        wall_s=outcome.wall_s,
    )
    yield catalog.text("sheet.journal", lang, path=outcome.journal)
    for broken in outcome.violations[:10]:
        yield f"  ! {broken}"


def ranking(outcome: Outcome, book: RuleBook, lang: str) -> Iterator[str]:
    """The results of a session: who won how many hands, and what the ledger comes to."""
    yield catalog.text("sheet.ranking", lang, hands=len(outcome.hands))
    state, wins = _last_state(Path(outcome.journal), book), points.wins(outcome.hands)
    assert state is not None
    found = standings.document(state.session, state.ruleset)
    how = found["standings"]
    for row in found["ranking"]:
        facts = {"place": row["place"], "name": row["player"], "wins": wins[row["player"]]}
        points_ = {"points": signed(row["total"])}
        if row["standard"]:
            worth, unit = parts(row["sum"], how["per"]), catalog.text(f"paper.unit.{how['unit']}", lang)
            yield catalog.text("sheet.place_standard", lang, worth=worth, unit=unit, **facts, **points_)
        else:
            yield catalog.text("sheet.place", lang, **facts, **points_)


def _score(winner: dict[str, Any], lang: str) -> Iterator[str]:
    """What a win is worth by the rule book, fan by fan, with who pays."""
    score = winner.get("score")
    if score is None:
        return
    named = "zh" if lang.startswith("zh") else "en"
    for line in score["lines"]:
        yield catalog.text(
            "sheet.fan", lang, name=line[named], points=line["points"], times=line["times"], rule=line["rule"]
        )
    paid = ledger.signed(score["deltas"])
    if score["liable"] is None:
        yield catalog.text("sheet.score", lang, total=score["total"], points=paid)
    else:
        yield catalog.text(
            "sheet.score_liable",
            lang,
            total=score["total"],
            points=paid,
            player=score["liable"],
            rule=score["liable_rule"],
        )


def _seat(seat: dict[str, Any], players: list[dict[str, Any]], lang: str) -> str:
    name = next((p["name"] for p in players if p["side"] == seat["side"]), "")
    melds = " ".join(f"[{' '.join(meld['tiles']) or meld['kind']}]" for meld in seat["melds"])
    pool = seat["discards"]
    rows = " / ".join(" ".join(pool[i : i + ROW]) for i in range(0, len(pool), ROW))
    unread = catalog.text("sheet.unread", lang, count=seat["concealed"])
    return catalog.text(
        "sheet.seat",
        lang,
        seat=seat["seat"],
        name=name,
        tiles=" ".join(in_order(seat["tiles"])) if seat["tiles"] else unread,
        melds=melds,
        flowers=seat["flowers"],
        discards=rows if any(pool) else len(pool),
    )


def _last_state(path: Path, book: RuleBook) -> State | None:
    """The state the journal ends with."""
    state = game.new_state()
    for record in read_records(path.open("rb")):
        if record.has_input and record.raised is None:
            game.step(state, record.n, record.at, record.unc, input_of(record), book)
    return state
