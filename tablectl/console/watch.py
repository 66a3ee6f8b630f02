"""``tablectl watch``: the live view of a running daemon, and the loop the demo shows its table with.

Events say that something changed; the state is asked for again at most ten times a second, and twice a
second when nothing happens, for the clocks.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tablectl.api.client import Client, Tell
from tablectl.api.errors import ApiError

from .screen import Screen
from .terminal import OK, Terminal

FASTEST_S = 0.1
IDLE_S = 0.5


Unheard = asyncio.Future[None]


def heard(tell: Tell, unheard: Unheard) -> Tell:
    """``tell``, but that its reader is gone ends up in ``unheard``: nobody who calls it could do anything."""

    def told(kind: str, what: dict[str, Any]) -> None:
        try:
            tell(kind, what)
        except OSError as error:
            if not unheard.done():
                unheard.set_exception(error)

    return told


class Live:
    """Keeps a screen up to date from a client until it is stopped."""

    def __init__(self, client: Client, screen: Screen, *, open: bool = False) -> None:
        self._client = client
        self._screen = screen
        self._args = {"open": True} if open else {}
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._fresh = self._loop.time()
        self._unheard: Unheard = self._loop.create_future()

    async def run(self, since: int | None = None) -> None:
        """Show the table until cancelled."""
        self._screen.terminal.at((await self._client.query("status")).get("house"))
        await self._client.watch(heard(self._tell, self._unheard), since)
        while not self._unheard.done():
            await self._refresh()
            await self._pause(FASTEST_S)
            if not self._changed.is_set():
                await self._wait_for_change(IDLE_S - FASTEST_S)
            self._changed.clear()
        self._unheard.result()

    def _tell(self, kind: str, params: dict[str, Any]) -> None:
        if kind == "event":
            self._screen.event(params)
        elif kind == "state":
            self._screen.doc = params
        self._changed.set()

    async def _refresh(self) -> None:
        asked = asyncio.ensure_future(self._client.query("status", **self._args))
        try:
            while not (await asyncio.wait({asked}, timeout=IDLE_S))[0]:
                self._screen.draw(self._screen.doc, self._loop.time() - self._fresh)
            answer = asked.result()
        except ApiError:
            self._screen.draw(self._screen.doc, self._loop.time() - self._fresh)
            return
        finally:
            asked.cancel()
        self._fresh = self._loop.time()
        self._screen.draw({**answer["state"], "quality": answer["links"], "house": answer.get("house")})

    async def _wait_for_change(self, seconds: float) -> None:
        waiting = asyncio.ensure_future(self._changed.wait())
        await asyncio.wait({waiting}, timeout=seconds)
        waiting.cancel()

    async def _pause(self, seconds: float) -> None:
        await asyncio.wait({self._loop.create_future()}, timeout=seconds)


def run(path: str, terminal: Terminal, *, actor: str, role: str, since: int | None, open: bool) -> int:
    """Show the daemon at ``path`` until Ctrl-C. Returns the exit code; raises ``ApiError``."""

    async def show() -> int:
        client = await Client.open(Path(path), actor=actor, role=role)
        try:
            if terminal.as_json:
                unheard: Unheard = asyncio.get_running_loop().create_future()
                await client.watch(
                    heard(lambda kind, what: terminal.json({"kind": kind, **what}), unheard), since
                )
                await unheard
            with Screen(terminal) as screen:
                await Live(client, screen, open=open).run(since)
        finally:
            client.close()
        return OK

    return asyncio.run(show())
