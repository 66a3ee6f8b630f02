"""What a fault of the machine does to the hand in play: a proposal, by the table of the ruleset."""

from __future__ import annotations

from protocols.vocabulary import Fault
from tablectl.rules.model import Ruleset
from tablectl.rules.offences import FaultPolicy, Remedy

# Worth a look, and nothing to a hand: no policy is needed.
HARMLESS = frozenset(
    {
        Fault.LAST_TILES_SLOW,
        Fault.OPTIC_WEAK,
        Fault.PANEL_KEY_STUCK,
        Fault.PANEL_LINK_LOST,
        Fault.GEAR_CHANGED,
        Fault.EEPROM_BAD,
        Fault.PROTOCOL_ERROR,
        Fault.CONFIG_LOST,
    }
)
NAMES = frozenset(fault.name.lower() for fault in Fault if fault and fault not in HARMLESS)


def policy(rules: Ruleset, fault: str) -> FaultPolicy | None:
    """The row of the ruleset's table for a fault (its name in lower case) or for the row's own name; None
    for one that means nothing to a hand, or that this ruleset does not know."""
    by_fault = (row for row in rules.machine.values() if fault in row.faults)
    return rules.machine.get(fault) or next(by_fault, None)


def verdict(policy: FaultPolicy, *, discards: int, seen: int | None, order_known: bool) -> Remedy:
    """What the policy proposes. ``discards``: made in this hand so far; ``seen``: tiles somebody saw that he
    should not have, None = not known; ``order_known``: what lies there can be put as it was."""
    if not discards:
        return policy.opening if order_known or not policy.by_order else policy.lost
    if not order_known:
        return policy.lost
    if policy.up_to_tiles is None:
        return policy.recoverable
    if seen is None:
        return "referee"
    if seen <= policy.up_to_tiles:
        return policy.recoverable
    return "referee" if seen <= policy.referee_tiles else policy.lost


def decides(policy: FaultPolicy, remedy: Remedy) -> str:
    """Who may decide so: ``referee`` or ``chief``."""
    return policy.lost_by if remedy == policy.lost else policy.decides
