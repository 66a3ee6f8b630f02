"""The rule systems as tests of the simulated table see them: customs and judges made from the rulesets."""

from __future__ import annotations

from sim.customs import Customs
from sim.timebase import run_virtual
from sim.view import Judge
from sim.world import SimTable
from tablectl.rehearsal.customs import customs_of
from tablectl.rehearsal.judge import judge_of
from tablectl.rules.book import load_book
from tests.sim.rig import Host

BOOK = load_book()
SYSTEMS = ("mcr", "mcr-136", "zungjung", "ccm", "wuhan")
OTHERS = ("zungjung", "ccm", "wuhan")


def customs(system: str) -> Customs:
    """What the players of a system know."""
    return customs_of(BOOK[system])


def play(
    system: str, seed: int, fidelity: str = "identity", judge: Judge | None = None, hands: int = 1
) -> Host:
    """Play hands of a system and return the host with all it heard."""
    rules = BOOK[system]

    async def main() -> Host:
        table = SimTable(
            seed,
            judge=judge or judge_of(rules),
            customs=customs(system),
            tiles=rules.wall.tiles.value,
            fidelity=fidelity,
        )
        host = await Host(table).start()
        host.on_event = lambda event: table.machine.places.assert_conserved()
        for hand in range(1, hands + 1):
            await host.play_hand(hand, (seed + hand) % 4)
        host.stop()
        return host

    return run_virtual(main())
