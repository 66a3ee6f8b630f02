"""Cases as lines of text: the story of one from call to signature, for a journal and after a rehearsal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tablectl.console import penalty_words
from tablectl.console.figures import signed
from tablectl.daemon.history import table_time
from tablectl.locale.catalog import known, text
from tablectl.rules.offences import Measure

from .width import clean, pad

SECOND_US = 1_000_000
ACTOR_CELLS, AFTER_CELLS = 10, 9
VOTE = "case.vote"
SIDE = "side "  # before the number of the side whose key it was


def story(case: Mapping[str, Any], lang: str) -> Iterator[str]:
    """A case: what it was about, how long it took, then each move with its time, actor and words."""
    yield clean(" · ".join(_head(case, lang)))
    for line in case["lines"]:
        after = f"+{seconds(line['after_us'])}".rjust(AFTER_CELLS)
        said = " · ".join([text(line["word"], lang), *_said(line, lang)])
        yield clean(
            f"  {table_time(line['at'])} {after}  {pad(_who(line['actor'], lang), ACTOR_CELLS)} {said}"
        )


def _head(case: Mapping[str, Any], lang: str) -> Iterator[str]:
    yield text("story.case", lang, no=case["no"])
    yield text("story.hand", lang, hand=case["hand"]) if case["hand"] else text("story.between", lang)
    if case["player"]:
        yield " ".join(filter(None, (case["player"], case["seat"])))
    if case["zh"]:
        yield f"{case['rule']} {case['zh']} {case['en']}"
    elif case["fault"]:
        yield text(f"fault.{case['fault']}", lang) if known(f"fault.{case['fault']}") else case["fault"]
    else:
        yield text("story.call", lang, kind=f"call.{case['kind']}")
    if case["points"]:
        yield text("story.points", lang, points=signed(-case["points"]))
    yield text(f"case.is.{case['phase']}", lang)
    yield text("story.took", lang, seconds=seconds(case["took_us"]))
    if case["stood_us"]:
        given = seconds(case["credited_us"])
        yield text("story.stood", lang, seconds=seconds(case["stood_us"]), credited=given)


def _who(actor: str, lang: str) -> str:
    """Who did it: a person by the name he gave, or in the language of the reader his role, the side whose
    key it was, the table by itself."""
    side = f"side.{actor.removeprefix(SIDE)}" if actor.startswith(SIDE) else ""
    keys = (f"who.{actor}", f"role.{actor}", side)
    return next((text(key, lang) for key in keys if known(key)), actor)


def _said(line: Mapping[str, Any], lang: str) -> Iterator[str]:
    """What was decided, and what was said."""
    decision = line["decision"]
    if decision is not None:
        yield decided(decision, lang)
    said = line["text"]
    if said:
        ballot = f"ballot.{said}" if line["word"] == VOTE else ""
        yield next((text(key, lang) for key in (ballot, said) if known(key)), said)


def decided(decision: Mapping[str, Any], lang: str) -> str:
    """A decision in words: waived, a remedy, or its article and what it costs."""
    if decision["waived"]:
        return text("story.waived", lang)
    if decision["remedy"]:
        return text(f"remedy.{decision['remedy']}", lang)
    if not decision["rule"]:
        return text("story.later", lang)
    costs = penalty_words.measure(msgspec.convert(decision["measure"], Measure), lang)
    return f"{decision['rule']} {costs}"


def seconds(us: int) -> str:
    """Seconds with a tenth."""
    return f"{us / SECOND_US:.1f}"
