"""How quickly people act, in table seconds. Every field is a range (least, most) unless it says otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pace:
    """The tempo of one player. Give a slower one to make him dawdle, a later ``claim`` to claim late."""

    press_dice: Range = (1.0, 2.5)
    press_again: Range = (4.0, 6.0)  # until he tries again when nothing rolls
    take: Range = (0.8, 1.6)  # two stacks during the deal
    turn_up: Range = (1.0, 2.0)  # from the deal to turning up the indicator
    arrange: Range = (1.0, 2.0)  # after the deal, before the first flower
    flower: Range = (0.8, 1.6)  # from seeing a flower to showing it
    flower_draw: Range = (0.4, 0.9)  # from showing it to drawing its replacement
    claim: Range = (0.4, 1.4)  # from the discard to the call
    chime: Range = (0.2, 0.6)  # from another's call of a win to one's own, where both may win
    draw: Range = (1.8, 3.0)  # from the discard to the next draw
    draw_waiting: Range = (1.5, 2.0)  # the same where the draw ends all claims (ZJ-C4)
    meld: Range = (0.5, 1.2)  # from being given the tile to laying the meld open
    chow_waiting: Range = (1.0, 1.6)  # the same for a chow that must wait for a pung (ZJ-C2)
    replace: Range = (0.8, 1.4)  # from a kong to its replacement tile
    think: Range = (2.0, 9.0)  # least and most; triangular about think_mode
    think_mode: float = 4.0
    think_again: Range = (1.0, 4.0)  # after a replacement tile, most thinking being done
    declare: Range = (1.5, 2.8)  # from drawing to declaring a win or a kong
    robbed: Range = (0.3, 1.0)  # from the end of the robbing pause to going on
    again: Range = (0.5, 1.2)  # from the lamp that says play to the first act

    def between(self, rng: Random, bounds: Range) -> float:
        """Seconds, anywhere in the range."""
        return rng.uniform(*bounds)

    def thinking(self, rng: Random) -> float:
        """Seconds from a draw or a claim to the discard; mean about 5."""
        return rng.triangular(*self.think, self.think_mode)

    def within(self, seconds: float) -> Pace:
        """Somebody who has only so long from the last discard to his own: he thinks the quicker for it."""
        least, most = self.think
        share = min(1.0, max(0.0, seconds - BEFORE_THINKING) / most)
        return replace(self, think=(least * share, most * share), think_mode=self.think_mode * share)


# How long all four wait, whoever they are.
BEFORE_THINKING = 4.0  # from a discard until the next player has drawn, or laid his meld, and sorted it in
CLAIMS_HEARD = 1.6  # from the discard until the best claim is taken to stand
ROBBING_PAUSE = 3.0  # from an added kong until it is taken not to be robbed
UNHEEDED = 12.0  # from declaring a win until nobody is expected to judge it any more
