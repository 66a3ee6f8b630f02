"""How long operations of a panel may take. People push the tiles in and close the centre themselves."""

from __future__ import annotations

from protocols.vocabulary import Operation, OperationLimits

ACCEPT = 8.0  # seconds: the dealer's lamp may have to move on three times first
SHORT = 15.0
_DONE = {
    Operation.BUILD: 300.0,
    Operation.RAISE: 180.0,
    Operation.RESUME: 240.0,
    Operation.DICE: 40.0,
}


def limits_of(operation: Operation) -> OperationLimits:
    """Seconds to *accepted* and to *done*."""
    return OperationLimits(ACCEPT, _DONE.get(operation, SHORT))
