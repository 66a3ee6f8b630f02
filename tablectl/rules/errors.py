"""What can be wrong with what a judge is asked to count."""

from __future__ import annotations

from typing import Any


class HandError(ValueError):
    """The hand or its circumstances cannot be: nothing is counted. ``key`` names the text for a screen."""

    def __init__(self, key: str, sentence: str, **data: Any) -> None:
        super().__init__(sentence)
        self.key = key
        self.data = data
