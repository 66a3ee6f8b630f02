"""One step in the making: the state it works on and the effects it collects.

Every room of the core takes a ``Step`` and speaks to the world only through it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tablectl.game.casestate import Bar, PenaltyTile
from tablectl.game.effects import Answer, Effect, Operate, Publish
from tablectl.game.inputs import Command
from tablectl.game.state import HandState, Hold, Irregularity, OrderState, SeatState, State
from tablectl.game.timestate import Held
from tablectl.rules.book import RuleBook
from tablectl.rules.model import Ruleset

SECOND = 1_000_000
# The article of what neither the ruleset nor its catalogue names: that of what comes nearest.
LIKE = {
    "changed_call": "other_meld",
    "discard_before_show": "other_meld",
    "empty_kong": "empty_claim",
    "exposed_other": "meld_without_claim",
    "exposed_tile": "meld_without_claim",
    "flower_discarded": "forbidden_discard",
    "kong_unsaid": "other_meld",
    "late_claim": "claim_too_late",
    "long_hand": "mechanical",
    "named_tile": "other_meld",
    "replacement_before_kong": "early_draw",
    "short_hand": "mechanical",
    "win_cancelled": "empty_claim",
    "wrong_meld": "meld_without_claim",
}
OWN_TIME = ("win", "timeout")  # what stands for these is the players' own


class RefusedCommand(Exception):
    """A request that cannot be granted now: ``key`` names the reason, ``data`` fills its sentence."""

    def __init__(self, key: str, **data: Any) -> None:
        super().__init__(key)
        self.key = key
        self.data = data


@dataclass(slots=True)
class Step:
    """The input's place in the record, the state, and what is to be done about it."""

    state: State
    book: RuleBook
    n: int
    at: int
    unc: int
    effects: list[Effect] = field(default_factory=list)
    orders: int = 0

    @property
    def hand(self) -> HandState:
        """The hand there is; rooms that call this have been let in only while there is one."""
        if self.state.hand is None:
            raise RefusedCommand("refused.no_hand")
        return self.state.hand

    @property
    def rules(self) -> Ruleset:
        """The ruleset of the session."""
        if self.state.ruleset is None:
            raise RefusedCommand("refused.no_session")
        return self.state.ruleset

    def seat(self, side: int) -> SeatState:
        """The seat at a side in this hand."""
        return self.hand.seats[side]

    def can(self, capability: str) -> bool:
        """True if any device of this table has the capability."""
        return any(capability in device.capabilities for device in self.state.devices.values())

    def publish(self, key: str, **data: Any) -> None:
        """Tell every screen. What concerns a side carries the winds of its hand: sides change them."""
        hand = self.state.hand
        if hand is not None and data.get("side") is not None:
            data["winds"] = "".join(seat.wind for seat in hand.seats)
        self.effects.append(Publish(key, data))

    def operate(
        self, operation: str, *, hand: int = 0, side: int | None = None, count: int = 0, device: str = ""
    ) -> Operate:
        """Order something of the board; the id follows from the record and the place in it. ``device``
        where it is not the one with the mechanism."""
        order = Operate(
            device or self.state.table.device,
            self.n << 8 | self.orders,
            operation,
            hand=hand,
            side=side,
            count=count,
        )
        self.orders += 1
        self.effects.append(order)
        return order

    def move(self, operation: str, *, hand: int = 0, side: int | None = None, count: int = 0) -> None:
        """Order a motion and remember it until its outcome is recorded."""
        order = self.operate(operation, hand=hand, side=side, count=count)
        device = self.state.devices.get(order.device)
        limit = device.limits.get(operation, 0) if device else 0
        self.state.table.order = OrderState(
            device=order.device,
            id=order.id,
            operation=operation,
            hand=hand,
            side=side,
            count=count,
            due=self.at + limit if limit else 0,
        )
        self.publish("event.ordered", operation=operation, hand=hand)

    def article(self, what: str, detail: str = "") -> str:
        """The article of this ruleset an irregularity or refusal breaks: that of the offence it is a sign of
        by its detail, else the ruleset's own word for it, else that of the offence; "" without a session."""
        ruleset = self.state.ruleset
        if ruleset is None:
            return ""
        signs = {sign: one.rule for one in ruleset.offences.values() if not one.off for sign in one.signs}
        own = str(getattr(ruleset.articles, what, ""))
        like = str(getattr(ruleset.articles, LIKE.get(what, ""), ""))
        return (detail and signs.get(f"{what}.{detail}")) or own or signs.get(what) or like

    def refusal(self, what: str, **facts: Any) -> RefusedCommand:
        """The refusal of a request that breaks an article, to be raised."""
        return RefusedCommand(f"refused.{what}", rule=self.article(what), **facts)

    def watches(self, sign: str) -> bool:
        """Is this a sign of any offence of the ruleset? Asked of what is nothing special elsewhere."""
        offences = self.state.ruleset.offences if self.state.ruleset is not None else {}
        return any(sign in offence.signs and not offence.off for offence in offences.values())

    def irregular(self, what: str, side: int | None, *, rule: str = "", **data: Any) -> None:
        """Record what happened though it should not have; never refuse it. ``rule``: where it is not the
        ruleset's article for it, as that of a bar. ``detail`` among the data makes it a narrower sign."""
        rule = rule or self.article(what, str(data.get("detail") or ""))
        key, hand = f"irregular.{what}", self.state.hand
        if hand is not None:
            hand.irregularities.append(Irregularity(key, side, self.at, rule, data))
        self.publish("event.irregular", what=key, side=side, rule=rule, facts=data)

    def refused_by(self, effect: Bar | PenaltyTile) -> None:
        """Note on the case that barred a seat from something that it was tried (or done) all the same."""
        for case in self.state.cases:
            if case.no == effect.case and self.n not in case.refused:
                case.refused.append(self.n)

    def hold(self, name: str, key: str, *, ends: str, **data: Any) -> None:
        """Put a hold; the first reason under a name stands."""
        if name not in self.state.holds:
            self.state.holds[name] = Hold(key, self.at, ends, data)
            hand = self.state.hand
            number = hand.no if hand is not None and not hand.over else 0
            self.state.held.append(Held(name, key, number, self.at))
            self.publish("event.held", name=name, reason=key, facts=data)

    def release(self, name: str) -> None:
        """End a hold, if it stands."""
        hold = self.state.holds.pop(name, None)
        if hold is not None:
            stood_us = self.stood(name)
            self.publish("event.released", name=name, stood_us=stood_us, reason=hold.key, facts=hold.data)

    def stood(self, name: str) -> int:
        """A hold has ended: how long it stood, µs. What the table or a call took is offered back."""
        held = next(held for held in reversed(self.state.held) if held.name == name and held.until is None)
        held.until = max(held.since, self.at)
        length = held.until - held.since
        if name.split(" ")[0] not in OWN_TIME:
            held.time_credit = length
        return length

    def accept(self, command: Command, key: str = "", **data: Any) -> None:
        """Answer a command: done."""
        self.effects.append(Answer(command.actor, command.id, "accepted", key, data))
