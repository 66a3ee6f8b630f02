"""Being another user of the guest for a while, to see what that one may."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sim.guest.machine import require_inside

NOBODY = 65534


@contextmanager
def nobody(groups: Sequence[int] = ()) -> Iterator[None]:
    """A user without rights but those of these groups. Root becomes it, with all threads of this process.
    Raises ``GuestError`` outside a guest."""
    require_inside()
    before = os.getgroups()
    os.setgroups(groups)
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(before)
