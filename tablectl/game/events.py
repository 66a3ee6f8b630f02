"""What a board's events mean: mechanism to the tracks, keys to requests, tiles to facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from protocols.vocabulary import SIDES
from tablectl.game import claims, commands, faults, kongs, opening, play, seatdraw, tracks, windows
from tablectl.game.cases import calls
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.effects import AskStatus
from tablectl.game.hand import current, walls_seen
from tablectl.game.inputs import BoardEvent
from tablectl.game.repeats import AT_ONCE, KONGS_APART, once
from tablectl.game.state import SINGLE, DeviceState
from tablectl.game.watch import calls as watched_calls

KEYS = {1: "discard", 2: "chow", 3: "pung", 4: "kong", 5: "flower", 6: "win", 7: "referee"}
ENDS = {0: "head", 1: "tail"}
MELDS = {
    1: "chow",
    2: "pung",
    3: "kong",
    4: "concealed_kong",
    5: "added_kong",
    6: "flower",
    7: "single_kong",
    8: "indicator",
}
THROWS = {a | b << 4: (a, b) for a in range(1, 7) for b in range(1, 7)}  # a nibble a die, the first lowest

AT_SEATS = ("seat_key", "tile_drawn", "tile_discarded", "meld_shown")
MEANINGS: dict[str, Mapping[int, object]] = {  # of an event's value
    "seat_key": KEYS,
    "tile_drawn": ENDS,
    "meld_shown": MELDS,
    "dice_result": THROWS,
}


def board_event(step: Step, event: BoardEvent) -> None:
    """Take one event of a board, each number of a boot once."""
    device = step.state.devices.setdefault(event.device, DeviceState())
    if event.boot == device.boot and event.number <= device.last_event:
        return
    if event.boot != device.boot and device.boot:
        step.publish("event.stale", device=event.device, number=event.number)
        return
    device.last_event = event.number
    if not understood(event):
        step.publish("event.not_understood", event=event.event, number=event.number, value=event.value)
        return
    if event.event == "stopped":
        step.effects.append(AskStatus(event.device))  # what the stop left is the board's word
    handler = HANDLERS.get(event.event)
    if handler is not None:
        handler(step, event)
    else:
        tracks.mirror(step, event)
        walls_seen(step)


def understood(event: BoardEvent) -> bool:
    """False for numbers that mean nothing: a broken board, or one newer than this program."""
    places = SIDES if event.event in AT_SEATS else (*SIDES, None)
    meanings = MEANINGS.get(event.event)
    return event.side in places and (meanings is None or event.value in meanings)


def dice_result(step: Step, event: BoardEvent) -> None:
    """The dice came to rest: for the seats while those are drawn, else for the hand."""
    if not seatdraw.throw(step, event.side, THROWS[event.value]):
        opening.throw(step, event.side, THROWS[event.value])


def tile_drawn(step: Step, event: BoardEvent) -> None:
    """A sensed draw."""
    if current(step) is not None and event.side is not None:
        commands.drawn(step, event.side, _tile(event), ENDS[event.value])


def tile_discarded(step: Step, event: BoardEvent) -> None:
    """A sensed discard."""
    if current(step) is not None and event.side is not None:
        commands.discarded(step, event.side, _tile(event), sensed=True)


def meld_shown(step: Step, event: BoardEvent) -> None:
    """Tiles laid open."""
    side = event.side
    if current(step) is None or side is None:
        return
    kind = MELDS[event.value]
    if kind == "indicator":
        opening.turn_indicator(step, side, _tile(event))
    elif kind == "flower":
        _as_request(step, side, "flower", lambda: commands.flower_shown(step, side, _tile(event)))
    else:
        commands.open_play(step, side)
        play.show_meld(step, side, kind, list(event.tiles))


def _tile(event: BoardEvent) -> str:
    return event.tiles[0] if event.tiles else ""


def seat_key(step: Step, event: BoardEvent) -> None:
    """A key at a seat. Refused requests are answered at the seat and stay in the record."""
    hand = current(step)
    key = KEYS[event.value]
    side = event.side
    if side is None:
        return
    if hand is None:
        if not seatdraw.press(step, side, step.at, event.board_us):
            step.publish("event.idle_key", side=side, word=key)
        if step.state.hand is not None:  # it may have ended on a tile he had called
            _as_request(step, side, key, lambda: watched_calls.refuse_overtaken(step, side, key))
        return
    _as_request(step, side, key, lambda: _press(step, side, key, event.board_us))


def _as_request(step: Step, side: int, word: str, act: Callable[[], None]) -> None:
    """What cannot be granted is answered at the seat."""
    try:
        act()
    except RefusedCommand as refused:
        step.publish("event.refused", side=side, word=word, reason=refused.key, facts=refused.data)


def _press(step: Step, side: int, key: str, stamp: int) -> None:
    hand = step.hand
    if key != "flower":  # which is told in other ways too, and looked at there
        sure = key == "kong" and hand.replaces == "kong" and _own_turn(step, side)
        once(step, side, key, stamp=stamp, within=KONGS_APART if sure else AT_ONCE)
    watched_calls.refuse_overtaken(step, side, key)
    match key:
        case "discard" if not step.can("discard_sense"):
            commands.discarded(step, side, "", sensed=False)
        case "flower" if not step.can("tile_read") and not step.rules.flowers.used.value:
            commands.open_play(step, side)  # the key for a tile laid out alone (WH-W4)
            kongs.own_kong(step, side, SINGLE, [])
        case "flower" if not step.can("tile_read"):
            commands.flower_shown(step, side, "", stamp)
        case "win":
            commands.win(step, side)
        case "kong" if hand.window is None or hand.window.side == side or _own_turn(step, side):
            if step.can("tile_read"):
                hand.kong_said = hand.kong_said or _own_turn(step, side)
                step.publish("event.announced", side=side, word=key)
                return
            commands.open_play(step, side)
            reason = kongs.kong_key(step, side)
            if reason:
                raise step.refusal(reason, seat=hand.seats[side].wind)
        case "chow" | "pung" | "kong":
            claims.call(step, side, key, [])
        case "referee":
            calls.raise_call(step, "rule", side, f"side {side}")
        case _:
            step.publish("event.announced", side=side, word=key)


def _own_turn(step: Step, side: int) -> bool:
    """Has the seat a tile to play with? Where draws are not sensed it has drawn the replacement of its kong
    by the time it presses anything else."""
    hand = step.hand
    unseen = hand.phase == "draw" and hand.replaces == "kong" and not step.can("draw_sense")
    return (hand.turn == side and (hand.phase == "decide" or unseen)) or windows.has_drawn(step, side)


HANDLERS: dict[str, Callable[[Step, BoardEvent], None]] = {
    "dice_result": dice_result,
    "tile_drawn": tile_drawn,
    "tile_discarded": tile_discarded,
    "meld_shown": meld_shown,
    "seat_key": seat_key,
    "fault_set": faults.fault_set,
    "fault_cleared": faults.fault_cleared,
}
