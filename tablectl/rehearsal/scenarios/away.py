"""Columns that are played inside a guest: the host's part, and (``python -m …away``) the guest's.

An endpoint with ``modules`` and ``around`` (``endpoint.Away``) is played so. Here a guest is booted; in it
the same endpoint is opened and the same scenarios are played, by this same module; each cell comes back over
the guest's console as a line. The guest sees this computer's files, read-only, and can write to /run alone.

Emulated, a processor is some fifteen times as slow: such a column takes minutes, and a whole core.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from itertools import chain

import msgspec

from sim.errors import SimError
from sim.guest.machine import Guest
from tablectl.rehearsal.scenarios.acts import SCENARIOS
from tablectl.rehearsal.scenarios.endpoint import Away
from tablectl.rehearsal.scenarios.endpoints import ENDPOINTS
from tablectl.rehearsal.scenarios.rounds import Rounds, go_round
from tablectl.rehearsal.scenarios.runner import Cell, Verdict, play
from tablectl.rehearsal.scenarios.scenario import Scenario

ME = "tablectl.rehearsal.scenarios.away"
CELL, ROUNDS = "CELL ", "ROUNDS "  # what the guest's part says before what came of it
ROUNDS_AT_MOST = 20  # there
LAST_WORDS = 5  # lines of the console that say why a guest fell silent


class Heard:
    """What the guest has said so far."""

    def __init__(self) -> None:
        self.cells: list[Cell] = []
        self.rounds: list[Rounds] = []
        self.words: list[str] = []  # all else

    def line(self, text: str) -> None:
        """One line of the console."""
        try:
            if text.startswith(CELL):
                self.cells.append(msgspec.json.decode(text.removeprefix(CELL), type=Cell))
                print(self.cells[-1].line(), flush=True)
            elif text.startswith(ROUNDS):
                self.rounds.append(msgspec.json.decode(text.removeprefix(ROUNDS), type=Rounds))
            else:
                self.words.append(text)
        except msgspec.DecodeError:
            self.words.append(text)

    def last_words(self, why: str) -> str:
        """Why the guest fell silent, and what it said before."""
        return "; ".join([why, *self.words[-LAST_WORDS:]])

    def missing(self, endpoint: str, scenarios: Sequence[Scenario], why: str) -> list[Cell]:
        """Failed cells for what the guest did not come to say."""
        said, why = {cell.scenario for cell in self.cells}, self.last_words(why)
        return [Cell(one.name, endpoint, Verdict.FAILED, why) for one in scenarios if one.name not in said]


async def column(
    endpoint: Away, scenarios: Sequence[Scenario], rounds: int = 0
) -> tuple[list[Cell], list[Rounds]]:
    """Boot a guest, play these scenarios at an endpoint in it, and connect and hang up so often besides."""
    there = [one for one in scenarios if not one.lacks(endpoint)]
    cells = [await play(one, endpoint) for one in scenarios if one not in there]  # which says why not
    heard = Heard()
    if not there and not rounds:
        return cells, []
    words = [sys.executable, "-m", ME, endpoint.name, "--rounds", str(min(rounds, ROUNDS_AT_MOST))]
    words += chain.from_iterable(("--scenario", one.name) for one in there)
    guest, code = Guest(heard.line), -1
    try:
        async with endpoint.around(guest) as devices:
            await guest.boot(words, endpoint.modules, devices, [ME])
            code = await guest.wait()
            why = f"the guest ended with code {code}"
    except (SimError, OSError, TimeoutError) as error:
        why = str(error) or repr(error)
    finally:
        await guest.close()
    cells += [*heard.cells, *heard.missing(endpoint.name, there, why)]
    if rounds and (code or not heard.rounds):
        heard.rounds.append(Rounds(endpoint.name, 0, 0, (heard.last_words(why),)))
    return cells, heard.rounds


async def _inside(endpoint: Away, scenarios: Sequence[Scenario]) -> None:
    for scenario in scenarios:
        cell = await play(scenario, endpoint)
        print(CELL + msgspec.json.encode(cell).decode(), flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """The guest's part."""
    columns = {one.name: one for one in ENDPOINTS if isinstance(one, Away)}
    rows = {one.name: one for one in SCENARIOS}
    parser = argparse.ArgumentParser(prog=f"python -m {ME}")
    parser.add_argument("endpoint", choices=columns)
    parser.add_argument("--scenario", action="append", choices=rows, default=[])
    parser.add_argument("--rounds", type=int, default=0)
    asked = parser.parse_args(arguments)
    endpoint = columns[asked.endpoint]
    asyncio.run(_inside(endpoint, [rows[name] for name in asked.scenario]))
    if asked.rounds:
        print(ROUNDS + msgspec.json.encode(go_round(endpoint, asked.rounds)).decode(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
