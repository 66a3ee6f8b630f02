"""How eager a player is, and which rules he breaks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Temper:
    """How eager a player is, as probabilities."""

    pung: float = 0.5
    chow: float = 0.3
    kong: float = 0.9
    slip: float = 0.5  # discards by the look of a tile, without counting what the hand lacks
    # rules broken at any discard (kinds of ``faults.toml``); chance decides who
    out_of_turn: float = 0.0
    all_at_once: float = 0.0
    draw_early: float = 0.0
    draw_first: float = 0.0
    call_late: float = 0.0
    exposed: float = 0.0
    too_few: float = 0.0
    too_many: float = 0.0
    dawdle: float = 0.0
    call_empty: float = 0.0
    false_win: float = 0.0
    drop_tile: float = 0.0
    call_referee: float = 0.0
