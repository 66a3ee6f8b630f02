"""A host that gives up on nothing: reconnects, walks the ways out of faults, plays hand after hand."""

from __future__ import annotations

import asyncio
import contextlib

from protocols.atp.driver import AtpDriver
from protocols.driver import Gone, Hello, Rejected, Reply, Report
from protocols.errors import TransportError
from protocols.vocabulary import Fault, Lamp, Operation, Refusal, Stage
from sim.world import SimTable
from tests.sim.rig import JOURNAL, Host

PATIENCE = 90.0  # table seconds for one order
TRIES = 120
QUIET = 30.0
LONGEST = 7200.0  # of a hand: whoever waits longer waits for ever


class Steward(Host):
    """Plays hands at a table at which anything may go wrong. ``gave_up`` = orders it had to leave."""

    def __init__(self, table: SimTable) -> None:
        super().__init__(table)
        self.gone = False
        self.gave_up: list[Operation] = []
        self.on_event = lambda event: table.machine.places.assert_conserved()

    def sink(self, report: Report) -> None:
        if isinstance(report, Gone | Rejected):
            self.gone = True
        super().sink(report)

    async def wait(self, seconds: float) -> None:
        done = self.loop.create_future()
        self.loop.call_later(seconds, done.set_result, None)
        await done

    async def connected(self) -> None:
        """Be in touch with our board, whatever it takes."""
        while self.gone or self.hello is None or self.hello.vendor == "stranger":
            await self.look()

    async def look(self) -> Hello | None:
        """Close the port, open it again, and see who is there."""
        self.driver.close()
        self.gone, self.hello = False, None
        self.driver = AtpDriver(self.end.host)
        last = self.events[-1].number if self.events else 0
        with contextlib.suppress(TransportError):
            await self.driver.open(self.sink, journal_id=JOURNAL, last_event=last)
        await self.wait(1.5)
        return self.hello

    async def attempt(self, operation: Operation, **fields: int) -> Reply | None:
        """One order; None if nobody knows what became of it."""
        await self.connected()
        try:
            async with asyncio.timeout(PATIENCE * 4):
                return await self.order(operation, **fields)
        except TimeoutError:
            return None

    async def insist(self, operation: Operation, **fields: int) -> None:
        """Order until it is done, and walk the ways out of a fault in between."""
        for _ in range(TRIES):
            reply = await self.attempt(operation, **fields)
            if reply is not None and reply.stage is Stage.DONE:
                return
            await self.wait(20.0)
            await self.attempt(Operation.CLEAR_FAULT)
            machine = self.table.machine
            if machine.profile != machine.people_profile:
                await self.attempt(Operation.SET_PROFILE, count=machine.people_profile)
            if machine.stopped or not machine.homed:
                await self.attempt(Operation.HOME)
            if reply is not None and reply.refusal is Refusal.NOT_READY:
                await self.attempt(Operation.BUILD)
            if reply is not None and reply.fault in (Fault.TRAY_NOT_UP, Fault.TRAY_NOT_DOWN):
                await self.attempt(Operation.LOWER)
        self.gave_up.append(operation)

    async def hand_out(self, hand: int, dealer: int) -> None:
        """One hand from the walls to its end."""
        self.winner = None
        await self.attempt(Operation.SET_PROFILE, count=self.table.machine.people_profile)
        await self.insist(Operation.BUILD, hand=hand)
        await self.insist(Operation.RAISE, hand=hand, side=dealer)
        began = self.loop.time()
        party = self.table.party
        while party.hand is not None and self.loop.time() - began < LONGEST:
            await self.connected()
            if self.table.machine.lamp in (Lamp.HOLD, Lamp.OFF):
                self.lamp(Lamp.PLAY)
            seen = len(self.events)
            await self.wait(QUIET)
            if len(self.events) == seen and not self.judging and not self.gone:
                await self.attempt(Operation.CLEAR_FAULT)
                if party.hand is not None and party.hand.open.live == 0:
                    self.lamp(Lamp.CLOSED)
