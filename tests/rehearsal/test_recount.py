"""The count of the wall that is shown, against another made from the records alone, in every rule system."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from sim.timebase import run_virtual
from tablectl.daemon.record import read_records
from tablectl.game.inputs import AnyInput
from tablectl.game.state import State
from tablectl.game.view import view
from tablectl.rehearsal.room import Room, Setting
from tablectl.rehearsal.virtual import play
from tests.game.conftest import IDENTITY, Table
from tests.rehearsal.played import BOOK
from tests.rehearsal.recount import Recount

SYSTEMS = ("mcr", "zungjung", "ccm", "wuhan")
HANDS = 2
KILLS = ((90, 0.0), (170, 0.2), (260, 25.0), (330, 0.0), (420, 2.0))  # at record, seconds without a daemon
CHECKED = {"identity": 90, "count": 15}  # comparisons a hand has at the least


class Counted:
    """Hands played, the daemon killed now and then; what was shown after each record that lasted."""

    def __init__(self, setting: Setting, kills: tuple[tuple[int, float], ...] = ()) -> None:
        self.setting = setting
        self.shown: dict[int, int] = {}
        self.replacements: dict[int, tuple[int, int]] = {}
        self._kills = list(kills)
        self.lives = 1
        self.journal = b""
        run_virtual(self._play())

    async def _play(self) -> None:
        def watch(state: State, n: int, item: AnyInput) -> None:
            document = view(state, state.now)["hand"]
            if document is not None:
                self.shown[n] = document["wall_left"]
                self.replacements[n] = (document["head"], document["tail"])
            if self._kills and n >= self._kills[0][0] and state.hand is not None and state.hand.in_play:
                room.loop.create_task(room.kill(down=self._kills.pop(0)[1]))

        room = Room(self.setting, BOOK, watch)
        await play(room, HANDS, {"rules": self.setting.rules, "hands": HANDS})
        self.lives = room.life
        self.journal = await room.close()

    def compared(self) -> Iterator[tuple[int, int, int, int, tuple[int, int]]]:
        """(record, shown, recounted, walls, (head, tail) recounted) wherever the count must be right."""
        recount = Recount(BOOK[self.setting.rules], senses=self.setting.fidelity == "identity")
        for record in read_records(self.journal.splitlines(keepends=True)):
            if record.has_input and recount.read(bytes(record.input), record.at) and record.n in self.shown:
                yield (
                    record.n,
                    self.shown[record.n],
                    recount.left,
                    recount.walls,
                    (recount.head, recount.tail),
                )


def check(counted: Counted) -> None:
    found = list(counted.compared())
    assert [(n, shown, right) for n, shown, right, _, _ in found if shown != right] == []
    assert len(found) >= CHECKED[counted.setting.fidelity] * HANDS
    assert {walls for *_, walls, _ in found} >= set(range(1, HANDS + 1))


@pytest.mark.report("B039", "B041")
@pytest.mark.rule("MCR-W4", "MCR-W5", "ZJ-W7", "CJ-W2", "CJ-W3", "WH-W6")
@pytest.mark.parametrize("fidelity", CHECKED)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_count_shown_is_what_was_drawn(system: str, seed: int, fidelity: str) -> None:
    check(Counted(Setting(rules=system, seed=seed, fidelity=fidelity)))


@pytest.mark.report("B039")
@pytest.mark.parametrize("fidelity", CHECKED)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_count_is_right_after_a_recovery(system: str, fidelity: str) -> None:
    counted = Counted(Setting(rules=system, seed=5, fidelity=fidelity), KILLS)
    assert counted.lives > 2
    check(counted)


@pytest.mark.report("B041")
@pytest.mark.parametrize("system", SYSTEMS)
def test_both_ends_of_the_wall_are_counted_apart(system: str) -> None:
    """Replacements come from the end the rules name; head and tail are both shown to the referee."""
    counted = Counted(Setting(rules=system, seed=2))
    found = [(counted.replacements[n], ends) for n, *_, ends in counted.compared()]
    assert [(shown, right) for shown, right in found if shown != right] == []
    replaced = {tail for _, (_, tail) in found}
    assert len(replaced) > 1, "no tile was replaced: another seed is needed"


@pytest.mark.long
@pytest.mark.parametrize("fidelity", CHECKED)
@pytest.mark.parametrize("seed", range(101, 151))
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_count_is_right_in_many_hands(system: str, seed: int, fidelity: str) -> None:
    check(Counted(Setting(rules=system, seed=seed, fidelity=fidelity), KILLS if seed % 2 else ()))


class Watched(Table):
    """A table whose inputs are counted along."""

    def __init__(self, rules: str) -> None:
        super().__init__(IDENTITY, rules)
        self.recount = Recount(BOOK[rules], senses=True)

    def put(self, item: AnyInput, at: int | None = None, unc: int = 0) -> list:  # type: ignore[type-arg]
        effects = super().put(item, at, unc)
        self.recount.read(msgspec.json.encode(item), self.now)
        return effects

    @property
    def agrees(self) -> bool:
        shown: int = view(self.state, self.now)["hand"]["wall_left"]
        return shown == self.recount.left


@pytest.mark.rule("ZJ-C3")
@pytest.mark.parametrize("left", [False, True], ids=["drawn again", "left as the next draw"])
def test_a_lifted_tile_is_counted_once_however_it_is_drawn(left: bool) -> None:
    t = Watched("zungjung")
    t.play()
    t.discard(0, "E")
    t.draw(1, "5p")
    assert t.agrees
    t.press(3, "pung")
    t.wait(1)
    t.show(3, "pung", "EEE")
    assert t.agrees
    t.discard(3, "9m")
    if left:
        assert t.command("wall leave").outcome == "accepted"
        assert t.agrees
    for side, tile in ((0, "1s"), (1, "5p"), (2, "2s")):
        t.draw(side, tile)
        assert t.agrees
        t.discard(side, tile)
    t.command("wall correct", left=40, reason="counted by hand")
    t.draw(3, "3s")
    assert t.agrees
    assert t.recount.left == 39
