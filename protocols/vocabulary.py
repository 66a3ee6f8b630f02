"""The words every driver and every board share: operations, states, faults, events, capabilities.

Numbers are the ones on the ATP wire; a driver of another protocol maps its own words onto these.
Nothing here knows what a legal move is: a board reports what it sensed, the game decides what it means.

A *side* is a place at the table, 0-3 counter-clockwise from the board's marked side; ``NO_SIDE`` where
an event or fault has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag

NO_SIDE = 255
SIDES = (0, 1, 2, 3)


class Operation(IntEnum):
    """What a host may order. Each is a state to reach, so asking twice is harmless."""

    HOME = 1  # every axis at its reference
    SET_PROFILE = 2  # count = tiles of one set; applies to the next build
    BUILD = 3  # a complete set of walls in the store
    RAISE = 4  # the walls of `hand` on top; `side` = the dealer, whose lamp is lit
    LOWER = 5  # no walls on top
    DICE = 6  # `count` dice thrown for `side`
    CLEAR_FAULT = 7  # forget latched faults whose cause is gone
    LAMPS = 8  # `count` = Lamp shown at the seats, `side` whom it concerns; no motion
    PAUSE = 9  # building rests and the centre is open: tiles can be put in or taken out
    RESUME = 10  # a paused or short build goes on to its end: a complete set in the store
    PURGE = 11  # the drum turned without building, so that what clings to it comes loose
    ABORT_BUILD = 12  # no set in the store: what was stacked lies in the drum again


class Lamp(IntEnum):
    """What the seats' lamps say to the players; the ``count`` of a LAMPS order."""

    OFF = 0  # dark
    PLAY = 1  # go on
    HOLD = 2  # the referee, a fault or the link holds the table: act no more
    WIN = 3  # a win is being judged
    CLOSED = 4  # the hand is over


class Stage(IntEnum):
    """How far an ordered operation is, as its replies and the answer to a query say it."""

    UNKNOWN = 0  # the board holds no result under this id
    ACCEPTED = 1  # it will be carried out
    REFUSED = 2  # it will not; nothing moved for it
    PROGRESS = 3  # under way
    DONE = 4  # the state asked for is reached
    FAILED = 5  # begun and not finished

    @property
    def final(self) -> bool:
        """True when no further reply follows for the operation."""
        return self in (Stage.REFUSED, Stage.DONE, Stage.FAILED)


class Refusal(IntEnum):
    """Why a board refuses an operation."""

    NONE = 0  # not refused
    BUSY = 1  # another operation runs on the same track
    NOT_READY = 2  # the state it starts from is not reached (e.g. raise without a set in store)
    UNSUPPORTED = 3  # this board cannot do that
    BAD_ARGUMENT = 4  # side, hand or count make no sense for it
    FAULT_LATCHED = 5  # a fault stands; CLEAR_FAULT or HOME comes first
    STOPPED = 6  # a stop stands; HOME ends it
    LOCKED = 7  # the cover is open or the panel holds the table


class TopState(IntEnum):
    """The track of the set in play."""

    UNKNOWN = 0  # after a power cut: sensors cannot tell
    CLEAR = 1  # nothing on top
    LOADING = 2  # centre open, players push tiles in
    RAISING = 3  # walls on their way up
    WALLS_UP = 4  # walls on top, ready to play
    LOWERING = 5  # what lay on top is going down


class StoreState(IntEnum):
    """The track of the set being built."""

    UNKNOWN = 0  # after a power cut: sensors cannot tell
    EMPTY = 1  # no set in the store
    BUILDING = 2  # tiles are being stacked
    READY = 3  # a complete set of walls
    SHORT = 4  # counted too few tiles: waits for the missing ones
    PAUSED = 5  # building stands still by order of a person


