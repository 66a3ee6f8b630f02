"""The part of the page about faults planted in the firmware: how many were noticed, and why some were not."""

from __future__ import annotations

from sim.firmware.mutants.outcomes import LOOKS, explanations, last_run

ABOUT = {
    "conformance": "the conformance suite",
    "traces": "the traces beside the Python twin, of what the suite did not notice",
    "tests": "the firmware's own tests, of what neither noticed",
}


def section() -> list[str]:
    """The lines of it; none before the first run of ``make mutants``."""
    faults = last_run()
    if not faults:
        return []
    survived = [fault for fault in faults if not fault.by]
    share = 100 * (len(faults) - len(survived)) / len(faults)
    explained = explanations()
    return [
        "\n## Faults planted in the firmware\n",
        f"`make mutants` planted {len(faults)} slips in the sources of the firmware, one at a time: a",
        "condition turned round, a line forgotten, a number off by one. "
        f"{len(faults) - len(survived)} were noticed ({share:.0f} %):\n",
        "| by | faults |",
        "|---|---|",
        *(f"| {ABOUT[look]} | {sum(fault.by == look for fault in faults)} |" for look in LOOKS),
        f"| nobody | {len(survived)} |\n",
        "The firmware's own tests were extended after a first look at what this sample left unnoticed, and",
        "a few faults were judged anew by them alone, so the share is that of a known sample. What the",
        "conformance suite notices by itself is the first row. `make mutants` with another seed plants",
        "faults nobody has looked at.\n",
        *(
            f"- `{one.file}`, {one.slip}, `{one.text}`: {explained.get(one.name, 'not explained yet')}"
            for one in survived
        ),
    ]
