"""Somebody at a table without players: pushes the tiles in when the centre has opened for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from protocols.vocabulary import Lamp
from sim.mechanism.dice import Faces


class Helper:
    """Acts ``after`` seconds after he was called, unless he does not help."""

    def __init__(self, push_in: Callable[[], None], after: float = 5.0) -> None:
        self._push_in = push_in
        self.after = after
        self.helps = True

    def centre_opened(self) -> None:
        """The table wants a set."""
        if self.helps:
            asyncio.get_running_loop().call_later(self.after, self._push_in)

    def walls_up(self, dealer: int) -> None: ...

    def walls_down(self) -> None: ...

    def dice_rolling(self, side: int) -> None: ...

    def dice_shown(self, side: int, faces: Faces) -> None: ...

    def lamp(self, lamp: Lamp, side: int) -> None: ...

    def dark(self) -> None: ...
