"""Wear: dirt on the head optics, weak magnets, low voltage. It grows with every build."""

from __future__ import annotations

from dataclasses import dataclass, field

from protocols.vocabulary import SIDES
from sim.mechanism.causes import load_causes


@dataclass(slots=True)
class Wear:
    """The state of what wears. Pristine by default; the ``_a_build`` fields say how it grows."""

    magnet: float = 1.0  # strength, 1 = new
    voltage: float = 1.0  # of the nominal one
    dirt: list[float] = field(default_factory=lambda: [0.0 for _ in SIDES])  # 0-1, each head's optic
    dirt_a_build: float = 0.0
    magnet_a_build: float = 0.0
    supply: float = 1.0  # the mains now, of the nominal one

    def begin(
        self, *, magnet: float = 1.0, dirt: float = 0.0, voltage: float = 1.0,
        dirt_a_build: float = 0.0, magnet_a_build: float = 0.0,
    ) -> None:  # fmt: skip
        """Be as worn as this from now on."""
        self.magnet, self.voltage = magnet, voltage
        self.dirt = [dirt for _ in SIDES]
        self.dirt_a_build, self.magnet_a_build = dirt_a_build, magnet_a_build

    def one_build(self) -> list[int]:
        """One build more; returns the sides whose optic has just become weak."""
        limits = load_causes().wear
        self.magnet = max(limits.weakest_magnet, self.magnet - self.magnet_a_build)
        before = list(self.dirt)
        self.dirt = [min(limits.dirtiest, dirt + self.dirt_a_build) for dirt in self.dirt]
        return [
            side
            for side, (old, new) in enumerate(zip(before, self.dirt, strict=True))
            if old < limits.weak_optic <= new
        ]
