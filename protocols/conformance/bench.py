"""A board on the bench: who it is, what it is ordered, and what several checks look at together."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from protocols.atp import messages as m
from protocols.atp.dictionary import DICTIONARY, TIMING
from protocols.atp.translate import PARTS
from protocols.conformance.evidence import Broken, NotApplicable, named
from protocols.conformance.settings import NoBoard, Settings
from protocols.conformance.stages import FINAL, FinalMessage, StageMessage, queried, stage_message, stage_of
from protocols.conformance.talk import Answer, Talk
from protocols.conformance.wire import Heard
from protocols.errors import TransportError
from protocols.transports.base import Opener
from protocols.vocabulary import NO_SIDE, Capability, Operation, Refusal

R = TypeVar("R")
ID_STEP = 256
NOBODY_KNOWS = 200  # an operation of no version
VERSION = DICTIONARY.version


class Bench(Talk):
    """One board, from the first opening of its port to the end of the run."""

    def __init__(self, opener: Opener, settings: Settings) -> None:
        super().__init__(opener, settings)
        self.journal = settings.rng.randbytes(16)
        self.abilities: m.Abilities | None = None
        self.identity: dict[int, bytes] = {}
        self.builds = False  # it took an order to build
        self.profile = 0  # the board's, when it came
        self.greeted_before = True  # somebody said hello since the board's boot, before us
        self._id = ID_STEP
        self._acts: dict[str, asyncio.Future[Any]] = {}
        self.sends: Counter[int] = Counter()  # OPERATE frames, by id
        self.stages: dict[int, list[Heard]] = defaultdict(list)  # of orders, unasked or asked
        self.operations: dict[int, int] = {}  # by id, as first ordered
        self.reused: set[int] = set()  # ids ordered under two journals: two orders, not one

    # ---- greeting ------------------------------------------------------------------------------------

    async def say_hello(
        self, journal: bytes | None = None, versions: tuple[int, int] = (VERSION, VERSION), **shape: Any
    ) -> Answer[m.Hello] | None:
        """Say hello once more; None when nobody answers."""
        token = self.token()
        ask = m.HelloAsk(token, *versions, self.journal if journal is None else journal)
        return await self.try_ask(ask, m.Hello, lambda hello: hello.token == token, **shape)

    async def greet(self) -> None:
        """Get to know the board. Raises ``NoBoard``."""
        begun = self.now()
        answer = None
        while answer is None:
            answer = await self.say_hello()
            if answer is None and self.now() >= begun + TIMING.hello:
                raise NoBoard(TIMING.hello)
        if self.hello is None or answer.message.boot != self.hello.boot:
            self._start_events(answer.message.acknowledged)
        self.hello = answer.message
        if self._beat is None:
            self._keep_alive()
        abilities = await self.try_ask(m.AbilitiesAsk(), m.Abilities)
        self.abilities = abilities.message if abilities is not None else None
        for part in PARTS:
            await self._learn(part)
        token = self.token()
        status = await self.try_ask(m.StatusAsk(token), m.Status, lambda status: status.token == token)
        self.profile = self.profile or (status.message.profile if status is not None else 0)
        self.acknowledge()

    async def restart(self) -> None:
        """Switch the board off and on and get to know it again. Raises ``NotApplicable``, ``NoBoard``."""
        await self.off_and_on()
        await self.greet()

    async def off_and_on(self) -> None:
        """Switch the board off and on, and say nothing. Raises ``NotApplicable`` where nobody can."""
        if self.settings.restart is None:
            raise NotApplicable("no_restart")
        with self.hushed():
            await self.settings.restart()
            self.begin_era()
            await self.reopen()

    async def reopen(self) -> None:
        """Open the port anew if it went away with the board. Raises ``TransportError``."""
        try:
            self.wire.check()
        except TransportError:
            self.wire.close()
            await self.open()

    @property
    def capabilities(self) -> Capability:
        """What the board claims."""
        return Capability(self.abilities.capabilities if self.abilities is not None else 0)

    @property
    def profiles(self) -> list[int]:
        """The sizes of a set it claims to build."""
        return [size for size in (self.abilities.profiles if self.abilities is not None else b"") if size]

    @property
    def scale(self) -> int:
        """Table seconds a second."""
        return max(1, self.abilities.time_scale if self.abilities is not None else 1)

    # ---- orders --------------------------------------------------------------------------------------

    def next_id(self) -> int:
        """An id of ours that was never used."""
        self._id += ID_STEP
        return self._id

    def took(self, heard: Heard) -> None:
        """Keep what is said of orders."""
        said = stage_message(heard)
        if said is not None:
            self.stages[said.id].append(heard)

    async def give(
        self, operation: int, *, id: int = 0, side: int = NO_SIDE, hand: int = 0, count: int = 0
    ) -> Answer[StageMessage]:
        """Give an order, by this id or a new one; the first stage that is told of it. Raises ``Broken``."""
        return await self.give_order(m.Operate(id or self.next_id(), operation, side, hand, count))

    async def give_order(self, order: m.Operate) -> Answer[StageMessage]:
        """Give an order as it is, also with the id 0. Raises ``Broken``."""
        id = order.id
        self.operations.setdefault(id, order.operation)
        since, begun, tries = len(self.wire.heard), self.now(), 0

        def wanted(heard: Heard) -> bool:
            said = stage_message(heard)
            return said is not None and said.id == id and not queried(said)

        while self.now() < begun + self.patience:
            self.wire.send(order)
            self.sends[id] += 1
            tries += 1
            heard = await self.wire.until(wanted, self.now() + self.repeat, since)
            said = stage_message(heard) if heard is not None else None
            if heard is not None and said is not None:
                return Answer(said, heard, tries, heard.at - begun)
        raise self.unanswered("OPERATE", "ACCEPTED")

    async def next_orders(self, count: int) -> None:
        """Give so many orders nobody knows, which a board refuses and keeps."""
        for _ in range(count):
            await self.give(NOBODY_KNOWS)

    async def query(self, id: int) -> StageMessage:
        """What the board says became of an order. Raises ``Broken``."""
        since, begun = len(self.wire.heard), self.now()

        def wanted(heard: Heard) -> bool:
            said = stage_message(heard)
            return said is not None and said.id == id and (queried(said) or isinstance(said, m.Unknown))

        while self.now() < begun + self.patience:
            self.wire.send(m.Query(id))
            heard = await self.wire.until(wanted, self.now() + self.repeat, since)
            said = stage_message(heard) if heard is not None else None
            if said is not None:
                return said
        raise self.unanswered("QUERY", "UNKNOWN")

    async def ended(self, id: int) -> FinalMessage:
        """How an order ended, asked after where nothing is heard of it. Raises ``Broken``."""
        operation = self.operations.get(id, 0)
        deadline = self.now() + self.limit(operation)

        def of_it(heard: Heard) -> bool:
            said = stage_message(heard)
            return said is not None and said.id == id

        while True:
            for heard in self.stages.get(id, ()):
                if isinstance(heard.message, FINAL):
                    return heard.message
            if self.now() >= deadline:
                seconds = f"{self.limit(operation):.0f}"
                raise Broken("never_ended", operation=named(Operation, operation), seconds=seconds)
            since = len(self.wire.heard)
            if await self.wire.until(of_it, self.now() + TIMING.result_query + self.repeat, since) is None:
                await self.query(id)

    def limit(self, operation: int) -> float:
        """Seconds of the loop after which an order of this kind is late."""
        try:
            limits = DICTIONARY.operations[Operation(operation)]
        except ValueError:
            return self.patience
        return limits.accept + limits.done / self.scale

    async def carry_out(self, operation: Operation, **arguments: int) -> FinalMessage:
        """Give an order by a new id and wait for its end."""
        said = (await self.give(operation, **arguments)).message
        return await self.ended(said.id)

    async def _learn(self, part: int) -> None:
        """Ask for one part of the identity; what is not told is empty, and another check's business."""
        said = await self.try_ask(m.IdentityAsk(part), m.Identity, lambda one: one.part == part)
        self.identity[part] = said.message.data if said is not None else b""

    async def ask_part(self, part: int) -> m.Identity:
        """One part of who the board is."""
        return (await self.ask(m.IdentityAsk(part), m.Identity, lambda one: one.part == part)).message

    async def restore(self) -> None:
        """Set the profile the board had when it came."""
        if self.profile and (await self.status()).profile != self.profile:
            await self.carry_out(Operation.SET_PROFILE, count=self.profile)

    async def ready(self) -> m.Status:
        """Homed, at rest, nothing latched. Raises ``NotApplicable`` where it cannot be brought there."""
        await self.restore()
        status = await self.status()
        if status.running:
            await self.stop()
            status = await self.status()
        if status.stopped or not status.homed or any(status.faults):
            end = await self.carry_out(Operation.HOME)
            if isinstance(end, m.Refused) and end.refusal == Refusal.BUSY:  # the table builds by itself
                await self.stop()
                end = await self.carry_out(Operation.HOME)
            if not isinstance(end, m.Done):
                raise NotApplicable("no_home", stage=stage_of(end).name)
            status = await self.status()
        await self.caught_up()
        return status

    async def stop(self) -> Answer[m.Stopped]:
        """Stop everything. Raises ``Broken`` when the board never says that it stands still."""
        since, begun, tries = len(self.wire.heard), self.now(), 0
        limit = self.limit(Operation.PAUSE)
        while self.now() < begun + limit:
            self.wire.send(m.Stop())
            tries += 1
            heard = await self.wire.until(
                lambda heard: isinstance(heard.message, m.Stopped), self.now() + self.repeat, since
            )
            if heard is not None:
                assert isinstance(heard.message, m.Stopped)
                return Answer(heard.message, heard, tries, heard.at - begun)
        raise self.unanswered("STOP", "STOPPED", limit)

    # ---- what several checks look at -----------------------------------------------------------------

    async def once(self, act: Callable[[Bench], Awaitable[R]]) -> R:
        """What came of an act that is done once a run; an error of it is everybody's who asks."""
        name = f"{act.__module__}.{act.__qualname__}"
        if name not in self._acts:
            future: asyncio.Future[R] = self._loop.create_future()
            self._acts[name] = future
            try:
                future.set_result(await act(self))
            except (Broken, NotApplicable) as outcome:
                future.set_exception(outcome)
        return await self._acts[name]  # type: ignore[no-any-return]
