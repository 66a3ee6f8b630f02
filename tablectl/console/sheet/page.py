"""A sheet as a page: headings, lines and tables in order, with no say in how they are drawn.

Text and PDF draw the same page, so neither can say what the other leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tablectl.console.figures import parts, plain, signed
from tablectl.console.sheet.hands import hand_parts
from tablectl.console.sheet.parts import Boxes, Grid, Heading, Line, Part
from tablectl.console.sheet.words import Words

Sheet = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """A sheet ready to be drawn; its first ``top`` parts say of what, ``head`` is the hash to compare."""

    title: str
    parts: tuple[Part, ...]
    top: int
    head: str


def page(sheet: Sheet, words: Words) -> Page:
    """The page of a sheet document."""
    names = {player["id"]: player["name"] for player in sheet["players"]}
    found: list[Part] = [*_top(sheet, words)]
    top = len(found)
    for hand in sheet["hands"]:
        found += hand_parts(hand, sheet, names, words)
    found += _totals(sheet, names, words)
    found += _standings(sheet, names, words)
    found += _open(sheet, words)
    found.append(Boxes(tuple(names.values())))
    found += _edition(sheet, words)
    title = f"{words.label('paper.title')} {sheet['record']['short']}"
    return Page(title, tuple(found), top, sheet["record"]["head"])


def _top(sheet: Sheet, words: Words) -> Iterator[Part]:
    rules, session, record = sheet["rules"], sheet["session"], sheet["record"]
    yield Heading(f"{words.label('paper.title')} · {words.name(rules)} ({rules['id']})", 1)
    state = words.label(f"session.{session['state']}")
    if session["why_over"]:
        state += f": {words.label('ended.' + session['why_over'])}"
    if session["stages"] > 1:
        state = f"{words.label('paper.stage', stage=session['stage'], stages=session['stages'])} · {state}"
    yield Line(state)
    yield Line(words.label("paper.record", n=record["n"], journal=record["journal"], short=record["short"]))
    yield Line(f"{words.label('paper.head')} {record['head']}")
    if record.get("torn"):
        yield Line("! " + words.sentence("paper.torn", line=record["torn"]))
    if record["differs"]:
        yield Line("! " + words.sentence("paper.differs", records=record["differs"]))
    for player in sheet["players"]:
        said = " ".join(dict.fromkeys((player["id"], player["name"])))
        if player["status"] != "present":
            said += f" ({words.label('status.' + player['status'])})"
        for one in player["substitutes"]:
            until = one["until"] if one["until"] is not None else "…"
            said += " · " + words.label("paper.substitute", name=one["name"], since=one["since"], until=until)
        yield Line(said)


def _totals(sheet: Sheet, names: Mapping[str, str], words: Words) -> Iterator[Part]:
    """Every hand in a row: what it came to, fines apart, and the running total."""
    if not any(hand["payments"] or hand["penalties"] for hand in sheet["hands"]):
        return
    yield Heading(words.label("paper.running"), 2)
    rows = [
        (
            str(hand["hand"] or "–"),
            *(
                f"{signed(hand['points'][id_] + hand['fines'][id_])} ({signed(hand['totals'][id_])})"
                for id_ in names
            ),
        )
        for hand in sheet["hands"]
        if hand["hand"] or any(hand["points"].values()) or any(hand["fines"].values())
    ]
    yield Grid((words.label("paper.hand_column"), *names.values()), tuple(rows), "<>>>>")
    rows = []
    for stage in sheet["stages"]:
        label = words.label("paper.stage_points", stage=stage["stage"])
        rows.append((label, *(signed(stage["points"][id_]) for id_ in names)))
        if any(stage["fines"].values()):
            rows.append((words.label("paper.of_them_fines"), *(signed(stage["fines"][i]) for i in names)))
    yield Grid(("", *names.values()), tuple(rows), "<>>>>")


def _standings(sheet: Sheet, names: Mapping[str, str], words: Words) -> Iterator[Part]:
    how, per = sheet["standings"], sheet["standings"]["per"]
    final = words.label("paper.final" if how["final"] else "paper.so_far")
    yield Heading(f"{words.label('paper.standings')} ({final})", 2)
    given = any(row["standard"] for row in sheet["ranking"])
    head = [words.label("paper.place"), words.label("paper.player"), words.label("paper.total")]
    if given:
        head.append(words.label(f"paper.unit.{how['unit']}"))
    rows = []
    for row in sheet["ranking"]:
        cells = [str(row["place"]), names[row["player"]], signed(row["total"])]
        if given:
            each = " + ".join(parts(one, per) for one in row["standard"])
            cells.append(f"{each} = {parts(row['sum'], per)}" if len(row["standard"]) > 1 else each)
        if row["advances"] or row["wildcard"]:
            cells[1] += f" ({words.label('paper.advances' if row['advances'] else 'paper.wildcard')})"
        rows.append(tuple(cells))
    yield Grid(tuple(head), tuple(rows), "><>>"[: len(head)])
    for names_ in how["lot"]:
        yield Line(words.sentence("paper.lot", players=[names[id_] for id_ in names_]))
    for rule in how["rules"]:
        yield Line(words.article(rule))
    if how["provisional"] and given:
        yield Line(words.sentence("paper.provisional_points"))


def _open(sheet: Sheet, words: Words) -> Iterator[Part]:
    for key in ("missing_points", "unsigned"):
        if sheet[key]:
            yield Line("◆ " + words.label(f"view.{key}", hands=sheet[key]))


def _edition(sheet: Sheet, words: Words) -> Iterator[Part]:
    rules = sheet["rules"]
    yield Heading(words.label("paper.edition"), 2)
    yield Line(f"{words.name(rules)} ({rules['id']}) · {words.label('paper.rules_hash')} {rules['hash']}")
    mark = words.label("rules.provisional_mark")
    names = [row["setting"] for row in rules["settings"]]
    written = (
        f"{row['setting'] if names.count(row['setting']) == 1 else row['field']}={plain(row['value'])}"
        + (mark if row["provisional"] else "")
        for row in rules["settings"]
    )
    yield Line(", ".join(written))
