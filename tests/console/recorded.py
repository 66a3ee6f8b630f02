"""An evening whose inputs are written down as a daemon writes them: a journal without a daemon."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablectl.daemon.record import Chain, journal_body
from tablectl.game import step as game
from tablectl.game.effects import Answer, Effect, HandClosed
from tablectl.game.inputs import AnyInput
from tests.game.evening import Evening

NAME = "5e" * 16


class Recorded(Evening):
    """Every input is a record, every result too."""

    def __init__(self, rules: str = "mcr", **session: Any) -> None:
        self.chain = Chain()
        self.lines = [self.chain.seal(journal_body(NAME, "test", {}))]
        super().__init__(rules, **session)

    def put(self, item: AnyInput, at: int | None = None, unc: int = 0) -> list[Effect]:
        self.n = self.chain.head.n  # the record this input becomes is the next
        effects = super().put(item, at, unc)
        body: dict[str, Any] = {"at": self.now if at is None else at, "unc": unc, "in": item}
        for answer in effects:
            if isinstance(answer, Answer):
                body["out"] = {"outcome": answer.outcome, "key": answer.key, "data": dict(answer.data)}
        self.lines.append(self.chain.seal(body))
        for effect in effects:
            if isinstance(effect, HandClosed):
                self.lines.append(self.chain.seal({"at": self.now, "unc": 0, "result": self.result(effect)}))
        return effects

    def result(self, closed: HandClosed) -> dict[str, Any]:
        """What the record says of a hand that ended."""
        return {**closed.result, "digest": game.digest(self.state), "form": game.form()}

    def write(self, path: Path) -> Path:
        """The journal as a file."""
        path.write_bytes(b"".join(self.lines))
        return path
