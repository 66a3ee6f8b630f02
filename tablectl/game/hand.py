"""The hand machine (盘): one table of moves from *building* to *closed*.

- *building*: a complete set of walls is wanted in the store; *raising*: the walls are on their way up.
- *dice*: the dealer, then the side his throw names, throws; the sums break the wall.
- *dealing*, *flowers*, *indicator*: the hands are taken, flowers shown and replaced, a tile turned up.
- *draw*: the turn seat is to draw (``draw_from`` says which end); *decide*: it holds a tile too many.
- *claims*: a discard lies open. Not a gate: the next seat may draw, and the window goes on beside.
- *last_draws*: nobody claimed the last discard, and each seat draws one more tile, to win by it or not.
- *robbing*: an added kong lies open and may be robbed. *adjudication*: a win is before the referee.
- *closed*: won, drawn, or broken off at the end of the session; *void*: ended by the referee without a
  result, or started by accident.

Callbacks are questions (conditions) or orders in the imperative (effects); rooms such as ``play`` and
``claims`` decide which trigger a fact pulls.
"""

from __future__ import annotations

from typing import Any, ClassVar

from transitions import EventData

from tablectl.game import adjudication, clocks, ledger, measuring, wall, windows
from tablectl.game.context import SECOND, Step
from tablectl.game.effects import HandClosed
from tablectl.game.flow import Flow, row
from tablectl.game.state import HandState, Irregularity, WinState

NO_TABLE = "no table"  # name of the hold while a hand waits for its machine
OPEN = ["draw", "decide", "claims", "robbing"]  # phases in which a tile may lie open
PLAYING = [*OPEN, "last_draws"]


