"""A fan seen in a hand, before it is known whether it is added."""

from __future__ import annotations

from typing import NamedTuple


class Found(NamedTuple):
    """``places``: the groups of the reading that make the fan; empty when it is the whole hand."""

    fan: str
    places: tuple[int, ...] = ()
