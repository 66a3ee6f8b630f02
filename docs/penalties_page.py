"""docs/penalties.md: each system's penalty catalogue, in both languages, with the scenarios that show it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tablectl.console import penalty_words
from tablectl.rules.book import load_book
from tablectl.rules.ladders import costs
from tablectl.rules.model import Ruleset
from tablectl.rules.show import rows

CORPUS = Path(__file__).parent.parent / "tests" / "scenarios"
LANGUAGES = ("zh-Hans", "en")
SYSTEMS = {"mcr": "mcr", "mcr-ema": "mcr_ema", "zungjung": "zungjung", "ccm": "ccm", "wuhan": "wuhan"}
# What a scenario expects, in the order it is told.
EXPECTED = (("proposed", "提议 proposed"), ("ruled", "裁定 ruled"))
BY_SEAT = (("bars", "限制 bars"), ("tiles", "罚张 penalty tiles"), ("points", "分 points"))

HEAD = """\
# Penalties and scenarios

{note}
What may go wrong at a table, what each system makes of it, and what happens then, move by move. A catalogue
proposes; a referee decides, except where it says *applies by itself*. *(provisional)*: no book says so; an
official session asks the organiser to confirm it. `tablectl rules offences ID "drew before"` finds an article
by what was seen. The wording is the product's own and binds nobody; the rule books do.

The scenarios are the files of `tests/scenarios/`: each is played in the tests, and what it says is what comes
of it. `E discards, 4 s later` means that 4 s pass first; `: refused (why)` that it is not done.

"""


def page(note: str) -> str:
    """The whole page."""
    book = load_book()
    parts = [HEAD.format(note=note)]
    for id_, name in SYSTEMS.items():
        parts += system(book[id_], scenarios(name))
    parts += machine(book["mcr"])
    return "\n".join([*parts, ""])


def scenarios(name: str) -> list[dict[str, Any]]:
    """The scenarios of a file."""
    text = (CORPUS / f"{name}.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["scenario"])


def system(ruleset: Ruleset, shown: list[dict[str, Any]]) -> list[str]:
    """A catalogue and its scenarios."""
    lines = [f"## {ruleset.name.zh} · {ruleset.name.en} (`{ruleset.id}`)", ""]
    lines += ["| article | offence | what | what it costs | scenarios |", "|---|---|---|---|---|"]
    for name, offence in ruleset.offences.items():
        about = f"{offence.zh}<br>{offence.en}"
        said = "<br>".join(penalty_words.offence(costs(offence), lang) for lang in LANGUAGES)
        marks = " *(provisional)*" if offence.provisional else ""
        marks += f" `{offence.setting}`" if offence.setting else ""
        articles = ", ".join([offence.rule, *offence.also])
        like = f" (as {offence.like})" if offence.like else ""
        where = ", ".join(f"[{one['id']}](#{one['id']})" for one in shown if speaks_of(one, name))
        lines.append(f"| {articles}{like} | `{name}` | {about} | {said}{marks} | {where or '–'} |")
    lines.append("")
    for one in shown:
        lines += scenario(one)
    return lines


def speaks_of(one: dict[str, Any], offence: str) -> bool:
    """Is the offence proposed or ruled in the scenario?"""
    said = (*one.get("proposed", ()), *one.get("ruled", ()))
    return any(line.partition(": ")[2].split(" ")[0].rstrip(":") == offence for line in said)


def scenario(one: dict[str, Any]) -> list[str]:
    """A scenario as it is read."""
    lines = [f"### {one['id']}", "", f"{one['zh']}<br>{one['en']} ({', '.join(one['articles'])})", ""]
    lines += [f"{number}. {step}" for number, step in enumerate(one["steps"], 1)]
    lines.append("")
    said = [f"- {title}: {line}" for key, title in EXPECTED for line in one.get(key, ())]
    for key, title in BY_SEAT:
        for seat, value in one.get(key, {}).items():
            listed = ", ".join(value) if isinstance(value, list) else f"{value:+d}"
            said.append(f"- {title}: {seat} {listed}")
    said += [f"- 退出 out: {seat}" for seat in one.get("out", ())]
    return [*lines, *(said or ["- 无 nothing"]), ""]


def machine(ruleset: Ruleset) -> list[str]:
    """What a fault of the machine does to the hand in play, in every system."""
    lines = [
        "## 机器故障 · When the machine fails",
        "",
        "| row | what | what becomes of the hand |",
        "|---|---|---|",
    ]
    for row in rows(ruleset):
        if row.section == "machine":
            said = "<br>".join(penalty_words.policy(row.value, lang) for lang in LANGUAGES)
            lines.append(f"| `{row.field}` | {row.title['zh']}<br>{row.title['en']} | {said} |")
    return lines