class HandFlow(Flow):
    """Triggers and effects of the hand machine."""

    states = (
        "building",
        "raising",
        "dice",
        "dealing",
        "flowers",
        "indicator",
        "draw",
        "decide",
        "claims",
        "robbing",
        "last_draws",
        "adjudication",
        "closed",
        "void",
    )
    transitions: ClassVar[list[dict[str, Any]]] = [
        row("set_complete", "building", "raising", after="order_raise"),
        row("walls_raised", ["building", "raising"], "dice", after="name_thrower"),
        row("set_lost", "raising", "building"),
        row("thrown", "dice", "dealing", conditions="throws_complete", after="break_wall"),
        row("thrown", "dice", None, after="name_thrower"),
        row("deal_seen", "dice", "dealing"),
        row("throw_voided", ["dice", "dealing"], "dice", after="name_thrower"),
        row("thrown", "dealing", None, conditions="throws_complete", after="break_wall"),
        row("thrown", "dealing", None),
        row("dealt", "dealing", "flowers", conditions="plays_flowers", after="start_first_turn"),
        row("dealt", "dealing", "indicator", conditions="turns_indicator", after="start_first_turn"),
        row("dealt", "dealing", "decide", after="start_first_turn"),
        row("indicator_turned", "indicator", "decide"),
        row("flowers_done", "flowers", "decide", after="open_play"),
        row("tile_drawn", ["draw", "claims"], "decide"),
        row("flower_shown", "decide", "draw", conditions="wall_has_tiles", after="draw_from_tail"),
        row("flower_shown", "decide", "closed", after="close_without_winner"),
        row("kong_shown", "decide", "draw", after="draw_from_tail"),
        row("kong_opened", "decide", "robbing", after="draw_from_tail"),
        row("kong_stands", "robbing", "closed", conditions="somebody_won", after="close_with_winner"),
        row("kong_stands", "robbing", "draw"),
        row("replacement_drawn", "robbing", "decide"),
        row("tile_discarded", "decide", "claims"),
        row("nobody_claims", OPEN, "closed", conditions="somebody_won", after="close_with_winner"),
        row("nobody_claims", "claims", "draw", conditions="wall_has_tiles"),
        row("nobody_claims", "claims", "last_draws", conditions="draws_remain", after="begin_last_draws"),
        row("nobody_claims", "claims", "closed", after="close_without_winner"),
        row("meld_awarded", ["draw", "decide", "claims", "last_draws"], "decide"),
        row("kong_awarded", ["draw", "decide", "claims"], "draw", after="draw_from_tail"),
        row("wall_ended", ["draw", "last_draws"], "closed", after="close_without_winner"),
        row("claim_abandoned", ["decide", "draw"], "draw"),
        row("win_declared", PLAYING, "adjudication"),
        *(
            row("win_confirmed", "adjudication", phase, conditions=["others_may_win", f"came_from_{phase}"])
            for phase in OPEN
        ),
        row("win_confirmed", "adjudication", "closed", after="close_with_winner"),
        *(row("win_rejected", "adjudication", phase, conditions=f"came_from_{phase}") for phase in PLAYING),
        row("abandoned", "*", "void", unless="is_over", after="close_void"),
        row("cancelled", ["building", "raising", "dice"], "void", after="close_cancelled"),
        row("time_called", "*", "closed", unless="is_over", after="close_aborted"),
    ]

    def read(self) -> str:
        return self.step.hand.phase

    def write(self, value: str) -> None:
        self.step.hand.phase = value
        self.step.publish("event.phase", phase=value, turn=self.step.hand.turn)

    # questions
    def throws_complete(self, event: EventData) -> bool:
        """Has everybody thrown who throws under this ruleset?"""
        return len(self.step.hand.throws) >= self.step.rules.wall.throws.value

    def plays_flowers(self, event: EventData) -> bool:
        """Are there flower tiles to replace before play?"""
        return self.step.rules.flowers.used.value

    def wall_has_tiles(self, event: EventData) -> bool:
        """Is there a tile left to draw?"""
        hand = self.step.hand
        return hand.live_left > 0 or hand.left_for(hand.turn)

    def turns_indicator(self, event: EventData) -> bool:
        """Is a tile turned up after the deal (WH-W2)?"""
        return self.step.rules.wall.indicator.value != "none"

    def draws_remain(self, event: EventData) -> bool:
        """Are there tiles at the end that are drawn one by one (WH-W6)?"""
        return self.step.hand.wall_left > 0

    def somebody_won(self, event: EventData) -> bool:
        """Has a win been confirmed already, others having been waited for (CJ-C1)?"""
        return bool(self.step.hand.won)

    def others_may_win(self, event: EventData) -> bool:
        """May the same tile be won again?"""
        hand = self.step.hand
        return hand.window is not None and len(hand.won) < self.step.rules.claims.winners.value

    def is_over(self, event: EventData) -> bool:
        """Has the hand its result already?"""
        return self.step.hand.over

    def came_from_draw(self, event: EventData) -> bool:
        """Was the win declared before the draw?"""
        return self._back("draw")

    def came_from_decide(self, event: EventData) -> bool:
        """Was the win declared in the declarer's own turn, or in the next seat's?"""
        return self._back("decide")

    def came_from_claims(self, event: EventData) -> bool:
        """Was the win declared on an open discard?"""
        return self._back("claims")

    def came_from_robbing(self, event: EventData) -> bool:
        """Was the win declared on an added kong?"""
        return self._back("robbing")

    def came_from_last_draws(self, event: EventData) -> bool:
        """Was the win declared on one of the last tiles?"""
        return self._back("last_draws")

    def _back(self, phase: str) -> bool:
        win = self.step.hand.win
        return win is not None and win.back == phase

    # effects
    def order_raise(self, event: EventData) -> None:
        """The set is complete: raise it."""
        provide(self.step)

    def name_thrower(self, event: EventData) -> None:
        """Say who throws next."""
        hand = self.step.hand
        hand.thrower = wall.next_thrower(hand.dealer, hand.throws)
        self.step.publish("event.to_throw", side=hand.thrower)

    def break_wall(self, event: EventData) -> None:
        """Count the stacks and say where the wall is broken (MCR-W2)."""
        hand = self.step.hand
        place = wall.wall_break(self.step.rules, hand.dealer, hand.throws)
        hand.break_side, hand.break_stack = place.side, place.stacks
        self.step.publish("event.broken", side=place.side, stacks=place.stacks)

    def start_first_turn(self, event: EventData) -> None:
        """The dealer holds the first turn; his clock may start now (MCR-T1)."""
        hand = self.step.hand
        hand.turn = hand.dealer
        grace = self.step.rules.turn.grace_s.value * SECOND
        hand.grace_until = clocks.played(self.step) + grace if grace else 0
        if hand.phase != "flowers" or self.step.rules.turn.first_discard_from.value == "deal_end":
            clocks.start(self.step, hand.dealer, self.step.rules.turn.first_discard_s.value, "deal")

    def open_play(self, event: EventData) -> None:
        """Flowers are replaced: the dealer is to discard."""
        hand = self.step.hand
        if self.step.rules.turn.first_discard_from.value == "flowers_end":
            clocks.start(self.step, hand.dealer, self.step.rules.turn.first_discard_s.value, "flowers")

    def begin_last_draws(self, event: EventData) -> None:
        """Beginning with the lower seat of the last discarder, each draws one tile (WH-W6)."""
        hand = self.step.hand
        hand.fresh, hand.draw_from = False, "head"
        if hand.live_left < 0:  # a replacement took the last tile of ordinary play and one more of the dead
            hand.corrected += hand.live_left
        clocks.end(self.step, "last_draws")
        clocks.start(self.step, hand.turn, self.step.rules.turn.discard_s.value, "last_draws")
        self.step.publish("event.last_draws", side=hand.turn, left=hand.wall_left)

    def draw_from_tail(self, event: EventData) -> None:
        """The next draw is a replacement, from the tail (MCR-W4)."""
        hand = self.step.hand
        hand.draw_from = "tail"
        hand.replaces = "flower" if event.event.name == "flower_shown" else "kong"
        if not self.step.can("draw_sense"):
            clocks.replacement(self.step)

    def close_without_winner(self, event: EventData) -> None:
        """The wall is empty and nobody won (MCR-W5)."""
        close(self.step, {"result": "draw", "winner": None})

    def close_with_winner(self, event: EventData) -> None:
        """The referee confirmed the win, or the last of several (MCR-C4, ZJ-C9, CJ-C4): its points follow
        from the verdicts of the rule book, where there are any."""
        step, hand = self.step, self.step.hand
        winners = [_winner(step, win) for win in hand.won]
        result = {"result": "win", **winners[0], "winners": winners}
        score = adjudication.score_of_hand(step, hand)
        close(step, result if score is None else {**result, "score": score})
        if score is not None:
            ledger.by_record(step, "hand", hand.no, score["deltas"])

    def close_void(self, event: EventData) -> None:
        """The hand is ended without a winner: void, or to be dealt anew."""
        result, reason = event.kwargs.get("result", "void"), event.kwargs.get("reason", "")
        close(self.step, {"result": result, "winner": None, "counted": False, "reason": reason})
        ledger.take_back(self.step, self.step.hand.no)

    def close_cancelled(self, event: EventData) -> None:
        """The hand was started by accident: it never was."""
        close(self.step, {"result": "cancelled", "winner": None, "counted": False})

    def close_aborted(self, event: EventData) -> None:
        """The session ended in mid-hand: what was scored so far stands (MCR-T4)."""
        close(self.step, {"result": "aborted", "winner": None, "why": event.kwargs.get("why", "")})


