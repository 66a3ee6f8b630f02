"""The registry is whole: every command has its texts, no surface lacks one, none is declared twice."""

from __future__ import annotations

import pytest

from tablectl.api.arguments import READERS
from tablectl.api.registry import BY_METHOD, BY_NAME, COMMANDS
from tablectl.api.spec import CommandSpec
from tablectl.console.parser import SPECS
from tablectl.game.commands import DEEDS
from tablectl.locale import catalog

EACH = pytest.mark.parametrize("spec", COMMANDS, ids=lambda spec: spec.name)


def test_no_command_is_declared_twice() -> None:
    assert len(BY_NAME) == len(BY_METHOD) == len(COMMANDS)


def test_every_command_is_on_the_command_line() -> None:
    assert set(BY_NAME) <= set(SPECS)


def test_the_core_carries_out_exactly_what_is_declared() -> None:
    assert {spec.name for spec in COMMANDS if not spec.query} == set(DEEDS)


@EACH
def test_every_text_of_a_command_exists(spec: CommandSpec) -> None:
    assert catalog.known(spec.key)
    for arg in spec.args:
        assert catalog.known(arg.key)
        assert catalog.known(f"kind.{arg.kind}")
        assert arg.kind in READERS


@EACH
def test_arguments_make_sense(spec: CommandSpec) -> None:
    names = [arg.name for arg in spec.args]
    assert len(set(names)) == len(names)
    for arg in spec.args:
        assert not (arg.required and arg.default is not None)
        assert (arg.kind == "choice") == bool(arg.choices)
        assert arg.default is None or not arg.choices or arg.default in arg.choices


def test_only_stop_may_be_given_by_anyone_and_needs_no_confirmation() -> None:
    open_to_all = [spec for spec in COMMANDS if spec.role == "anyone" and not spec.query]
    assert [spec.name for spec in open_to_all] == ["machine stop"]
    assert open_to_all[0].undo == "stop"


def test_voiding_a_hand_takes_two_persons() -> None:
    assert BY_NAME["hand void"].undo == "two_person"
