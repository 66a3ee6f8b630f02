"""What a scenario is: its name, what it needs, and the play. And why a cell of the matrix is not played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocols.vocabulary import Capability
from tablectl.rehearsal.scenarios.endpoint import Endpoint, Lever, Trait

if TYPE_CHECKING:
    from tablectl.rehearsal.scenarios.host import Host

Play = Callable[["Host"], Awaitable[None]]
NONE = Capability(0)

WITHOUT = {  # what is missing → why a scenario is not applicable; the first that applies is told
    Trait.MOTION: "it moves nothing",
    Capability.DICE: "it has no dice",
    Capability.DRAW_SENSE: "it senses no draw",
    Capability.PAUSE_INSERT: "it cannot pause a build",
    Capability.HOST_STOP: "its only stop is a pause of the build",
    Capability.EVENT_LOG: "it keeps no events",
    Capability.RESULT_MEMORY: "it keeps no results",
    Capability.SEAT_KEYS: "it has no keys at the seats",
    Capability.LAMPS: "it has no lamps at the seats",
    Trait.PEOPLE: "nobody plays at it",
    Lever.UNPLUG: "its cable cannot be pulled here",
    Lever.PLUG: "its cable cannot be pulled here",
    Lever.REBOOT: "it cannot be restarted here",
    Lever.LOSE_ANSWER: "no answer of it can be lost here",
    Lever.LOSE_EVENTS: "no event of it can be lost here",
    Lever.CLOCK_JUMP: "it has no clock that could be made to leap",
    Lever.JAM: "nothing in it can jam",
    Lever.MEND: "nothing in it can be put right",
    Lever.KEY: "it has no keys at the seats",
    Lever.CHATTER: "nothing else can speak on its line",
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A row of the matrix. ``speed``: table seconds a real second where a table can hurry; what waits for
    the wire, which never hurries, leaves the table more time."""

    name: str
    about: str
    play: Play
    capabilities: Capability = NONE
    traits: frozenset[Trait] = frozenset()
    levers: frozenset[Lever] = frozenset()
    speed: int = 40

    def lacks(self, endpoint: Endpoint) -> str:
        """Why it is not applicable at an endpoint; empty if it is."""
        absent: set[Trait | Lever | Capability] = {*self.traits - endpoint.traits}
        absent |= self.levers - endpoint.levers
        absent |= {flag for flag in self.capabilities if flag not in endpoint.capabilities}
        why = next((why for thing, why in WITHOUT.items() if thing in absent), "")
        if absent and not why:
            raise LookupError(
                f"{self.name} lacks {absent} at {endpoint.name}: WITHOUT has no reason for that"
            )
        return why
