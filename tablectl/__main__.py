"""``python -m tablectl`` and the ``tablectl`` command."""

from __future__ import annotations

import sys

from tablectl.console.cli import main

if __name__ == "__main__":
    sys.exit(main())
