"""What each command does. A request that cannot be granted raises ``RefusedCommand`` with its reason.

A referee or player who enters a tile drawn, discarded or shown states a fact; claims, motions and rulings
are requests. Names, arguments and roles are declared in the API's registry; here is only the deed.
"""

from __future__ import annotations

from typing import Any

from tablectl.game import (
    claims,
    corrections,
    draws,
    faults,
    kongs,
    opening,
    orders,
    play,
    rulings,
    shown,
    timeouts,
    waiting,
    windows,
    wins,
)
from tablectl.game.acts import ACTS
from tablectl.game.asking import Deed, playing, reason_of, side_of, tile_of
from tablectl.game.cases import calls, deeds
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.hand import provide
from tablectl.game.inputs import Command
from tablectl.game.repeats import already_done, once
from tablectl.game.session import open_hand
from tablectl.game.state import HandState
from tablectl.game.watch import calls as watched_calls
from tablectl.game.watch import told


def run(step: Step, command: Command) -> None:
    """Do what a command asks and answer it."""
    if command.refused:
        raise RefusedCommand(command.refused, command=command.name, role=command.role)
    deed = DEEDS.get(command.name)
    if deed is None:
        raise RefusedCommand("refused.unknown_command", command=command.name)
    as_expected(step, command.expect)
    step.accept(command, **(deed(step, command) or {}))


def as_expected(step: Step, expect: str) -> None:
    """Refuse what was meant for another moment: ``hand=3``, ``phase=decide``, ``turn=E`` must still hold.

    ``case=12:5`` is a case and how many moves it had made: only acts on it raise that. ``record=812`` is the
    version of what a screen showed (``record`` of its document): a decision made on it is refused, with what
    has happened since, if the screens were told anything later.
    """
    if not expect:
        return
    state, hand = step.state, step.state.hand
    now = {"record": str(state.changed), "hand": "", "phase": "", "turn": ""}
    if hand is not None:
        now |= {"hand": str(hand.no), "phase": hand.phase, "turn": hand.seats[hand.turn].wind}
    name, _, value = expect.partition("=")
    if name == "case":
        calls.as_expected(step, value)
        return
    if name not in now:
        raise RefusedCommand("refused.expect_unknown", expect=expect, known=", ".join(now))
    if name == "record" and state.change and value != now[name]:
        what, facts = state.change["key"], state.change["data"]
        raise RefusedCommand("refused.outdated", expect=expect, now=state.changed, what=what, facts=facts)
    if now[name] != value:
        raise RefusedCommand("refused.changed", expect=expect, now=now[name] or "-")


def hand_start(step: Step, command: Command) -> dict[str, Any]:
    open_hand(step, str(command.args.get("anyway") or ""))
    return {"hand": step.hand.no}


def pause(step: Step, command: Command) -> None:
    playing(step)
    if "referee" in step.state.holds:
        raise RefusedCommand("refused.already_paused")
    reason = reason_of(command)
    key = "hold.referee" if reason else "hold.referee_unsaid"
    step.hold("referee", key, ends="referee", reason=reason)


def resume(step: Step, command: Command) -> dict[str, Any]:
    """End every hold a referee may end; say which still stand."""
    holds = step.state.holds
    if not holds:
        raise RefusedCommand("refused.not_held")
    ended = sorted(name for name, hold in holds.items() if hold.ends == "referee")
    if not ended:
        raise RefusedCommand("refused.hold_stands", holds=", ".join(sorted(holds)))
    for name in ended:
        step.release(name)
    calls.resumed(step, ended, command.actor)
    _go_on(step)
    return {"ended": ended, "standing": sorted(holds)}


def hold_clear(step: Step, command: Command) -> None:
    name = str(command.args["hold"])
    hold = step.state.holds.get(name)
    if hold is None:
        known = ", ".join(sorted(step.state.holds)) or "-"
        raise RefusedCommand("refused.no_such_hold", hold=name, holds=known)
    if hold.ends != "referee":
        raise RefusedCommand("refused.hold_stands", holds=name)
    step.release(name)
    calls.resumed(step, [name], command.actor)
    _go_on(step)


