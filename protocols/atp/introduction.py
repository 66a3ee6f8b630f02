"""What a board tells of itself after a hello, collected part by part.

The parts are small because a long frame hardly ever survives a bad line: at one byte in thirty damaged,
one frame in three of this size arrives, and one in a hundred of 150 bytes.
"""

from __future__ import annotations

from protocols import driver
from protocols.atp import messages as m
from protocols.atp import translate
from protocols.atp.retransmit import Ask


class Introduction:
    """Who the board of one boot is, as far as it has said."""

    def __init__(self, hello: m.Hello | None = None) -> None:
        self.hello = hello
        self.parts: dict[int, bytes] = {}
        self.abilities: m.Abilities | None = None

    @property
    def boot(self) -> int:
        """The boot this is about, 0 = nobody has answered yet."""
        return self.hello.boot if self.hello is not None else 0

    def questions(self) -> list[Ask]:
        """What is still to be asked."""
        asks = [
            Ask(("identity", part), m.IdentityAsk(part)) for part in translate.PARTS if part not in self.parts
        ]
        return asks if self.abilities is not None else [Ask(("abilities", 0), m.AbilitiesAsk()), *asks]

    def complete(self) -> driver.Hello | None:
        """The whole, once nothing is missing."""
        if self.hello is None or self.abilities is None or self.questions():
            return None
        return translate.hello_report(self.hello, self.parts, self.abilities)
