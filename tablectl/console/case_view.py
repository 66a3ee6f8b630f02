"""Cases on a screen: the open ones by age, and the sheet a referee rules by. Pure: a document in, lines out.

Each line has a shape, a colour and a word for its state. What is proposed is said in both languages at once,
for the players at a table need not share one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tablectl.locale.catalog import known, text

from .paint import CYAN, GREEN, GREY, RED, YELLOW

SECOND_US = 1_000_000
TIMES = (("_us", SECOND_US), ("_ms", 1000), ("_s", 1))  # endings of facts that are times
ENDED = ("closed", "withdrawn", "merged")
TO_ATTEND = ("raised", "queued", "escalated")
TO_RULE = (*TO_ATTEND, "attended", "hearing")
SIGNS = {  # shape and colour of a state
    "raised": ("◆", RED),
    "queued": ("◆", YELLOW),
    "escalated": ("■", RED),
    "attended": ("▶", GREEN),
    "hearing": ("▶", GREEN),
    "provisional": ("◐", YELLOW),
    "appealed": ("◐", RED),
    "applied": ("●", CYAN),
    "signed": ("●", CYAN),
}
OTHERWISE = ("○", GREY)
Case = Mapping[str, Any]
Line = tuple[str, str]  # text and its colour


def case_lines(doc: Mapping[str, Any], lang: str, most: int | None = None) -> list[Line]:
    """The open cases, the oldest first, and the last ruling. With ``most`` no more cases than that, those
    that wait for a referee before those that wait for a signature: the table is to be seen as well."""
    cases = doc.get("cases") or []
    open_ = sorted((case for case in cases if case.get("phase") not in ENDED), key=lambda case: case["at"])
    left_out = 0
    if most is not None and len(open_) > most:
        left_out = len(open_) - most
        first = sorted(open_, key=lambda case: case["phase"] not in TO_RULE)[:most]
        open_ = [case for case in open_ if case in first]
    lines = [(" · ".join(summary(case, doc, lang)), SIGNS.get(case["phase"], OTHERWISE)[1]) for case in open_]
    if left_out:
        lines.append((text("case_view.more", lang, more=left_out), GREY))
    ruled = [case for case in cases if case.get("decision")]
    if ruled:
        last = max(ruled, key=lambda case: int(case["decision"]["n"]))
        facts = {"no": last["no"], "who": who(last, lang) or "–", "what": decided(last["decision"], lang)}
        lines.append((text("case_view.last", lang, **facts), GREY))
    return lines


def summary(case: Case, doc: Mapping[str, Any], lang: str) -> Iterator[str]:
    """One case in a line: state, number, whom it is about, what is proposed, how long it waits."""
    shape, _ = SIGNS.get(case["phase"], OTHERWISE)
    yield f"{shape} {text('case.is.' + case['phase'], lang)}"
    yield text("story.case", lang, no=case["no"])
    if said := who(case, lang):
        yield said
    yield proposal(case, lang)
    if step := proposed(case, lang):
        yield step
    seconds = max(0, doc.get("now", 0) - case["at"]) // SECOND_US
    yield text("case_view.age", lang, seconds=seconds)
    if stands(case, doc):
        yield text("case_view.stands", lang)
    if case.get("referee"):
        yield text("case_view.attended", lang, referee=case["referee"])


def who(case: Case, lang: str) -> str:
    """Whom a case is about: wind and player, "" if nobody."""
    wind = text(f"wind.{case['seat']}", lang) if case.get("seat") else ""
    return " ".join(filter(None, (wind, case.get("player"))))


def proposal(case: Case, lang: str) -> str:
    """What the case is proposed as, in both languages, or what it is before anybody has said so."""
    finding, machine = case.get("finding") or {}, case.get("machine") or {}
    if finding.get("rule"):
        return f"{finding['rule']} {finding['zh']} {finding['en']}"
    if machine:
        return f"{machine['zh']} {machine['en']}"
    return text("case_view.call", lang, kind=f"call.{case['kind']}")


def proposed(case: Case, lang: str) -> str:
    """The step of the ladder it leads to and what that costs, or the remedy of the machine's table."""
    finding, machine = case.get("finding") or {}, case.get("machine") or {}
    if machine:
        return text("case_view.remedy", lang, remedy=f"remedy.{machine['remedy']}")
    if not finding.get("proposed"):
        return ""
    costs = measure(finding["proposed"], lang)
    return text("case_view.step", lang, place=finding["place"], steps=finding["steps"], costs=costs)


def stands(case: Case, doc: Mapping[str, Any]) -> bool:
    """Do the clocks stand for it now?"""
    names = {hold.get("name") for hold in doc.get("holds") or []}
    return case.get("held") is not None or f"call {case['no']}" in names


def decided(decision: Mapping[str, Any], lang: str) -> str:
    """A decision in words."""
    if decision["waived"]:
        return " ".join(filter(None, (decision["rule"], text("story.waived", lang))))
    if decision["remedy"]:
        return text(f"remedy.{decision['remedy']}", lang)
    if not decision["rule"]:
        return text("story.later", lang)
    return f"{decision['rule']} {measure({**decision['measure'], 'points': decision['points']}, lang)}"