def _go_on(step: Step) -> None:
    if faults.DOUBT not in step.state.holds:
        step.state.table.suspect = ""  # a referee has ruled
    if step.state.hand is not None and not step.state.holds:
        provide(step)


def claim(step: Step, command: Command) -> None:
    word, tiles = str(command.args["word"]), list(command.args.get("tiles") or [])
    side = side_of(step, command)
    if word == "win":
        win(step, side, late=bool(command.args.get("late")))
    else:
        claims.call(step, side, word, tiles, late=bool(command.args.get("late")))


def open_play(step: Step, side: int) -> None:
    """The dealer's first act of play ends an opening that nobody sensed."""
    hand = playing(step)
    if hand.phase in ("dice", "dealing", "flowers", "indicator") and side == hand.dealer:
        opening.begin_play(step)


def win(step: Step, side: int, *, late: bool = False) -> None:
    """A seat declares a win: on the open tile if there is one it may have, else on its own draw."""
    hand = playing(step)
    if not step.can("tile_read"):  # there a hand may be won as it was dealt, and nobody knows it is dealt
        open_play(step, side)
    window = hand.window
    own_turn = hand.turn == side and hand.phase == "decide"
    drawn = windows.has_drawn(step, side)
    if window is not None and window.side != side and not own_turn and not drawn:
        claims.call(step, side, "win", [], late=late)
        return
    if drawn or (not own_turn and hand.turn == side and hand.phase in ("draw", "robbing")):
        draws.infer_draw(step, side)
    draws.infer_last_draws(step, side)
    if window is None and hand.turn != side:
        watched_calls.after_all(step, side, "win")
    wins.self_drawn(step, side)


def draw(step: Step, command: Command) -> None:
    side, end = side_of(step, command), str(command.args.get("end") or "head")
    drawn(step, side, tile_of(command), end)


def drawn(step: Step, side: int, tile: str, end: str) -> None:
    """A tile left the wall; which room it belongs to depends on how far the hand is."""
    playing(step)
    opening.catch_up(step)
    phase = step.hand.phase
    if phase == "dealing":
        opening.deal_tile(step, side, tile)
    elif phase == "flowers":
        opening.opening_draw(step, side, tile, end)
    else:
        draws.draw(step, side, tile, end)


def discard(step: Step, command: Command) -> None:
    side = side_of(step, command)
    discarded(step, side, tile_of(command), sensed=True)


def discarded(step: Step, side: int, tile: str, *, sensed: bool) -> None:
    """A tile was discarded."""
    open_play(step, side)
    play.discard(step, side, tile, sensed=sensed)


def flower(step: Step, command: Command) -> None:
    flower_shown(step, side_of(step, command), tile_of(command))


def flower_shown(step: Step, side: int, tile: str, stamp: int | None = None) -> None:
    """A flower was laid in front of a hand, before play or in it. Each lies there once, however often it is
    told (B043). Raises ``RefusedCommand``."""
    hand = playing(step)
    if not tile:
        once(step, side, "flower", stamp=stamp)
    elif tile in hand.seats[side].flowers:
        raise already_done(step, side, "flower", tile)
    if not step.rules.flowers.used.value:
        step.irregular("no_flowers_here", side, tile=tile)
        return
    opening.catch_up(step)
    if hand.phase == "dealing":
        opening.finish_deal(step)
    if hand.phase == "flowers":
        opening.opening_flower(step, side, tile)
    else:
        play.flower(step, side, tile)


def kong(step: Step, command: Command) -> None:
    side = side_of(step, command)
    meld, tiles = str(command.args["meld"]), list(command.args.get("tiles") or [])
    if meld == "melded":
        claims.call(step, side, "kong", tiles)
    else:
        open_play(step, side)
        kongs.own_kong(step, side, f"{meld}_kong", tiles)


def win_confirm(step: Step, command: Command) -> dict[str, Any]:
    how, overrule = (str(command.args.get(name) or "") for name in ("how", "overrule"))
    return wins.confirm(step, how, overrule=overrule, immunity=not command.args.get("no_immunity"))


