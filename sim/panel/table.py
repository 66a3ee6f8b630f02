"""An unmodified table with four players, a relay board across its panel and a keypad box at the seats.

    table = TappedTable(7, wiring, judge=my_judge)
    table.attach(panel_end, keypad_end)

Two devices, one table: the panel moves it, the keypad says what the players press. The same seed and the
same orders give the same run.
"""

from __future__ import annotations

import asyncio
from random import Random

from protocols.panel.wiring import Wiring
from protocols.vocabulary import SIDES
from sim.customs import INTERNATIONAL, Customs
from sim.endpoints.base import Endpoint
from sim.keypad import Keypad
from sim.mechanism.machine import Mechanism
from sim.pace import Pace
from sim.panel.controller import Controller
from sim.panel.relay import RelayBoard
from sim.party import Party
from sim.people import People
from sim.plan import plan_of
from sim.players import Player
from sim.seats import Fidelity, Seats
from sim.timebase import TableTimer
from sim.view import Judge


class TappedTable:
    """Make it inside a running loop. ``judge`` and ``customs`` are the rules the players know."""

    def __init__(
        self,
        seed: int | str,
        wiring: Wiring,
        *,
        judge: Judge,
        customs: Customs = INTERNATIONAL,
        speed: int = 1,
    ) -> None:
        self.seed = seed
        loop = asyncio.get_running_loop()
        self.machine = Mechanism(
            wiring.table.tiles,
            TableTimer(loop, speed),
            drum=self.rng("drum"),
            dice=self.rng("dice"),
            times=self.rng("times"),
            wear=self.rng("wear"),
        )
        self.machine.dice.count = customs.dice
        self.controller = Controller(self.machine)
        self.panel = RelayBoard(wiring, self.controller, TableTimer(loop))
        self.keypad = Keypad(TableTimer(loop), self.rng("keypad"), lights=self.machine)
        self.seats = Seats(Fidelity.COUNT, self.keypad.emit)
        plan = plan_of(customs.aims)
        self.people = People(
            [Player(judge, self.rng(f"mind {side}"), plan.temper, plan) for side in SIDES],
            [Pace().within(customs.discard_s)] * len(SIDES),
            [self.rng(f"pace {side}") for side in SIDES],
            TableTimer(loop, speed),
        )
        self.party = Party(self.machine, self.seats, self.people, self.rng("party"), customs)

    def rng(self, purpose: str) -> Random:
        """A generator of its own for each purpose, so that one never shifts another."""
        return Random(f"{self.seed}/{purpose}")

    def attach(self, panel: Endpoint, keypad: Endpoint) -> None:
        """Plug both boxes in."""
        self.panel.attach(panel)
        self.keypad.attach(keypad)

    def close(self) -> None:
        """Everybody goes home."""
        self.party.close()
        self.machine.timer.cancel_all()
        self.panel.close()
        self.keypad.close()
