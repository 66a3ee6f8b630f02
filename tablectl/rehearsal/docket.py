"""The cases a simulated referee has before him: he takes each in its turn and leaves none without an end.

He attends, hears who is concerned, rules by the course a case is to take, has it signed, gives the time back
that the table stood for it, and lets play go on. What a course leaves for later he does after the hand. A
machine's fault he decides as the ruleset's table proposes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablectl.rehearsal.courses import AFTERWARDS, APPEALS, CASE, Course, milder, offence_of, otherwise
from tablectl.rehearsal.voice import Voice, accepted
from tablectl.rules.model import Ruleset

WAITING = ("raised", "queued", "escalated")
TO_RULE = (*WAITING, "attended", "hearing")
WALKS_S, LISTENS_S, WRITES_S = 3.0, 6.0, 2.0  # table seconds: to the table, of a statement, of a ruling
CHIEF = "chief"  # the actor
HOW: dict[Course, dict[str, Any]] = {Course.RESERVE: {"reserve": True}, Course.LATER: {"article": "?"}}
REFUSES_TO_SIGN = "said.does_not_agree"
JURY = ("uphold", "overturn", "uphold"), ("overturn", "uphold", "overturn")  # ballots: upheld, overturned


@dataclass(slots=True)
class Court:
    """Who takes part. ``chief`` None: what only the chief may do is left; ``players`` sign by themselves
    where they have a voice of their own. ``seen`` tells a tile somebody let be seen, as ``SIDE TILE``,
    ``told`` the seat and the offence of which only the players could tell."""

    referee: Voice
    rules: Ruleset
    wait: Callable[[float], Awaitable[None]]
    chief: Voice | None = None
    jury: Sequence[Voice] = ()
    players: Mapping[str, Voice] = field(default_factory=dict)
    seen: Callable[[], Awaitable[str]] | None = None
    course: Callable[[CASE], Course] = lambda case: Course.PROPOSED
    told: Callable[[CASE], tuple[str, str]] = lambda case: ("", "")
    became: Callable[[int, int], None] = lambda call, case: None  # a call was ruled on in another case
    statements: Callable[[CASE], Sequence[tuple[str, str]]] = lambda case: ()  # (seat, key of what is said)


class Docket:
    """Works through the cases of one table."""

    def __init__(self, court: Court) -> None:
        self._court = court
        self._busy = asyncio.Lock()
        self._courses: dict[int, Course] = {}
        self._articles: dict[int, str] = {}  # those that are to be filled in, where no sign names them

    @property
    def courses(self) -> Mapping[int, Course]:
        """The course each case has taken."""
        return self._courses

    async def work(self) -> None:
        """Take what waits, the oldest call first, until nothing does."""
        async with self._busy:
            left: set[int] = set()  # what cannot be decided now
            while (case := await self._next(left)) is not None:
                await self._take(case)
                if (again := await self._case(case["no"])) is not None and again["phase"] in TO_RULE:
                    left.add(case["no"])

    def stands_for(self, hold: str, cases: Sequence[CASE]) -> bool:
        """Does a hold stand for a call nobody has decided yet?"""
        number = hold.removeprefix("call ")
        return any(str(case["no"]) == number and case["phase"] in TO_RULE for case in cases)

    async def afterwards(self) -> None:
        """After a hand: what was left for later."""
        async with self._busy:
            for case in (await self._court.referee.document())["cases"]:
                if case["phase"] not in TO_RULE:
                    await self._finish(case)
                    await self._credit(case["no"])

    async def _next(self, left: set[int]) -> CASE | None:
        document = await self._court.referee.document()
        waiting = [case for case in document["cases"] if case["phase"] in TO_RULE and case["no"] not in left]
        calls = [case for case in waiting if case["kind"] != "found"]
        for case in calls[1:]:
            if case["phase"] == "raised":
                await self._court.referee.ask("later", case=case["no"], quietly=True)
        return next(iter([*calls, *waiting]), None)

    async def _case(self, no: int) -> CASE | None:
        document = await self._court.referee.document()
        return next((case for case in document["cases"] if case["no"] == no), None)

    # one case

    async def _take(self, case: CASE) -> None:
        court, no = self._court, case["no"]
        if case["phase"] in WAITING:
            await court.wait(WALKS_S)
            # what ends by itself may have ended on the way there
            if not accepted(await court.referee.ask("attend", case=no, quietly=True)):
                return
        if case["machine"]:
            await self._decide_fault(no)
            return
        for seat, statement in court.statements(case):
            await court.wait(LISTENS_S)
            who: dict[str, Any] = {"seat": seat} if seat else {}
            await court.referee.ask("hear", case=no, statement=court.referee.say(statement), **who)
        call = case["kind"] != "found" and case["finding"] is None
        if call:
            case = await self._look_for_what_was_seen(case)
        await court.wait(WRITES_S)
        if not (call and await self._add(case)):
            await self._rule(case)
        await self._credit(no)
        await court.referee.ask("resume", quietly=True)

    async def _look_for_what_was_seen(self, call: CASE) -> CASE:
        """A player called for what no sensor sees: tell the record, and rule on it under his call."""
        told = await self._court.seen() if self._court.seen is not None else ""
        hand = (await self._court.referee.document())["hand"] or {}
        if not told or hand.get("result") or call["hand"] != hand.get("no"):
            return call
        side, tile = told.split()
        seat = next(one["seat"] for one in hand["seats"] if one["side"] == int(side))
        before = {case["no"] for case in (await self._court.referee.document())["cases"]}
        await self._court.referee.ask("expose", seat=seat, tiles=[tile])
        for case in (await self._court.referee.document())["cases"]:
            if case["no"] not in before and case["phase"] in TO_RULE:
                await self._court.referee.ask("case merge", case=case["no"], into=call["no"])
        return await self._case(call["no"]) or call

    async def _add(self, call: CASE) -> bool:
        """What the players say is an offence of another one: give him the penalty, and end the call with it.
        False if they say nothing of the kind."""
        court = self._court
        seat, offence = court.told(call)
        if not offence:
            return False
        course = court.course(call)
        if course is Course.WAIVED:
            return False
        how: dict[str, Any] = {"article": offence, **HOW.get(course, {})}
        if course is Course.CHANGED:
            how |= otherwise(court.rules.offences[offence])
        agreed = court.referee.say("said.as_all_agree")
        answer = await court.referee.ask("penalty add", seat=seat, reason=agreed, **how)
        if not accepted(answer):
            return False
        no = answer["data"]["case"]
        self._courses[no], self._articles[no] = course, offence
        court.became(call["no"], no)
        elsewhere = court.referee.say("said.ruled_elsewhere", case=no)
        await court.referee.ask("case close", case=call["no"], reason=elsewhere)
        if (case := await self._case(no)) is not None:
            await self._sign(case, refuse=self._courses[no] in APPEALS)
        return True

    async def _rule(self, case: CASE) -> None:
        court, no, say = self._court, case["no"], self._court.referee.say
        offence = offence_of(court.rules, case)
        if offence is None:
            await court.referee.ask("waive", case=no, reason=say("said.nothing_found"))
            return
        course = self._courses.setdefault(no, court.course(case))
        if offence.chief:
            await self._rule_by_chief(case)
            return
        match course:
            case Course.WAIVED:
                await court.referee.ask("waive", case=no, reason=say("said.table_at_fault"))
            case Course.CHANGED:
                reason = say("said.did_harm")
                await court.referee.ask("rule", case=no, reason=reason, **otherwise(offence))
            case Course.RESERVE:
                await court.referee.ask("rule", case=no, reserve=True, reason=say("said.to_look_up"))
            case Course.LATER:
                await court.referee.ask("rule", case=no, article="?", reason=say("said.article_sought"))
            case _:
                await court.referee.ask("rule", case=no)
        again = await self._case(no)
        if again is not None:
            await self._sign(again, refuse=course in APPEALS)

    async def _rule_by_chief(self, case: CASE) -> None:
        """The article is for the chief alone: he is asked for, and finds the milder one."""
        court, no = self._court, case["no"]
        if court.chief is None:
            return
        await court.referee.ask("escalate", case=no, reason=court.referee.say("said.chief_alone"))
        await court.wait(WALKS_S)
        await court.chief.ask("attend", case=no)
        await court.wait(WRITES_S)
        name = milder(court.rules, case["finding"]["offence"])
        reason = court.chief.say("said.no_intent")
        if name:
            await court.chief.ask("rule", case=no, article=name, reason=reason)
        else:
            await court.chief.ask("waive", case=no, reason=reason)
        again = await self._case(no)
        if again is not None:
            await self._sign(again)

    async def _sign(self, case: CASE, *, refuse: bool = False) -> None:
        """The player concerned signs, or refuses with a reason."""
        if case["phase"] != "applied" or not case["player"]:
            return
        voice = self._court.players.get(case["player"], self._court.referee)
        more: dict[str, Any] = {"refuse": voice.say(REFUSES_TO_SIGN)} if refuse else {}
        await voice.ask("case sign", case=case["no"], player=case["player"], **more)

    async def _credit(self, no: int) -> None:
        """Give back what the table stood for it, where a session has a clock."""
        document = await self._court.referee.document()
        case = next((case for case in document["cases"] if case["no"] == no), None)
        stood = case is not None and (case["stood_us"] > case["credited_us"] or case["held"] is not None)
        if document["session"]["clock"] is None or not stood:
            return
        stood_for_it = self._court.referee.say("said.table_stood")
        await self._court.referee.ask("case credit", case=no, reason=stood_for_it)

    # the machine

    async def _decide_fault(self, no: int) -> None:
        """Decide what becomes of the hand, as the table proposes; nobody saw a tile he should not have."""
        court = self._court
        await court.wait(WRITES_S)
        case = await self._case(no)
        if case is None or case["phase"] not in TO_RULE:
            return
        if case["machine"]["remedy"] == "referee":
            await court.referee.ask("fault seen", case=no, count=0)
            case = await self._case(no) or case
        row = case["machine"]
        voice = court.chief if row["decides"] == "chief" and court.chief is not None else court.referee
        if row["remedy"] not in ("referee", "void", "redeal"):
            await voice.ask("fault decide", case=no, reason=voice.say("said.by_fault_table"), quietly=True)
        else:
            reason = voice.say("said.nothing_seen")
            await voice.ask("fault decide", case=no, remedy="play_on", reason=reason)

    # afterwards

    async def _finish(self, case: CASE) -> None:
        """The later acts of its course, each once."""
        court, no = self._court, case["no"]
        course = self._courses.get(no, Course.PROPOSED)
        if case["phase"] == "provisional":
            if case["decision"]["offence"]:
                await court.referee.ask("case decide", case=no)
            else:
                name = case["finding"]["offence"] or self._articles[no]
                reason = court.referee.say("said.article_found")
                await court.referee.ask("penalty fill", case=no, article=name, reason=reason)
        elif course in AFTERWARDS and case["phase"] in ("applied", "closed") and case["appeal"] is None:
            await self._look_at_again(case, course)
        if (again := await self._case(no)) is not None:
            await self._sign(again)

    async def _look_at_again(self, case: CASE, course: Course) -> None:
        """A ruling found wrong later, or appealed against."""
        court, no = self._court, case["no"]
        decision = case["decision"]
        if court.chief is None or not decision or decision["waived"]:
            return
        if course in APPEALS and decision["actor"] == CHIEF:  # nobody decides on his own ruling
            return
        await court.wait(LISTENS_S)
        if course is Course.CORRECTED:
            del self._courses[no]
            reason = court.chief.say("said.another_player")
            if accepted(await court.chief.ask("ruling preview", case=no, reason=reason)):
                await court.wait(WRITES_S)
                await court.chief.ask("ruling correct", case=no, reason=reason, confirm=True)
        elif course in APPEALS:
            await self._appeal(case, upheld=course is Course.APPEALED)

    async def _appeal(self, case: CASE, *, upheld: bool) -> None:
        """The player appeals; a jury votes, the chief decides."""
        court, no, player = self._court, case["no"], case["player"]
        voice = court.players.get(player, court.referee)
        jury = list(court.jury)
        many = max(1, len(jury))
        why = voice.say(REFUSES_TO_SIGN)
        opened = await voice.ask("appeal open", case=no, player=player, jury=many, reason=why)
        if not accepted(opened):
            return
        for member, ballot in zip(jury, JURY[not upheld], strict=False):
            await court.wait(WRITES_S)
            await member.ask("appeal vote", case=no, ballot=ballot)
        assert court.chief is not None
        await court.wait(WRITES_S)
        outcome = "uphold" if upheld else "overturn"
        reason = court.chief.say("said.by_votes")
        await court.chief.ask("appeal decide", case=no, outcome=outcome, reason=reason)
