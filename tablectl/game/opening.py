"""From the walls to the first discard: throws, the deal, the flowers before play."""

from __future__ import annotations

from tablectl.game import handling
from tablectl.game.context import Step
from tablectl.game.hand import HAND, PLAYING, current
from tablectl.game.state import SeatState
from tablectl.rules import systems
from tablectl.rules.tiles import is_flower


def throw(step: Step, side: int | None, faces: tuple[int, int]) -> None:
    """The dice came to rest (MCR-W2). A throw by the wrong side counts and is flagged: dice are facts."""
    hand = current(step)
    if hand is None or hand.phase not in ("dice", "dealing") or throws_complete(step):
        step.publish("event.idle_throw", side=side, faces=list(faces))
        return
    if side is not None and side != hand.thrower:
        step.irregular("wrong_thrower", side, expected=hand.thrower)
    hand.throws.append(faces)
    step.publish("event.thrown", side=side, faces=list(faces))
    HAND.fire(step, "thrown")


def throws_complete(step: Step) -> bool:
    """Has everybody thrown who throws under this ruleset?"""
    return len(step.hand.throws) >= step.rules.wall.throws.value


def catch_up(step: Step) -> None:
    """Tiles are taken though nobody recorded the throws (they were lost, or thrown by hand): the walls are
    open. Where they were broken stays unknown."""
    if step.hand.phase == "dice":
        if step.can("dice_readback"):  # else nobody could have
            step.irregular("unseen_throws", None, seen=len(step.hand.throws))
        HAND.fire(step, "deal_seen")


def dealt_tiles(step: Step) -> int:
    """How many tiles the deal takes: the blocks of four sides and the jump."""
    deal = step.rules.deal
    return 4 * sum(deal.blocks.value) + (5 if deal.jump.value else 0)


def deal_tile(step: Step, side: int, tile: str) -> None:
    """One tile of the deal was taken, where the table senses it."""
    if not step.hand.head and side != step.hand.dealer:
        step.irregular("wrong_dealer", side, expected=step.hand.dealer)
    handling.take(step, side, tile, "head")
    if step.hand.head == dealt_tiles(step):
        finish_deal(step)


def finish_deal(step: Step) -> None:
    """All hands are taken. Where nobody sensed the deal its tiles are arithmetic; where somebody did, a
    wrong number is flagged (a misdeal is the referee's to mend)."""
    hand = step.hand
    if hand.phase != "dealing":
        return
    sensed = hand.head > 0
    per_seat = sum(step.rules.deal.blocks.value) + 1
    for side, seat in enumerate(hand.seats):
        right = per_seat + (1 if side == hand.dealer and step.rules.deal.jump.value else 0)
        if not sensed:
            seat.concealed += right
        elif seat.concealed != right:
            step.irregular("misdeal", side, dealt=seat.concealed, right=right)
    if not sensed:
        hand.head = dealt_tiles(step)
        handling.believe_tiles(step, hand.dealer)
    elif step.rules.deal.check.value and not any(i.key == "irregular.misdeal" for i in hand.irregularities):
        step.publish("event.deal_right")  # now the hands may be looked at (ZJ-W6)
    HAND.fire(step, "dealt")
    settle_flowers(step)


def turn_indicator(step: Step, side: int | None, tile: str) -> None:
    """A tile was turned up after the deal: the next of its kind is wild (WH-W2). It belongs to the wall."""
    hand, rules = step.hand, step.rules
    if hand.phase == "dealing":
        finish_deal(step)
    late = hand.phase in PLAYING and not hand.indicator and rules.wall.indicator.value != "none"
    if hand.phase != "indicator" and not late:
        step.irregular("needless_draw", side)
        return
    hand.turned = 1
    hand.indicator, hand.wild = tile, systems.wild_kinds(rules, tile)
    step.publish("event.indicator", tile=tile, wild=list(hand.wild))
    HAND.fire(step, "indicator_turned")


def settle_flowers(step: Step) -> None:
    """Where tiles are read, play opens by itself once no hand holds a flower or waits for a tile."""
    hand = step.hand
    if hand.phase != "flowers" or not step.can("tile_read"):
        return
    waiting = any(
        handling.missing(step, side) or any(map(is_flower, seat.tiles)) for side, seat in seats(step)
    )
    if not waiting:
        HAND.fire(step, "flowers_done")


def seats(step: Step) -> list[tuple[int, SeatState]]:
    """Sides with their seats, dealer first."""
    hand = step.hand
    return [(side % 4, hand.seats[side % 4]) for side in range(hand.dealer, hand.dealer + 4)]


def opening_flower(step: Step, side: int, tile: str) -> None:
    """A flower is shown before play (MCR-W4): dealer first, then in turn order."""
    hand = step.hand
    order = [s for s, _ in seats(step)]
    later = order[order.index(side) + 1 :]
    if any(hand.seats[s].flowers for s in later):
        step.irregular("flower_order", side)
    handling.lay_flower(step, side, tile)
    if not step.can("draw_sense"):
        handling.take(step, side, "", "tail")
    settle_flowers(step)


def opening_draw(step: Step, side: int, tile: str, end: str) -> None:
    """A replacement is drawn before play."""
    hand = step.hand
    if not handling.missing(step, side):
        step.irregular("needless_draw", side)
    handling.take(step, side, tile, end)
    if end != "tail":
        step.irregular("wrong_end", side, end=end)
    hand.fresh = False
    settle_flowers(step)


def begin_play(step: Step) -> None:
    """The first act of play ends whatever of the opening nobody sensed."""
    catch_up(step)
    if step.hand.phase == "dealing":
        finish_deal(step)
    if step.hand.phase == "flowers":
        HAND.fire(step, "flowers_done")
    if step.hand.phase == "indicator":  # nobody read it: which tiles are wild is the players' to know
        step.hand.turned = 1
        HAND.fire(step, "indicator_turned")
