"""The command line from words to exit codes, against a daemon's socket."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablectl.api.arguments import MAX_WHO
from tablectl.api.dispatch import Dispatcher
from tablectl.api.house import House
from tablectl.api.server import Server
from tablectl.console.cli import main
from tablectl.console.help import of_command, of_group, overview
from tablectl.console.parser import SPECS, first_words, group
from tablectl.console.socket_path import find_socket
from tablectl.console.width import cells
from tablectl.daemon.config import Overrides, load_settings
from tests.api.fakes import FakeCore


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABLECTL_LANG", "en")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME", "RUNTIME_DIRECTORY", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)


class Daemon:
    """A server with a fake core on a loop of its own."""

    def __init__(self, path: Path, house: House | None = None) -> None:
        self.core = FakeCore()
        self.path = path
        self._house = house or House()
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        assert self._up.wait(5)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await Server.open(Dispatcher(self.core, house=self._house), self.path)
        self._up.set()
        await self._stop.wait()
        await server.close()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    def __call__(self, *words: str) -> int:
        return main([*words, "--socket", str(self.path)])


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    running = Daemon(tmp_path / "api.sock")
    yield running
    running.close()


@pytest.mark.process
class TestExitCodes:
    def test_accepted_is_0_and_says_the_record(
        self, daemon: Daemon, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert daemon("hand", "start", "--id", "x-1", "--actor", "kim") == 0
        assert (daemon.core.commands[0].id, daemon.core.commands[0].actor) == ("x-1", "kim")
        assert capsys.readouterr().out == "Accepted: hand start (record 1 at 5.0 s)\n"

    def test_each_command_makes_an_id_of_its_own(self, daemon: Daemon) -> None:
        daemon("pause")
        daemon("pause")
        first, second = daemon.core.commands
        assert first.id != second.id

    def test_usage_is_2(self, daemon: Daemon, capsys: pytest.CaptureFixture[str]) -> None:
        assert daemon("discard", "--seat", "Q") == 2
        assert not daemon.core.commands
        assert capsys.readouterr().err.startswith("tablectl: --seat: “Q” is not valid")

    def test_refused_is_3_with_help_on_stderr(
        self, daemon: Daemon, capsys: pytest.CaptureFixture[str]
    ) -> None:
        daemon.core.answers["pause"] = {"outcome": "refused", "key": "refused.no_hand", "data": {}}
        assert daemon("pause") == 3
        out, err = capsys.readouterr()
        assert out == ""
        assert err == "tablectl: no hand is being played\nStart one with `tablectl hand start`.\n"

    def test_a_role_too_low_is_3(self, daemon: Daemon) -> None:
        assert daemon("pause", "--role", "player") == 3
        assert daemon("status", "--open", "--role", "player") == 3

    def test_no_daemon_is_4(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for words in (["pause"], ["status"], ["watch"]):
            assert main([*words, "--socket", str(tmp_path / "none")]) == 4
            assert "tablectl run" in capsys.readouterr().err

    def test_no_table_is_5(self, daemon: Daemon) -> None:
        daemon.core.document["links"]["table"]["state"] = "lost"
        daemon.core.answers["machine raise"] = {"outcome": "refused", "key": "refused.no_table", "data": {}}
        assert daemon("machine", "raise") == 5
        assert daemon("machine", "stop") == 5
        assert daemon("status") == 5
        assert daemon("link", "status") == 5
        assert daemon.core.stops == 1

    def test_waiting_for_another_person_is_6(
        self, daemon: Daemon, capsys: pytest.CaptureFixture[str]
    ) -> None:
        daemon.core.answers["hand void"] = {"outcome": "pending", "key": "", "data": {}}
        assert daemon("hand", "void", "--reason", "collapsed") == 6
        assert "second person" in capsys.readouterr().out


@pytest.mark.process
def test_json_is_the_answer_on_one_line(daemon: Daemon, capsys: pytest.CaptureFixture[str]) -> None:
    assert daemon("hand", "start", "--json") == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "accepted"
    assert daemon("status", "--json") == 0
    assert set(json.loads(capsys.readouterr().out)) == {"state", "links", "house"}
    assert main(["pause", "--json", "--socket", "/nonexistent"]) == 4
    assert json.loads(capsys.readouterr().out)["key"] == "error.no_daemon"


@pytest.mark.process
def test_refusals_come_in_the_chosen_language(daemon: Daemon, capsys: pytest.CaptureFixture[str]) -> None:
    daemon.core.answers["pause"] = {"outcome": "refused", "key": "refused.no_hand", "data": {}}
    assert daemon("--lang", "zh", "pause") == 3
    assert "没有进行中的牌局" in capsys.readouterr().err
    assert main(["--lang", "zh-Hans", "clam"]) == 2
    assert "是否指“claim”？" in capsys.readouterr().err


@pytest.mark.process
@pytest.mark.report("B124")
def test_an_answer_moves_no_cursor(daemon: Daemon, capsys: pytest.CaptureFixture[str]) -> None:
    evil = {"rules": "\x1b[2J\x9b2J", "known": "mcr"}
    daemon.core.answers["session start"] = {
        "outcome": "refused",
        "key": "refused.unknown_rules",
        "data": evil,
    }
    daemon("session", "start")
    assert "␛[2J" in capsys.readouterr().err


@pytest.mark.process
def test_what_cannot_be_taken_back_is_asked_for(
    daemon: Daemon, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert daemon("session", "stop") == 3
    assert "--yes" in capsys.readouterr().err
    assert daemon("session", "stop", "--yes") == 0
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: "no")
    assert daemon("session", "stop") == 3
    monkeypatch.setattr("builtins.input", lambda prompt: "stop")
    assert daemon("session", "stop") == 0

    def end(prompt: str) -> str:
        raise EOFError

    capsys.readouterr()
    monkeypatch.setattr("builtins.input", end)
    assert daemon("session", "stop") == 3
    assert "Not confirmed" in capsys.readouterr().err


REPLIES: list[dict[str, object]] = [
    {},
    {"error": 3},
    {"error": {}},
    {"result": 7},
    {"result": {}},
    {"result": {"state": 1, "links": {}}},
    {"result": {"state": {}, "links": {"table": 1}}},
    {"result": {"outcome": [], "key": "", "text": {}, "record": 1, "at": 1}},
]
JUNK = ["junk", "null", "[]", "{}", "[" * 50_000, *(json.dumps({"id": 1, **reply}) for reply in REPLIES)]


@pytest.mark.process
@pytest.mark.parametrize("answer", JUNK, ids=lambda answer: answer[:60])
@pytest.mark.parametrize("command", ["status", "pause"])
def test_who_answers_junk_is_no_daemon(
    answer: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "api.sock"))
    listener.listen()

    def stranger() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(answer.encode() + b"\n")
            connection.recv(1)

    thread = threading.Thread(target=stranger)
    thread.start()
    assert main([command, "--socket", str(tmp_path / "api.sock")]) == 4
    assert "is no tablectl daemon" in capsys.readouterr().err
    thread.join()
    listener.close()


@pytest.mark.process
@pytest.mark.parametrize("answer", ["junk", "null", "[]"])
def test_watch_says_so_too(answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    test_who_answers_junk_is_no_daemon(answer, "watch", tmp_path, capsys)


@pytest.mark.process
def test_a_refused_place_is_4(
    daemon: Daemon, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablectl.api.server.MAX_CLIENTS", 0)
    monkeypatch.setattr("tablectl.api.server.RESERVED", 0)
    for command in ("status", "watch"):
        assert daemon(command) == 4
        assert "try again" in capsys.readouterr().err


@pytest.mark.process
def test_actor_and_id_have_one_limit(daemon: Daemon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "u" * 300)
    assert daemon("pause", "--id", "x" * MAX_WHO) == 0
    assert daemon.core.commands[0].actor == "u" * MAX_WHO
    assert daemon("pause", "--id", "x" * (MAX_WHO + 1)) == 2
    assert daemon("pause", "--actor", "x" * (MAX_WHO + 1)) == 2


@pytest.mark.process
def test_status_is_drawn_or_told(
    daemon: Daemon, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINES", "10")  # it is printed once and scrolls: nothing of it is cut
    assert daemon("status") == 0
    drawn = capsys.readouterr().out
    assert "┌" in drawn
    assert "└" in drawn
    assert "● link table: online" in drawn
    assert daemon("status", "--plain") == 0
    plain = capsys.readouterr().out
    assert "┌" not in plain
    assert "● link table: online" in plain
    assert daemon("link", "status") == 0
    assert "frames 1 sent, 0 received" in capsys.readouterr().out


def test_rooms_that_are_not_installed_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr("importlib.import_module", missing)
    assert main(["bench"]) == 2
    assert "not part of this installation" in capsys.readouterr().err


def test_a_bug_in_a_room_is_not_taken_for_its_absence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ModuleNotFoundError(name="numpy")

    monkeypatch.setattr("importlib.import_module", broken)
    with pytest.raises(ModuleNotFoundError):
        main(["bench"])


def test_a_local_command_gets_every_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    class Room:
        @staticmethod
        def main(args: object) -> int:
            seen.append(vars(args))
            return 7

    monkeypatch.setattr("importlib.import_module", lambda name: Room)
    assert main(["demo", "--hands", "2", "--speed", "max", "--json"]) == 7
    assert seen == [
        {
            "rules": "mcr", "hands": 2, "session": False, "incidents": False, "seed": 1, "speed": "max",
            "fidelity": None, "open": False, "script": None, "line": None, "json": True, "plain": False,
            "socket": None, "lang": "en", "chosen": True,
        }
    ]  # fmt: skip


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"], ["--lang", "en", "-h"]], ids=str)
def test_the_overview_names_every_first_word(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {word} " in out for word in first_words())


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_help_is_complete_and_fits(lang: str) -> None:
    texts = [overview(lang), *(of_group(word, lang) for word in first_words() if group(word))]
    for spec in SPECS.values():
        text = of_command(spec, lang)
        assert all(f"  {arg.option} " in text for arg in spec.args)
        texts.append(text)
    for text in texts:
        lines = text.splitlines()
        assert all(cells(line) <= 80 for line in lines[1:])
        assert "{" not in text


@pytest.mark.parametrize(
    "words", [["machine", "--help"], ["help", "machine"], ["--lang", "en", "machine", "-h"]]
)
def test_help_of_a_group(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert "machine raise" in capsys.readouterr().out


def test_help_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hand", "void", "--help"]) == 0
    out = capsys.readouterr().out
    assert "tablectl hand void --reason TEXT [OPTIONS]" in out
    assert "A second person" in out


@pytest.mark.parametrize(
    "environ",
    [
        {"HOME": "/h"},
        {"HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1"},
        {"HOME": "/h", "XDG_STATE_HOME": "/state"},
        {"RUNTIME_DIRECTORY": "/run/x", "STATE_DIRECTORY": "/var/lib/x"},
        {"STATE_DIRECTORY": "/var/lib/x:/other"},
    ],
    ids=str,
)
def test_the_socket_is_looked_for_where_the_daemon_makes_it(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.path.exists", lambda path: False)
    assert find_socket("", environ) == str(load_settings(Overrides(), environ).socket)
    assert find_socket("/mine", environ) == "/mine"


def test_the_socket_that_is_there_is_taken(tmp_path: Path) -> None:
    there = tmp_path / ".local/state/tablectl/api.sock"
    there.parent.mkdir(parents=True)
    there.touch()
    assert find_socket("", {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path / "run")}) == str(there)


@pytest.mark.process
class TestHouse:
    """What the club has configured of its table."""

    @pytest.fixture
    def table(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Daemon]:
        monkeypatch.delenv("TABLECTL_LANG")
        monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
        running = Daemon(tmp_path / "api.sock", House("東風 🀄", "zh-Hans", "zungjung"))
        yield running
        running.close()

    def test_its_screens_speak_its_language(self, table: Daemon, capsys: pytest.CaptureFixture[str]) -> None:
        assert table("hand", "start") == 0
        assert capsys.readouterr().out.startswith("已接受")

    def test_unless_somebody_asks_for_another(
        self, table: Daemon, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert table("hand", "start", "--lang", "en") == 0
        monkeypatch.setenv("TABLECTL_LANG", "en")
        assert table("hand", "start") == 0
        assert all(line.startswith("Accepted") for line in capsys.readouterr().out.splitlines())

    def test_its_cases_are_told_in_it_too(self, table: Daemon, capsys: pytest.CaptureFixture[str]) -> None:
        assert table("cases") == 0
        assert table("cases", "--lang", "en") == 0
        assert capsys.readouterr().out.splitlines() == ["没有未结事件", "no open case"]

    def test_its_sessions_play_its_rules_unless_others_are_named(self, table: Daemon) -> None:
        assert table("session", "start") == 0
        assert table("session", "start", "--rules", "ccm") == 0
        assert [command.args["rules"] for command in table.core.commands] == ["zungjung", "ccm"]

    @pytest.mark.parametrize("plain", [[], ["--plain"]])
    def test_its_name_stands_first(
        self, table: Daemon, capsys: pytest.CaptureFixture[str], plain: list[str]
    ) -> None:
        assert table("status", *plain) == 0
        assert capsys.readouterr().out.startswith("東風 🀄 · ")
