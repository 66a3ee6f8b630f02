"""The wizard that learns a panel's wiring, together with a person who looks at a simulated table."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from protocols.errors import PanelSilent
from protocols.panel.bench import Bench
from protocols.panel.wiring import Wiring
from protocols.vocabulary import Fault, StoreState
from sim.endpoints.memory import MemoryEndpoint
from sim.panel.table import TappedTable
from sim.timebase import pause, run_virtual
from tablectl.console import panel
from tablectl.console.panel_learn import Incomplete, Learner
from tablectl.locale.catalog import text
from tablectl.rehearsal.tapped import WIRING
from tests.sim.rig import Nobody

NAMES = {"lift_a": "a", "lift_b": "b", "dealer": "d", **{f"dice {side}": str(side) for side in range(4)}}


class Person:
    """Somebody at the table who sees which key moved, lights lamps and presses keys."""

    def __init__(self, table: TappedTable) -> None:
        self.table = table
        self.asked: list[str] = []
        self.faults = ["missing_tiles", "head_jam", ""]

    def __call__(self, key: str, **facts: Any) -> str:
        self.asked.append(key)
        text(key, "en", **facts)
        return str(getattr(self, key.partition(".")[2], lambda **_: "")(**facts))

    def ask_press(self, relay: int) -> str:
        self.table.controller.presses.clear()
        return ""

    def ask_key(self, relay: int) -> str:
        pressed = self.table.controller.presses
        return NAMES[pressed[-1]] if pressed else ""

    def ask_lamp_off(self, name: str) -> str:
        self.light(name, False)
        return ""

    def ask_lamp_on(self, name: str) -> str:
        self.light(name, True)
        return ""

    def light(self, name: str, on: bool) -> None:
        machine, controller = self.table.machine, self.table.controller
        if name == "ready":
            machine.store = StoreState.READY if on else StoreState.EMPTY
        elif name == "power":
            machine.powered = on
        elif name.startswith("dealer"):
            controller.dealer = int(name[-1]) if on else (int(name[-1]) + 1) % 4
        elif on:
            machine.alarms.latched.append((Fault[name.upper()], 255))
        else:
            machine.alarms.latched.clear()

    def ask_input(self, name: str, found: str) -> str:
        # another lamp came on with it, or the power brought others: the person knows the number
        return str(WIRING.signals()[name])

    def ask_touch(self) -> str:
        return "y"

    def ask_touch_off(self, name: str) -> str:
        self.table.panel.touched.clear()
        return "-" if name.startswith("lift") else ""

    def ask_touch_on(self, name: str) -> str:
        self.table.panel.touched.add(name)
        return ""

    def ask_fault(self) -> str:
        return self.faults.pop(0)


class Place:
    """A port in memory."""

    address = "memory"

    def __init__(self, end: MemoryEndpoint) -> None:
        self.open = end.host

    async def settle(self) -> None: ...


class Unhurried(Bench):
    """A person takes a second between two looks; by then every key is up again."""

    async def inputs(self) -> tuple[bool, ...]:
        await pause(1.0)
        return await super().inputs()


def learnt(
    change: Callable[[Person], None] = lambda person: None, *, dead: bool = False
) -> tuple[Wiring, Person]:
    async def main() -> tuple[Wiring, Person]:
        table = TappedTable(1, WIRING, judge=Nobody())
        end = MemoryEndpoint(table.rng("line"), latency=0.001, baud=9600)
        table.attach(end, MemoryEndpoint(table.rng("keys")))
        table.panel.troubles.dead = dead
        await pause(0.01)
        person = Person(table)
        change(person)
        try:
            async with Unhurried(Place(end), WIRING.board) as bench:  # type: ignore[arg-type]
                await bench.inputs()
                return await Learner(bench, WIRING.board, WIRING.table, person).learn(), person
        finally:
            table.close()

    return run_virtual(main())


def test_the_wizard_finds_the_wiring_there_is() -> None:
    wiring, person = learnt()
    assert wiring == WIRING
    assert "panel.ask_press" in person.asked


def test_no_relay_is_pressed_that_was_skipped() -> None:
    def skip(person: Person) -> None:
        person.ask_press = lambda relay: "-"  # type: ignore[method-assign]

    with pytest.raises(Incomplete) as caught:
        learnt(skip)
    assert caught.value.what == "lift_a"


def test_lamps_that_are_not_wired_are_left_out() -> None:
    def skip(person: Person) -> None:
        real = person.ask_lamp_off
        person.ask_lamp_off = lambda name: real(name) if name == "ready" else "-"  # type: ignore[method-assign]
        person.faults = [""]

    wiring, _ = learnt(skip)
    assert wiring.lamps == msgspec.structs.replace(WIRING.lamps, power=None, dealer=None)


def test_a_board_that_does_not_answer_is_told() -> None:
    with pytest.raises(PanelSilent) as caught:
        learnt(dead=True)
    assert "address 1" in str(caught.value)


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "panel.toml"
    file.write_text("mine")
    args = Namespace(lang="en", plain=True, json=False, file=str(file), port="/dev/none")
    assert panel.learn(args) == 1
    assert file.read_text() == "mine"
    assert "panel.toml" in capsys.readouterr().err


def test_without_a_port_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = Namespace(
        lang="en", plain=True, json=False, file=str(tmp_path / "p.toml"), port=str(tmp_path / "none"),
        baud="9600", unit=1, relays=8, inputs=8, pulse="flash", tiles="144",
    )  # fmt: skip
    assert panel.learn(args) == 5
    assert "none" in capsys.readouterr().err
