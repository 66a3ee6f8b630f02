"""A room with an unmodified table: a panel tap and a keypad box, two devices that are one table."""

from __future__ import annotations

import msgspec

from protocols.panel.wiring import Board, FaultLamp, Keys, Lamps, Touch, Wiring
from sim.endpoints.memory import MemoryEndpoint
from sim.mechanism.motion import MotionLog
from sim.panel.table import TappedTable
from tablectl.daemon.drivers import driver_factory
from tablectl.rehearsal.customs import customs_of
from tablectl.rehearsal.judge import judge_of
from tablectl.rehearsal.room import DEVICE, Room

KEYPAD = "keypad"
PANEL_BAUD, KEYPAD_BAUD = 9600, 115_200
WIRING = Wiring(
    keys=Keys(lift_a=1, lift_b=2, dealer=3, dice=(4, 5, 6, 7)),
    lamps=Lamps(ready=1, dealer=(2, 3, 4, 5), power=8),
    touch=Touch(dice=(9, 10, 11, 12)),
    fault=(FaultLamp(input=6, means="missing_tiles"), FaultLamp(input=7, means="head_jam")),
    board=Board(model="R8I16", inputs=16),
)


def wiring_for(tiles: int) -> Wiring:
    """The usual wiring at a table whose gear is set to so many tiles."""
    return msgspec.structs.replace(WIRING, table=msgspec.structs.replace(WIRING.table, tiles=tiles))


class TappedRoom(Room):
    """One table as it is sold, made to play hands at count fidelity."""

    def _set_up(self) -> None:
        setting, rules = self.setting, self.book[self.setting.rules]
        self.wiring = wiring_for(rules.wall.tiles.value)
        self.tapped = TappedTable(setting.seed, self.wiring, judge=judge_of(rules), customs=customs_of(rules))
        rng = self.tapped.rng
        self.line = MemoryEndpoint(rng("line"), latency=setting.latency, baud=PANEL_BAUD)
        self.keys = MemoryEndpoint(rng("keys"), latency=setting.latency, baud=KEYPAD_BAUD)
        self.tapped.attach(self.line, self.keys)

    def _connect_all(self) -> None:
        self.links = [
            self._connect(DEVICE, self.line, driver_factory("panel", self.line.host, self.wiring)),
            self._connect(KEYPAD, self.keys, driver_factory("lines", self.keys.host)),
        ]

    def _clear_away(self) -> None:
        self.tapped.close()

    @property
    def log(self) -> MotionLog:
        """What the mechanism really did."""
        return self.tapped.machine.log
