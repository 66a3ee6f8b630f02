"""What the API needs of the daemon's core. The daemon fits this shape; it does not import it.

An *answer* is ``{"outcome": "accepted"|"refused"|"pending", "key": str, "data": dict}``.
An *event* is ``{"seq": int, "n": int, "at": int, "key": str, "data": dict}``: ``seq`` only ever grows, also
over a restart of the daemon, ``n`` is the record that caused it, ``at`` its table time in µs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tablectl.game.inputs import Command

Answer = dict[str, Any]
Event = dict[str, Any]
Answered = Callable[[Answer, int, int], None]  # (answer, record n, at µs), once its record is durable
Subscription = tuple[dict[str, Any], list[Event] | None, Callable[[], None]]


class Core(Protocol):
    """The one writer, as its callers see it. Everything is called, and calls back, on the event loop."""

    def submit(self, command: Command, answered: Answered) -> None:
        """Take a command. The same id, actor and content get the first answer again; a command whose
        ``refused`` is set is recorded and answered with that key."""

    def stop_now(self) -> None:
        """Stop all motion at once, before anything is recorded."""

    def view(self, open: bool) -> dict[str, Any]:
        """The state document; tiles of a hand in play only if ``open``."""

    def sheet(self, hand: int, stage: int) -> dict[str, Any]:
        """The score sheet of the session, or of one hand or stage of it (0 = all)."""

    def link_quality(self) -> dict[str, Any]:
        """Each device's counters, round trips and clock."""

    def subscribe(self, tell: Callable[[Event], None], since: int | None) -> Subscription:
        """(state document with the ``seq`` it stands at, events after ``since``, unsubscribe).

        The events are None where ``since`` is too old or unknown; without ``since`` they are empty.
        ``tell`` is called for every later event, never from inside this call.
        """
