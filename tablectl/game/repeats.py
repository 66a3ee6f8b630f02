"""The same act told twice: a key that bounces, a hand and a machine that both report one flower.

It is done once; the second time is answered «already done» and changes nothing. Nobody can do the same thing
twice so quickly: between two flowers or two kongs lies a tile drawn from the wall.
"""

from __future__ import annotations

from tablectl.game.context import RefusedCommand, Step

AT_ONCE = 200_000  # µs; the quickest player needs 0.4 s to draw a replacement
KONGS_APART = 1_000_000  # µs; between two kongs of a seat one is laid out, a tile is drawn and looked at


def once(
    step: Step, side: int, act: str, tile: str = "", stamp: int | None = None, within: int = AT_ONCE
) -> None:
    """Note that a seat does this. Raises ``RefusedCommand`` if it has just done so: ``within`` so many µs of
    the last time that counted, or at once after any.

    ``stamp`` = board time of a key, µs. Between two keys it alone counts: what was pressed while no daemon
    ran is all known at one moment of table time.
    """
    seat = step.seat(side)
    before, pressed = seat.acts.get(act), seat.stamps.get(act)
    if stamp is not None and pressed is not None:
        apart = abs(stamp - pressed)  # either may have been heard first; a board's counter may begin anew
    else:
        apart = within if before is None else abs(step.at - before)
    if AT_ONCE <= apart < within:  # a second try, and no echo of it: the time still runs from what counted
        raise already_done(step, side, act, tile)
    seat.stamps.pop(act, None)
    if stamp is not None:
        seat.stamps[act] = stamp
    if apart < AT_ONCE:
        raise already_done(step, side, act, tile)
    seat.acts[act] = step.at


def granted(step: Step, side: int, act: str) -> None:
    """What a seat has called for is granted now: from here on it counts when that is done again."""
    seat = step.seat(side)
    seat.acts[act] = step.at
    seat.stamps.pop(act, None)


def forget_stamps(step: Step) -> None:
    """A board has started anew: what it stamps now cannot be held against what it stamped before."""
    if step.state.hand is not None:
        for seat in step.state.hand.seats:
            seat.stamps.clear()


def already_done(step: Step, side: int, act: str, tile: str = "") -> RefusedCommand:
    """The answer to the second time."""
    return RefusedCommand("refused.already_done", seat=step.seat(side).wind, word=act, tile=tile)
