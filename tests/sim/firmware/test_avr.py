"""The firmware on an emulated ATmega1284P, where the emulator is there: what only its line can show."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protocols.atp import messages as m
from protocols.atp.frame import Frame
from sim.firmware.lockstep import Inputs
from sim.firmware.ports.avr import EXCHANGE_US, AvrChip, lacking
from sim.mechanism.tiles import FULL

BYTE_US = 10 * 1_000_000 / 115_200
BOOTED_US = 200_000
PATIENCE_US = 400_000
SHARE = 3  # looking at the pins and thinking take their time; a chip that dozes between bytes takes six


@pytest.fixture
def chip() -> Iterator[AvrChip]:
    lack = lacking()
    if lack:
        pytest.skip(lack)
    made = AvrChip()
    yield made
    made.close()


@pytest.mark.process
def test_an_answer_leaves_without_a_doze_between_its_bytes(chip: AvrChip) -> None:
    board = chip.boot(Inputs(), 1, FULL)
    board.step(BOOTED_US, Inputs())
    board.transmit()
    board.receive(BOOTED_US, Frame(1, 1, m.HelloAsk.TYPE, m.HelloAsk(7, 1, 1).to_bytes()).to_bytes())
    left: list[tuple[int, bytes]] = []
    for now in range(BOOTED_US + EXCHANGE_US, BOOTED_US + PATIENCE_US, EXCHANGE_US):
        board.step(now, Inputs())
        if said := board.transmit():
            left.append((now, said))
    board.close()
    data = b"".join(said for _, said in left)
    first = next(Frame.from_bytes(one) for one in data.split(b"\0") if one)
    assert first.type == m.Hello.TYPE
    size, heard, began = len(first.to_bytes()), 0, left[0][0]
    ended = next(now for now, said in left if (heard := heard + len(said)) >= size)
    assert ended - began <= SHARE * size * BYTE_US
