"""Somebody of the rehearsal who gives commands: he waits for a daemon that is away, and keeps the answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sim.timebase import pause
from tablectl.api.client import Client
from tablectl.api.errors import ApiError, NoDaemon
from tablectl.locale import catalog

AGAIN_S = 0.1  # real seconds between two attempts to reach anybody

Answer = dict[str, Any]


@dataclass(slots=True)
class Kept:
    """What was asked for and became of it."""

    refused: list[Answer] = field(default_factory=list)
    accepted: list[tuple[int, str]] = field(default_factory=list)  # (record, command) of each promise


def accepted(answer: Answer) -> bool:
    """Was the command carried out?"""
    return answer.get("outcome") == "accepted"


class Voice:
    """One actor's way to give commands, and the language he speaks."""

    def __init__(self, client: Client, kept: Kept, lang: str = catalog.FALLBACK) -> None:
        self.lang = lang
        self._client = client
        self._kept = kept

    def say(self, key: str, /, **data: Any) -> str:
        """A sentence in his language: what he gives as a reason, or states."""
        return catalog.text(key, self.lang, **data)

    async def ask(self, name: str, *, quietly: bool = False, confirm: bool = False, **args: Any) -> Answer:
        """Give a command; its answer. While nobody answers it is given again under the same id: it counts
        once, however often it is heard. A refusal is kept unless it is asked ``quietly``."""
        answer: Answer | None = None
        act = self._client.new_id()
        more: dict[str, Any] = {"confirm": True} if confirm else {}
        while answer is None:
            try:
                answer = await self._client.command(name, id=act, **more, **args)
            except NoDaemon:
                await pause(AGAIN_S)  # the client has been patient already
            except ApiError as error:
                answer = {"outcome": "refused", "key": str(error), "data": {}}
        if accepted(answer):
            self._kept.accepted.append((int(answer["record"]), name))
        elif not quietly:
            self._kept.refused.append({"command": name, **answer})
        return answer

    async def document(self) -> dict[str, Any]:
        """What a screen shows now, however long nobody answers."""
        while True:
            try:
                document: dict[str, Any] = (await self._client.query("status"))["state"]
            except ApiError:
                await pause(AGAIN_S)
            else:
                return document
