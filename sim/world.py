"""One simulated table, wired: mechanism, board, seats and the four players, from one seed.

    table = SimTable(7, judge=my_judge)
    end = MemoryEndpoint(table.rng("line"))
    table.attach(end)          # the host opens end.host

The same seed and the same orders of the host give the same run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from random import Random

from protocols.vocabulary import SIDES
from sim.board import Board
from sim.compose import Names, as_arrivals, compose
from sim.endpoints.base import Endpoint
from sim.errors import PresetError
from sim.identity import BoardClock, Firmware
from sim.mechanism.dice import DICE_A_THROW, FACES, Faces
from sim.mechanism.drum import Mix, mix_fairly
from sim.mechanism.machine import Mechanism
from sim.mechanism.motion import MotionLog
from sim.mechanism.tiles import FULL, Tile
from sim.opening import THROWS
from sim.pace import Pace
from sim.party import Party
from sim.people import People
from sim.players import Player, Temper
from sim.script import Script
from sim.scripted import Prompter, ScriptedPlayer
from sim.seats import Fidelity, Seats
from sim.timebase import TableTimer
from sim.view import Judge, Mind

PRESETS = ("perfect",)


class SimTable:
    """A table with four people at it. Make it inside a running loop (or give one).

    ``script`` replaces the players' wits: hand n plays script n. ``paces`` gives each side its tempo.
    """

    def __init__(
        self,
        seed: int | str,
        *,
        judge: Judge,
        tiles: int = FULL,
        speed: int = 1,
        fidelity: Fidelity | str = Fidelity.IDENTITY,
        script: Sequence[Script] | None = None,
        preset: str = "perfect",
        firmware: Firmware = Firmware(),  # noqa: B008
        clock: BoardClock = BoardClock(),  # noqa: B008
        paces: Sequence[Pace] | None = None,
        temper: Temper = Temper(),  # noqa: B008
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        if preset not in PRESETS:
            raise PresetError(preset, PRESETS)
        self.seed = seed
        self.loop = loop or asyncio.get_running_loop()
        self._endpoint: Endpoint | None = None
        self._wire_time = TableTimer(self.loop)
        self.machine = Mechanism(
            tiles,
            TableTimer(self.loop, speed),
            drum=self.rng("drum"),
            dice=self.rng("dice"),
            times=self.rng("times"),
        )
        self.board = Board(
            self.machine,
            Fidelity(fidelity),
            self._wire_time,
            self.rng("board"),
            speed=speed,
            firmware=firmware,
            clock=clock,
        )
        self.seats = Seats(Fidelity(fidelity), self.board.emit)
        self._prompter = Prompter([*script]) if script is not None else None
        self.people = People(
            self._minds(judge, temper),
            paces or [Pace()] * len(SIDES),
            [self.rng(f"pace {side}") for side in SIDES],
            TableTimer(self.loop, speed),
        )
        self.party = Party(self.machine, self.seats, self.people, self.rng("party"))
        if self._prompter is not None and script is not None:
            self._follow(self._prompter, script, tiles)

    def rng(self, purpose: str) -> Random:
        """A generator of its own for each purpose, so that one never shifts another."""
        return Random(f"{self.seed}/{purpose}")

    def _minds(self, judge: Judge, temper: Temper) -> list[Mind]:
        if self._prompter is not None:
            return [ScriptedPlayer(self._prompter) for _ in SIDES]
        return [Player(judge, self.rng(f"mind {side}"), temper) for side in SIDES]

    # the line and its faults

    def attach(self, endpoint: Endpoint) -> None:
        """Plug the board into a line and switch it on."""
        self._endpoint = endpoint
        self.board.attach(endpoint)
        self.board.power_on()

    def reboot(self, off: float = 0.0) -> None:
        """The board loses its power for so long (real seconds) and boots; tiles stay where they are."""
        self.board.reboot(off)

    def drop_off(self, seconds: float) -> None:
        """The board's port vanishes from the bus for so long (real seconds); the board lives on."""
        if self._endpoint is not None:
            self._endpoint.unplug()
            self._wire_time.call_later(seconds, self._endpoint.replug)

    def lose_replies(self, count: int = 1) -> None:
        """The next answers to orders are lost, after the motion has begun."""
        self.board.uplink.lose_replies(count)

    def delay_replies(self, seconds: float, count: int = 1) -> None:
        """The next answers to orders leave so much later (real seconds)."""
        self.board.uplink.delay_replies(seconds, count)

    @property
    def log(self) -> MotionLog:
        """Every motion that really began."""
        return self.machine.log

    def close(self) -> None:
        """Everybody goes home: no timer of the table stays armed."""
        self.party.close()
        for timer in (self._wire_time, self.machine.timer):
            timer.cancel_all()
        self.board.close()
        if self._endpoint is not None:
            self._endpoint.close()

    # scripts

    def _follow(self, prompter: Prompter, scripts: Sequence[Script], tiles: int) -> None:
        """Fix dice and walls of each scripted hand. Raises ``ScriptError`` where no walls can be."""
        throws: list[list[Faces]] = []
        walls: list[Names] = []
        for hand, script in enumerate(scripts):
            rng = self.rng(f"script {hand}")
            dice = [tuple(rng.randint(1, FACES) for _ in range(DICE_A_THROW)) for _ in range(THROWS)]
            throws.append(dice)
            walls.append(compose(script, dice, tiles, rng))

        def mix_for(hand: int) -> Mix:
            return partial(_arrange, walls[hand]) if hand < len(walls) else mix_fairly

        def begin(hand: int) -> None:
            prompter.begin(hand)
            self.machine.dice.fix(throws[hand] if hand < len(throws) else [])

        self.machine.mix_for = mix_for
        self.party.on_new_hand = begin


def _arrange(walls: Names, heap: Sequence[Tile], wanted: Sequence[int], rng: Random) -> list[list[Tile]]:
    """A mix that leaves nothing to chance."""
    return as_arrivals(walls, heap)
