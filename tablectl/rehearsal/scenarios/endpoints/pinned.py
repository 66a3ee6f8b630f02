"""What can be made to happen to a firmware by its plant and its line, whatever chip runs it."""

from __future__ import annotations

from protocols.vocabulary import Capability, SeatKey
from sim.firmware.lossy import Lossy
from sim.firmware.plant import pins
from sim.firmware.plant.plant import Plant
from tablectl.rehearsal.scenarios.endpoint import Lever, Truth
from tablectl.rehearsal.scenarios.endpoints.twin import EVENTS, TEXTS

PRESS_S, APART_S = 0.005, 0.03  # a quick finger; and until its key is heard again
JAMMED = 2
MACHINE = pins.MOTORS & ~pins.Out.DICE | pins.Out.LOAD
CAPABILITIES = (
    Capability.GEAR_REMOTE
    | Capability.DICE
    | Capability.DICE_READBACK
    | Capability.PER_SIDE_COUNTS
    | Capability.PAUSE_INSERT
    | Capability.HOST_STOP
    | Capability.LIFT_FEEDBACK
    | Capability.FAULT_CODE
    | Capability.EVENT_LOG
    | Capability.SEAT_KEYS
    | Capability.RESULT_MEMORY
    | Capability.LAMPS
    | Capability.SIMULATED
)


class WatchedPlant(Plant):
    """Counts what begins to move: the mechanism, and the dice."""

    begun = 0

    def step(self, now_us: int, outputs: int) -> None:
        before = self.outputs
        super().step(now_us, outputs)
        for motors in (MACHINE, pins.Out.DICE):
            self.begun += bool(outputs & motors) and not before & motors


def pull(lever: Lever, amount: float, plant: WatchedPlant, line: Lossy) -> None:
    """Let something happen at the table or on the line; cable and power are not among it."""
    match lever:
        case Lever.LOSE_ANSWER:
            line.uplink.lose_replies()
        case Lever.LOSE_EVENTS:
            line.gate.leave_out(EVENTS, amount)
        case Lever.CHATTER:
            for text in TEXTS:
                line.gate.send(text)
        case Lever.JAM:
            plant.drum.heads[JAMMED].jammed = True
        case Lever.MEND:
            plant.free(JAMMED)
        case Lever.KEY:
            plant.press_seat(int(amount), SeatKey.DISCARD, PRESS_S)


def truth(plant: WatchedPlant, outputs: int) -> Truth:
    """What the motors say."""
    moving = bool(outputs & (pins.MOTORS | pins.Out.LOAD)) or not plant.at_rest
    return Truth(moving, plant.begun)
