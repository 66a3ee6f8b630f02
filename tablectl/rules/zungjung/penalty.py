"""What a hand with penalty tiles (罚张) may still win by (ZJ-P8).

Any tile the winner drew himself. A claimed one only if the group it completes, the pair included, can be
made of other tiles than those: equal tiles that are none may stand for them.
"""

from __future__ import annotations

from collections import Counter

from tablectl.rules.zungjung.hand import WinHand
from tablectl.rules.zungjung.readings import Form, Reading

SELF_DRAW_ONLY = 3  # penalty tiles from which thirteen terminals is won by self-draw alone


def allows(hand: WinHand, reading: Reading) -> bool:
    """True if the reading breaks no limit of the hand's penalty tiles."""
    limited = Counter(hand.penalty_tiles)
    if not limited or hand.self_drawn:
        return True
    if reading.form is Form.TERMINALS:
        return not limited[hand.winning] and limited.total() < SELF_DRAW_ONLY
    if reading.form is Form.PAIRS:
        needed = Counter([hand.winning])
    else:
        needed = Counter(reading.groups[reading.won].tiles)
        needed[hand.winning] -= 1
    held = Counter(hand.concealed)
    return all(number <= held[tile] - limited[tile] for tile, number in needed.items())
