"""One hand of a sheet: who won with what, what was counted and what was not, who paid, who signed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tablectl.console.figures import signed
from tablectl.console.sheet.parts import Grid, Heading, Line, Part
from tablectl.console.sheet.words import Words

Hand = Mapping[str, Any]
Names = Mapping[str, str]


def hand_parts(hand: Hand, sheet: Mapping[str, Any], names: Names, words: Words) -> Iterator[Part]:
    """The parts of a hand; number 0 is what happened before the first."""
    number = hand["hand"]
    title = words.label("paper.hand", hand=number) if number else words.label("paper.before")
    yield Heading(title, 2)
    for result in hand["results"]:
        yield from _result(result, names, words)
    yield from _money(hand, names, words)
    yield from _told(hand, names, words)
    yield from _signatures(hand, names, words)


def _result(result: Mapping[str, Any], names: Names, words: Words) -> Iterator[Part]:
    winds = result["winds"]
    seats = "  ".join(f"{words.label('wind.' + wind)} {names[id_]}" for wind, id_ in winds.items())
    yield Line(f"{words.label('view.prevalent', round=result['round'])} · {seats}")
    ended = words.label(
        f"paper.result.{result['result']}", turns=result["turns"], wall_left=result["wall_left"]
    )
    if result.get("reason") or result.get("why"):
        ended += f": {words.reason(str(result.get('reason') or result['why']))}"
    yield Line(ended)
    for winner in result["winners"]:
        yield from _winner(winner, names, words)
    for one in result.get("irregular", ()):
        yield Line("! " + irregular(one, winds, words))
    for changed in result.get("corrected", ()):
        old = " ".join(names.get(id_, id_) for id_ in changed["old"].values())
        yield Line(words.sentence("paper.reseated", record=changed["record"], old=old))


def _winner(winner: Mapping[str, Any], names: Names, words: Words) -> Iterator[Part]:
    score = winner.get("score")
    said = words.sentence(
        "paper.wins_from" if winner["from"] else "paper.wins",
        winner=names[winner["winner"]],
        how=winner["how"],
        tile=winner["tile"] or "–",
        **{"from": names.get(winner["from"] or "", "")},
    )
    yield Line(said)
    if winner.get("overruled"):
        yield Line(words.sentence("paper.overruled", reason=winner["overruled"]), deep=True)
    if winner.get("counts"):
        counts = "  ".join(f"{names[id_]} {points}" for id_, points in winner["counts"].items())
        yield Line(f"{words.label('paper.said')}: {counts}", deep=True)
    if score is None:
        yield Line(words.sentence("paper.no_score"), deep=True)
        return
    rows = [
        (str(line["points"]), line["id"], line["rule"], _times(words.name(line), line["times"]))
        for line in score["lines"]
    ]
    rows.append((str(score["total"]), "", "", words.label("paper.worth")))
    head = (words.label("paper.points"), words.label("paper.id"), words.label("paper.rule"))
    yield Grid((*head, words.label("score.fans")), tuple(rows), "><<<")
    yield Line(f"{words.label('score.reading')}: {'  '.join(map(words.tiles, score['reading']))}", deep=True)
    for left in score["not_counted"]:
        why = _because(left["because"], score["lines"], words)
        yield Line(f"{words.label('score.not_counted')}: {left['id']} {words.name(left)} – {why}", deep=True)
    if score["liable"] is not None:
        rule = words.article(score["liable_rule"])
        yield Line(words.sentence("paper.liable", player=names[score["liable"]]) + f" ({rule})", deep=True)


def _times(name: str, times: int) -> str:
    return f"{name} ×{times}" if times > 1 else name


def _because(because: str, lines: list[Mapping[str, Any]], words: Words) -> str:
    """What keeps a fan from being counted: another one, or an article."""
    fan = next((line for line in lines if line["id"] == because), None)
    return f"{because} {words.name(fan)}" if fan is not None else words.article(because)


def irregular(one: Mapping[str, Any], winds: Mapping[str, str], words: Words) -> str:
    """An irregularity in words; a side is shown as the wind it had."""
    wind = next((wind for wind, id_ in winds.items() if id_ == one["player"]), one["side"])
    said = words.sentence(one["key"], **{**one["data"], "side": wind, "rule": one["rule"]})
    return f"{said} ({one['rule']})" if one["rule"] else said


def _money(hand: Hand, names: Names, words: Words) -> Iterator[Part]:
    """Payments, penalties apart from them, corrections as further lines, and what it all comes to."""
    rows, notes = [], []
    for part in ("payments", "penalties", "corrections"):
        for entry in hand[part]:
            kind = words.label(f"score.{entry['kind']}")
            if entry["corrects"]:
                kind += f" #{entry['corrects']}"
            points = (signed(entry["points"].get(id_, 0)) for id_ in names)
            rows.append((kind, *points, f"#{entry['record']}"))
            if entry["reason"]:
                notes.append(f"#{entry['record']}: {words.why(entry)}")
    if not rows:
        return
    if any(hand["fines"].values()):
        rows.append((words.label("paper.of_them_fines"), *(signed(hand["fines"][i]) for i in names), ""))
    rows.append((words.label("paper.running"), *(signed(hand["totals"][id_]) for id_ in names), ""))
    head = (words.label("score.payments"), *names.values(), words.label("paper.entry"))
    yield Grid(head, tuple(rows), "<>>>>>")
    yield from (Line(note, deep=True) for note in notes)


def _told(hand: Hand, names: Names, words: Words) -> Iterator[Part]:
    """What was counted and noted, and why play went on although points were missing."""
    if hand["waived"]:
        yield Line("! " + words.sentence("paper.waived", reason=hand["waived"]))
    for one in hand["counts"]:
        counted = "  ".join(f"{names[id_]} {points}" for id_, points in one["counted"].items())
        said = f"{words.label('paper.counted')} #{one['record']}: {counted}"
        if one["differs"]:
            off = "  ".join(f"{names[id_]} {signed(points)}" for id_, points in one["differs"].items())
            said = f"! {said}; {words.label('paper.differs_by')} {off}"
        yield Line(f"{said} ({one['waived']})" if one["waived"] else said)
    for note in hand["notes"]:
        parts = [words.label(f"fact.{note['fact']}"), names.get(note["player"], ""), note["text"]]
        late = f" ({words.label('paper.late')})" if note["late"] else ""
        rule = f" ({note['rule']})" if note["rule"] else ""
        yield Line(
            f"{words.label('paper.noted')} #{note['record']}: {' · '.join(filter(None, parts))}{late}{rule}"
        )


def _signatures(hand: Hand, names: Names, words: Words) -> Iterator[Part]:
    signatures = hand["signatures"]
    if signatures is None:
        return
    said = []
    for one in signatures["by"]:
        who = f"{words.label('wind.' + one['wind'])} {names[one['player']]}"
        if one["refusal"]:
            said.append(f"{who}: {words.label('paper.refused')} “{one['refusal']}”")
        else:
            said.append(f"{who}: {words.label('paper.signed' if one['signed'] else 'paper.unsigned')}")
    yield Line(f"{words.label('paper.signatures')}: {'; '.join(said)}")
