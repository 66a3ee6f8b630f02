"""Traces with fingers on the keys of the table."""

from __future__ import annotations

from sim.firmware.acts import FIRST_HAND, OP, Act, dice_key, lift, order, send, state, stop, wait

PEOPLE: dict[str, list[Act]] = {
    "dice keys": [dice_key(2), wait(2), dice_key(0), wait(2), state],
    "a lift key opens and closes": [lift(0), wait(8), lift(0), wait(3), state],
    "both lift keys pause": [send(OP.BUILD, hand=1), wait(18), lift(0), lift(2), wait(4), state],
    "one lift key is ignored": [send(OP.BUILD, hand=1), wait(18), lift(0), wait(4), state],
    "a lift key ends a pause": [
        send(OP.BUILD, hand=1),
        wait(18),
        order(OP.PAUSE),
        wait(1),
        lift(0),
        wait(40),
        state,
    ],
    "keys while a stop stands": [stop, dice_key(1), wait(0.3), lift(0), wait(0.3), lift(2), wait(3), state],
    "keys beside a throw": [send(OP.DICE, side=1, count=2), wait(0.3), dice_key(2), wait(3), state],
    "a lift key beside a throw": [send(OP.DICE, side=1, count=2), wait(0.3), lift(0), wait(4), state],
    "a lift key closes for the people": [send(OP.BUILD, hand=1), wait(4), lift(2), wait(12), state],
    "a lift key with walls on top": [*FIRST_HAND, wait(60), lift(0), wait(4), state, lift(0), wait(4), state],
    "a lift key beside a motion": [stop, send(OP.HOME), wait(0.3), lift(0), wait(6), state],
    "lift keys far apart": [send(OP.BUILD, hand=1), wait(18), lift(0), wait(1), lift(2), wait(4), state],
    "the same lift key twice": [
        send(OP.BUILD, hand=1),
        wait(18),
        lift(0),
        wait(0.3),
        lift(0),
        wait(4),
        state,
    ],
    "a lift key opens, then a build": [lift(0), wait(3), state, order(OP.BUILD, hand=1), state],
}
