"""A table run by the compiled firmware, with four people at it: what ``SimTable`` is to the Python twin.

Its board senses keys, not tiles (fidelity *count*).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any, cast

from protocols.vocabulary import SIDES, EventKind, SeatKey, Source
from sim.customs import INTERNATIONAL, Customs
from sim.endpoints.base import Endpoint
from sim.firmware.board import Boot, FirmwareBoard
from sim.firmware.plant.plant import Plant
from sim.mechanism.machine import Mechanism
from sim.mechanism.tiles import FULL
from sim.pace import Pace
from sim.party import Party
from sim.people import People
from sim.plan import plan_of
from sim.players import Player
from sim.seats import Fidelity, Seats
from sim.timebase import TableTimer
from sim.view import Judge


class _LiftKeys:
    """The two lift keys, as people reach for them."""

    def __init__(self, plant: Plant) -> None:
        self._plant = plant

    def lift(self, side: int) -> None:
        self._plant.press_lift(side)


class PeoplesTable(Plant):
    """The plant with the handles people use on a simulated mechanism."""

    panel: _LiftKeys


class Seated:
    """Plant and players, at whatever runs the firmware. The same seed gives the same tiles and tempers."""

    def __init__(
        self,
        seed: int | str,
        *,
        judge: Judge,
        customs: Customs = INTERNATIONAL,
        tiles: int = FULL,
        paces: Sequence[Pace] | None = None,
    ) -> None:
        self.seed = seed
        self.plant = PeoplesTable(
            tiles, drum=self.rng("drum"), dice=self.rng("dice"), times=self.rng("times")
        )
        self.plant.panel = _LiftKeys(self.plant)
        self.plant.dice.count = customs.dice
        plan = plan_of(customs.aims)
        self.people = People(
            [Player(judge, self.rng(f"mind {side}"), plan.temper, plan) for side in SIDES],
            paces or [Pace().within(customs.discard_s)] * len(SIDES),
            [self.rng(f"pace {side}") for side in SIDES],
            TableTimer(asyncio.get_running_loop()),
        )
        # The party asks of a mechanism only what people can see and reach; the plant has just that.
        self.party = Party(
            cast(Mechanism, self.plant),
            Seats(Fidelity.COUNT, self._sensed),
            self.people,
            self.rng("party"),
            customs,
        )

    def rng(self, purpose: str) -> Random:
        """A generator of its own for each purpose."""
        return Random(f"{self.seed}/{purpose}")

    def _sensed(
        self, kind: EventKind, side: int, value: int, source: Source, tiles: tuple[str, ...] = ()
    ) -> None:
        if kind is EventKind.SEAT_KEY:
            self.plant.press_seat(side, SeatKey(value))


class FirmwareTable(Seated):
    """Firmware in lockstep, plant, players."""

    def __init__(self, seed: int | str, *, boot: Boot | None = None, **more: Any) -> None:
        """``more`` as for ``Seated``."""
        super().__init__(seed, **more)
        self.board = FirmwareBoard(self.plant, boot=boot)

    def attach(self, endpoint: Endpoint) -> None:
        """Plug the board into a line and switch it on."""
        self.board.attach(endpoint)
        self.board.power_on()

    def close(self) -> None:
        """Everybody goes home."""
        self.party.close()
        self.board.close()