def win_show(step: Step, command: Command) -> dict[str, Any]:
    return shown.show(
        step,
        side_of(step, command),
        list(command.args["tiles"]),
        str(command.args.get("win") or ""),
        str(command.args.get("melds") or ""),
        last_of_kind=bool(command.args.get("last_of_kind")),
    )


def win_reject(step: Step, command: Command) -> dict[str, Any]:
    return wins.reject(step, str(command.args.get("reason") or ""))


def win_cancel(step: Step, command: Command) -> dict[str, Any]:
    playing(step)
    return wins.cancel(step, side_of(step, command))


def order_retry(step: Step, command: Command) -> None:
    """A person has looked: order anew what the hand waits for."""
    hand = playing(step)
    if step.state.table.order is not None:
        raise RefusedCommand("refused.order_running", operation=step.state.table.order.operation)
    if orders.ORDER not in step.state.holds or hand.phase not in ("building", "raising"):
        raise RefusedCommand("refused.nothing_to_retry")
    step.release(orders.ORDER)
    _go_on(step)


def machine(operation: str) -> Deed:
    """A motion asked for by hand. Never while a hand is in play; never beside another."""

    def deed(step: Step, command: Command) -> dict[str, Any] | None:
        state = step.state
        device = state.devices.get(state.table.device)
        if device is None or device.link != "online":
            raise RefusedCommand("refused.no_table", word=device.word if device else "missing")
        if state.table.order is not None:
            raise RefusedCommand("refused.order_running", operation=state.table.order.operation)
        hand = state.hand
        side = command.args.get("side")
        if hand is not None and not hand.over:
            _guard_hand(hand, operation)
        count = state.ruleset.wall.dice.value if state.ruleset is not None else 2
        step.move(
            operation,
            hand=hand.deal if hand is not None and not hand.over else 0,
            side=int(side) if side is not None else _default_side(hand, operation),
            count=count if operation == "dice" else 0,
        )
        return {"operation": operation}

    return deed


def _default_side(hand: HandState | None, operation: str) -> int | None:
    if hand is None or hand.over:
        return 0 if operation == "dice" else None
    return {"dice": hand.thrower, "raise": hand.dealer}.get(operation)


def _guard_hand(hand: HandState, operation: str) -> None:
    """Interlock: no motion while a hand is in play, except what its opening waits for."""
    store = ("pause", "resume", "purge", "abort_build", "clear_fault")  # the set in store is not in play
    allowed = {
        "building": ("home", "build", *store),
        "raising": ("home", "raise", "lower", *store),
        "dice": ("dice", *store),
    }.get(hand.phase, store)
    if operation not in allowed:
        raise RefusedCommand("refused.hand_in_play", operation=operation, hand=hand.no, phase=hand.phase)


def machine_stop(step: Step, command: Command) -> None:
    """The stop itself has left already; here it is recorded and the table held."""
    step.state.table.stopped = True
    step.hold("stopped", "hold.stopped", ends="referee", actor=command.actor)


DEEDS: dict[str, Deed] = {
    **rulings.DEEDS,
    **ACTS,
    **told.DEEDS,
    **deeds.DEEDS,
    **corrections.DEEDS,
    **timeouts.DEEDS,
    "wait": waiting.ask,
    "hand start": hand_start,
    "pause": pause,
    "resume": resume,
    "hold clear": hold_clear,
    "claim": claim,
    "draw": draw,
    "discard": discard,
    "flower": flower,
    "kong": kong,
    "win confirm": win_confirm,
    "win reject": win_reject,
    "win cancel": win_cancel,
    "win show": win_show,
    "order retry": order_retry,
    "machine stop": machine_stop,
    "machine home": machine("home"),
    "machine build": machine("build"),
    "machine raise": machine("raise"),
    "machine lower": machine("lower"),
    "machine dice": machine("dice"),
    "machine clear": machine("clear_fault"),
    "machine insert": machine("pause"),
    "machine continue": machine("resume"),
    "machine purge": machine("purge"),
    "machine abort": machine("abort_build"),
}
