"""A board that is its own serial port: a CDC-ACM modem, which the system's driver makes a /dev/ttyACM of."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum

from sim.usb.descriptors import MODEM
from sim.usb.device import UsbDevice
from sim.usb.requests import CLASS, KIND, Setup

MODEM_PID = 0x7AB2
DRIVER = "cdc_acm"
CODING = "<IBBB"  # baud, stop bits, parity, data bits
DTR, RTS = 1, 2  # of the line state


class Request(IntEnum):
    """bRequest of the class."""

    SET_LINE_CODING = 0x20
    GET_LINE_CODING = 0x21
    SET_CONTROL_LINE_STATE = 0x22
    SEND_BREAK = 0x23


@dataclass(slots=True)
class LineState:
    """What the host has set, as a modem keeps it."""

    coding: bytes = struct.pack(CODING, 9600, 0, 0, 8)
    lines: int = 0
    breaks: list[int] = field(default_factory=list)  # lengths in ms

    @property
    def baud(self) -> int:
        """The speed the host asked for."""
        return int(struct.unpack(CODING, self.coding)[0])

    def answer(self, setup: Setup, data: bytes) -> bytes | None:
        """The requests of the class; None = stall."""
        if setup.bmRequestType & KIND != CLASS:
            return None
        match setup.bRequest:
            case Request.SET_LINE_CODING if len(data) == len(self.coding):
                self.coding = bytes(data)
            case Request.GET_LINE_CODING:
                return self.coding
            case Request.SET_CONTROL_LINE_STATE:
                self.lines = setup.wValue
            case Request.SEND_BREAK:
                self.breaks.append(setup.wValue)
            case _:
                return None
        return b""


def modem(serial: str = "T0002", *, product: str = "Virtual Table Port") -> tuple[UsbDevice, LineState]:
    """The device, and what the host sets on it."""
    device = UsbDevice(serial, pid=MODEM_PID, product=product, shape=MODEM, drivers={0: DRIVER, 1: DRIVER})
    state = LineState()
    device.on_control = state.answer
    device.ends_messages = True
    return device, state
