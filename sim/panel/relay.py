"""The relay and input board: Modbus RTU on a line, relays across the keys, inputs across the lamps.

Written from the specification alone, so that it checks the driver and is no mirror of it. It answers what is
meant for it and sound, lets a flashed relay go by itself, and stays silent on all else, as such boards do.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocols.panel.wiring import Wiring
from sim.endpoints.base import Endpoint
from sim.panel.controller import Controller
from sim.timebase import TableTimer, Timer

POLYNOMIAL = 0xA001
REQUEST_SIZE = 8  # of the functions with two words; function 15 says its own
ANSWERS_IN = 0.004  # seconds a board takes
FRAME_GAP = 0.05  # seconds of silence after which half a frame is forgotten
ON, OFF, MOMENTARY = 0xFF00, 0x0000, 0x0500
MOMENTARY_S = 1.0
FINGER_S = 0.2
ILLEGAL_FUNCTION, ILLEGAL_ADDRESS, ILLEGAL_VALUE = 1, 2, 3


def crc(data: bytes) -> bytes:
    """CRC-16 as the specification describes it, low byte first."""
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
    return value.to_bytes(2, "little")


@dataclass
class Troubles:
    """What can be wrong with a board or its adapter."""

    echo: bool = False  # the adapter hears itself
    lose_answers: int = 0  # so many answers to orders are lost, the relay having closed
    lose_orders: int = 0  # so many orders never reach the board
    late: float = 0.0  # seconds every answer comes later
    refuse: int = 0  # exception code for everything, 0 = none
    refuse_orders: int = 0  # exception code for orders
    dead: bool = False  # no supply


class RelayBoard:
    """One board between a line and a table's panel."""

    def __init__(self, wiring: Wiring, controller: Controller, timer: TableTimer) -> None:
        self._wiring = wiring
        self._board = wiring.board
        self._controller = controller
        self._timer = timer
        self._endpoint: Endpoint | None = None
        self._heard = b""
        self._last = 0.0
        self._keys = {number: key for key, number in wiring.relays().items()}
        self._opens: dict[int, Timer] = {}  # relays that let go by themselves
        self.closed: set[int] = set()
        self.touched: set[str] = set()  # keys a person's finger is on
        self.troubles = Troubles()
        controller.on_dice = lambda side: self._finger(f"dice {side}", FINGER_S)

    def attach(self, endpoint: Endpoint) -> None:
        """Connect it to a line."""
        self._endpoint = endpoint
        endpoint.attach(self.received)

    # contacts

    def close_relay(self, relay: int, seconds: float = 0.0) -> None:
        """A relay closes, for so long or until told otherwise."""
        if (timer := self._opens.pop(relay, None)) is not None:
            timer.cancel()
        if relay not in self.closed:
            self.closed.add(relay)
            if relay in self._keys:
                self._controller.press(self._keys[relay])
        if seconds:
            self._opens[relay] = self._timer.call_later(seconds, lambda: self.open_relay(relay))

    def open_relay(self, relay: int) -> None:
        """A relay opens."""
        self.closed.discard(relay)

    def touch(self, key: str, seconds: float = FINGER_S) -> None:
        """A person presses a key."""
        self._finger(key, seconds)
        self._controller.press(key)

    def _finger(self, key: str, seconds: float) -> None:
        self.touched.add(key)
        self._timer.call_later(seconds, lambda: self.touched.discard(key))

    def inputs(self) -> list[bool]:
        """What lies across the inputs, from the first on."""
        levels = [False] * self._board.inputs
        for name, number in self._wiring.signals().items():
            levels[number - 1] = self._level(name)
        return levels

    def _level(self, name: str) -> bool:
        what, _, which = name.partition(" ")
        if what == "touch":
            pressed = {self._keys.get(relay) for relay in self.closed} | self.touched
            return which in pressed
        if what == "fault":
            return self._controller.lit(self._wiring.fault[int(which)].means)
        return self._controller.lit(name)

    # the line

    def received(self, data: bytes) -> None:
        """Bytes of the host."""
        if self._endpoint is None:
            return
        if self.troubles.echo:
            self._endpoint.write(data)
        now = self._timer.loop.time()
        if now - self._last > FRAME_GAP:
            self._heard = b""
        self._last = now
        self._heard += data
        while (size := self._size()) and len(self._heard) >= size:
            frame, self._heard = self._heard[:size], self._heard[size:]
            if crc(frame[:-2]) != frame[-2:]:
                self._heard = b""  # nobody knows where the next begins: wait for silence
            elif frame[0] == self._board.unit and not self.troubles.dead:
                self._serve(frame[1], frame[2:-2])

    def _size(self) -> int:
        if len(self._heard) < 2:
            return 0
        if self._heard[1] != 15:
            return REQUEST_SIZE
        return 9 + self._heard[6] if len(self._heard) > 6 else 0

    def _serve(self, function: int, body: bytes) -> None:
        if function != 2 and self.troubles.lose_orders:
            self.troubles.lose_orders -= 1
            return
        refused = self.troubles.refuse or (self.troubles.refuse_orders if function != 2 else 0)
        first, value = int.from_bytes(body[:2], "big"), int.from_bytes(body[2:4], "big")
        answer = b""
        if not refused:
            match function:
                case 2:
                    answer, refused = self._read(first - self._board.first_input, value)
                case 5:
                    answer, refused = body, self._write_coil(first, value)
                case 6:
                    answer, refused = body, self._write_register(first, value)
                case 15:
                    answer, refused = body[:4], self._write_all(value)
                case _:
                    refused = ILLEGAL_FUNCTION
        if function != 2 and self.troubles.lose_answers:
            self.troubles.lose_answers -= 1
            return
        reply = bytes((self._board.unit, function | 0x80, refused)) if refused else b""
        reply = reply or bytes((self._board.unit, function)) + answer
        self._timer.call_later(ANSWERS_IN + self.troubles.late, lambda: self._send(reply + crc(reply)))

    def _send(self, data: bytes) -> None:
        if self._endpoint is not None and not self.troubles.dead:
            self._endpoint.write(data)

    def _read(self, first: int, count: int) -> tuple[bytes, int]:
        if first != 0 or count > self._board.inputs:
            return b"", ILLEGAL_ADDRESS
        packed = bytearray((count + 7) // 8)
        for index, level in enumerate(self.inputs()[:count]):
            packed[index // 8] |= level << index % 8
        return bytes((len(packed), *packed)), 0

    def _write_coil(self, address: int, value: int) -> int:
        relay = address - self._board.first_relay + 1
        flashed = relay - self._board.flash_base
        if 1 <= flashed <= self._board.relays and self._board.pulse == "flash":
            self.close_relay(flashed, value / 10)
        elif not 1 <= relay <= self._board.relays:
            return ILLEGAL_ADDRESS
        elif value == ON:
            self.close_relay(relay)
        elif value == OFF:
            self.open_relay(relay)
        else:
            return ILLEGAL_VALUE
        return 0

    def _write_register(self, register: int, value: int) -> int:
        relay = register - self._board.first_relay
        if self._board.pulse != "momentary" or not 1 <= relay <= self._board.relays:
            return ILLEGAL_ADDRESS
        if value != MOMENTARY:
            return ILLEGAL_VALUE
        self.close_relay(relay, MOMENTARY_S)
        return 0

    def _write_all(self, count: int) -> int:
        for relay in range(1, count + 1):
            self.open_relay(relay)
        return 0

    def close(self) -> None:
        """Switch off for good."""
        self._timer.cancel_all()
        if self._endpoint is not None:
            self._endpoint.close()
            self._endpoint = None
