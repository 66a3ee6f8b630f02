"""Every endpoint there is, in the order of the page."""

from __future__ import annotations

from tablectl.rehearsal.scenarios.endpoint import Endpoint
from tablectl.rehearsal.scenarios.endpoints.boxes import Keypad, Panel
from tablectl.rehearsal.scenarios.endpoints.firmware import FirmwareAvr, FirmwareHosted
from tablectl.rehearsal.scenarios.endpoints.ftdi import Ftdi
from tablectl.rehearsal.scenarios.endpoints.guest import Acm, Vendor
from tablectl.rehearsal.scenarios.endpoints.memory import Lines, Memory
from tablectl.rehearsal.scenarios.endpoints.net import Rfc2217, Tcp
from tablectl.rehearsal.scenarios.endpoints.pty import Pty
from tablectl.rehearsal.scenarios.endpoints.usb import Usb

ENDPOINTS: tuple[Endpoint, ...] = (
    Memory(),
    Pty(),
    Tcp(),
    Rfc2217(),
    Usb(),
    Panel(),
    Lines(),
    Keypad(),
    FirmwareHosted(),
    FirmwareAvr(),
    Acm(),
    Vendor(),
    Ftdi(),
)
