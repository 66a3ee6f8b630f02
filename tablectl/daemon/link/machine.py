"""The link machine: the nine states of the connection to one device, as one table.

- *closed*: not started, or ended by us; nothing is held open.
- *opening*: the port is being opened.
- *hello*: the port is open and hello was said; nobody has answered yet.
- *verify*: somebody answered; is it the board we expect, and what does its clock say?
- *reconcile*: it is; its whole snapshot was asked for.
- *online*: both views are known; the table may be moved.
- *lost*: it was online and is not; the old handle is closed and the reason told.
- *backoff*: waiting for the port to appear, or for the next try.
- *refused*: a board is there, but the wrong one; only other hardware or a person ends this.

Callbacks are methods of `Link`; this file holds no behaviour.
"""

from __future__ import annotations

from typing import Any

from transitions import Machine

from tablectl.game.flow import row

STATES: list[dict[str, Any]] = [
    {"name": "closed", "on_enter": "release_port"},
    {"name": "opening", "on_enter": "open_port"},
    {"name": "hello"},
    {"name": "verify", "on_enter": "check_the_board"},
    {"name": "reconcile", "on_enter": "ask_for_the_snapshot"},
    {"name": "online", "on_enter": "settle"},
    {"name": "lost", "on_enter": ["release_port", "tell_the_loss"]},
    {"name": "backoff", "on_enter": ["release_port", "wait_for_the_next_try"]},
    {"name": "refused", "on_enter": ["release_port", "tell_the_refusal"]},
]

CONNECTING = ["opening", "hello", "verify", "reconcile"]

TRANSITIONS: list[dict[str, Any]] = [
    row("begin", "closed", "opening"),
    row("opened", "opening", "hello"),
    row("greeted", "hello", "verify"),
    row("timed", "verify", "reconcile"),
    row("matched", "reconcile", "online"),
    row("lose", "online", "lost"),
    row("lose", ["hello", "verify"], "refused", conditions="is_final"),
    row("lose", CONNECTING, "backoff"),
    row("wait", "lost", "backoff"),
    row("look", "backoff", "opening", conditions=["is_port_there", "is_due"]),
    row("look", "refused", "backoff", unless="is_port_there"),
    row("look", ["backoff", "refused"], None, after="look_again"),
    row("again", ["backoff", "refused"], "opening", before="forget_failures"),
    row("end", "*", "closed"),
]


class LinkMachine:
    """The model of the machine: its triggers, declared so that a type checker sees them.

    `transitions` replaces each on the instance. With a queued machine a trigger pulled inside a callback
    returns at once and runs after it.
    """

    state: str

    def __init__(self) -> None:
        self.machine = Machine(
            model=self,
            states=STATES,
            transitions=TRANSITIONS,
            initial="closed",
            queued=True,
            send_event=True,
            auto_transitions=False,
            model_override=True,
        )

    def begin(self) -> bool:
        """Start connecting."""
        raise NotImplementedError

    def opened(self) -> bool:
        """The port is open and hello was said."""
        raise NotImplementedError

    def greeted(self) -> bool:
        """A board said who it is."""
        raise NotImplementedError

    def timed(self) -> bool:
        """The board's clock is known."""
        raise NotImplementedError

    def matched(self) -> bool:
        """The board's snapshot came."""
        raise NotImplementedError

    def lose(self, *, word: str, detail: dict[str, Any]) -> bool:
        """The connection, or the try to make one, is over; ``word`` says why."""
        raise NotImplementedError

    def wait(self, *, word: str, detail: dict[str, Any]) -> bool:
        """The loss is told; wait before the next try."""
        raise NotImplementedError

    def look(self) -> bool:
        """Is it time to try again, is the port there?"""
        raise NotImplementedError

    def again(self) -> bool:
        """A person wants a try now."""
        raise NotImplementedError

    def end(self) -> bool:
        """Close for good."""
        raise NotImplementedError
