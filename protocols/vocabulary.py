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


class Lamp(IntEnum):
    """What the seats' lamps say to the players; the ``count`` of a LAMPS order."""

    OFF = 0
    PLAY = 1  # go on
    HOLD = 2  # the referee, a fault or the link holds the table: act no more
    WIN = 3  # a win is being judged
    CLOSED = 4  # the hand is over


class Stage(IntEnum):
    """How far an ordered operation is, as its replies and the answer to a query say it."""

    UNKNOWN = 0  # the board holds no result under this id
    ACCEPTED = 1
    REFUSED = 2
    PROGRESS = 3
    DONE = 4
    FAILED = 5

    @property
    def final(self) -> bool:
        """True when no further reply follows for the operation."""
        return self in (Stage.REFUSED, Stage.DONE, Stage.FAILED)


class Refusal(IntEnum):
    """Why a board refuses an operation."""

    NONE = 0
    BUSY = 1  # another operation runs on the same track
    NOT_READY = 2  # the state it starts from is not reached (e.g. raise without a set in store)
    UNSUPPORTED = 3
    BAD_ARGUMENT = 4
    FAULT_LATCHED = 5
    STOPPED = 6  # a stop stands; HOME ends it
    LOCKED = 7  # the cover is open or the panel holds the table


class TopState(IntEnum):
    """The track of the set in play."""

    UNKNOWN = 0  # after a power cut: sensors cannot tell
    CLEAR = 1  # nothing on top
    LOADING = 2  # centre open, players push tiles in
    RAISING = 3
    WALLS_UP = 4
    LOWERING = 5


class StoreState(IntEnum):
    """The track of the set being built."""

    UNKNOWN = 0
    EMPTY = 1
    BUILDING = 2
    READY = 3
    SHORT = 4  # counted too few tiles: waits for the missing ones
    PAUSED = 5


class Fault(IntEnum):
    """Fault codes, families 1x-9x (ours; no maker publishes a table). SIDE faults name their side."""

    NONE = 0x00
    HEAD_JAM = 0x11
    CHAIN_JAM = 0x15
    CORNER_JAM = 0x16
    DRUM_JAM = 0x17
    FEED_SLOT_BLOCKED = 0x18
    MISSING_TILES = 0x21
    EXTRA_TILES = 0x22
    MIXED_SETS = 0x23
    COUNT_MISMATCH = 0x24
    LAST_TILES_SLOW = 0x25
    BUILD_TIMEOUT = 0x26
    CENTRE_NOT_UP = 0x31
    CENTRE_NOT_DOWN = 0x32
    CENTRE_OBSTRUCTED = 0x33
    TRAY_NOT_UP = 0x34
    TRAY_NOT_DOWN = 0x38
    TRAY_RUNAWAY = 0x3C
    PUSHER_NOT_HOME = 0x3D
    CHAIN_ZERO_LOST = 0x3E
    MOTOR_STALL = 0x41
    OVERCURRENT = 0x42
    OPEN_CIRCUIT = 0x43
    RUNS_WITHOUT_COMMAND = 0x44
    OPTIC_BLOCKED = 0x51
    OPTIC_WEAK = 0x52
    OPTIC_STUCK = 0x53
    HALL_MISSING = 0x54
    LIMITS_CONFLICT = 0x55
    DICE_NO_SPIN = 0x61
    DICE_NO_READ = 0x62
    DICE_CAP_OPEN = 0x63
    DICE_SPIN_SHORT = 0x64
    UNDERVOLTAGE = 0x71
    OVERVOLTAGE = 0x72
    MOTOR_RAIL_LOST = 0x73
    OVERTEMP = 0x74
    POWER_LOST_MID_CYCLE = 0x75
    COVER_OPEN = 0x81
    PANEL_KEY_STUCK = 0x82
    PANEL_LINK_LOST = 0x83
    GEAR_CHANGED = 0x84
    WATCHDOG_RESET = 0x91
    EEPROM_BAD = 0x92
    PROTOCOL_ERROR = 0x93
    HOST_SILENT_STOP = 0x94
    FIRMWARE_CHANGED = 0x95
    CONFIG_LOST = 0x96


class Source(IntEnum):
    """Who caused an event."""

    SENSOR = 0
    PANEL = 1  # a person at the table's own keys: an order by that person
    HOST = 2


class SeatKey(IntEnum):
    """Keys at a seat; the ``value`` of a SEAT_KEY event."""

    DISCARD = 1
    CHOW = 2
    PUNG = 3
    KONG = 4
    FLOWER = 5
    WIN = 6
    REFEREE = 7


class PanelKey(IntEnum):
    """Keys of the table itself; the ``value`` of a KEY_PRESSED event."""

    LIFT = 1
    DICE = 2


class WallEnd(IntEnum):
    """Which end a tile was drawn from; the ``value`` of a TILE_DRAWN event."""

    HEAD = 0
    TAIL = 1


class Meld(IntEnum):
    """What was laid open; the ``value`` of a MELD_SHOWN event."""

    CHOW = 1
    PUNG = 2
    KONG = 3  # melded from a discard
    CONCEALED_KONG = 4
    ADDED_KONG = 5
    FLOWER = 6


class EventKind(IntEnum):
    """Unasked-for events of a board. The comment says what `side`, `value` and `tiles` carry."""

    BOOT = 1  # value = boot count
    PROFILE_CHANGED = 2  # value = tiles of one set
    CENTRE_OPENED = 3
    CENTRE_CLOSED = 4
    BUILD_STARTED = 5
    SIDE_DONE = 6  # side; value = stacks
    BUILD_DONE = 7  # value = tiles counted
    MISSING_TILES = 8  # side or NO_SIDE; value = how many
    EXTRA_TILES = 9  # value = how many
    WALLS_UP = 10  # value = hand ordered (low 16 bits), 0 from the panel
    WALLS_DOWN = 11
    DICE_STARTED = 12  # side
    DICE_RESULT = 13  # side; value = faces, one nibble each, first die lowest
    KEY_PRESSED = 14  # side; value = PanelKey
    FAULT_SET = 15  # side; value = Fault
    FAULT_CLEARED = 16  # side; value = Fault
    POWER_DIP = 17  # value = millivolts
    STOPPED = 18
    SEAT_KEY = 32  # side; value = SeatKey
    TILE_DRAWN = 33  # side; value = WallEnd; tiles = (tile,) where it is read, else ()
    TILE_DISCARDED = 34  # side; tiles = (tile,) where it is read, else ()
    MELD_SHOWN = 35  # side; value = Meld; tiles where read


class Capability(IntFlag):
    """What a board can do or sense. Code asks these, never a driver's or maker's name."""

    GEAR_REMOTE = 1 << 0
    AUTODEAL = 1 << 1
    DICE = 1 << 2
    DICE_READBACK = 1 << 3
    PER_SIDE_COUNTS = 1 << 4
    PAUSE_INSERT = 1 << 5
    HOST_STOP = 1 << 6
    LIFT_FEEDBACK = 1 << 7
    FAULT_CODE = 1 << 8
    EVENT_LOG = 1 << 9
    TILE_READ = 1 << 10
    SEAT_KEYS = 1 << 11
    DRAW_SENSE = 1 << 12
    DISCARD_SENSE = 1 << 13
    PANEL_LOCK = 1 << 14
    LAMPS = 1 << 16
    RESULT_MEMORY = 1 << 15  # keeps results by command id, so a repeated id never moves twice


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
