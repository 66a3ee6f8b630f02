"""The score sheet (记分表) of a session as plain data: every hand, every point, who signed, who stands where.

It is made of what is over alone: results, ledger, signatures; nothing of a hand in play is in it. Payments,
penalties and corrections are kept apart, and a correction is a further line, never another number.
`docs/sheets.md` says what each field is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tablectl.game import ledger, seating, standings
from tablectl.game.ledger import Deltas
from tablectl.game.sessionstate import Count, Entry, Note, SessionState, Sheet
from tablectl.game.state import SEATS, State
from tablectl.rules.model import Ruleset
from tablectl.rules.show import rows

FORMAT = 1
SHORT = 16  # digits of a hash that a person compares
FINES = ("penalty", "bank")  # kinds of entries that pay for no hand
SETTING_RIGHT = ("correction", "reseat")


def document(state: State, *, hand: int = 0, stage: int = 0) -> dict[str, Any]:
    """The sheet of the session, or of one stage or hand of it (0 = all)."""
    session, rules = state.session, state.ruleset
    wanted = [
        number
        for number in _hands(state)
        if hand in (0, number) and stage in (0, ledger.stage_of(session, max(1, number)))
    ]
    return {
        "format": FORMAT,
        "rules": {} if rules is None else edition(rules, session),
        "session": {
            "state": session.phase,
            "why_over": session.ended,
            "started": session.started,
            "stage": session.stage,
            "stages": session.stages,
            "official": session.official,
            "start_points": 0 if rules is None else rules.session.start_points.value,
        },
        "players": [_player(session, id_) for id_ in sorted(one.id for one in session.players)],
        "hands": [_hand(state, number) for number in wanted],
        "stages": [
            {"stage": number + 1, "points": points, "fines": _fines(session, number + 1)}
            for number, points in enumerate(ledger.stage_points(session))
        ],
        **standings.document(session, rules),
        "missing_points": ledger.missing(state),
        "unsigned": [sheet.hand for sheet in session.sheets if sheet.phase != "closed"],
    }


def mark(journal: str, n: int, head: str, differs: Sequence[int] = (), torn: int = 0) -> dict[str, Any]:
    """Which record a sheet was made of. ``differs``: results this program does not come to itself; ``torn``:
    the line its file is cut off in, 0 = none."""
    named = {"journal": journal, "n": n, "head": head, "short": head[:SHORT]}
    return {**named, "differs": list(differs), "torn": torn}


def edition(rules: Ruleset, session: SessionState) -> dict[str, Any]:
    """The rules it was played by: their names, their hash, and how they answer where books differ."""
    return {
        "id": rules.id,
        "zh": rules.name.zh,
        "en": rules.name.en,
        "hash": session.rules_hash,
        "settings": [
            {
                "setting": row.setting,
                "field": f"{row.section}.{row.field}",
                "value": row.value,
                "rule": row.rule,
                "provisional": row.provisional,
            }
            for row in rows(rules)
            if row.setting
        ],
    }


def _hands(state: State) -> list[int]:
    """Hands that are over and have anything on the sheet; 0 is what came before the first."""
    played = [result["hand"] for result in state.results]
    session = state.session
    told = [one.hand for one in session.ledger]
    told += [one.hand for one in session.notes] + [one.hand for one in session.counts]
    return sorted({*played, *told} - _unfinished(state))


def _unfinished(state: State) -> set[int]:
    """The hand in play: nothing of it is on the sheet yet."""
    now = state.hand
    return {now.no} if now is not None and not now.over else set()


def _player(session: SessionState, id_: str) -> dict[str, Any]:
    one = session.player(id_)
    return {
        "id": id_,
        "name": one.name,
        "status": one.status,
        "substitutes": [
            {"name": line.name, "since": line.since, "until": line.until}
            for line in session.substitutions
            if line.player == id_
        ],
    }


def _hand(state: State, number: int) -> dict[str, Any]:
    session = state.session
    entries = [entry for entry in session.ledger if entry.hand == number]
    by_record = {entry.n: entry for entry in session.ledger}
    fines = [e for e in entries if e.case or _kind(e, by_record) in FINES]
    sheet = next((sheet for sheet in session.sheets if sheet.hand == number), None)
    stage = ledger.stage_of(session, max(1, number))
    return {
        "hand": number,
        "stage": stage,
        "results": [_result(session, one) for one in state.results if one["hand"] == number],
        "payments": [_entry(state, e) for e in entries if e not in fines and e.kind not in SETTING_RIGHT],
        "penalties": [_entry(state, e) for e in fines if e.kind not in SETTING_RIGHT],
        "corrections": [_entry(state, e) for e in entries if e.kind in SETTING_RIGHT],
        "points": _sum(session, (e for e in entries if e not in fines)),
        "fines": _sum(session, fines),
        "totals": _sum(session, (e for e in session.ledger if e.hand <= number)),
        "waived": session.waived.get(number, ""),
        "notes": [_note(one) for one in session.notes if one.hand == number],
        "counts": [_count(one) for one in session.counts if one.hand == number],
        "signatures": None if sheet is None else _signatures(sheet),
    }


def _note(one: Note) -> dict[str, Any]:
    return {
        "record": one.n,
        "fact": one.fact,
        "rule": one.rule,
        "player": one.player,
        "text": one.text,
        "late": one.late,
    }


def _count(one: Count) -> dict[str, Any]:
    return {
        "record": one.n,
        "moment": one.moment,
        "counted": dict(one.counted),
        "differs": one.differs,
        "waived": one.waived,
    }


def _kind(entry: Entry, by_record: dict[int, Entry]) -> str:
    """What an entry is about: that of the one it sets right."""
    return by_record[entry.corrects].kind if entry.corrects else entry.kind


def _entry(state: State, entry: Entry) -> dict[str, Any]:
    return {
        "ruling": _ruling(state, entry.case),
        "record": entry.n,
        "kind": entry.kind,
        "points": dict(entry.deltas),
        "reason": entry.reason,
        "corrects": entry.corrects,
        "table": entry.table,
    }


def _ruling(state: State, no: int) -> dict[str, Any] | None:
    """The ruling an entry is of: its case, article and step, and why; None where it is of none."""
    case = next((case for case in state.cases if case.no == no), None)
    if case is None or not case.decisions:
        return None
    last = case.decision or case.decisions[-1]
    offence = state.ruleset.offences.get(last.offence) if state.ruleset is not None else None
    return {
        "case": no,
        "rule": last.rule,
        "zh": "" if offence is None else offence.zh,
        "en": "" if offence is None else offence.en,
        "place": last.place,
        "reason": last.reason,
        "waived": last.waived,
    }


def _result(session: SessionState, result: dict[str, Any]) -> dict[str, Any]:
    """The result of a hand with the winds of its players; a winner's score stands once."""
    sides = seating.sides_of(session, result["hand"])
    dealer = sides.index(result["dealer"])
    kept = {
        name: value
        for name, value in result.items()
        if name not in ("winner", "side", "how", "from", "tile", "score")
    }
    return {
        **kept,
        "winds": {wind: sides[(dealer + place) % len(SEATS)] for place, wind in enumerate(SEATS)},
        "winners": result.get("winners", []),
    }


def _signatures(sheet: Sheet) -> dict[str, Any]:
    """Wind by wind: signed, refused with the reason, or still open."""
    return {
        "state": sheet.phase,
        "by": [
            {
                "wind": wind,
                "player": sheet.winds[wind],
                "signed": sheet.answers.get(sheet.winds[wind]) == "",
                "refusal": sheet.answers.get(sheet.winds[wind], ""),
            }
            for wind in SEATS
        ],
    }


def _fines(session: SessionState, stage: int) -> Deltas:
    by_record = {entry.n: entry for entry in session.ledger}
    return _sum(session, (e for e in session.ledger if e.stage == stage and _kind(e, by_record) in FINES))


def _sum(session: SessionState, entries: Iterable[Entry]) -> Deltas:
    chosen = list(entries)
    return {
        id_: sum(entry.deltas.get(id_, 0) for entry in chosen)
        for id_ in sorted(player.id for player in session.players)
    }
