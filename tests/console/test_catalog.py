"""Texts: both languages have the same keys and placeholders, and every key the code names exists."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import tablectl
from protocols.vocabulary import Fault, Operation, Refusal, Stage, StoreState, TopState
from tablectl.console.parser import COMMANDING, COMMON, SPECS, first_words, group
from tablectl.locale import catalog
from tablectl.rules.model import Articles
from tests.rules.fields import FIELDS

SOURCE = Path(tablectl.__file__).parent
FAMILIES = (
    "answer|bad|config|confirm|contradiction|error|event|help|hint|hold|irregular|journal|option|pending|"
    "refused|rpc|rules|said|snapshot|socket|state|toml|toml_syntax|view"
)
KEY = re.compile(rf"(?:{FAMILIES})(?:\.[a-z_0-9]+)+")
NOT_KEYS = {"journal.jsonl", "snapshot.json"}  # names of files


def flat(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    result: dict[str, str] = {}
    for key, value in table.items():
        result |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return result


def literals() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value):
                yield node.value, f"{path.relative_to(SOURCE)}:{node.lineno}"


def placeholders(template: str) -> set[tuple[str, str]]:
    return {(name, spec or "") for _, name, spec, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_a_language_file_is_toml_and_read_as_such(lang: str) -> None:
    content = (SOURCE / "locale" / f"{lang}.toml").read_text(encoding="utf-8")
    assert flat(tomllib.loads(content)) == dict(catalog.keys(lang))


def test_both_languages_have_the_same_keys() -> None:
    first, second = (set(catalog.keys(lang)) for lang in catalog.LANGUAGES)
    assert first == second


def test_both_languages_fill_the_same_places() -> None:
    for key, template in catalog.keys("en").items():
        places = placeholders(template)
        assert placeholders(catalog.keys("zh-Hans")[key]) == places, key
        assert all(name.isidentifier() for name, _ in places), key


def test_every_key_the_code_names_exists() -> None:
    missing = [(key, place) for key, place in literals() if not catalog.known(key) and key not in NOT_KEYS]
    assert missing == []


def test_no_text_is_left_over() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    named = set(re.findall(r"[a-z_]+(?:\.[a-z_0-9]+)+", source)) | {f"{key}_help" for key, _ in literals()}
    named |= {key.replace("refused.", "irregular.") for key in named}
    for said, family in (("irregular", "irregular"), ("refusal", "refused")):
        named |= {f"{family}.{word}" for word in re.findall(rf'\.{said}\(\s*"(\w+)"', source)}
    named |= {f"{key}_help" for key in named}
    cited = [f"{kind}.{name}" for kind in ("irregular", "refused") for name in Articles.__struct_fields__]
    named |= {*cited, *(f"{key}_help" for key in cited)}
    named |= {f"rules.{section}.{field}" for section, field in FIELDS}
    fixed = [key for key in catalog.keys("en") if KEY.fullmatch(key) and not key.startswith("help.")]
    assert [key for key in fixed if key not in named and not key.startswith("view.")] == []


@pytest.mark.parametrize(
    ("family", "words"),
    [
        ("fault", Fault),
        ("operation", Operation),
        ("stage", Stage),
        ("refusal", Refusal),
        ("top", TopState),
        ("store", StoreState),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_word_of_the_boards_has_a_text(family: str, words: type[Fault]) -> None:
    assert [word.name for word in words if not catalog.known(f"{family}.{word.name.lower()}")] == []


def test_every_phase_link_state_and_link_word_has_a_text() -> None:
    from tablectl.daemon.link.machine import STATES
    from tablectl.daemon.link.words import Word
    from tablectl.game.hand import HandFlow
    from tablectl.game.session import SessionFlow

    keys = [f"phase.{phase}" for phase in HandFlow.states]
    keys += [f"session.{phase}" for phase in SessionFlow.states]
    keys += [f"link_state.{state['name']}" for state in STATES]
    keys += [f"link.{word.value}" for word in Word if word.value]
    assert [key for key in keys if not catalog.known(key)] == []


def test_every_command_line_word_has_a_text() -> None:
    keys = [spec.key for spec in SPECS.values()]
    keys += [arg.key for spec in SPECS.values() for arg in spec.args]
    keys += [arg.key for arg in (*COMMON, *COMMANDING)]
    keys += [f"group.{word}" for word in first_words() if group(word)]
    assert [key for key in keys if not catalog.known(key)] == []


def test_what_is_missing_shows_its_name_and_never_raises() -> None:
    assert catalog.text("no.such_key", "en", a=1) == "no.such_key"
    assert catalog.text("refused.hand_running", "en") == "hand {hand} is still being played"
    assert catalog.text("refused.hand_running", "xx", hand=3) == "hand 3 is still being played"
    assert "{" not in catalog.text("event.held", "zh-Hans", reason=None)


@pytest.mark.report("B124")
def test_a_value_is_data_whatever_it_holds() -> None:
    for hostile in ("{0.__class__}", "{side}", "%s", "{{7*7}}", "{"):
        assert catalog.text("bad.choice", "en", argument="a", given=hostile, valid="") == (
            f"a: “{hostile}” is not valid; valid: ."
        )


CASES = [
    ("event.released",
     {"name": "fault cover_open", "stood_us": 12_500_000, "reason": "hold.fault",
      "facts": {"fault": "cover_open", "side": None}},
     "Hold ended after 12.5 s: fault: the cover is open: close it",
     "解除（历时 12.5 秒）：故障：盖板打开：请盖上"),
    ("event.fault_case", {"case": 4, "fault": "cover_open", "remedy": "remedy.play_on"},
     "case 4: the cover is open: close it; proposed: play on", "事件 4：盖板打开：请盖上；建议：继续"),
    ("event.ruled", {"case": 4, "side": "W", "rule": "MCR-P4", "points": 10, "actor": "kim"},
     "case 4: kim rules on West by MCR-P4: 10 points", "事件 4：kim 依 MCR-P4 裁决 西家：10 分"),
    ("event.discarded", {"side": 2, "tile": "5p"}, "side 2 discards 5p", "2 边打出五饼"),
    ("event.discarded", {"side": "E", "tile": "C"}, "East discards Red", "东家打出红中"),
    ("event.meld", {"side": "E", "word": "chow", "tiles": ["1m", "2m", "3m"]},
     "East lays chow 1m 2m 3m", "东家亮出吃 一万 二万 三万"),
    ("event.held", {"name": "link", "reason": "hold.link", "facts": {"word": "cable_pulled"}},
     "HELD: no connection to the table (cable pulled: plug it in again)",
     "暂停：牌桌未连接（线缆被拔：请重新插好）"),
    ("answer.record", {"record": 7, "at": 1_250_000}, "record 7 at 1.2 s", "记录 7，1.2 秒"),
    ("event.held", {"name": "f", "reason": "hold.fault", "facts": {"fault": "fault_f3"}},
     "HELD: fault: fault_f3", "暂停：故障：fault_f3"),
    ("refused.role", {"command": "hand void", "needs": "role.chief"},
     "hand void needs the role chief referee", "hand void 需要裁判长的身份"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "data", "en", "zh"), CASES, ids=lambda v: v if isinstance(v, str) else "")
def test_a_sentence_in_both_languages(key: str, data: dict[str, Any], en: str, zh: str) -> None:
    assert catalog.text(key, "en", **data) == en
    assert catalog.text(key, "zh-Hans", **data) == zh


@pytest.mark.parametrize(
    ("asked", "environ", "lang"),
    [
        ("", {}, "en"),
        ("zh", {"LANG": "en_US.UTF-8"}, "zh-Hans"),
        ("", {"LANG": "zh_CN.UTF-8"}, "zh-Hans"),
        ("", {"LANG": "zh_TW"}, "zh-Hans"),
        ("", {"LANG": "de_DE.UTF-8"}, "en"),
        ("", {"LANG": "C"}, "en"),
        ("", {"LC_ALL": "POSIX", "LANG": "zh_CN"}, "en"),
        ("", {"LC_ALL": "", "LANG": "zh_CN"}, "zh-Hans"),
        ("", {"TABLECTL_LANG": "zh-Hans", "LANG": "en_US"}, "zh-Hans"),
        ("en", {"TABLECTL_LANG": "zh-Hans"}, "en"),
        ("", {"TABLECTL_LANG": "xx", "LANG": "zh_CN.UTF-8"}, "zh-Hans"),
        ("", {"TABLECTL_LANG": "xx"}, "en"),
    ],
)
def test_the_language_follows_option_variable_and_locale(
    asked: str, environ: dict[str, str], lang: str
) -> None:
    assert catalog.language(asked, environ) == lang


@pytest.mark.parametrize(("variable", "chosen"), [("zh", True), ("EN", True), ("xx", False), ("", False)])
def test_a_language_that_is_not_spoken_here_leaves_the_choice_to_the_house(
    variable: str, chosen: bool
) -> None:
    assert catalog.is_chosen("", {"TABLECTL_LANG": variable}) is chosen
    assert catalog.is_chosen("en", {"TABLECTL_LANG": variable})