HAND = HandFlow()


def player_at(step: Step, side: int) -> str | None:
    """Who sits at a side."""
    return next((player.id for player in step.state.session.players if player.side == side), None)


def _winner(step: Step, win: WinState) -> dict[str, Any]:
    winner: dict[str, Any] = {
        "winner": player_at(step, win.side),
        "side": win.side,
        "how": win.how,
        "from": None if win.origin is None else player_at(step, win.origin),
        "tile": win.tile,
    }
    score = adjudication.score_of(step, win)
    if score is not None:
        winner["score"] = score
    if win.counts:
        winner["counts"] = dict(win.counts)
    if win.overruled:
        winner["overruled"] = win.overruled
    return winner


def _irregular(step: Step, one: Irregularity) -> dict[str, Any]:
    """An irregularity as a sheet has it: what, whose, by which rule."""
    player = None if one.side is None else player_at(step, one.side)
    return {
        "key": one.key,
        "side": one.side,
        "player": player,
        "at": one.at,
        "rule": one.rule,
        "data": dict(one.data),
    }


def close(step: Step, result: dict[str, Any]) -> None:
    """Write the result of the hand; the session goes on from it."""
    hand = step.hand
    clocks.finish(step, str(result["result"]))
    windows.close_window(step)
    if hand.frozen is not None:
        hand.stood = measuring.merged([*hand.stood, (hand.frozen, max(hand.frozen, step.at))])
    hand.frozen = None
    hand.result = {
        "hand": hand.no,
        **result,
        "dealer": player_at(step, hand.dealer),
        "round": hand.round,
        "turns": hand.turns,
        "wall_left": hand.wall_left,
        "irregularities": len(hand.irregularities),
        "irregular": [_irregular(step, one) for one in hand.irregularities],
        "started": hand.started,
        "ended": step.at,
    }
    step.state.pending.clear()  # the deal that one person would have given up is over
    step.state.results.append(hand.result)
    step.publish("event.hand_closed", **hand.result)
    step.effects.append(HandClosed(hand.result))


