"""What a panel is wired to, found out together with a person at the table: relay by relay, lamp by lamp.

Nothing moves that he was not asked for: each press waits for his *Enter*. He may skip whatever is not wired.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from protocols.panel.wiring import Board, FaultLamp, Keys, Lamps, Table, Touch, Wiring
from protocols.vocabulary import SIDES

Ask = Callable[..., str]  # key of a question and its facts -> what he typed, "" for Enter alone
SKIP = "-"
KEYS = {"a": "lift_a", "b": "lift_b", "d": "dealer", **{str(side): f"dice {side}" for side in SIDES}}
LAMPS = ("ready", "power", *(f"dealer {side}" for side in SIDES))


class Bench(Protocol):
    """The board, as the wizard uses it."""

    async def inputs(self) -> tuple[bool, ...]: ...

    async def press(self, relay: int, milliseconds: int) -> bool: ...


class Incomplete(Exception):
    """What no panel can do without was not found; ``what`` names it."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Learner:
    """One conversation."""

    def __init__(self, bench: Bench, board: Board, table: Table, ask: Ask) -> None:
        self._bench = bench
        self._board = board
        self._table = table
        self._ask = ask

    async def learn(self) -> Wiring:
        """The whole wiring. Raises ``Incomplete``."""
        keys = await self._keys()
        for key in ("lift_a", "lift_b"):
            if key not in keys:
                raise Incomplete(key)
        lamps = {lamp: number for lamp in LAMPS if (number := await self._input("lamp", lamp))}
        if "ready" not in lamps:
            raise Incomplete("ready")
        touch: dict[str, int] = {}
        if self._ask("panel.ask_touch").lower().startswith(("y", "是")):
            wired = [key for key in keys if key != "dealer"]
            touch = {key: number for key in wired if (number := await self._input("touch", key))}
        return Wiring(
            keys=msgspec.convert(_grouped(keys), Keys),
            lamps=msgspec.convert(_grouped(lamps), Lamps),
            touch=msgspec.convert(_grouped(touch), Touch),
            fault=await self._faults(),
            board=self._board,
            table=self._table,
        )

    async def _keys(self) -> dict[str, int]:
        """Press each relay and ask what it was."""
        found: dict[str, int] = {}
        for relay in range(1, self._board.relays + 1):
            if self._ask("panel.ask_press", relay=relay) == SKIP:
                continue
            if not await self._bench.press(relay, self._table.press_ms):
                self._ask("panel.not_pressed", relay=relay)
            while (said := self._ask("panel.ask_key", relay=relay).lower()) not in (*KEYS, ""):
                pass
            if said:
                found[KEYS[said]] = relay
        return found

    async def _input(self, kind: str, name: str) -> int:
        """The input that goes on with a lamp or a finger; 0 = not wired."""
        while True:
            if self._ask(f"panel.ask_{kind}_off", name=name) == SKIP:
                return 0
            before = await self._bench.inputs()
            self._ask(f"panel.ask_{kind}_on", name=name)
            after = await self._bench.inputs()
            came = [index + 1 for index, on in enumerate(after) if on and not before[index]]
            if len(came) == 1:
                return came[0]
            said = self._ask("panel.ask_input", name=name, found=", ".join(map(str, came)) or "-")
            if said.isascii() and said.isdigit() and 1 <= int(said) <= self._board.inputs:
                return int(said)

    async def _faults(self) -> tuple[FaultLamp, ...]:
        found = []
        while means := self._ask("panel.ask_fault"):
            if number := await self._input("lamp", means):
                found.append(FaultLamp(input=number, means=means))
        return tuple(found)


def _grouped(named: dict[str, int]) -> dict[str, Any]:
    """``dice 0`` … ``dice 3`` as one list; an incomplete one is left out."""
    found: dict[str, Any] = {name: number for name, number in named.items() if " " not in name}
    for group in {name.split()[0] for name in named if " " in name}:
        four = [named.get(f"{group} {side}") for side in SIDES]
        if None not in four:
            found[group] = four
    return found
