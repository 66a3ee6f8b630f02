"""The list: every scenario, in the order of the page. Data; the plays are in ``moving`` and ``troubled``."""

from __future__ import annotations

from protocols.vocabulary import Capability
from tablectl.rehearsal.scenarios import moving, troubled
from tablectl.rehearsal.scenarios.endpoint import Lever, Trait
from tablectl.rehearsal.scenarios.scenario import Scenario

MOVES = frozenset({Trait.MOTION})
ON_THE_WIRE = 10  # table seconds a real second where real ones are compared with them
STEADY = 1  # where nothing of the table is waited for

SCENARIOS = (
    Scenario("build", "a set is built into the store", moving.build, traits=MOVES),
    Scenario("raise", "the walls of a hand come up for its dealer", moving.raise_walls, traits=MOVES),
    Scenario("dice", "two dice are thrown for a side", moving.dice, Capability.DICE),
    Scenario(
        "deal",
        "people throw, break and deal 53 tiles; each draw is told",
        moving.deal,
        Capability.DRAW_SENSE,
        MOVES | {Trait.PEOPLE},
    ),
    Scenario(
        "pause-to-insert",
        "the build rests with the centre open, and goes on",
        moving.pause_to_insert,
        Capability.PAUSE_INSERT,
        MOVES,
    ),
    Scenario(
        "jam-and-clear",
        "a tile jams at a stacking head and is taken out",
        moving.jam_and_clear,
        traits=MOVES,
        levers=frozenset({Lever.JAM, Lever.MEND}),
    ),
    Scenario(
        "stop-in-motion",
        "stop in mid-build; then home, and another build",
        moving.stop_in_motion,
        Capability.HOST_STOP,
        MOVES,
        speed=ON_THE_WIRE,
    ),
    Scenario(
        "unplug-in-motion",
        "the cable is out for 3 s in mid-build",
        troubled.unplug_in_motion,
        traits=MOVES,
        levers=frozenset({Lever.UNPLUG}),
        speed=ON_THE_WIRE,
    ),
    Scenario(
        "reboot",
        "the board restarts, in mid-build where it builds",
        troubled.reboot,
        levers=frozenset({Lever.REBOOT}),
        speed=ON_THE_WIRE,
    ),
    Scenario(
        "lost-answer",
        "the first answer to an order is lost after its motion began",
        troubled.lost_answer,
        traits=MOVES,
        levers=frozenset({Lever.LOSE_ANSWER}),
    ),
    Scenario(
        "duplicate-command",
        "an order comes five times under one id",
        troubled.duplicate_command,
        traits=MOVES,
    ),
    Scenario(
        "event-gap",
        "a second's events are lost on the way",
        troubled.event_gap,
        Capability.EVENT_LOG,
        levers=frozenset({Lever.LOSE_EVENTS, Lever.KEY}),
        speed=STEADY,
    ),
    Scenario("two-hands", "build, raise, build by itself, raise again", moving.two_hands, traits=MOVES),
    Scenario(
        "key",
        "a key is pressed at a seat",
        troubled.key,
        Capability.SEAT_KEYS,
        levers=frozenset({Lever.KEY}),
        speed=STEADY,
    ),
    Scenario(
        "clock-jump",
        "the board's clock leaps an hour ahead, and back",
        troubled.clock_jump,
        levers=frozenset({Lever.CLOCK_JUMP, Lever.KEY}),
        speed=STEADY,
    ),
    Scenario(
        "unplug-at-rest",
        "a key is pressed while the cable is out",
        troubled.unplug_at_rest,
        Capability.EVENT_LOG,
        levers=frozenset({Lever.UNPLUG, Lever.KEY}),
        speed=STEADY,
    ),
    Scenario(
        "event-overflow",
        "300 keys while the cable is out, more than any board keeps",
        troubled.event_overflow,
        Capability.EVENT_LOG,
        levers=frozenset({Lever.UNPLUG, Lever.PLUG, Lever.KEY}),
        speed=STEADY,
    ),
    Scenario("lamps", "the lamps at the seats", troubled.lamps, Capability.LAMPS, speed=STEADY),
    Scenario(
        "chatter",
        "texts and rubbish between the answers",
        troubled.chatter,
        levers=frozenset({Lever.CHATTER}),
        speed=STEADY,
    ),
)
