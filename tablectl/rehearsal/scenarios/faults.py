"""The part of the page about faults planted in the firmware: how many were noticed, and why some were not."""

from __future__ import annotations

from sim.firmware.mutants.outcomes import LOOKS, Fault, earlier, explanations, known, last_run, unseen

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
    return [
        "\n## Faults planted in the firmware\n",
        f"`make mutants` planted {len(faults)} slips in the sources of the firmware, one at a time: a",
        "condition turned round, a line forgotten, a number off by one. "
        f"{len(faults) - len(survived)} were noticed ({_share(faults)}):\n",
        "| by | faults |",
        "|---|---|",
        *(f"| {ABOUT[look]} | {sum(fault.by == look for fault in faults)} |" for look in LOOKS),
        f"| nobody | {len(survived)} |\n",
        *_by_seed(faults),
        *_on_the_wire(faults),
        "\nWhat nobody noticed:\n",
        *(f"- {_told(one)}: {explanations().get(one.name, 'not explained yet')}" for one in survived),
        "\nWhat the conformance suite did not notice and no host can see:\n",
        *(f"- {_told(one)}: {unseen()[one.name]}" for one in faults if one.name in unseen() and one.by),
    ]


def _told(fault: Fault) -> str:
    return f"`{fault.file}`, {fault.slip}, `{fault.text}`"


def _share(faults: list[Fault]) -> str:
    """How many of these somebody noticed."""
    return f"{100 * sum(bool(fault.by) for fault in faults) / len(faults):.0f} %" if faults else "-"


def _by_seed(faults: list[Fault]) -> list[str]:
    """How the faults were chosen, and whether anybody had seen them before."""
    seeds = sorted({fault.seed for fault in faults})
    shares = [[fault for fault in faults if fault.seed == seed] for seed in seeds]
    told = ", ".join(
        f"seed {seed}: {_share(found)} of {len(found)}" for seed, found in zip(seeds, shares, strict=True)
    )
    fresh = [fault for fault in faults if fault.name not in known()]
    return [
        "Suite, traces and tests were strengthened by what other seeds had shown; these seeds were run once,",
        f"afterwards, before anything was changed for what they showed ({told}). Chance had chosen",
        f"{len(faults) - len(fresh)} of these faults for those other seeds too;",
        f"of the {len(fresh)} that nobody had looked at, {_share(fresh)} were noticed.",
        f"{earlier()}\n",
    ]


def _on_the_wire(faults: list[Fault]) -> list[str]:
    """What the suite notices of what a host can see at all."""
    by_suite = sum(fault.by == "conformance" for fault in faults)
    visible = [fault for fault in faults if fault.by == "conformance" or fault.name not in unseen()]
    return [
        f"The conformance suite by itself noticed {100 * by_suite / len(faults):.0f} % of all, and",
        f"{100 * by_suite / len(visible):.0f} % of the {len(visible)} that a host can see at all.",
        "What it cannot see needs a finger on a key, an eye on a lamp, a mishap in the table, or is left",
        "free by SPEC.md.",
    ]