def measure(costs: Mapping[str, Any], lang: str) -> str:
    """What a step costs. The words of the catalogue are only loaded where there is a case."""
    import msgspec

    from tablectl.rules.offences import Measure

    from . import penalty_words

    return penalty_words.measure(msgspec.convert(costs, Measure), lang)


# the sheet


def sheet(case: Case, doc: Mapping[str, Any], lang: str) -> Iterator[str]:
    """Everything a referee rules by: facts, article, history, the ladder, the choices, and what to type."""
    yield " · ".join(summary(case, doc, lang))
    finding, decision = case.get("finding") or {}, case.get("decision")
    if case.get("text"):
        yield f"  {case['text']}"
    yield from _facts(finding, lang)
    yield from _article(finding)
    if finding.get("rule"):
        yield from _history(finding, lang)
        yield from _ladder(finding, lang)
    for note in case.get("log") or []:
        if note["move"] == "hear":
            yield f"  {text('case.hear', lang)}: {note['text']}"
    if decision:
        yield "  " + text("case_view.decided", lang, what=decided(decision, lang))
    if appeal := case.get("appeal"):
        yield "  " + text("case_view.votes", lang, votes=appeal["votes"], jury=appeal["jury"])
    if commands := next_commands(case, doc):
        yield "  " + text("case_view.do", lang, commands="; ".join(commands))


def _facts(finding: Mapping[str, Any], lang: str) -> Iterator[str]:
    facts = [_fact(name, value, lang) for name, value in (finding.get("facts") or {}).items()]
    if facts:
        yield "  " + text("case_view.facts", lang, facts=" · ".join(facts))


def _fact(name: str, value: Any, lang: str) -> str:
    """A fact in words: times in seconds, words as they are called, tiles as they are written."""
    for suffix, per in TIMES:
        if name.endswith(suffix):
            seconds = f"{value / per:.3f}".rstrip("0").rstrip(".")
            return text(
                "case_view.seconds", lang, name=_named(name.removesuffix(suffix), lang), seconds=seconds
            )
    if name == "word":
        value = text(f"word.{value}", lang)
    said = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{_named(name, lang)} {said}"


def _named(name: str, lang: str) -> str:
    return text(f"fact.{name}", lang) if known(f"fact.{name}") else name


def _article(finding: Mapping[str, Any]) -> Iterator[str]:
    """What the article says, in both languages."""
    from tablectl.rules.articles import articles

    article = articles().get(str(finding.get("rule", "")))
    if article is not None:
        yield f"  {finding['rule']}: {article.zh}"
        yield f"  {finding['rule']}: {article.en}"


def _history(finding: Mapping[str, Any], lang: str) -> Iterator[str]:
    before = finding.get("history") or []
    if not before:
        yield "  " + text("case_view.no_history", lang)
    for one in before:
        costs = text("story.points", lang, points=-one["points"])
        facts = {"case": one["case"], "hand": one["hand"], "rule": one["rule"], "costs": costs}
        yield "  " + text("case_view.history", lang, **facts)


def _ladder(finding: Mapping[str, Any], lang: str) -> Iterator[str]:
    """The steps with a mark at the one it leads to, then the article's choices, numbered."""
    yield "  " + text("case_view.ladder", lang)
    for number, step in enumerate(finding["ladder"], 1):
        mark = "▶" if number == finding["place"] else " "
        yield f"  {mark} {number}. {measure(step, lang)}"
    if finding["choices"]:
        yield "  " + text("case_view.choices", lang)
        for number, step in enumerate(finding["choices"], 1):
            yield f"    --choice {number}: {measure(step, lang)}"
    if finding.get("chief"):
        yield "  " + text("case_view.chief", lang)


def next_commands(case: Case, doc: Mapping[str, Any]) -> Sequence[str]:
    """The commands that lead on from here, the likeliest first."""
    no, phase = case["no"], case["phase"]
    finding = case.get("finding") or {}
    commands = [f"attend {no}"] if phase in TO_ATTEND else []
    if phase in TO_RULE and case.get("machine"):
        commands += [f"fault decide {no} --reason …"]
    elif phase in TO_RULE:
        article = "" if finding.get("offence") else " --article …"
        choices = range(1, len(finding.get("choices") or []) + 1)
        commands += [f"rule {no}{article}", *(f"rule {no} --choice {choice}" for choice in choices)]
        commands += [f"waive {no} --reason …"]
    elif phase == "provisional":
        filled = (case.get("decision") or {}).get("rule")
        commands += [f"case decide {no}" if filled else f"penalty fill {no} --article …"]
    elif phase == "applied":
        commands += [f"case sign {no}"]
    elif phase == "appealed":
        commands += [f"appeal vote {no} uphold", f"appeal decide {no} uphold --reason …"]
    if stands(case, doc) and phase not in TO_RULE:
        commands += ["resume"]
    if case.get("stood_us", 0) > case.get("credited_us", 0) and phase not in TO_RULE:
        commands += [f"case credit {no}"]
    return commands
