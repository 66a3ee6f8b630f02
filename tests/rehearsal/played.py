"""One session in a room under virtual time, and everything by which it can be judged afterwards.

Nobody's word is taken: the invariants are checked after every input, the record is replayed, and what the
daemon believes of each seat is compared with where the real tiles of the simulated table lie.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from sim.mechanism.places import tiles_of
from sim.timebase import run_virtual
from tablectl.daemon.record import read_records, verify
from tablectl.daemon.restore import input_of
from tablectl.game import step as game
from tablectl.game.inputs import AnyInput, BoardEvent
from tablectl.game.invariants import violations
from tablectl.game.state import State
from tablectl.rehearsal.referee import Report
from tablectl.rehearsal.room import Room, Setting
from tablectl.rehearsal.virtual import play
from tablectl.rules.book import RuleBook, load_book

BOOK: RuleBook = load_book()
OVERTIME = "irregular.overtime"
DISCARD_KEY = 1
LAID = {"chow": 3, "pung": 3, "single_kong": 1}  # tiles of a meld; a kong has four


@dataclass
class Played:
    """What came of it. ``broken`` and ``wrong`` are empty when all is well."""

    setting: Setting
    report: Report = field(default_factory=Report)
    record: bytes = b""
    digest: str = ""  # of the live state
    state: State = field(default_factory=game.new_state)
    inputs: int = 0
    broken: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # where belief and tiles differ
    moved_twice: list[tuple[int, str]] = field(default_factory=list)

    def failures(self, hands: int = 1) -> list[str]:
        """Everything that must not be, each as a sentence."""
        found = [f"invariant: {broken}" for broken in self.broken]
        found += [f"belief: {wrong}" for wrong in self.wrong]
        found += [f"refused: {refused}" for refused in self.report.refused]
        found += [f"irregular: {fact}" for fact in self.report.irregular if fact["what"] != OVERTIME]
        found += self._charged_wrongly()
        found += [f"moved twice: {motion}" for motion in self.moved_twice]
        if len(self.report.hands) != hands:
            found.append(f"{len(self.report.hands)} hands ended, not {hands}")
        found += [f"hand: {hand}" for hand in self.report.hands if hand["result"] not in ("win", "draw")]
        return found + list(self._replay())

    def _charged_wrongly(self) -> list[str]:
        """Overtime (MCR-T1) is a fact if the player really discarded later than the limit after the upper
        discard: kongs and flowers give no time of their own. It is told when the turn ends."""
        assert self.state.hand is not None
        overtimes = [fact for fact in self.state.hand.irregularities if fact.key == OVERTIME]
        acts = discards(self.record)
        found = []
        for fact in overtimes:
            upper = max((at for side, at in acts if at < fact.at and side != fact.side), default=0)
            took = fact.at - upper
            if took <= fact.data["limit_us"] or took < fact.data["spent_us"]:
                found.append(f"overtime: side {fact.side} at {fact.at}: upper {upper}, {fact.data}")
        return found

    def _replay(self) -> list[str]:
        lines = self.record.splitlines(keepends=True)
        verdict = verify(lines)
        state = game.new_state()
        for record in read_records(lines):
            if record.has_input:
                game.step(state, record.n, record.at, record.unc, input_of(record), BOOK)
        found = [] if verdict.ok else [f"journal: {verdict.reason}"]
        found += [f"raised in record {r.n}: {r.raised}" for r in read_records(lines) if r.raised]
        if game.digest(state) != self.digest:
            found.append("the replay gives another state than the one played with")
        return found


def play_session(setting: Setting, hands: int = 1, session: dict[str, Any] | None = None) -> Played:
    """Play so many hands."""
    played = Played(setting)

    def watch(state: State, n: int, item: AnyInput) -> None:
        played.inputs += 1
        played.broken += [f"record {n} ({type(item).__name__}): {broken}" for broken in violations(state)]

    async def main() -> None:
        room = Room(setting, BOOK, watch)
        played.report = await play(room, hands, session or {"rules": setting.rules})
        played.wrong = beliefs(room)
        room.table.machine.places.assert_conserved()
        played.moved_twice = room.log.moved_twice()
        played.record = await room.close()
        played.state = room.core.state
        played.digest = game.digest(room.core.state)

    run_virtual(main())
    return played


def discards(record: bytes) -> list[tuple[int, int]]:
    """(side, table time) of every discard in a record, sensed or by its key."""
    found = []
    for entry in read_records(record.splitlines(keepends=True)):
        item = input_of(entry) if entry.has_input else None
        if isinstance(item, BoardEvent) and item.side is not None:
            sensed = item.event == "tile_discarded"
            if sensed or (item.event == "seat_key" and item.value == DISCARD_KEY):
                found.append((item.side, entry.at))
    return found


def beliefs(room: Room) -> list[str]:
    """What the daemon believes at the end of a hand, against the tiles themselves (B039).

    By keys alone a concealed kong beside an open pung cannot be told from an added one, so there only the
    tiles of a seat as a whole are compared; both readings hold as many.
    """
    hand, places = room.core.state.hand, room.table.machine.places
    assert hand is not None
    reads = room.setting.fidelity == "identity"
    wall = BOOK[room.setting.rules].wall
    kept = wall.dead_tiles.value - (hand.tail % 2 if wall.tail_parity.value else 0)
    standing = sum(1 for _ in tiles_of(places.top))
    pairs: list[tuple[str, Any, Any]] = [("the wall", hand.wall_left + kept, standing)]
    for side, seat in enumerate(hand.seats):
        laid = sum(LAID.get(meld.kind, 4) for meld in seat.melds) + len(seat.flowers)
        pool = [discard.tile for discard in seat.discards if not discard.claimed]
        real_hand, real_pool = ([tile.name for tile in heap[side]] for heap in (places.hands, places.pools))
        whole = len(real_hand) + len(places.melds[side])
        pairs.append((f"tiles of side {side}", seat.concealed + laid, whole))
        pairs.append((f"pool of side {side}", len(pool), len(real_pool)))
        if reads:
            pairs.append((f"hand of side {side}", Counter(seat.tiles), Counter(real_hand)))
            pairs.append((f"pool of side {side}", pool, real_pool))
    return [f"{what}: believed {known}, is {real}" for what, known, real in pairs if known != real]
