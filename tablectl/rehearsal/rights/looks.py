"""What the guest says of each thing it looked at."""

from __future__ import annotations

import json

LOOK = "LOOK "  # before what was looked at, whether it is right, and what was found


def look(what: str, right: object, found: object = "") -> None:
    """Say what was looked at, and whether it is as it must be."""
    print(LOOK + json.dumps([what, bool(right), str(found)]), flush=True)
