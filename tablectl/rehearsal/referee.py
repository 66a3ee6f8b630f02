"""The scripted referee: an ordinary client of the API that runs a session hand after hand.

It starts hands, confirms wins, looks at what the table asks a referee and says go on, and is told of
everything else as anybody who watches is. It waits as a person would before it answers. What no sensor tells
it reads off the table: the tile that is turned up after the deal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sim.ruled import DEAD, FORCED
from sim.timebase import TableTimer
from tablectl.api.client import Client
from tablectl.api.errors import ApiError
from tablectl.api.spec import SEATS
from tablectl.locale.catalog import FALLBACK
from tablectl.rehearsal import points
from tablectl.rehearsal.docket import Court, Docket
from tablectl.rehearsal.house import House
from tablectl.rehearsal.voice import Kept, Voice, accepted
from tablectl.rules.model import Ruleset

LOOKS_S = 4.0  # table seconds between seeing something and answering it
NEXT_HAND_S = 6.0
GLANCE_S = 1.0  # between two looks at whether the indicator lies there
STUCK_S = 2400.0  # a hand takes a quarter of an hour
STEPS_S = 30.0  # to see whether clearing a fault has helped
NO_WIN = ("refused.no_win_by_rule", "refused.no_win", "refused.mechanical")
DRAWS_S = 5.0  # between two acts of a seat draw
MICROSECONDS = 1_000_000
CASES = ("event.called", "event.proposed", "event.fault_case")  # somebody or something asks for a ruling
# A seat is told what it may do no longer, or may do again.
BARS = ("event.barred", "event.unbarred", "event.plays_again", "event.penalty_tile_dead")
PLAYED_ANEW = ("redealt", "cancelled")  # results after which the hand of that number is still to come


@dataclass(slots=True)
class Report(Kept):
    """What the referee did and was told."""

    hands: list[dict[str, Any]] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)  # why the rule book found no win in those declared
    irregular: list[dict[str, Any]] = field(default_factory=list)
    released: list[str] = field(default_factory=list)  # holds a referee had to end
    voided: int = 0  # hands given up by two referees


def alone(rules: Ruleset, chief: Client) -> Callable[[Referee], Court]:
    """The court of a referee who rules as the articles propose, with a chief for what only he may do."""

    def court(referee: Referee) -> Court:
        boss = Voice(chief, referee.report, referee.voice.lang)
        return Court(referee.voice, rules, referee.wait, chief=boss)

    return court


class Referee:
    """Runs ``hands`` hands of ``session`` (the arguments of `session start`) and then is ``done``.

    ``hands`` None = until the session is over. ``scores``: enters points for each hand. ``eyes`` tells
    the tile that lies turned up, or "" as long as there is none; only where the table does not read tiles.
    ``aloud`` says a sentence to the players: what one of them may not do any more.
    ``scripted``: a win is where the script says it is, whatever the rule book says.
    ``house``: what he knows of the rules; with it he has seats drawn and gives the breaks that are due.
    ``court`` makes who rules on cases with him; without it calls end as play goes on, and nobody rules.
    ``lang``: the language he gives his reasons in.
    """

    def __init__(
        self,
        client: Client,
        timer: TableTimer,
        *,
        hands: int | None,
        session: dict[str, Any],
        seen: Callable[[str, dict[str, Any]], None] = lambda kind, what: None,
        partner: Client | None = None,
        scores: bool = False,
        eyes: Callable[[], Awaitable[str]] | None = None,
        aloud: Callable[[str], Awaitable[str]] | None = None,
        scripted: bool = False,
        house: House | None = None,
        court: Callable[[Referee], Court] | None = None,
        lang: str = FALLBACK,
    ) -> None:
        self.report = Report()
        self.voice = Voice(client, self.report, lang)
        self.done: asyncio.Future[Report] = asyncio.get_running_loop().create_future()
        self._client = client
        self._timer = timer
        self._hands = hands
        self._session = session
        self._seen = seen
        self._partner = partner  # the second person of a two-person act
        self._scores = scores and points.can_be_entered()
        self._eyes = eyes
        self._aloud = aloud
        self._scripted = scripted
        self._house = house
        self._deals = 0  # that he has seen begin
        self._owing: set[int] = set()  # hands whose points he has not entered yet
        self._over = False  # the session
        self._begun = False  # the session is ours: what is told before is of another one
        self._asked: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.docket = None if court is None else Docket(court(self))

    async def run(self) -> Report:
        """Seat the players, start the first hand, wait for the last to close, or for a start refused."""
        await self._client.watch(self._told)
        try:
            kept = {} if self._scores else {"unscored": True}
            if await self._ask("session start", **self._session, **kept):
                self._begun = True
                await self._next_hand()
            else:
                self._finish()
            return await self.done
        finally:
            for task in self._tasks:
                task.cancel()

    def _told(self, kind: str, what: dict[str, Any]) -> None:
        self._seen(kind, what)
        if kind == "state":
            self._look(what)
        elif kind == "event":
            self._event(what["key"], what["data"])

    def _look(self, document: dict[str, Any]) -> None:
        """After a gap in what was told: answer what stands."""
        hand = document.get("hand") or {}
        result = hand.get("result")
        if result and self._begun:
            self._hand_closed(result)  # perhaps it closed while nobody listened
        if result and (document.get("session") or {}).get("state") == "over":
            self._session_over()
        if hand.get("phase") == "adjudication":
            self._soon("win", LOOKS_S, self._judge)
        if any(hold.get("ends") == "referee" for hold in document.get("holds", [])):
            self._soon("holds", LOOKS_S, self._go_on)
        if document.get("cases") and self.docket is not None:
            self._soon("cases", LOOKS_S, self.docket.work)

    def _event(self, key: str, data: dict[str, Any]) -> None:
        match key:
            case "event.win_declared":
                self._soon("win", LOOKS_S, self._judge)
            case "event.held" | "event.released":
                self._soon("holds", LOOKS_S, self._go_on)
            case _ if key in BARS and self._aloud is not None:
                self._soon(f"barred {data['side']}", GLANCE_S, partial(self._tell, int(data["side"])))
            case _ if key in CASES and self.docket is not None:
                self._soon("cases", LOOKS_S, self.docket.work)
            case "event.irregular":
                self.report.irregular.append(data)
            case "event.hand_closed":
                self._hand_closed(data)
            case "event.session" if data.get("phase") == "over" and self.report.hands:
                self._session_over()
            case "event.phase" if data.get("phase") == "dealing" and self._eyes is not None:
                self._deals += 1
                self._soon("indicator", GLANCE_S, partial(self._read_indicator, self._deals))
            case _:
                pass

    def _hand_closed(self, result: dict[str, Any]) -> None:
        if any(known["hand"] == result["hand"] for known in self.report.hands):
            return  # told already
        self._deals += 1  # nobody looks for the indicator of that deal any more
        if result["result"] in PLAYED_ANEW:
            return
        self.report.hands.append(result)
        if self._scores and "score" in result:
            self._soon(f"signatures {result['hand']}", LOOKS_S, partial(self._sign, result["hand"]))
        elif self._scores:  # else the record has said what it is worth
            self._owing.add(result["hand"])
            self._soon(f"points {result['hand']}", LOOKS_S, partial(self._enter_points, result))
        if self._hands is None or len(self.report.hands) < self._hands:
            self._soon("next", NEXT_HAND_S, self._next_hand)
        elif self._scores or self.docket is not None:
            self._soon("over", NEXT_HAND_S, self._leave)
        else:
            self._finish()

    def _session_over(self) -> None:
        """No hand follows, however many were wanted (CJ-F4)."""
        if not self._over:
            self._over = True
            self._soon("over", NEXT_HAND_S, self._leave)

    async def _leave(self) -> None:
        await self._rule_on_the_rest()
        self._finish()

    async def _rule_on_the_rest(self) -> None:
        """Between two hands, and before he leaves: no case is left without what can be done about it."""
        if self.docket is not None:
            await self.docket.work()
            await self.docket.afterwards()

    async def _enter_points(self, result: dict[str, Any]) -> None:
        held, stake = None, points.STAKE
        if self._house is not None:
            held = self._house.held((await self._document())["session"]["players"])
            stake = self._house.stake
        given: dict[str, Any] = {**points.points_of(result, stake, held)}
        if result["result"] == "win":
            await self._ask(points.ENTER, hand=result["hand"], **given)
        self._owing.discard(result["hand"])

    async def _sign(self, hand: int) -> None:
        """All four sign what the rule book made of a hand."""
        for wind in SEATS:
            await self._ask("sign", seat=wind, hand=hand)

    async def _read_indicator(self, deal: int) -> None:
        """Tell the tile that was turned up, as soon as it lies there, unless that deal is over."""
        assert self._eyes is not None
        tile = await self._eyes()
        if self._deals != deal:
            return
        if tile:
            await self._ask("indicator", tile=tile)
        else:
            self._soon("indicator", GLANCE_S, partial(self._read_indicator, deal))

    async def _tell(self, side: int) -> None:
        """Say to a player what he may not do any more in this hand, and which are his penalty tiles."""
        assert self._aloud is not None
        hand = (await self._document()).get("hand") or {}
        for seat in hand.get("seats", []):
            if seat["side"] == side and not hand.get("result"):
                words = [bar["effect"] for bar in seat["bars"]]
                for one in seat["penalty_tiles"]:
                    mark = FORCED if one["forced"] else "" if one["live"] else DEAD
                    words += [one["tile"] + mark] if one["tile"] else []
                await self._aloud(" ".join(["ruled", str(side), *words]))

    def _finish(self) -> None:
        if not self.done.done():
            self.done.set_result(self.report)

    def _soon(self, what: str, seconds: float, act: Callable[[], Any]) -> None:
        """Answer once, however often it is seen before the answer."""
        if what in self._asked:
            return
        self._asked.add(what)

        def begin() -> None:
            self._asked.discard(what)
            task = asyncio.get_running_loop().create_task(act())
            self._tasks.add(task)
            task.add_done_callback(self._finished)

        self._timer.call_later(seconds, begin)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and not self.done.done():
            self.done.set_exception(task.exception() or RuntimeError())

    async def _judge(self) -> None:
        """Confirm the win; reject it where the rule book says it is none, unless a script wants it so."""
        reason: dict[str, Any] = {"overrule": self.voice.say("said.script")} if self._scripted else {}
        refused = len(self.report.refused)
        if await self._ask("win confirm", **reason):
            return
        answers = [answer for answer in self.report.refused[refused:] if answer.get("key") in NO_WIN]
        for answer in answers:  # the rule book's answer to the question, and no refusal of an act
            self.report.refused.remove(answer)
            self.report.rejected.append(str(answer["data"].get("reason", answer["key"])))
        if answers:
            await self._ask("win reject", reason=self.voice.say("said.rule_book"))

    async def _next_hand(self) -> None:
        if self._house is not None:
            await self._between(self._house)
        while self._owing:
            await self.wait(GLANCE_S)
        await self._rule_on_the_rest()
        if self._over:
            return
        if not await self._ask("hand start"):
            self._finish()  # nothing would ever close
        elif self._partner is not None:
            closed = len(self.report.hands)
            self._timer.call_later(STUCK_S, lambda: self._give_up(closed))

    async def _between(self, house: House) -> None:
        """What comes before a hand: the break that is due, and the seats that are to be drawn."""
        if (await self._document())["session"]["break_due"] and await self._ask(
            "break start", kind="planned"
        ):
            [*_, rest] = (await self._document())["session"]["breaks"]
            await self.wait(rest["planned_us"] / MICROSECONDS)
            await self._ask("break end")
        if (await self._document())["session"]["state"] != "seating":
            return
        for name, args in house.draw():
            await self.wait(DRAWS_S)
            await self._ask(name, **args)

    async def wait(self, seconds: float) -> None:
        """Let so much table time pass."""
        passed = asyncio.Event()
        self._timer.call_later(seconds, passed.set)
        await passed.wait()

    async def _document(self) -> dict[str, Any]:
        """What a screen shows now, however long nobody answers."""
        return await self.voice.document()

    def _give_up(self, closed: int) -> None:
        """A hand that has not come to an end in all that time is given up by two referees."""
        if len(self.report.hands) == closed and not self.done.done():
            self._soon("void", LOOKS_S, self._void)
            self._timer.call_later(STUCK_S, lambda: self._give_up(closed))

    async def _void(self) -> None:
        assert self._partner is not None
        self.report.voided += 1
        reason = self.voice.say("said.no_end")
        await self._ask("hand void", quietly=True, confirm=True, reason=reason)
        with suppress(ApiError):  # nobody answers: the next look gives it up again
            await self._partner.command("hand void", confirm=True, reason=reason)

    async def _go_on(self) -> None:
        """End what a person may end: clear the fault by its steps, order anew what failed, say go on."""
        try:
            document = (await self._client.query("status"))["state"]
        except ApiError:  # nobody answers: look again when somebody may
            self._soon("holds", STEPS_S, self._go_on)
            return
        holds = {hold["name"]: hold for hold in document.get("holds", [])}
        waiting = {name for name, hold in holds.items() if hold.get("ends") == "referee"}
        if self.docket is not None:  # a call is let go by its ruling
            waiting = {name for name in waiting if not self.docket.stands_for(name, document["cases"])}
        table = document["table"]
        refused = "order" in waiting and bool(table["faults"])  # of the set in store, which held nothing
        faulty = refused or any(name.startswith("fault ") for name in holds)
        if not waiting and not faulty:
            return
        if any(link.get("state") != "online" for link in document.get("links", {}).values()):
            self._soon("holds", LOOKS_S, self._go_on)  # nobody can say go on to a table that is not there
            return
        self.report.released += sorted(waiting)
        if faulty or "stopped" in waiting:
            home = table["stopped"] or not table["homed"]
            if not home or not await self._ask("machine home", quietly=True):
                await self._ask("machine clear", quietly=True)  # in mid-hand nothing is homed
        if "order" in waiting:
            await self._ask("order retry", quietly=True)
        if waiting - {"order"}:
            await self._ask("resume", quietly=True)
        if faulty:
            self._soon("holds", STEPS_S, self._go_on)  # if the steps did not help, try again

    async def _ask(self, name: str, *, quietly: bool = False, **args: Any) -> bool:
        """Give a command; True if it was accepted."""
        return accepted(await self.voice.ask(name, quietly=quietly, **args))
