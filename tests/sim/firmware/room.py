"""A daemon and a table run by the compiled firmware, in one process under virtual time."""

from __future__ import annotations

from sim.endpoints.memory import MemoryEndpoint
from sim.firmware.table import FirmwareTable
from sim.mechanism.motion import MotionLog
from tablectl.rehearsal.customs import customs_of
from tablectl.rehearsal.judge import judge_of
from tablectl.rehearsal.room import Room


class FirmwareRoom(Room):
    """The room of a rehearsal, with firmware instead of its twin."""

    def _set_up(self) -> None:
        setting, rules = self.setting, self.book[self.setting.rules]
        self.controlled = FirmwareTable(
            setting.seed,
            judge=judge_of(rules, self._round_shown),
            customs=customs_of(rules),
            tiles=rules.wall.tiles.value,
        )
        self.line = MemoryEndpoint(self.controlled.rng("line"), latency=setting.latency)
        self.controlled.attach(self.line)

    def _clear_away(self) -> None:
        self.controlled.close()

    @property
    def log(self) -> MotionLog:
        """The plant keeps no log of orders: it knows none."""
        return MotionLog()
