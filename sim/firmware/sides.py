"""The two that live a trace: the compiled firmware at its plant, and the Python twin."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from random import Random

from protocols.vocabulary import NO_SIDE, Lamp
from sim.board import Board
from sim.endpoints.memory import MemoryEndpoint
from sim.firmware.board import Boot, FirmwareBoard
from sim.firmware.helper import Helper
from sim.firmware.host import Host
from sim.firmware.pinwatch import PinWatch
from sim.firmware.plant.plant import Plant
from sim.mechanism.dice import Faces
from sim.mechanism.machine import Mechanism
from sim.mechanism.places import Place
from sim.mechanism.tiles import FULL
from sim.seats import Fidelity
from sim.timebase import TableTimer, pause

REST_S = 200.0  # in which whatever goes on ends, a whole build included


class Onlooker:
    """Writes down what people see of a table: lamps and walls, each kind in its order."""

    def __init__(self) -> None:
        self.lamps = [(Lamp.OFF, NO_SIDE)]
        self.walls: list[int | None] = []  # the dealer they came up for; None: they went down

    def centre_opened(self) -> None: ...

    def walls_up(self, dealer: int) -> None:
        self.walls.append(dealer)

    def walls_down(self) -> None:
        self.walls.append(None)

    def dice_rolling(self, side: int) -> None: ...

    def dice_shown(self, side: int, faces: Faces) -> None: ...

    def lamp(self, lamp: Lamp, side: int) -> None:
        if self.lamps[-1] != (lamp, side):
            self.lamps.append((lamp, side))

    def dark(self) -> None: ...


class Side(ABC):
    """One of the two, behind a line and a host of its own."""

    host: Host
    helper: Helper
    onlooker: Onlooker

    @abstractmethod
    async def press_lift(self, side: int) -> None:
        """Somebody presses the lift key of a side."""

    @abstractmethod
    async def press_dice(self, side: int) -> None:
        """Somebody presses the dice key of a side."""

    @abstractmethod
    async def befall(self, name: str, side: int) -> None:
        """Something goes wrong with the table: a row of causes.toml."""

    @abstractmethod
    async def mend(self, name: str, side: int) -> None:
        """Somebody puts it right."""

    @abstractmethod
    async def add_tiles(self) -> None:
        """Somebody puts what he found into the open centre."""

    @abstractmethod
    async def change_set(self, tiles: int) -> None:
        """People play with another set from now on."""

    async def amiss(self) -> list[str]:
        """Let it come to rest; what its pins did in the meantime and before that no pin may do."""
        return []  # it has none

    @abstractmethod
    def close(self) -> None:
        """Leave nothing behind."""


class CompiledSide(Side):
    """The firmware."""

    def __init__(self, seed: int, boot: Boot | None = None) -> None:
        streams = {name: Random(f"{seed}/{name}") for name in ("drum", "dice", "times")}
        self.plant = Plant(FULL, **streams)
        self.helper = Helper(self.plant.push_in)
        self.onlooker = Onlooker()
        self.plant.watchers += [self.helper, self.onlooker]
        self.watch = PinWatch(self.plant)
        self.board = FirmwareBoard(self.plant, boot=boot)
        line = MemoryEndpoint(Random(seed), latency=0.001)
        self.board.attach(line)
        self.board.power_on()
        self.host = Host(line.host)

    async def press_lift(self, side: int) -> None:
        self.plant.press_lift(side)

    async def press_dice(self, side: int) -> None:
        self.plant.press_dice(side)

    async def befall(self, name: str, side: int) -> None:
        self._set(name, side, True)

    async def mend(self, name: str, side: int) -> None:
        self._set(name, side, False)

    def _set(self, name: str, side: int, wrong: bool) -> None:
        plant = self.plant
        match name:
            case "head_jam" if wrong:
                plant.drum.heads[side].jammed = True
            case "head_jam":
                plant.free(side)
            case "centre_not_up" | "centre_not_down":
                plant.centre.stuck = wrong
            case "tray_not_up":
                plant.trays[side].stop_at = 0.5 if wrong else None
            case "tray_runaway":
                plant.trays[side].stuck = wrong
            case "dice_no_spin":
                plant.dice_motor.stuck = wrong
            case "cover_open":
                plant.open_cover(wrong)
            case "missing_tiles" if wrong:
                self._lost = plant.places.loadable(plant.places.set_to_load())[0]
                plant.places.forget(self._lost, Place.FLOOR)
            case "missing_tiles":
                plant.places.found(self._lost)
            case "extra_tiles" if wrong:
                self._lost = plant.places.stray_in(plant.places.set_to_load())
            case "extra_tiles":
                plant.places.sort_out(self._lost)

    async def add_tiles(self) -> None:
        self.plant.push_in()

    async def change_set(self, tiles: int) -> None:
        self.plant.profile = tiles

    async def amiss(self) -> list[str]:
        await pause(REST_S)
        self.watch.rest(await self.host.status())
        return self.watch.found

    def close(self) -> None:
        self.host.driver.close()
        self.board.close()


class TwinSide(Side):
    """The Python twin with its mechanism."""

    def __init__(self, seed: int) -> None:
        streams = {name: Random(f"{seed}/{name}") for name in ("drum", "dice", "times")}
        timer = TableTimer(asyncio.get_running_loop())
        self.machine = Mechanism(
            FULL, timer, drum=streams["drum"], dice=streams["dice"], times=streams["times"]
        )
        self.helper = Helper(self.machine.push_in)
        self.onlooker = Onlooker()
        self.machine.watchers += [self.helper, self.onlooker]
        self.board = Board(self.machine, Fidelity.COUNT, TableTimer(timer.loop), Random(seed))
        line = MemoryEndpoint(Random(seed), latency=0.001)
        self.board.attach(line)
        self.board.power_on()
        self.host = Host(line.host)

    async def press_lift(self, side: int) -> None:
        self.machine.panel.lift(side)

    async def press_dice(self, side: int) -> None:
        self.machine.press_dice(side)

    async def befall(self, name: str, side: int) -> None:
        self._ailment = self.machine.befall(name, side)

    async def mend(self, name: str, side: int) -> None:
        self.machine.mend(self._ailment)

    async def add_tiles(self) -> None:
        self.machine.push_in()

    async def change_set(self, tiles: int) -> None:
        self.machine.people_profile = tiles

    def close(self) -> None:
        self.host.driver.close()
        self.board.close()
        self.machine.timer.cancel_all()
