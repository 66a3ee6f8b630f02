"""From the driver's words to the inputs of the core, and from its effects to orders: pure functions.

Enum members become their names in lower case, "no side" becomes None, "none" the empty string.
"""

from __future__ import annotations

from enum import IntEnum

from protocols import driver
from protocols.vocabulary import NO_SIDE, Capability, Fault, Operation, Order, Refusal
from tablectl.game.effects import Operate
from tablectl.game.inputs import BoardEvent, BoardStatus, OperationReply


def name(member: IntEnum) -> str:
    """The word of an enum member."""
    return member.name.lower()


def capabilities(flags: Capability) -> tuple[str, ...]:
    """The words of all flags set, in the order of the vocabulary."""
    return tuple(flag.name.lower() for flag in Capability if flag in flags and flag.name)


def operation_name(number: int) -> str:
    """The word of an operation's number, "" for none or one of a newer board."""
    return next((name(operation) for operation in Operation if operation == number), "")


def board_event(device: str, boot: int, event: driver.BoardEvent) -> BoardEvent:
    """What a board sensed. A board's event does not say its boot: the link knows."""
    return BoardEvent(
        device=device,
        event=name(event.kind),
        number=event.number,
        boot=boot,
        board_us=event.board_us,
        side=_side(event.side),
        source=name(event.source),
        value=event.value,
        tiles=event.tiles,
    )


def operation_reply(device: str, reply: driver.Reply) -> OperationReply:
    """What a board answered to an order or a query."""
    return OperationReply(
        device=device,
        id=reply.id,
        stage=name(reply.stage),
        percent=reply.percent,
        refusal="" if reply.refusal is Refusal.NONE else name(reply.refusal),
        fault="" if reply.fault is Fault.NONE else name(reply.fault),
        side=_side(reply.side),
        value=reply.value,
        queried=reply.queried,
    )


def board_status(device: str, status: driver.Status) -> BoardStatus:
    """The snapshot of a board."""
    return BoardStatus(
        device=device,
        boot=status.boot_id,
        top=name(status.top),
        store=name(status.store),
        stopped=status.stopped,
        homed=status.homed,
        hand=status.hand,
        profile=status.profile,
        running_id=status.running_id,
        running=operation_name(status.running),
        last_event=status.last_event,
        top_stacks=status.top_stacks,
        store_stacks=status.store_stacks,
        faults=tuple((name(fault), side) for fault, side in status.faults),
    )


def order(effect: Operate) -> Order:
    """What the core wants done, as the driver's order. Raises ``KeyError`` for an unknown operation."""
    return Order(
        id=effect.id,
        operation=Operation[effect.operation.upper()],
        hand=effect.hand,
        side=NO_SIDE if effect.side is None else effect.side,
        count=effect.count,
    )


def _side(side: int) -> int | None:
    return None if side == NO_SIDE else side
