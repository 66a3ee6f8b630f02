"""What real libusb did when it was last asked, kept beside the list: ``libusb.json``, a call a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from sim.usb.checks.bench import Outcome

PATH = Path(__file__).parent / "libusb.json"


def read(path: Path = PATH) -> dict[str, Outcome]:
    """The record, in the order of the list."""
    return {name: tuple(found) for name, found in json.loads(path.read_text("utf-8")).items()}


def write(outcomes: Mapping[str, Outcome], path: Path = PATH) -> None:
    """Replace it."""
    lines = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in outcomes.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def words(outcome: Outcome | None) -> str:
    """An outcome in words."""
    match outcome:
        case None:
            return "was not asked"
        case ("value", what):
            return f"returns {what}"
        case (kind, "None", "None"):
            return f"raises {kind}"
        case (kind, number, code):
            return f"raises {kind}, errno {number}, code {code}"
        case _:
            return " ".join(outcome)


def differences(one: Mapping[str, Outcome], other: Mapping[str, Outcome], who: str, whom: str) -> list[str]:
    """A sentence for each call that ends otherwise: ``who`` made ``one``, ``whom`` the ``other``."""
    names = [*one, *(name for name in other if name not in one)]
    return [
        f"{name}: {who} {words(one.get(name))}, {whom} {words(other.get(name))}"
        for name in names
        if one.get(name) != other.get(name)
    ]