def provide(step: Step) -> None:
    """Order what the opening needs next of the mechanism, if nothing is under way and nothing holds."""
    table, hand, rules = step.state.table, step.hand, step.rules
    if step.state.holds or table.order is not None or not step.state.session.machine:
        return
    device = step.state.devices.get(table.device)
    if device is None or device.link != "online":
        if hand.phase in ("building", "raising"):
            step.hold(NO_TABLE, "hold.no_table", ends="auto")
        return
    if hand.phase in ("building", "raising") and (table.stopped or not table.homed):
        step.move("home")  # after a stop or a boot nothing else is allowed
    elif hand.phase == "building":
        if table.profile != rules.wall.tiles.value:
            step.move("set_profile", count=rules.wall.tiles.value)
        elif table.store != "ready":
            step.move("build", hand=hand.deal)
        elif table.counted not in (0, rules.wall.tiles.value):
            wanted = rules.wall.tiles.value
            step.hold("order", "hold.wrong_count", ends="referee", counted=table.counted, wanted=wanted)
        else:
            HAND.fire(step, "set_complete")
    elif hand.phase == "raising":
        if walls_seen(step):
            return
        if table.store == "ready":
            hand.raise_ordered = True
            step.move("raise", hand=hand.deal, side=hand.dealer)
        elif table.top == "walls_up":  # the board lost count of its walls: nothing is left to raise
            step.move("lower")
        else:
            HAND.fire(step, "set_lost")
            provide(step)


def walls_seen(step: Step) -> bool:
    """The walls of this hand stand: the players see them, whatever becomes of the order's answer."""
    table, hand = step.state.table, step.state.hand
    if hand is None or not hand.raise_ordered or table.top != "walls_up" or table.hand != hand.deal:
        return False
    return HAND.fire(step, "walls_raised")


def order_done(step: Step, operation: str) -> None:
    """An order succeeded: let the opening go on."""
    if step.state.hand is not None:
        provide(step)


def current(step: Step) -> HandState | None:
    """The hand if it is being played, else None."""
    hand = step.state.hand
    return hand if hand is not None and not hand.over else None
