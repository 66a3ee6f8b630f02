"""The hand machine (盘): one table of moves from *building* to *closed*.

- *building*: a complete set of walls is wanted in the store; *raising*: the walls are on their way up.
- *dice*: the dealer, then the side his throw names, throws; the sums break the wall.
- *dealing*, *flowers*: the hands are taken, flowers shown and replaced.
- *draw*: the turn seat is to draw (``draw_from`` says which end); *decide*: it holds a tile too many.
- *claims*: a discard lies open. Not a gate: the next seat may draw, and the window goes on beside.
- *robbing*: an added kong lies open and may be robbed. *adjudication*: a win is before the referee.
- *closed*: won, or drawn; *void*: ended by the referee without a result.

Callbacks are questions (conditions) or orders in the imperative (effects); rooms such as ``play`` and
``claims`` decide which trigger a fact pulls.
"""

from __future__ import annotations

from typing import Any, ClassVar

from transitions import EventData

from tablectl.game import clocks, wall
from tablectl.game.context import Step
from tablectl.game.effects import HandClosed
from tablectl.game.flow import Flow, row
from tablectl.game.state import HandState

NO_TABLE = "no table"  # name of the hold while a hand waits for its machine
PLAYING = ["draw", "decide", "claims", "robbing"]


class HandFlow(Flow):
    """Triggers and effects of the hand machine."""

    states = (
        "building",
        "raising",
        "dice",
        "dealing",
        "flowers",
        "draw",
        "decide",
        "claims",
        "robbing",
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
        row("thrown", "dealing", None, conditions="throws_complete", after="break_wall"),
        row("thrown", "dealing", None),
        row("dealt", "dealing", "flowers", conditions="plays_flowers", after="start_first_turn"),
        row("dealt", "dealing", "decide", after="start_first_turn"),
        row("flowers_done", "flowers", "decide", after="open_play"),
        row("tile_drawn", ["draw", "claims"], "decide"),
        row("flower_shown", "decide", "draw", conditions="wall_has_tiles", after="draw_from_tail"),
        row("flower_shown", "decide", "closed", after="close_without_winner"),
        row("kong_shown", "decide", "draw", after="draw_from_tail"),
        row("kong_opened", "decide", "robbing", after="draw_from_tail"),
        row("kong_stands", "robbing", "draw"),
        row("replacement_drawn", "robbing", "decide"),
        row("tile_discarded", "decide", "claims"),
        row("nobody_claims", "claims", "draw", conditions="wall_has_tiles"),
        row("nobody_claims", "claims", "closed", after="close_without_winner"),
        row("meld_awarded", ["draw", "decide", "claims"], "decide"),
        row("kong_awarded", ["draw", "decide", "claims"], "draw", after="draw_from_tail"),
        row("wall_ended", "draw", "closed", after="close_without_winner"),
        row("claim_abandoned", ["decide", "draw"], "draw"),
        row("win_declared", PLAYING, "adjudication"),
        row("win_confirmed", "adjudication", "closed", after="close_with_winner"),
        *(row("win_rejected", "adjudication", phase, conditions=f"came_from_{phase}") for phase in PLAYING),
        row("abandoned", "*", "void", unless="is_over", after="close_void"),
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
        return self.step.hand.wall_left > 0

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
        if hand.phase == "decide" or self.step.rules.turn.first_discard_from.value == "deal_end":
            clocks.start(self.step, hand.dealer, self.step.rules.turn.first_discard_s.value)

    def open_play(self, event: EventData) -> None:
        """Flowers are replaced: the dealer is to discard."""
        hand = self.step.hand
        if self.step.rules.turn.first_discard_from.value == "flowers_end":
            clocks.start(self.step, hand.dealer, self.step.rules.turn.first_discard_s.value)

    def draw_from_tail(self, event: EventData) -> None:
        """The next draw is a replacement, from the tail (MCR-W4)."""
        self.step.hand.draw_from = "tail"

    def close_without_winner(self, event: EventData) -> None:
        """The wall is empty and nobody won (MCR-W5)."""
        close(self.step, {"result": "draw", "winner": None})

    def close_with_winner(self, event: EventData) -> None:
        """The referee confirmed the win (MCR-C4)."""
        win = self.step.hand.win
        assert win is not None
        close(
            self.step,
            {
                "result": "win",
                "winner": player_at(self.step, win.side),
                "side": win.side,
                "how": win.how,
                "from": None if win.origin is None else player_at(self.step, win.origin),
                "tile": win.tile,
            },
        )

    def close_void(self, event: EventData) -> None:
        """The hand is ended without a result."""
        close(self.step, {"result": "void", "winner": None, "reason": event.kwargs.get("reason", "")})


HAND = HandFlow()


def player_at(step: Step, side: int) -> str | None:
    """Who sits at a side."""
    return next((player.id for player in step.state.session.players if player.side == side), None)


def close(step: Step, result: dict[str, Any]) -> None:
    """Write the result of the hand; the session goes on from it."""
    hand = step.hand
    hand.window = hand.clock = None
    hand.frozen = None
    hand.result = {
        "hand": hand.no,
        **result,
        "dealer": player_at(step, hand.dealer),
        "round": hand.round,
        "turns": hand.turns,
        "wall_left": hand.wall_left,
        "irregularities": len(hand.irregularities),
        "started": hand.started,
        "ended": step.at,
    }
    step.state.results.append(hand.result)
    step.publish("event.hand_closed", **hand.result)
    step.effects.append(HandClosed(hand.result))


def provide(step: Step) -> None:
    """Order what the opening needs next of the mechanism, if nothing is under way and nothing holds."""
    table, hand, rules = step.state.table, step.hand, step.rules
    if step.state.holds or table.order is not None:
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
            step.move("build", hand=hand.no)
        elif table.counted not in (0, hand.total):
            step.hold("order", "hold.wrong_count", ends="referee", counted=table.counted, wanted=hand.total)
        else:
            HAND.fire(step, "set_complete")
    elif hand.phase == "raising":
        if walls_seen(step):
            return
        if table.store == "ready":
            step.move("raise", hand=hand.no, side=hand.dealer)
        elif table.top == "walls_up":  # the board lost count of its walls: nothing is left to raise
            step.move("lower")
        else:
            HAND.fire(step, "set_lost")
            provide(step)


def walls_seen(step: Step) -> bool:
    """The walls of this hand stand: the players see them, whatever becomes of the order's answer."""
    table, hand = step.state.table, step.state.hand
    if hand is None or table.top != "walls_up" or table.hand != hand.no:
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
