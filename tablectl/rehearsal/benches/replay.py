"""Replaying the journal of three hours, as ``tablectl journal replay`` does, start-up included.

Memory is flat when the whole journal takes no more of it than its first quarter.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sim.timebase import wall_seconds
from tablectl.rehearsal.benches.lab import Lab, environ
from tablectl.rehearsal.benches.row import Row
from tablectl.rehearsal.benches.session import journal_of

REPLAY_S = 2.0
FLAT = 1.1
KB = 1024
MB = 1_000_000
REPLAY = [
    sys.executable,
    "-c",
    "import sys; from tablectl.console.cli import main; code = main(sys.argv[1:]); "
    "print(open('/proc/self/status').read()); sys.exit(code)",
    "journal",
    "replay",
]


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    whole = journal_of(lab)
    lines = whole.read_bytes().splitlines(keepends=True)
    quarter = lab.folder / "quarter.jsonl"
    quarter.write_bytes(b"".join(lines[: max(1, len(lines) // 4)]))
    _replay(quarter)  # compiled modules and the disk's cache are there from here on
    runs = [(_replay(whole), _replay(quarter)) for _ in range(lab.sizes.rounds)]
    seconds = min(one[0] for one, _ in runs)
    ours, beside = (min(run[which][1] for run in runs) for which in (0, 1))
    return [
        Row("bench.replay", "", seconds, bound=REPLAY_S),
        Row("bench.replay_memory", "max", ours / MB, unit="MB", beside=beside / MB, bound=FLAT),
    ]


def _replay(journal: Path) -> tuple[float, int]:
    """Seconds and bytes of memory at most."""
    began = wall_seconds()
    done = subprocess.run([*REPLAY, str(journal)], capture_output=True, text=True, env=environ(), check=True)
    took = wall_seconds() - began
    (peak,) = (line for line in done.stdout.splitlines() if line.startswith("VmHWM:"))
    return took, int(peak.split()[1]) * KB
