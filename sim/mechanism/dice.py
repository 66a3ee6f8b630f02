"""The electronic dice."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

FACES = 6
DICE_A_THROW = 2
NIBBLE = 4  # bits a face takes in the value of DICE_RESULT, first die lowest
MOST_DICE = 4

Faces = tuple[int, ...]


def pack_faces(faces: Faces) -> int:
    """The faces as DICE_RESULT carries them."""
    return sum(face << (NIBBLE * place) for place, face in enumerate(faces))


class Dice:
    """Fair dice from a seed; a script may fix the next throws."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._fixed: list[Faces] = []
        self._loaded: tuple[int, float] | None = None
        self.count = DICE_A_THROW  # dice a press of the key throws

    def load(self, face: int, share: float) -> None:
        """From now on ``face`` comes in this share of the throws of a die, and by chance besides."""
        self._loaded = (face, share)

    def fix(self, throws: Iterable[Faces]) -> None:
        """The next throws show these faces; earlier fixed ones are forgotten."""
        self._fixed = list(throws)

    def throw(self, count: int = DICE_A_THROW) -> Faces:
        """Throw ``count`` dice."""
        if self._fixed and len(self._fixed[0]) == count:
            return self._fixed.pop(0)
        return tuple(self._die() for _ in range(count))

    def _die(self) -> int:
        if self._loaded is not None and self._rng.random() < self._loaded[1]:
            return self._loaded[0]
        return self._rng.randint(1, FACES)
