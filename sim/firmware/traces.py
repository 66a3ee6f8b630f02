"""Traces of commands, lived by the compiled firmware at its plant and by the Python twin alike."""

from __future__ import annotations

from sim.firmware.acts import Act
from sim.firmware.traces_of_orders import ORDERS
from sim.firmware.traces_of_people import PEOPLE
from sim.firmware.traces_of_refusals import REFUSALS
from sim.firmware.traces_of_trouble import TROUBLE

TRACES: dict[str, list[Act]] = {**ORDERS, **REFUSALS, **PEOPLE, **TROUBLE}
