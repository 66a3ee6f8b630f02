"""What a club has configured of its table reaches every screen, and every command that leaves a word out."""

from __future__ import annotations

import pytest

from tablectl.api.house import House
from tests.api.fakes import Wire

HOUSE = House("東風 🀄", "zh-Hans", "zungjung")


def params(**args: object) -> dict[str, object]:
    return {"id": "a", "actor": "kim", "role": "chief", "args": args}


@pytest.mark.parametrize("method", ["status", "link.status", "session.sheet", "watch", "pause"])
def test_every_answer_says_at_which_table(method: str) -> None:
    wire = Wire(house=HOUSE)
    asked = params() if method == "pause" else {}
    assert wire.call(method, asked)["result"]["house"] == {"name": "東風 🀄", "language": "zh-Hans"}


@pytest.mark.parametrize(
    ("method", "args"),
    [("session.start", {}), ("rules.confirm", {"key": "wall.stacks"})],
)
def test_a_command_that_names_no_rules_means_those_of_the_house(method: str, args: dict[str, object]) -> None:
    wire = Wire(house=HOUSE)
    wire.call(method, params(**args))
    wire.call(method, params(**args, rules="ccm"))
    assert [command.args["rules"] for command in wire.core.commands] == ["zungjung", "ccm"]


def test_without_any_configuration_it_is_the_rules_of_the_command() -> None:
    wire = Wire()
    wire.call("session.start", params())
    assert wire.core.commands[0].args["rules"] == "mcr"
