"""The command line's grammar: which command is meant, its arguments, and what to say about a mistake."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.api.errors import BadArgument
from tablectl.api.registry import COMMANDS
from tablectl.api.spec import Arg, CommandSpec
from tablectl.console.local import LOCAL
from tablectl.console.parser import SPECS, parse

WORDS: dict[str, list[str]] = {
    "seat": ["E"],
    "side": ["2"],
    "tile": ["5p"],
    "tiles": ["5p", "6p,7p"],
    "name": ["mcr"],
    "text": ["because"],
    "path": ["a/b"],
    "paths": ["a/b"],
}
VALUES: dict[str, Any] = {"side": 2, "paths": ["a/b"], "tiles": ["5p", "6p", "7p"]}


def words_of(arg: Arg) -> list[str]:
    words = [arg.choices[0]] if arg.choices else WORDS.get(arg.kind, [str(max(arg.low, 1))])
    if arg.kind == "flag":
        return [arg.option]
    return words if arg.positional else [arg.option, *words]


def value_of(arg: Arg) -> Any:
    if arg.kind == "flag":
        return True
    if arg.kind == "number":
        return max(arg.low, 1)
    return VALUES.get(arg.kind, words_of(arg)[-1])


@pytest.mark.parametrize("name", sorted(SPECS))
def test_every_argument_of_every_command_can_be_written(name: str) -> None:
    spec = SPECS[name]
    options = [word for arg in spec.args if not arg.positional for word in words_of(arg)]
    positional = [word for arg in spec.args if arg.positional for word in words_of(arg)]
    parsed = parse([*name.split(), *positional, *options])
    assert parsed.spec is spec
    assert parsed.args == {arg.name: value_of(arg) for arg in spec.args}


def test_nothing_is_on_two_surfaces_under_one_name() -> None:
    assert len(SPECS) == len(COMMANDS) + len(LOCAL)


def test_options_may_stand_before_and_after_the_command() -> None:
    before = parse(["--lang", "zh", "--json", "--socket=/s", "hand", "start"])
    after = parse(["hand", "start", "--lang", "zh", "--json", "--socket", "/s"])
    assert before.options == after.options
    assert before.options == {"lang": "zh", "json": True, "socket": "/s", "role": "referee"}


def test_options_of_a_command() -> None:
    line = "hand void --reason late --id x1 --actor kim --role chief --expect h3 --yes"
    parsed = parse(line.split())
    assert parsed.args == {"reason": "late"}
    assert parsed.options == {"id": "x1", "actor": "kim", "role": "chief", "expect": "h3", "yes": True}


BAD = [
    ("clam pung", "bad.unknown_command", "claim"),
    ("hend start", "bad.unknown_command", "hand"),
    ("machine", "bad.incomplete_command", ""),
    ("machine --json", "bad.incomplete_command", ""),
    ("machine rise", "bad.choice", "raise"),
    ("hand start now", "bad.extra_word", ""),
    ("discard --seet E", "bad.unknown_option", "--seat"),
    ("discard --seat", "bad.no_value", ""),
    ("discard", "bad.missing", ""),
    ("claim pun --seat S", "bad.choice", "pung"),
    ("wall correct many --reason r", "bad.type", ""),
    ("wall correct 200 --reason r", "bad.range", ""),
    ("status --role refere", "bad.choice", "referee"),
    ("status --lang english", "bad.choice", ""),
    ("demo --speed 5", "bad.choice", ""),
    ("demo --speed mx", "bad.choice", "max"),
    ("demo --hands 0", "bad.range", ""),
    ("demo --hands x", "bad.type", ""),
    ("demo --fidelity identiti", "bad.choice", "identity"),
    ("demo --hand 3", "bad.unknown_option", "--hands"),
    ("sim serve --seed 1", "bad.missing", ""),
    ("sim serve --endpoint pty:x --preset tird", "bad.choice", "tired"),
    ("completion fish", "bad.choice", "zsh"),
    ("journal verify", "bad.missing", ""),
    ("hand void --reason ", "bad.no_value", ""),
]


@pytest.mark.parametrize(("line", "key", "meant"), BAD, ids=[line for line, _, _ in BAD])
def test_a_mistake_is_named_with_the_nearest_word(line: str, key: str, meant: str) -> None:
    with pytest.raises(BadArgument) as caught:
        parse(line.split())
    assert (caught.value.key, caught.value.nearest) == (key, meant)
    for sentence in caught.value.texts().values():
        assert "{" not in sentence


@pytest.mark.report("B124")
def test_a_mistake_repeats_no_escape_sequence() -> None:
    for words in (
        ["\x1b[2J"],
        ["hand", "\x1b[2J"],
        ["hand", "start", "\x1b[2J"],
        ["hand", "start", "--\x1b[2J"],
    ):
        with pytest.raises(BadArgument) as caught:
            parse(words)
        assert "\x1b" not in caught.value.text("en")


def test_api_commands_have_the_options_of_their_kind() -> None:
    query = next(spec for spec in COMMANDS if spec.query)
    assert isinstance(query, CommandSpec)
    with pytest.raises(BadArgument):
        parse([*query.name.split(), "--id", "1"])
