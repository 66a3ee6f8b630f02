"""A scenario finds what is wrong with a board and says so; a column that claims too much fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from protocols.atp import ring
from protocols.atp.board import BoardSession
from protocols.atp.results import Results
from protocols.driver import Reply
from protocols.vocabulary import Capability, Operation
from sim.board import Board
from sim.mechanism.machine import Mechanism
from sim.world import SimTable
from tablectl.rehearsal.scenarios.__main__ import main
from tablectl.rehearsal.scenarios.acts import SCENARIOS
from tablectl.rehearsal.scenarios.endpoints.boxes import Keypad
from tablectl.rehearsal.scenarios.endpoints.memory import Lines, Memory
from tablectl.rehearsal.scenarios.runner import Verdict, run

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
Patch = Callable[[pytest.MonkeyPatch], None]


def forgets_results(patch: pytest.MonkeyPatch) -> None:
    get = Results.get

    def unfinished(self: Results, id: int) -> Reply | None:
        kept = get(self, id)
        return None if kept is not None and kept.stage.final else kept

    patch.setattr(Results, "get", unfinished)


def forgets_what_it_accepted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Results, "get", lambda self, id: None)


def goes_on_without_a_host(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Board, "host_silent", lambda self: None)


def ignores_a_stop(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Mechanism, "stop", lambda self, *fault: False)


def moves_at_its_boot(patch: pytest.MonkeyPatch) -> None:
    booted = Mechanism.booted

    def boots(self: Mechanism) -> None:
        booted(self)
        if self.log.motions:
            self.log.begin(999, Operation.LOWER, "trays_down", self.timer.now_us())

    patch.setattr(Mechanism, "booted", boots)


def stamps_wrong(patch: pytest.MonkeyPatch) -> None:
    event = BoardSession.event

    def later(self: BoardSession, *args: Any, board_us: int, **more: Any) -> int:
        return event(self, *args, board_us=max(0, board_us - 400_000), **more)

    patch.setattr(BoardSession, "event", later)


def is_mute(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(BoardSession, "receive", lambda self, data, now: None)


def keeps_every_event(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ring, "LIMITS", replace(ring.LIMITS, ring=1000))


def comes_back_too_early(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SimTable, "drop_off", lambda self, seconds, gone=SimTable.drop_off: gone(self, 1.0))


def claims_what_it_cannot(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Memory, "capabilities", Memory.capabilities | Capability.AUTODEAL)


@pytest.mark.parametrize(
    ("plant", "scenario", "said"),
    [
        (forgets_results, "duplicate-command", "another result"),
        (forgets_what_it_accepted, "lost-answer", "unknown"),
        (goes_on_without_a_host, "unplug-in-motion", "until rest"),
        (ignores_a_stop, "stop-in-motion", "never: STOPPED"),
        (moves_at_its_boot, "reboot", "a new boot set something in motion"),
        (stamps_wrong, "key", "s off"),
        (is_mute, "build", "never: online"),
        (keeps_every_event, "event-overflow", "none was lost"),
        (comes_back_too_early, "event-overflow", "while the cable was out"),
        (claims_what_it_cannot, "build", "the board says"),
    ],
)
def test_what_is_wrong_is_found(
    monkeypatch: pytest.MonkeyPatch, plant: Patch, scenario: str, said: str
) -> None:
    plant(monkeypatch)
    cell = run(BY_NAME[scenario], Memory())
    assert cell.verdict is Verdict.FAILED
    assert said in cell.why


@pytest.mark.parametrize("endpoint", [Memory(), Lines()], ids=lambda endpoint: endpoint.name)
def test_a_lost_answer_was_really_lost(endpoint: Memory) -> None:
    assert run(BY_NAME["lost-answer"], endpoint).retries >= 1


def test_what_does_not_apply_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Keypad, "open", lambda *args: pytest.fail("opened"))
    cell = run(BY_NAME["raise"], Keypad())
    assert (cell.verdict, cell.why, cell.wall_ms) == (Verdict.NOT_APPLICABLE, "it moves nothing", 0)


def test_the_command_writes_what_it_played(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--only", "memory", "keypad", "--scenario", "dice", "key", "--docs", str(tmp_path)]
    assert main(words) == 0
    assert "4 cells at 2 endpoints, 0 failed" in capsys.readouterr().out
    assert main([*words[:2], *words[3:], "--rounds", "2"]) == 0  # the other column stays
    page = (tmp_path / "hil.md").read_text("utf-8")
    assert page.count("✓ ") == 3
    assert "| `memory` | 2 | nothing |" in page


def test_the_command_tells_what_is_left_out_and_what_failed(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Keypad, "missing", lambda self: "no such tool: apt install it")
    is_mute(monkeypatch)
    words = ["--only", "memory", "keypad", "--scenario", "key", "--docs", str(tmp_path)]
    assert main(words) == 1
    said = capsys.readouterr()
    assert "LEFT OUT: keypad: no such tool: apt install it" in said.err
    assert "1 failed, 1 left out" in said.out
    assert "**✗** `key` at memory: never: online" in (tmp_path / "hil.md").read_text("utf-8")


def test_what_an_endpoint_lacks_without_a_written_reason_is_no_way_to_leave_a_scenario_out() -> None:
    bare = {"capabilities": Capability.TILE_READ, "traits": frozenset(), "levers": frozenset()}
    with pytest.raises(LookupError, match="TILE_READ"):
        replace(SCENARIOS[0], **bare).lacks(Keypad())
