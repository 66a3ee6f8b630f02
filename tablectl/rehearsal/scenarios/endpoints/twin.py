"""The levers of the simulated table, whatever its board speaks and whatever line it is on."""

from __future__ import annotations

from functools import cache

from protocols.atp import messages as m
from protocols.atp.board import BoardSession
from protocols.vocabulary import SeatKey
from sim.board import Speaks
from sim.identity import capabilities
from sim.mechanism.body import Ailment
from sim.mechanism.motion import BY_ITSELF
from sim.seats import Fidelity
from sim.world import SimTable
from tablectl.rehearsal.judge import judge_of
from tablectl.rehearsal.scenarios.endpoint import Lever, Trait, Truth
from tablectl.rules.book import load_book
from tablectl.rules.model import Ruleset

CAPABILITIES = capabilities(Fidelity.IDENTITY)
TRAITS = frozenset(Trait)
LEVERS = frozenset(Lever)
TEXTS = (b"boot v2 ready; state=WALLS_UP\r\n", b"ok hours=twelve\xff\r\n\0done\0", b"resend: stopped\r\n")
EVENTS = frozenset({m.Event.TYPE})


@cache
def rules() -> Ruleset:
    """What the people at the table play."""
    return load_book()["mcr"]


class Twin:
    """A simulated table with people. Make and use it inside its loop."""

    def __init__(self, seed: int, speed: int, speaks: Speaks = BoardSession) -> None:
        self.table = SimTable(
            seed, judge=judge_of(rules()), tiles=rules().wall.tiles.value, speed=speed, speaks=speaks
        )
        self._jam: Ailment | None = None

    def pull(self, lever: Lever, amount: float) -> None:
        """Let something happen."""
        table = self.table
        match lever:
            case Lever.UNPLUG:
                table.drop_off(amount or None)
            case Lever.PLUG:
                table.come_back()
            case Lever.REBOOT:
                table.reboot()
            case Lever.LOSE_ANSWER:
                table.lose_replies()
            case Lever.LOSE_EVENTS:
                table.board.to_host.leave_out(EVENTS, amount)
            case Lever.CLOCK_JUMP:
                table.board.leap(amount)
            case Lever.CHATTER:
                for text in TEXTS:
                    table.board.to_host.send(text)
            case Lever.JAM:
                self._jam = table.machine.befall("head_jam", 2, helps=-1)
            case Lever.MEND if self._jam is not None:
                table.machine.mend(self._jam)
            case Lever.KEY:
                table.seats.called(int(amount), SeatKey.DISCARD)

    def truth(self) -> Truth:
        """What its mechanism knows."""
        log = self.table.log
        begun = {motion.order for motion in log.motions if motion.order != BY_ITSELF}
        return Truth(
            self.table.machine.moving(), len(begun), tuple(f"{id} {step}" for id, step in log.moved_twice())
        )
