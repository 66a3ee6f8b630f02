"""Python files compiled beforehand for the guest, whose processor would take half a minute to do it.

Importing here what will be imported there leaves the compiled files in a folder of ours, which the guest
sees. Only what has changed since is compiled again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from sim.guest.kernel import GuestError, folder

PREFIX = "PYTHONPYCACHEPREFIX"
NEVER = "PYTHONDONTWRITEBYTECODE"


def compiled(modules: Sequence[str]) -> dict[str, str]:
    """Compile these modules and what they import; the variables that make Python in the guest look there.
    Raises ``GuestError``."""
    if not modules:
        return {}
    here = {PREFIX: str(folder() / "compiled")}
    environment = {name: value for name, value in os.environ.items() if name != NEVER} | here
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(f"import {module}" for module in modules)],
        env=environment, capture_output=True, text=True, check=False, cwd=Path.cwd(),
    )  # fmt: skip
    if done.returncode:
        raise GuestError(f"the guest could not import {', '.join(modules)}: {done.stderr.strip()[-500:]}")
    return here
