"""Seats drawn by software so that nobody, not even who runs the computer, can choose them.

The computer commits itself to a secret by publishing its SHA-256. Then each player contributes a number; only
then is the secret shown, and the order follows from all of them. Whoever contributes last knows neither the
secret nor, so, the outcome; whoever made the secret could not know the numbers. `docs/seat-draw.md` has the
same in thirty lines that need nothing of this project.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

BYTE = 256


def commitment(secret: str) -> str:
    """What is published before anybody contributes: SHA-256 (hex) of the secret's text."""
    return hashlib.sha256(secret.encode()).hexdigest()


def orders(players: Sequence[str], earlier: Iterable[Sequence[str]] = ()) -> list[tuple[str, ...]]:
    """Every order of the players at E, S, W, N, in which nobody sits where ``earlier`` had him."""
    taken = [tuple(order) for order in earlier]
    return [
        order
        for order in permutations(players)
        if not any(a == b for old in taken for a, b in zip(order, old, strict=True))
    ]


def outcome(secret: str, numbers: Mapping[str, int], among: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The order that follows: bytes of SHA-256("secret|n0|n1|n2|n3|round"), one that would favour an
    order being passed over (rejection sampling). ``among`` must not be empty."""
    fair = BYTE - BYTE % len(among)
    said = "|".join([secret, *(str(numbers[player]) for player in sorted(numbers))])
    turn = 0
    while True:
        for byte in hashlib.sha256(f"{said}|{turn}".encode()).digest():
            if byte < fair:
                return among[byte % len(among)]
        turn += 1
