"""Every endpoint there is, in the order of the page."""

from __future__ import annotations

from tablectl.rehearsal.scenarios.endpoint import Endpoint
from tablectl.rehearsal.scenarios.endpoints.memory import Memory
from tablectl.rehearsal.scenarios.endpoints.pty import Pty

ENDPOINTS: tuple[Endpoint, ...] = (Memory(), Pty())
