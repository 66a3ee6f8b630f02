"""Who a simulated board says it is, and what its clock is worth."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from protocols.vocabulary import Capability
from sim.seats import CAPABILITIES, Fidelity

US = 1_000_000
PPM = 1_000_000

MACHINE = (
    Capability.GEAR_REMOTE
    | Capability.DICE
    | Capability.DICE_READBACK
    | Capability.PER_SIDE_COUNTS
    | Capability.PAUSE_INSERT
    | Capability.HOST_STOP
    | Capability.LIFT_FEEDBACK
    | Capability.FAULT_CODE
    | Capability.EVENT_LOG
    | Capability.LAMPS
    | Capability.RESULT_MEMORY
    | Capability.SIMULATED
)


def capabilities(fidelity: Fidelity) -> Capability:
    """What a simulated board of this fidelity can do and sense."""
    return MACHINE | CAPABILITIES[fidelity]


@dataclass(frozen=True, slots=True)
class Firmware:
    """Vendor, model and version; ``serial`` empty = made from the seed."""

    vendor: str = "tablectl"
    model: str = "SIM-4"
    version: str = "1.0.0"
    serial: str = ""

    @property
    def image_hash(self) -> str:
        """SHA-256 of what stands for the image: another version, another hash."""
        return hashlib.sha256(f"{self.vendor} {self.model} {self.version}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class BoardClock:
    """A board's clock: ``drift_ppm`` fast, ``bits`` wide (64; a sloppy board has 32), from ``start_us``."""

    drift_ppm: float = 0.0
    start_us: int = 0
    bits: int = 64

    def read(self, seconds: float) -> int:
        """What it shows so many real seconds after the boot."""
        shown = self.start_us + round(seconds * US * (1 + self.drift_ppm / PPM))
        return shown & ((1 << self.bits) - 1)
