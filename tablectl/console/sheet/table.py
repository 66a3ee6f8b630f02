"""A sheet as CSV (RFC 4180): a row a fact, made for spreadsheets and for programs that count again.

It begins with the mark of UTF-8 (a BOM): without it the spreadsheet most clubs use reads Chinese names as
another code, and whoever reads it as ``utf-8-sig`` never sees it. What a person has written cannot become a
formula: a text a spreadsheet would calculate gets an apostrophe before it, which marks it as text. Numbers
are numbers, with an ASCII minus.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from tablectl.console.figures import plain
from tablectl.console.sheet.hands import irregular
from tablectl.console.sheet.words import Words
from tablectl.console.width import clean

MARK = "\ufeff"
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # a spreadsheet calculates these
Sheet = Mapping[str, Any]
Cell = str | int | Decimal
COLUMNS = ("kind", "stage", "hand", "record", "corrects", "id", "rule", "what", "worth")
CENT = Decimal("0.01")
PARTS = {"payments": "payment", "penalties": "penalty", "corrections": "correction"}


def csv_bytes(sheet: Sheet, words: Words) -> bytes:
    """The file. The columns behind these are the players."""
    names = {player["id"]: player["name"] for player in sheet["players"]}
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)  # RFC 4180: commas, CRLF, quotes doubled
    writer.writerow([*COLUMNS, *map(safe, names.values())])
    width = len(COLUMNS) + len(names)
    for row in _rows(sheet, list(names), words):
        cells = [safe(cell) if isinstance(cell, str) else cell for cell in row]
        writer.writerow(cells + [""] * (width - len(cells)))
    return (MARK + stream.getvalue()).encode()


def safe(written: str) -> str:
    """A text that no spreadsheet takes for a formula and no terminal for a command."""
    shown = clean(written)
    return f"'{shown}" if shown.lstrip().startswith(FORMULA) else shown


def _rows(sheet: Sheet, players: list[str], words: Words) -> Iterator[list[Cell]]:
    record, rules = sheet["record"], sheet["rules"]
    yield _row("journal", {"record": record["n"], "id": record["journal"], "what": record["head"]})
    if record.get("torn"):
        yield _row("torn", {"record": record["torn"]})
    yield _row("rules", {"id": rules["id"], "what": rules["hash"]})
    for one in rules["settings"]:
        what = f"{one['field']}={plain(one['value'])}"
        yield _row("setting", {"id": one["setting"], "rule": one["rule"], "what": what})
    for hand in sheet["hands"]:
        yield from _hand(hand, players, words)
    for stage in sheet["stages"]:
        at = {"stage": stage["stage"]}
        yield _row("stage total", at, [stage["points"][id_] for id_ in players])
        yield _row("stage penalties", at, [stage["fines"][id_] for id_ in players])
    by_player = {row["player"]: row for row in sheet["ranking"]}
    how = sheet["standings"]
    yield _row("place", {}, [by_player[id_]["place"] for id_ in players])
    if any(row["standard"] for row in sheet["ranking"]):
        worth = [Decimal(by_player[id_]["sum"]) / how["per"] for id_ in players]
        rounded = [one.quantize(CENT) for one in worth]
        yield _row(f"{how['unit']} points", {"rule": " ".join(how["rules"])}, rounded)


def _hand(hand: Mapping[str, Any], players: list[str], words: Words) -> Iterator[list[Cell]]:
    at = {"stage": hand["stage"], "hand": hand["hand"]}
    for result in hand["results"]:
        winds = {id_: wind for wind, id_ in result["winds"].items()}
        told = {**at, "id": result["result"], "what": result["round"]}
        yield _row("result", told, [winds[id_] for id_ in players])
        for winner in result["winners"]:
            yield from _winner(winner, at, players, words)
        for one in result.get("irregular", ()):
            said = irregular(one, result["winds"], words)
            yield _row("irregularity", {**at, "id": one["player"] or "", "rule": one["rule"], "what": said})
    for part, kind in PARTS.items():
        for entry in hand[part]:
            told = {
                **at,
                "record": entry["record"],
                "corrects": entry["corrects"] or "",
                "id": entry["kind"],
                "what": words.why(entry),
            }
            yield _row(kind, told, [entry["points"].get(id_, 0) for id_ in players])
    yield _row("running total", at, [hand["totals"][id_] for id_ in players])
    for one in (hand["signatures"] or {"by": ()})["by"]:
        state = "refused" if one["refusal"] else "signed" if one["signed"] else "open"
        yield _row(state, {**at, "id": one["player"], "what": one["refusal"]})


def _winner(
    winner: Mapping[str, Any], at: Mapping[str, Cell], players: list[str], words: Words
) -> Iterator[list[Cell]]:
    score = winner.get("score")
    won = {**at, "id": winner["winner"], "what": winner["tile"]}
    if score is None:
        yield _row("win", won)
        return
    yield _row("win", {**won, "worth": score["total"]}, [score["deltas"][id_] for id_ in players])
    for line in score["lines"]:
        told = {"id": line["id"], "rule": line["rule"], "what": words.name(line), "worth": line["points"]}
        yield _row("counted", {**at, **told})
    for left in score["not_counted"]:
        told = {"id": left["id"], "rule": left["because"], "what": words.name(left)}
        yield _row("not counted", {**at, **told})


def _row(kind: str, cells: Mapping[str, Cell], players: Sequence[Cell] = ()) -> list[Cell]:
    """A row by the names of its columns; those of the players may stay empty."""
    return [kind, *(cells.get(name, "") for name in COLUMNS[1:]), *players]
