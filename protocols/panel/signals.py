"""From samples of the inputs to lamps and keys that are on or off: contacts bounce, fault lamps blink."""

from __future__ import annotations

from dataclasses import dataclass

SETTLE = 0.05  # seconds a lamp or key must stay as it is: two samples in a row
BLINK = 1.5  # seconds a blinking lamp may be dark and still counts as lit


@dataclass(slots=True)
class _Signal:
    on: bool
    changed: float | None = None  # since when samples say otherwise


class Signals:
    """What each input shows, by its name in the wiring."""

    def __init__(self, inputs: dict[str, int]) -> None:
        self._inputs = inputs
        self._signals: dict[str, _Signal] = {}

    def on(self, name: str) -> bool:
        """True while it is on; False for what is not wired."""
        signal = self._signals.get(name)
        return signal is not None and signal.on

    def sample(self, bits: tuple[bool, ...], now: float) -> list[tuple[str, bool]]:
        """Take one sample of all inputs; what has changed for good. The first sample is no change."""
        changes = []
        for name, number in self._inputs.items():
            level = bits[number - 1]
            signal = self._signals.get(name)
            if signal is None:
                self._signals[name] = _Signal(level)
            elif level == signal.on:
                signal.changed = None
            elif signal.changed is None:
                signal.changed = now
            elif now - signal.changed >= self._settle(name, level):
                signal.on, signal.changed = level, None
                changes.append((name, level))
        return changes

    @staticmethod
    def _settle(name: str, level: bool) -> float:
        return BLINK if name.startswith("fault") and not level else SETTLE
