"""Lets the planned incidents come about at the simulated table, one at a time, and notes which case is whose.

It hears what every screen hears and speaks to the table in the sentences of a fault plan. What did not come
about in its hand, because the hand was won before or nobody was in the place for it, is tried again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from protocols.vocabulary import SIDES
from tablectl.rehearsal.courses import CASE, Course
from tablectl.rehearsal.incidents.kinds import DAWDLES_S, SIDE_NAMES
from tablectl.rehearsal.incidents.schedule import Incident
from tablectl.rules.model import Ruleset

CALL = "now: call_referee {side}"
PATIENCE = 6  # discards in which an incident must show
AFRESH = 4  # discards of the next hand before it is tried again, at most
MOST_TRIES = 8
ENDED = ("case.is.closed", "case.is.merged", "case.is.withdrawn")
PLAYED_ANEW = ("redealt", "cancelled")  # results after which the hand of that number is still to come
Say = Callable[[str], Awaitable[str]]


class Director:
    """Follows one session. ``seen`` is to be told everything that is told to a screen."""

    def __init__(self, plan: list[Incident], rules: Ruleset, say: Say) -> None:
        self.plan = plan
        self._rules = rules
        self._say = say
        self._hand = 1  # that is played, or to come
        self._discards = 0
        self._winds = ""  # of the sides in this hand
        self._running: Incident | None = None
        self._since = 0  # discard after which it was let go
        self._open: set[int] = set()  # cases nobody has ruled on yet
        self._holds: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def course(self, case: CASE) -> Course:
        """How a case is to be ruled on."""
        incident = self.of(case["no"])
        return Course.PROPOSED if incident is None else incident.course

    def of(self, case: int) -> Incident | None:
        """The incident a case came from."""
        return next((one for one in self.plan if case == one.case or case in one.also), None)

    def told(self, case: CASE) -> tuple[str, str]:
        """The seat and the offence that a call is about, where only its caller can say so."""
        incident = self.of(case["no"])
        if incident is None or not incident.kind.only_told(self._rules):
            return "", ""
        return incident.seat, incident.kind.told

    def became(self, call: int, case: int) -> None:
        """A call has been ruled on in another case."""
        incident = self.of(call)
        if incident is not None:
            incident.case = case
            incident.also.append(call)

    def seen(self, kind: str, what: dict[str, Any]) -> None:
        """Something was told."""
        if kind != "event":
            return
        data = what["data"]
        match what["key"]:
            case "event.phase" if data.get("phase") == "dealing":
                self._discards = 0
                self._dealt()
            case "event.discarded":
                self._discards += 1
                self._winds = str(data["winds"])
                self._discarded(int(data["side"]))
            case "event.proposed":
                self._shown(int(data["case"]), offence=str(data["name"]))
            case "event.called":
                self._shown(int(data["case"]), calls=True)
            case "event.fault_case":
                self._shown(int(data["case"]), fault=str(data["fault"]))
            case "event.ruled" | "event.ruled_later" | "event.waived" | "event.fault_decided":
                self._open.discard(int(data["case"]))
            case "event.case" if data["phase"] in ENDED:
                self._open.discard(int(data["case"]))
            case "event.held":
                self._holds.add(str(data["name"]))
            case "event.released":
                self._holds.discard(str(data["name"]))
            case "event.hand_closed":
                again = data["result"] in PLAYED_ANEW
                self._over(int(data["hand"]) + (0 if again else 1))
            case _:
                pass

    def _dealt(self) -> None:
        for incident in self._due():
            if incident.kind.opening:
                self._let(incident, 0)

    def _discarded(self, side: int) -> None:
        running = self._running
        if running is not None and self._discards > self._since + PATIENCE:
            self._again(running)
        if self._running is not None or self._open or self._holds:
            return
        for incident in self._due():
            if not incident.kind.opening and incident.discard <= self._discards:
                self._let(incident, side)
                return

    def _due(self) -> list[Incident]:
        return [
            one for one in self.plan if one.hand <= self._hand and not one.done and one.tries < MOST_TRIES
        ]

    def _let(self, incident: Incident, side: int) -> None:
        """Say it to the table."""
        incident.tries += 1
        if not incident.kind.opening:
            self._running, self._since = incident, self._discards
        kind, whose = incident.kind, (side + incident.side) % len(SIDES)
        incident.seat = self._winds[whose : whose + 1]
        slow = self._rules.turn.discard_s.value + DAWDLES_S
        sentences = [kind.says.format(side=SIDE_NAMES[whose], slow=slow)]
        if kind.only_told(self._rules):  # another one calls the referee for it
            sentences.append(CALL.format(side=SIDE_NAMES[(whose + 1) % len(SIDES)]))
            if "late_claim" in kind.signs:  # the key would be heard as a call for the next tile
                del sentences[0]
        task = asyncio.get_running_loop().create_task(self._speak(sentences))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _speak(self, sentences: list[str]) -> None:
        for sentence in sentences:
            await self._say(sentence)

    def _again(self, incident: Incident) -> None:
        """It has not shown: another time."""
        incident.discard = self._discards + 1
        self._running = None

    def _shown(self, case: int, *, offence: str = "", calls: bool = False, fault: str = "") -> None:
        """A case has arisen: whose is it?"""
        if self.of(case) is not None:
            return
        self._open.add(case)
        running = self._running
        expected = [running] if running is not None else []
        expected += [one for one in self.plan if one.kind.opening and one.tries and not one.done]
        for incident in expected:
            kind = incident.kind
            names = kind.offences(self._rules)
            by_call = kind.calls or kind.only_told(self._rules)
            if (calls and by_call) or fault in kind.faults or (offence in names and not by_call):
                incident.case, incident.hand = case, self._hand
                if incident is running:
                    self._running = None
                return
        for incident in self.plan:
            here = incident.done and incident.hand == self._hand
            if here and offence in incident.kind.offences(self._rules):
                incident.also.append(case)
                return

    def _over(self, following: int) -> None:
        """A hand is over: what has not come about is tried in the following one."""
        self._open.clear()
        self._hand = following
        if self._running is not None:
            self._again(self._running)
        for incident in self.plan:
            if not incident.done and incident.hand < following:
                incident.hand, incident.discard = following, min(incident.discard, AFRESH)
