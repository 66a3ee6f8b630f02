"""How this judge answers where editions of the book differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablectl.rules.mcr.score import McrScore


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """The values of a ruleset the judge needs; `tablectl.rules.mcr.score.McrScore` explains each."""

    minimum: int
    mixed_kong: Literal[5, 6, 3]
    two_concealed_kongs: Literal[6, 8]
    knitted_wait: Literal["count", "skip"]
    knitted_in_unrelated: Literal[24, 12]
    seven_pairs_selfdraw: Literal["zimo", "buqiuren"]
    nine_gates_terminal: Literal["one", "none", "both"]

    @classmethod
    def of(cls, score: McrScore) -> ScoreSettings:
        """The settings of a ruleset's score section."""
        return cls(
            minimum=score.minimum.value,
            mixed_kong=score.mixed_kong.value,
            two_concealed_kongs=score.two_concealed_kongs.value,
            knitted_wait=score.knitted_wait.value,
            knitted_in_unrelated=score.knitted_in_unrelated.value,
            seven_pairs_selfdraw=score.seven_pairs_selfdraw.value,
            nine_gates_terminal=score.nine_gates_terminal.value,
        )
