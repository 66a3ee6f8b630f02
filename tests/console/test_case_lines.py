"""Cases told as lines: who did it, in the language of the reader."""

from __future__ import annotations

import pytest

from tablectl.console.case_lines import story

CASE = {
    "no": 1,
    "hand": 0,
    "player": "",
    "seat": "",
    "zh": "",
    "fault": "",
    "kind": "rule",
    "points": 0,
    "phase": "closed",
    "took_us": 0,
    "stood_us": 0,
}


@pytest.mark.parametrize(
    ("actor", "zh", "en"),
    [
        ("kim", "kim", "kim"),
        ("張三", "張三", "張三"),
        ("side door", "side door", "side door"),
        ("2", "2", "2"),
        ("side 2", "2 边", "side 2"),
        ("table", "牌桌", "table"),
        ("referee", "裁判", "referee"),
    ],
)
@pytest.mark.parametrize("lang", ["zh-Hans", "en"])
def test_who_did_it_is_told_in_the_language_of_the_reader(actor: str, zh: str, en: str, lang: str) -> None:
    move = {"at": 0, "after_us": 0, "actor": actor, "word": "case.close", "decision": None, "text": ""}
    (line,) = list(story({**CASE, "lines": [move]}, lang))[1:]
    assert line.split("+0.0")[1].startswith(f"  {zh if lang == 'zh-Hans' else en} ")
