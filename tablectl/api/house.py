"""What a club has configured of its table beyond the wire: said with every answer that is no error, and what
a command means where it leaves a word out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class House:
    """Empty words: nothing is configured."""

    name: str = ""  # what people call the table
    language: str = ""  # what its screens speak, where nobody asks for another
    rules: str = ""  # the rule system of a command that names none

    @property
    def told(self) -> dict[str, str]:
        """What a screen is told."""
        return {"name": self.name, "language": self.language}

    @property
    def defaults(self) -> dict[str, str]:
        """Values of arguments, by name."""
        return {"rules": self.rules} if self.rules else {}
