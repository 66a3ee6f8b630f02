"""How long operations of a box may take: a keypad only lights lamps, a hobby table does all of them."""

from __future__ import annotations

from protocols.vocabulary import Operation, OperationLimits

ACCEPT = 5.0  # seconds
SHORT = 15.0
_DONE = {
    Operation.BUILD: 240.0,
    Operation.RAISE: 240.0,
    Operation.RESUME: 240.0,
    Operation.PURGE: 60.0,
    Operation.LOWER: 30.0,
    Operation.ABORT_BUILD: 30.0,
}


def limits_of(operation: Operation) -> OperationLimits:
    """Seconds to *accepted* and to *done*."""
    return OperationLimits(ACCEPT, _DONE.get(operation, SHORT))
