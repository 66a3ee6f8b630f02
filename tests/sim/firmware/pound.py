"""Pounds the firmware with noise, damaged and good frames, and pins that jump; prints how much it said.

Runs in a process of its own, because a sanitizer ends it at the first fault:

python -m tests.sim.firmware.pound LIBRARY BYTES
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import DICTIONARY
from protocols.atp.frame import Frame
from sim.firmware.lockstep import Firmware, Inputs, load

PINS = 1 << 1 | 0xF << 6 | 1 << 31
SLICE = 64


def message(rng: Random) -> Message:
    """Something a host may say, with any numbers in it."""
    match rng.randrange(8):
        case 0:
            return m.HelloAsk(1, 1, 1, rng.randbytes(16) if rng.random() < 0.2 else bytes(16))
        case 1 | 2 | 3:
            place = rng.choice((0, 1, 2, 3, 255, rng.randrange(256)))
            return m.Operate(
                rng.randrange(40), rng.randrange(16), place, rng.randrange(3), rng.randrange(150)
            )
        case 4:
            return m.Query(rng.randrange(40))
        case 5:
            return m.ReplayAsk(rng.randrange(200), rng.randrange(200))
        case 6:
            return m.AckEvents(rng.randrange(400), 1 << 32 | 1)
        case _:
            return rng.choice((m.Stop(), m.StatusAsk(1), m.AbilitiesAsk(), m.IdentityAsk(rng.randrange(9))))


def wire(rng: Random) -> bytes:
    """A piece of what may arrive."""
    kind = rng.random()
    if kind < 0.2:
        return rng.randbytes(rng.randrange(1, 400))
    one = message(rng)
    data = bytearray(Frame(DICTIONARY.version, 0, one.TYPE, one.to_bytes()).to_bytes())
    if kind < 0.35:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def pound(code: Path, total: int, seed: int = 1) -> int:
    """Give it so many bytes; how many it gave back."""
    rng = Random(seed)
    pins = Inputs(PINS)
    board = Firmware(pins, code=load(code))
    now, given, said = 0, 0, 0
    while given < total:
        data = wire(rng)
        given += len(data)
        now += rng.choice((0, 100, 2000, 50_000, 2_000_000))
        board.receive(now, data)
        pins.sensors = rng.getrandbits(32) if rng.random() < 0.3 else pins.sensors
        pins.seat_keys, pins.panel_keys = rng.getrandbits(28), rng.getrandbits(6)
        pins.dice_faces = rng.getrandbits(16)
        board.step(now, pins)
        said += len(board.transmit())
    return said


if __name__ == "__main__":
    print(pound(Path(sys.argv[1]), int(sys.argv[2])))