class Fault(IntEnum):
    """Fault codes, families 1x-9x (ours; no maker publishes a table). SIDE faults name their side."""

    NONE = 0x00  # no fault
    HEAD_JAM = 0x11  # side: a tile stuck at the stacking head
    CHAIN_JAM = 0x15  # the transport chain is stuck
    CORNER_JAM = 0x16  # a tile stuck in a corner
    DRUM_JAM = 0x17  # the drum is stuck or holds a foreign body
    FEED_SLOT_BLOCKED = 0x18  # side: the slot to the head is blocked
    MISSING_TILES = 0x21  # side: fewer tiles than the profile says
    EXTRA_TILES = 0x22  # more tiles than the profile says
    MIXED_SETS = 0x23  # tiles of both sets in one wall
    COUNT_MISMATCH = 0x24  # side: what was built does not match the profile
    LAST_TILES_SLOW = 0x25  # warning: the last tiles do not come
    BUILD_TIMEOUT = 0x26  # building took too long
    CENTRE_NOT_UP = 0x31  # the centre did not rise
    CENTRE_NOT_DOWN = 0x32  # the centre did not sink
    CENTRE_OBSTRUCTED = 0x33  # something lies in the way of the centre
    TRAY_NOT_UP = 0x34  # side: the wall did not rise
    TRAY_NOT_DOWN = 0x38  # side: the tray did not sink
    TRAY_RUNAWAY = 0x3C  # side: the tray never finds its limit
    PUSHER_NOT_HOME = 0x3D  # side: the pusher is not at rest
    CHAIN_ZERO_LOST = 0x3E  # the chain does not find its zero
    MOTOR_STALL = 0x41  # a motor is blocked
    OVERCURRENT = 0x42  # a motor draws too much
    OPEN_CIRCUIT = 0x43  # a motor draws nothing
    RUNS_WITHOUT_COMMAND = 0x44  # a motor turns unasked: switch off
    OPTIC_BLOCKED = 0x51  # side: a light barrier is covered
    OPTIC_WEAK = 0x52  # side: warning, a light barrier is dirty
    OPTIC_STUCK = 0x53  # side: a light barrier never changes
    HALL_MISSING = 0x54  # no pulses from a wheel that should turn
    LIMITS_CONFLICT = 0x55  # side: up and down at once
    DICE_NO_SPIN = 0x61  # the dice did not turn
    DICE_NO_READ = 0x62  # the faces cannot be read
    DICE_CAP_OPEN = 0x63  # the cap over the dice is open
    DICE_SPIN_SHORT = 0x64  # too short a throw to count
    UNDERVOLTAGE = 0x71  # the supply is low
    OVERVOLTAGE = 0x72  # the supply is high
    MOTOR_RAIL_LOST = 0x73  # no supply for the motors
    OVERTEMP = 0x74  # too hot
    POWER_LOST_MID_CYCLE = 0x75  # the wall is suspect
    COVER_OPEN = 0x81  # a cover is open
    PANEL_KEY_STUCK = 0x82  # a key of the panel is always down
    PANEL_LINK_LOST = 0x83  # the panel does not answer
    GEAR_CHANGED = 0x84  # the profile was changed at the table
    WATCHDOG_RESET = 0x91  # the firmware hung and was restarted
    EEPROM_BAD = 0x92  # stored settings are damaged
    PROTOCOL_ERROR = 0x93  # something on the wire that makes no sense
    HOST_SILENT_STOP = 0x94  # motion stopped because the host fell silent
    FIRMWARE_CHANGED = 0x95  # another firmware than last time
    CONFIG_LOST = 0x96  # stored settings are gone


class Source(IntEnum):
    """Who caused an event."""

    SENSOR = 0  # the table itself: all else, such as BOOT, FAULT_SET, STOPPED, a build, the centre, the seats
    PANEL = 1  # a person at the table's own keys: KEY_PRESSED and what the key began
    HOST = 2  # an order: PROFILE_CHANGED, DICE_*, WALLS_*, and FAULT_CLEARED by CLEAR_FAULT


class SeatKey(IntEnum):
    """Keys at a seat; the ``value`` of a SEAT_KEY event."""

    DISCARD = 1  # discarded a tile
    CHOW = 2  # claims a run
    PUNG = 3  # claims a triplet
    KONG = 4  # declares four of a kind
    FLOWER = 5  # lays a flower out, or a one-tile kong
    WIN = 6  # declares a win
    REFEREE = 7  # calls the referee


class PanelKey(IntEnum):
    """Keys of the table itself; the ``value`` of a KEY_PRESSED event."""

    LIFT = 1  # centre up or down
    DICE = 2  # throw the dice


class WallEnd(IntEnum):
    """Which end a tile was drawn from; the ``value`` of a TILE_DRAWN event."""

    HEAD = 0  # where drawing goes on
    TAIL = 1  # where replacements are drawn


