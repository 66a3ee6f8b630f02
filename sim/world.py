"""One simulated table, wired: mechanism, board, seats and the four players, from one seed.

    table = SimTable(7, judge=my_judge)
    end = MemoryEndpoint(table.rng("line"))
    table.attach(end)          # the host opens end.host

The same seed and the same orders of the host give the same run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from random import Random

from protocols.atp.board import BoardSession
from protocols.vocabulary import SIDES
from sim.attendant import Attendant
from sim.board import Board, Speaks
from sim.chance import Chance
from sim.compose import Names, as_arrivals, compose
from sim.customs import INTERNATIONAL, Customs
from sim.deeds import do
from sim.endpoints.base import Endpoint
from sim.endpoints.noise import Noise
from sim.faults import FaultPlan
from sim.grammar import parse, write
from sim.identity import BoardClock, Firmware
from sim.injector import Injector
from sim.kinds import describe_kinds, kinds, presets
from sim.kinds import preset as preset_of
from sim.mechanism.dice import FACES, Faces
from sim.mechanism.drum import Mix, mix_fairly, stacks_a_side
from sim.mechanism.machine import Mechanism
from sim.mechanism.motion import MotionLog
from sim.mechanism.tiles import FULL, Tile
from sim.pace import Pace
from sim.party import Party
from sim.people import People
from sim.plan import plan_of
from sim.players import Player
from sim.script import Script
from sim.scripted import Prompter, ScriptedPlayer
from sim.seats import Fidelity, Seats
from sim.temper import Temper
from sim.timebase import TableTimer
from sim.view import Judge, Mind

PRESETS = tuple(presets())


class SimTable:
    """A table with four people at it. Make it inside a running loop (or give one).

    ``judge`` and ``customs`` are the rules the players know. ``script`` replaces their wits: hand n plays
    script n. ``paces`` gives each side its tempo.
    ``preset`` says how worn it is and how often what goes wrong, ``plan`` what goes wrong for certain: where
    a plan has an item, chance adds none. ``recorded()`` is what went wrong; as the plan of a perfect table
    of the same seed it does the same again.
    """

    def __init__(
        self,
        seed: int | str,
        *,
        judge: Judge,
        customs: Customs = INTERNATIONAL,
        tiles: int = FULL,
        speed: int = 1,
        fidelity: Fidelity | str = Fidelity.IDENTITY,
        script: Sequence[Script] | None = None,
        preset: str = "perfect",
        plan: FaultPlan = FaultPlan(),  # noqa: B008
        firmware: Firmware = Firmware(),  # noqa: B008
        clock: BoardClock = BoardClock(),  # noqa: B008
        paces: Sequence[Pace] | None = None,
        temper: Temper | None = None,
        boots: Random | None = None,
        speaks: Speaks = BoardSession,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        risks = preset_of(preset)
        self.seed = seed
        self.loop = loop or asyncio.get_running_loop()
        self.endpoint: Endpoint | None = None
        self.wire_time = TableTimer(self.loop)
        self.machine: Mechanism = Mechanism(
            tiles,
            TableTimer(self.loop, speed),
            drum=self.rng("drum"),
            dice=self.rng("dice"),
            times=self.rng("times"),
            wear=self.rng("wear"),
        )
        self.board: Board = Board(
            self.machine,
            Fidelity(fidelity),
            self.wire_time,
            self.rng("board"),
            speed=speed,
            firmware=firmware,
            clock=clock,
            boots=boots,
            speaks=speaks,
        )
        self.seats = Seats(Fidelity(fidelity), self.board.emit)
        self._prompter = Prompter([*script]) if script is not None else None
        self.people = People(
            self._minds(judge, temper, customs),
            paces or [Pace().within(customs.discard_s)] * len(SIDES),
            [self.rng(f"pace {side}") for side in SIDES],
            TableTimer(self.loop, speed),
        )
        self.party = Party(self.machine, self.seats, self.people, self.rng("party"), customs)
        self.machine.dice.count = customs.dice
        if self._prompter is not None and script is not None:
            self._follow(self._prompter, script, tiles, customs)
        self.attendant = Attendant(
            self.machine, TableTimer(self.loop, speed), self.rng("attendant"), self.board.reboot
        )
        self.guests: list[Board] = []  # other controllers on our line
        self._fate = TableTimer(self.loop, speed)
        slips = {kind: getattr(temper, kind, 0.0) for kind in kinds()} if temper is not None else {}
        self.injector = Injector(
            plan,
            Chance(risks, self.rng("chance"), max(stacks_a_side(tiles)), slips),
            self._fate,
            seed,
            lambda item, rng: do(self, item, rng),
        )
        self.machine.notice = self.injector.notice

    def rng(self, purpose: str) -> Random:
        """A generator of its own for each purpose, so that one never shifts another."""
        return Random(f"{self.seed}/{purpose}")

    def _minds(self, judge: Judge, temper: Temper | None, customs: Customs) -> list[Mind]:
        if self._prompter is not None:
            return [ScriptedPlayer(self._prompter) for _ in SIDES]
        plan = plan_of(customs.aims)
        temper = temper or plan.temper
        return [Player(judge, self.rng(f"mind {side}"), temper, plan) for side in SIDES]

    # the line and its faults

    def attach(self, endpoint: Endpoint) -> None:
        """Plug the board into a line and switch it on."""
        self.endpoint = endpoint
        self.board.attach(endpoint)
        self.injector.begin()
        self._listen()
        self.board.power_on()

    def reboot(self, off: float = 0.0) -> None:
        """The board loses its power for so long (real seconds) and boots; tiles stay where they are."""
        self.board.reboot(off)

    def drop_off(self, seconds: float | None) -> None:
        """The board's port vanishes from the bus for so long (real seconds; None = until ``come_back``); the
        board lives on."""
        if self.endpoint is not None:
            self.endpoint.unplug()
            if seconds is not None:
                self.wire_time.call_later(seconds, self.endpoint.replug)

    def come_back(self) -> None:
        """The port is there again."""
        if self.endpoint is not None:
            self.endpoint.replug()

    def swap_board(self, board: Board, seconds: float) -> None:
        """Another board on our port, which is away for so long (real seconds) meanwhile."""
        for other in (self.board, *self.guests):
            other.detach()
        if self.endpoint is not None:
            board.attach(self.endpoint)
        self.drop_off(seconds)

    def lose_replies(self, count: int = 1) -> None:
        """The next answers to orders are lost, after the motion has begun."""
        self.board.uplink.lose_replies(count)

    def delay_replies(self, seconds: float, count: int = 1) -> None:
        """The next answers to orders leave so much later (real seconds)."""
        self.board.uplink.delay_replies(seconds, count)

    def noises(self) -> list[Noise]:
        """The noise of the line, each way."""
        return [self.endpoint.to_host, self.endpoint.to_board] if self.endpoint is not None else []

    # what goes wrong

    def inject(self, text: str) -> str:
        """Let something go wrong by hand, in the words of a fault plan; returns what became of it.

        ``list`` tells what is wrong now and what waits, ``mend`` puts everything right, ``help`` names the
        kinds, ``indicator`` the tile turned up for this hand, ``dropped`` the one somebody let be seen last
        and whose it is (``SIDE TILE``), ``ruled SIDE WORDS`` tells a player what he may not do any more (see
        `sim.ruled`). Raises ``PlanError``.
        """
        word, *told_to = text.split()[:2] or [""]
        if word == "ruled" and told_to and told_to[0] in map(str, SIDES):
            self.party.ruled(int(told_to[0]), text.split()[2:])
            return "told"
        match text.strip().lower():
            case "help":
                return describe_kinds()
            case "list":
                return (
                    "\n".join([*self.why(), *(f"waits: {write(item)}" for item in self.injector.waiting)])
                    or "nothing"
                )
            case "mend":
                return self.mend()
            case "indicator":
                return self.indicator
            case "dropped":
                return self.party.play.slips.dropped if self.party.play is not None else ""
        told = self.injector.add(parse(text))
        self._listen()
        return told

    def why(self) -> list[str]:
        """What is physically wrong with the table, a sentence each."""
        return [str(ailment) for ailment in self.machine.body.ailments]

    def mend(self) -> str:
        """Put right whatever can be reached."""
        ailments = list(self.machine.body.ailments)
        left = [ailment for ailment in ailments if not self.machine.mend(ailment)]
        return f"mended {len(ailments) - len(left)} of {len(ailments)}"

    def recorded(self) -> FaultPlan:
        """What went wrong so far, by chance, plan or hand."""
        return self.injector.recorded()

    @property
    def indicator(self) -> str:
        """The tile that lies turned up for the hand in play, or empty: anybody at the table sees it."""
        return self.party.hand.open.indicator if self.party.hand is not None else ""

    def _listen(self) -> None:
        """Count frames and answers only where somebody waits for one: they are many."""
        waiting = {item.when.kind for item in self.injector.waiting}
        if "frame" in waiting or self.injector.decides("frame"):
            self.board.to_host.on_frame = lambda number: self.injector.notice("frame", number=number)
        if "reply" in waiting or self.injector.decides("reply"):
            self.board.uplink.on_reply = lambda: self.injector.notice("reply")

    @property
    def log(self) -> MotionLog:
        """Every motion that really began."""
        return self.machine.log

    def close(self) -> None:
        """Everybody goes home: no timer of the table stays armed."""
        self.party.close()
        self.attendant.close()
        for guest in self.guests:
            guest.close()
        self._fate.cancel_all()
        for timer in (self.wire_time, self.machine.timer):
            timer.cancel_all()
        self.board.close()
        if self.endpoint is not None:
            self.endpoint.close()

    # scripts

    def _follow(self, prompter: Prompter, scripts: Sequence[Script], tiles: int, customs: Customs) -> None:
        """Fix dice and walls of each scripted hand. Raises ``ScriptError`` where no walls can be."""
        throws: list[list[Faces]] = []
        walls: list[Names] = []
        for hand, script in enumerate(scripts):
            rng = self.rng(f"script {hand}")
            dice = [tuple(rng.randint(1, FACES) for _ in range(customs.dice)) for _ in range(customs.throws)]
            throws.append(dice)
            walls.append(compose(script, dice, tiles, rng, customs))

        def mix_for(hand: int) -> Mix:
            return partial(_arrange, walls[hand]) if hand < len(walls) else mix_fairly

        def begin(hand: int) -> None:
            prompter.begin(hand)
            self.machine.dice.fix(throws[hand] if hand < len(throws) else [])

        self.machine.mix_for = mix_for
        self.party.on_new_hand = begin


def _arrange(walls: Names, heap: Sequence[Tile], wanted: Sequence[int], rng: Random) -> list[list[Tile]]:
    """A mix that leaves nothing to chance."""
    return as_arrivals(walls, heap)
