"""What each kind of fault does to a table. The mechanism's faults are rows of ``causes.toml``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from protocols.atp import messages as m
from protocols.atp.frame import Frame
from protocols.vocabulary import NO_SIDE, SIDES, Fault
from sim.board import Board, Reboot
from sim.gate import Gate, damage, double, halt, lose
from sim.identity import Firmware
from sim.items import Item
from sim.kinds import Family, kinds, preset
from sim.mechanism.causes import Moment, load_causes
from sim.mechanism.dice import FACES
from sim.mechanism.drum import favour
from sim.mechanism.machine import Mechanism
from sim.mechanism.panel import LIFT_SIDES
from sim.seats import Fidelity
from sim.timebase import TableTimer

if TYPE_CHECKING:
    from sim.world import SimTable

HANG = 2.0  # real seconds a firmware hangs until its watchdog bites
SILENT = 2.0  # longer than a board waits for its host
SWAP = 1.0  # real seconds without any port while boards are changed
FLOOD_EVERY, FLOOD_BYTES = 0.01, 100  # what 115200 baud can carry
NONSENSE = 8  # frames of a stranger; some get lost
NONSENSE_TYPE = 0xEE
ELSEWHERE = "elsewhere"  # the second name of a port
WORDS = (
    b"resend: stopped\r\n",
    b"boot v2 ready; state=WALLS_UP id=none\r\n",
    b"ok hours=twelve percent=\xff\xff\r\n\0done\0",
)
Deed = Callable[["SimTable", Item, Random], None]


def do(table: SimTable, item: Item, rng: Random) -> None:
    """Carry out one item."""
    kind = kinds()[item.kind]
    if item.kind in DEEDS:
        DEEDS[item.kind](table, item, rng)
    elif kind.family is Family.MECHANISM:
        _mechanism(table, item, rng)


def _number(item: Item, name: str) -> float:
    return float(item.get(name, kinds()[item.kind].options[name]))


def _times(item: Item) -> int:
    return int(_number(item, "times"))


# the mechanism


def _mechanism(table: SimTable, item: Item, rng: Random) -> None:
    cause = load_causes().causes[item.kind]
    side = rng.choice(SIDES) if cause.sided and item.side == NO_SIDE else item.side
    if item.kind == "panel_key_stuck":
        side = LIFT_SIDES[side // 2]
    if cause.moment is Moment.BOOT:
        _boots_with(table, item)
        return
    helps = item.get("helps", -1.0 if item.get("nobody", False) else "")
    ailment = table.machine.befall(
        item.kind,
        side,
        clears=bool(item.get("clears", False)),
        axis=str(item.get("axis", "")),
        where=str(item.get("where", "")),
        helps=None if helps == "" else float(helps),
        pick=rng.randrange(1 << 16),
    )
    if ailment.shown:
        table.attendant.attend(ailment)


def _boots_with(table: SimTable, item: Item) -> None:
    """What a firmware finds when it boots: so it boots."""
    fault = Fault[item.kind.upper()]
    if fault is Fault.WATCHDOG_RESET:
        table.board.hang(HANG)
    elif fault is Fault.FIRMWARE_CHANGED:
        _soon(table, Reboot((fault,), firmware=_next_version(table.board.firmware)))
    elif fault is Fault.POWER_LOST_MID_CYCLE:
        table.machine.between = table.machine.between or bool(table.log.running())
        _soon(table, Reboot())
    else:
        _soon(table, Reboot((fault,), blank=True))


def _soon(table: SimTable, manner: Reboot, off: float = 0.0) -> None:
    """Not in the middle of what the board is just saying."""
    table.loop.call_soon(partial(table.board.reboot, off, manner))


def _next_version(firmware: Firmware) -> Firmware:
    return replace(firmware, version=firmware.version + "+")


# the line


def _gate(table: SimTable, item: Item) -> Gate:
    return table.board.to_board if item.get("way", "to_host") == "to_board" else table.board.to_host


def _noise(table: SimTable, item: Item, rng: Random) -> None:
    ends = table.noises()
    for noise in ends:
        noise.damage, noise.drop = _number(item, "damage"), _number(item, "drop")

    def calm() -> None:
        for noise in ends:
            noise.damage = noise.drop = 0.0

    table.wire_time.call_later(_number(item, "seconds"), calm)


def _one_byte(table: SimTable, item: Item, rng: Random) -> None:
    ends = table.noises()
    for noise in ends:
        noise.pieces = 1

    def whole() -> None:
        for noise in ends:
            noise.pieces = 0

    table.wire_time.call_later(_number(item, "seconds"), whole)


def _burst(table: SimTable, item: Item, rng: Random) -> None:
    _gate(table, item).next_frames(damage(rng, int(_number(item, "bits"))), _times(item))


def _silence(table: SimTable, item: Item, rng: Random) -> None:
    for gate in (table.board.to_host, table.board.to_board):
        gate.mute(_number(item, "seconds"))


def _flood(table: SimTable, item: Item, rng: Random) -> None:
    for number in range(int(_number(item, "seconds") / FLOOD_EVERY)):
        rubbish = rng.randbytes(FLOOD_BYTES)
        table.wire_time.call_later(number * FLOOD_EVERY, partial(table.board.to_host.send, rubbish))


def _text(table: SimTable, item: Item, rng: Random) -> None:
    for _ in range(_times(item)):
        table.board.to_host.send(rng.choice(WORDS))


def _wrong_board(table: SimTable, item: Item, rng: Random) -> None:
    """Another controller, with a table of its own that nobody sits at."""
    timer = TableTimer(table.loop)
    machine = Mechanism(table.machine.profile, timer, drum=rng, dice=rng, times=rng)
    stranger = Board(machine, Fidelity.COUNT, timer, rng, firmware=Firmware("stranger", "X-1", "0.9"))
    stranger.power_on()
    table.guests.append(stranger)
    table.swap_board(stranger, SWAP)

    def back() -> None:
        stranger.close()
        table.guests.remove(stranger)
        table.swap_board(table.guests[-1] if table.guests else table.board, SWAP)

    table.wire_time.call_later(SWAP + _number(item, "seconds"), back)


def _rename(table: SimTable, item: Item, rng: Random) -> None:
    def come_back_as(name: str) -> None:
        table.drop_off(SWAP)
        if table.endpoint is not None:
            table.endpoint.rename(name)

    come_back_as(ELSEWHERE)
    if seconds := _number(item, "seconds"):
        table.wire_time.call_later(SWAP + seconds, partial(come_back_as, ""))


def _protocol_error(table: SimTable, item: Item, rng: Random) -> None:
    """Somebody else on the bus speaks a language of his own."""
    for counter in range(NONSENSE):
        table.board.to_board.send(Frame(1, counter, NONSENSE_TYPE, rng.randbytes(8)).to_bytes())


def _host_silent(table: SimTable, item: Item, rng: Random) -> None:
    table.board.to_board.mute(SILENT)


# people


def _stray_key(table: SimTable, item: Item, rng: Random) -> None:
    side = rng.choice(SIDES) if item.side == NO_SIDE else item.side
    if item.get("key", "lift") == "dice":
        table.machine.press_dice(side)
    else:
        table.machine.panel.lift(LIFT_SIDES[side // 2])


def _at_play(slip: str, *args: object) -> Deed:
    def deed(table: SimTable, item: Item, rng: Random) -> None:
        play = table.party.play
        if play is not None:
            getattr(play.slips, slip)(*args)

    return deed


def _out_of_turn(table: SimTable, item: Item, rng: Random) -> None:
    _at_play("out_of_turn", item.side)(table, item, rng)


def _call_late(table: SimTable, item: Item, rng: Random) -> None:
    side = rng.choice(SIDES) if item.side == NO_SIDE else item.side
    _at_play("call_late", side, _number(item, "seconds"))(table, item, rng)


def _dawdle(table: SimTable, item: Item, rng: Random) -> None:
    _at_play("dawdle", _number(item, "seconds"))(table, item, rng)


def _at_side(slip: str) -> Deed:
    """A slip of the side named, else of any."""

    def deed(table: SimTable, item: Item, rng: Random) -> None:
        side = rng.choice(SIDES) if item.side == NO_SIDE else item.side
        _at_play(slip, side)(table, item, rng)

    return deed


# cheats and wear


def _biased_dice(table: SimTable, item: Item, rng: Random) -> None:
    table.machine.dice.load(max(1, min(FACES, int(_number(item, "face")))), _number(item, "share"))


def _favoured_wall(table: SimTable, item: Item, rng: Random) -> None:
    side = rng.choice(SIDES) if item.side == NO_SIDE else item.side
    fair, share = table.machine.mix_for, _number(item, "share")
    table.machine.mix_for = lambda hand: favour(fair(hand), side, share)


def _wear(table: SimTable, item: Item, rng: Random) -> None:
    named = str(item.get("like", ""))
    values = {
        **(preset(named).wear if named else {}),
        **{k: float(v) for k, v in item.options if k != "like"},
    }
    table.machine.wear.begin(**values)


DEEDS: dict[str, Deed] = {
    "noise": _noise,
    "one_byte": _one_byte,
    "burst": _burst,
    "drop_frame": lambda table, item, rng: _gate(table, item).next_frames(lose, _times(item)),
    "double_frame": lambda table, item, rng: _gate(table, item).next_frames(double, _times(item)),
    "gap": lambda table, item, rng: _gate(table, item).next_frames(halt(_number(item, "seconds"))),
    "late_reply": lambda table, item, rng: table.delay_replies(_number(item, "seconds"), _times(item)),
    "lose_reply": lambda table, item, rng: table.lose_replies(_times(item)),
    "reboot": lambda table, item, rng: _soon(table, Reboot(), _number(item, "seconds")),
    "stale": lambda table, item, rng: _soon(table, Reboot(stale=_number(item, "seconds"))),
    "silence": _silence,
    "flood": _flood,
    "text": _text,
    "nak": lambda table, item, rng: table.board.complain(_number(item, "seconds")),
    "half_hello": lambda table, item, rng: table.board.to_host.leave_out(
        frozenset({m.Abilities.TYPE}), _number(item, "seconds")
    ),
    "doze": lambda table, item, rng: table.board.to_host.leave_out(
        frozenset({m.Event.TYPE, m.Beat.TYPE}), _number(item, "seconds")
    ),
    "unplug": lambda table, item, rng: table.drop_off(_number(item, "seconds")),
    "wrong_board": _wrong_board,
    "rename": _rename,
    "protocol_error": _protocol_error,
    "host_silent_stop": _host_silent,
    "stray_key": _stray_key,
    "both_keys": lambda table, item, rng: table.machine.panel.both_lifts(),
    "out_of_turn": _out_of_turn,
    "all_at_once": _at_play("all_at_once"),
    "draw_early": _at_play("draw_early"),
    "draw_first": _at_play("draw_first"),
    "call_late": _call_late,
    "exposed": _at_side("expose"),
    "too_few": _at_play("draw_wrong", 0),
    "too_many": _at_play("draw_wrong", 2),
    "dawdle": _dawdle,
    "call_empty": _at_play("call_empty"),
    "false_win": _at_play("false_win"),
    "drop_tile": _at_side("drop_tile"),
    "call_referee": _at_side("call_referee"),
    "biased_dice": _biased_dice,
    "favoured_wall": _favoured_wall,
    "firmware_swap": lambda table, item, rng: _soon(
        table, Reboot(firmware=_next_version(table.board.firmware))
    ),
    "silent_reboot": lambda table, item, rng: _soon(table, Reboot(silent=True)),
    "wear": _wear,
}