class Meld(IntEnum):
    """What was laid open; the ``value`` of a MELD_SHOWN event."""

    CHOW = 1  # a run
    PUNG = 2  # a triplet
    KONG = 3  # melded from a discard
    CONCEALED_KONG = 4  # four drawn
    ADDED_KONG = 5  # the fourth to an open triplet
    FLOWER = 6  # a flower laid out
    SINGLE_KONG = 7  # one tile laid out as a kong by itself, replaced from the tail like a flower
    INDICATOR = 8  # the wall's tile turned face up after the deal, by `side`; no tile of a hand


class EventKind(IntEnum):
    """Unasked-for events of a board. The comment says what `side`, `value` and `tiles` carry."""

    BOOT = 1  # value = boot count
    PROFILE_CHANGED = 2  # value = tiles of one set
    CENTRE_OPENED = 3  # the centre is up, tiles can be pushed in
    CENTRE_CLOSED = 4  # the centre is down
    BUILD_STARTED = 5  # a wall is being built
    SIDE_DONE = 6  # side; value = stacks
    BUILD_DONE = 7  # value = tiles counted
    MISSING_TILES = 8  # side or NO_SIDE; value = how many
    EXTRA_TILES = 9  # value = how many
    WALLS_UP = 10  # value = hand ordered (low 16 bits), 0 from the panel
    WALLS_DOWN = 11  # nothing is on top any more
    DICE_STARTED = 12  # side
    DICE_RESULT = 13  # side; value = faces, one nibble each, first die lowest
    KEY_PRESSED = 14  # side; value = PanelKey
    FAULT_SET = 15  # side; value = Fault
    FAULT_CLEARED = 16  # side; value = Fault
    POWER_DIP = 17  # value = millivolts
    STOPPED = 18  # all motion has come to rest after a stop
    SEAT_KEY = 32  # side; value = SeatKey
    TILE_DRAWN = 33  # side; value = WallEnd; tiles = (tile,) where it is read, else ()
    TILE_DISCARDED = 34  # side; tiles = (tile,) where it is read, else ()
    MELD_SHOWN = 35  # side; value = Meld; tiles where read; INDICATOR counts off the wall like a draw


class Capability(IntFlag):
    """What a board can do or sense. Code asks these, never a driver's or maker's name."""

    GEAR_REMOTE = 1 << 0  # SET_PROFILE works
    AUTODEAL = 1 << 1  # deals hands by itself
    DICE = 1 << 2  # has dice it can throw
    DICE_READBACK = 1 << 3  # knows the faces thrown
    PER_SIDE_COUNTS = 1 << 4  # counts stacks side by side
    PAUSE_INSERT = 1 << 5  # pauses building for tiles to be put in
    HOST_STOP = 1 << 6  # STOP stops every motion
    LIFT_FEEDBACK = 1 << 7  # knows whether walls and centre are up
    FAULT_CODE = 1 << 8  # says faults by code, not by a lamp
    EVENT_LOG = 1 << 9  # keeps events and sends them again
    TILE_READ = 1 << 10  # knows which tile it is
    SEAT_KEYS = 1 << 11  # has keys at the seats
    DRAW_SENSE = 1 << 12  # senses a draw
    DISCARD_SENSE = 1 << 13  # senses a discard
    PANEL_LOCK = 1 << 14  # can ignore its own panel
    RESULT_MEMORY = 1 << 15  # keeps results by command id, so a repeated id never moves twice
    LAMPS = 1 << 16  # has lamps at the seats
    SIMULATED = 1 << 17  # a table made of software: only such a table's hidden tiles may be shown


# Tiles on the wire: 0 = not read. The names are the canonical ones used everywhere inside.
TILE_NAMES: tuple[str, ...] = (
    "",
    *(f"{n}{suit}" for suit in "mps" for n in range(1, 10)),
    *"ESWN",
    *"CFP",
    *(f"f{n}" for n in range(1, 9)),
)
TILE_CODES: dict[str, int] = {name: code for code, name in enumerate(TILE_NAMES)}


@dataclass(frozen=True, slots=True)
class Order:
    """One operation asked of a board. ``id`` = causing record << 8 | index of the effect, so a replay
    of the journal makes the same id and a repeated id never moves twice."""

    id: int
    operation: Operation
    hand: int = 0
    side: int = NO_SIDE
    count: int = 0


@dataclass(frozen=True, slots=True)
class OperationLimits:
    """How long the host waits (seconds): for *accepted* in real time, for *done* in table time."""

    accept: float
    done: float
