"""The installation: what it writes and says, twice, over changed files, and where it may not."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tablectl.console import install as console
from tablectl.console.cli import main
from tablectl.console.sentences import sentence
from tablectl.daemon.config import read_config
from tablectl.daemon.errors import DaemonError
from tablectl.deploy import installer, texts
from tablectl.deploy.errors import (
    BadUser,
    CannotWrite,
    CommandFailed,
    NoSystemd,
    NotRoot,
    NoUser,
    ProgramHidden,
)
from tablectl.deploy.installer import Installer
from tablectl.deploy.marks import is_untouched, marked, template_of
from tablectl.deploy.system import ThisSystem
from tablectl.locale import catalog
from tests.deploy.udev_syntax import mistakes
from tests.protocols.transports.tree import Tree

PROGRAM = ("/opt/tablectl/bin/tablectl",)


class FakeSystem:
    """A computer that notes what it is asked."""

    def __init__(self, **facts: Any) -> None:
        self.facts: dict[str, Any] = {"is_root": True, "systemd": True, "users": {"pi"}, "hidden": ""} | facts
        self.ran: list[str] = []

    def is_root(self) -> bool:
        return bool(self.facts["is_root"])

    def has_systemd(self) -> bool:
        return bool(self.facts["systemd"])

    def has_user(self, user: str) -> bool:
        return user in self.facts["users"]

    def hidden_folder(self, program: str, user: str) -> str:
        return str(self.facts["hidden"])

    def old_record(self, user: str) -> str:
        return str(self.facts.get("old", ""))

    def run(self, command: Sequence[str]) -> None:
        if command[0] == self.facts.get("fails"):
            raise CommandFailed(command=" ".join(command), reason="it does")
        self.ran.append(" ".join(command))


class Run:
    """An installation into a folder, or into that folder as if it were the computer."""

    def __init__(
        self, root: Path, *, here: bool = False, user: str = "pi", dry_run: bool = False, **facts: Any
    ):
        self.root = root
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.system = FakeSystem(**facts)
        kind = Here if here else Installer
        self.installer = kind(PROGRAM, user, self.tell, root, dry_run, self.system)

    def tell(self, key: str, **facts: Any) -> None:
        self.told.append((key.removeprefix("install."), facts))

    def install(self) -> list[str]:
        """The steps, as keys."""
        self.told.clear()
        self.installer.install()
        return [key for key, _ in self.told]

    def text(self, place: Path) -> str:
        return (self.root / place).read_text()


class Here(Installer):
    """One that takes the folder for the computer itself."""

    @property
    def _is_elsewhere(self) -> bool:
        return False


COMMAND = Path("/opt/tablectl/bin/tablectl")
FILES = (texts.CONFIG, texts.UNIT, texts.RULES)


def test_it_writes_three_files_and_twice_is_as_once(tmp_path: Path) -> None:
    run = Run(tmp_path)
    assert run.install().count("written") == 4
    before = {file: run.text(file) for file in FILES}
    assert run.install().count("same") == 4
    assert {file: run.text(file) for file in FILES} == before
    assert all(is_untouched(text) for text in before.values())
    assert (tmp_path / texts.UNIT).stat().st_mode & 0o777 == 0o644
    assert run.system.ran == [], "below --root nothing is run"
    assert not list(tmp_path.rglob("*.part")) + list(tmp_path.rglob("*.new"))


def test_the_unit_passes_systemds_own_check(tmp_path: Path) -> None:
    command = shutil.which("systemd-analyze")
    if command is None:
        pytest.skip("LEFT OUT: no systemd-analyze here, so the unit is not checked (.ci/run installs it)")
    run = Run(tmp_path)
    run.installer.program = [shutil.which("true") or "/bin/true"]
    run.install()
    unit = tmp_path / texts.UNIT
    done = subprocess.run([command, "verify", str(unit)], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "tablectl" in line]
    assert (done.returncode, ours) == (0, [])
    unit.write_text(unit.read_text().replace("WatchdogSec=10", "WatchdogSec=soon"))
    done = subprocess.run([command, "verify", str(unit)], capture_output=True, text=True)
    assert "Failed to parse sec value" in done.stderr, "it would have said so"


def test_the_unit_is_one_that_notifies_and_is_nobody_special(tmp_path: Path) -> None:
    run = Run(tmp_path, user="kim")
    run.install()
    unit = dict(line.partition("=")[::2] for line in run.text(texts.UNIT).splitlines() if "=" in line)
    assert unit["ExecStart"] == "/opt/tablectl/bin/tablectl run"
    assert (unit["Type"], unit["User"], unit["SupplementaryGroups"]) == ("notify", "kim", "dialout")
    assert int(unit["WatchdogSec"]) > 0
    assert (unit["StateDirectory"], unit["RuntimeDirectory"]) == ("tablectl", "tablectl")
    closed = {"PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock", "PrivateUsers"}
    assert not closed & {line for line in unit if not line.startswith("#")}, "these lock serial ports out"
    assert "@" not in run.text(texts.UNIT)


@pytest.mark.parametrize(
    ("program", "home", "tmp"),
    [("/opt/t", "yes", "yes"), ("/home/pi/t/bin/tablectl", "read-only", "yes"), ("/tmp/x y/t", "yes", "no")],
)
def test_a_program_at_home_can_still_be_started(program: str, home: str, tmp: str) -> None:
    lines = texts.unit([program], "pi").splitlines()
    assert f"ProtectHome={home}" in lines
    assert f"PrivateTmp={tmp}" in lines
    assert ("ExecStart=" + (f'"{program}"' if " " in program else program) + " run") in lines


def test_the_configuration_is_one_and_keeps_to_the_services_folders(tmp_path: Path) -> None:
    Run(tmp_path).install()
    config = read_config(tmp_path / texts.CONFIG)
    assert [device.port for device in config.device] == [""]
    assert config.state.dir == "/var/lib/tablectl"
    assert config.api.socket == "/run/tablectl/api.sock"


def test_the_only_device_there_is_goes_into_the_configuration(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.board("1-1", "T1")
    steps = Run(tmp_path).install()
    assert "port" in steps
    assert steps[-1] == "next_start"
    (device,) = read_config(tmp_path / texts.CONFIG).device
    assert device.port == "usb:1209:7ab1:T1"
    assert 'SYMLINK+="tablectl/table"' in (tmp_path / texts.RULES).read_text()
    assert mistakes((tmp_path / texts.RULES).read_text()) == []
    tree.board("1-2", "T2")
    (tmp_path / texts.CONFIG).unlink()
    assert "port" not in Run(tmp_path).install(), "of two nobody knows which"


def test_what_a_person_changed_stays_and_news_goes_beside_it(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.install()
    config = tmp_path / texts.CONFIG
    mine = config.read_text().replace("Table 1", "Table 7")
    config.write_text(mine)
    assert "kept" in run.install()
    assert not config.with_name("tablectl.toml.new").exists(), "there is nothing new"
    old = mine.replace(template_of(mine), "0" * 16)  # of an older release
    config.write_text(old)
    assert "beside" in run.install()
    assert config.read_text() == old
    assert is_untouched(config.with_name("tablectl.toml.new").read_text())
    assert "kept" in run.install(), "and once is enough"
    unit = tmp_path / texts.UNIT
    unit.write_text("[Service]\nExecStart=/mine\n")
    run.install()
    assert unit.read_text() == "[Service]\nExecStart=/mine\n"
    assert unit.with_name("tablectl.service.new").exists()


def test_the_command_is_on_the_path_and_nobody_elses_is_taken(tmp_path: Path) -> None:
    run, command = Run(tmp_path), tmp_path / texts.COMMAND
    run.install()
    assert command.readlink() == COMMAND
    command.unlink()
    command.symlink_to("/home/pi/old/bin/tablectl")
    assert "renewed" in run.install(), "another installation of ours"
    assert command.readlink() == COMMAND
    command.unlink()
    command.write_text("#!/bin/sh\n")
    assert "kept" in run.install()
    run.installer.uninstall()
    assert command.read_text() == "#!/bin/sh\n"
    run.installer.program = ["/usr/bin/python3", "-m", "tablectl"]
    command.unlink()
    run.install()
    assert not command.exists()


def test_rules_follow_the_configuration(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.install()
    config = tmp_path / texts.CONFIG
    config.write_text(
        '[[device]]\nname = "keys"\nport = "usb:1209:7ab1:T9"\n[[device]]\nname = "n"\nport = "tcp:h:1"'
    )
    steps = run.install()
    assert 'ATTR{serial}=="T9"' in run.text(texts.RULES)
    assert "link" in steps
    assert "no_rule" in steps
    rules = run.text(texts.RULES)
    config.write_text("[[devise]]\n")
    assert "config_unread" in run.install()
    assert run.text(texts.RULES) == rules


def test_on_the_computer_itself_it_makes_the_user_and_tells_the_managers(tmp_path: Path) -> None:
    run = Run(tmp_path, here=True, user="tablectl", users=set())
    run.install()
    assert [line.split()[0] for line in run.system.ran] == [
        "useradd", "usermod", "systemctl", "systemctl", "udevadm", "udevadm", "udevadm"
    ]  # fmt: skip
    assert "usermod --append --groups dialout tablectl" in run.system.ran
    assert "systemctl enable tablectl.service" in run.system.ran
    assert not [line for line in run.system.ran if "restart" in line or "--now" in line]


def test_a_record_kept_so_far_is_not_forgotten(tmp_path: Path) -> None:
    run = Run(tmp_path, here=True, old="/home/pi/.local/state/tablectl")
    assert "old_record" in run.install()
    record = tmp_path / texts.STATE / "journal.jsonl"
    record.parent.mkdir(parents=True)
    record.touch()
    assert "old_record" not in run.install(), "the service has one of its own"


def test_a_dry_run_does_nothing(tmp_path: Path) -> None:
    run = Run(tmp_path, here=True, dry_run=True, is_root=False)
    assert run.install().count("would_written") == 4
    assert run.system.ran == []
    assert list(tmp_path.iterdir()) == []


def test_it_is_taken_back_but_for_the_record_and_what_was_changed(tmp_path: Path) -> None:
    run = Run(tmp_path, here=True)
    run.install()
    record = tmp_path / "var/lib/tablectl/journal.jsonl"
    record.parent.mkdir(parents=True)
    record.touch()
    config = tmp_path / texts.CONFIG
    config.write_text(config.read_text() + "# mine\n")
    run.told.clear()
    run.installer.uninstall()
    assert [key for key, _ in run.told if key in ("removed", "kept")] == [
        "removed",
        "removed",
        "kept",
        "removed",
    ]
    assert not (tmp_path / texts.UNIT).exists()
    assert config.exists()
    assert record.exists()
    assert "systemctl disable --now tablectl.service" in run.system.ran
    run.told.clear()
    run.installer.uninstall()
    assert [key for key, _ in run.told if key in ("absent", "kept")] == ["absent", "absent", "kept", "absent"]


REFUSED = {
    "not root": (dict(is_root=False), NotRoot, "sudo /opt/tablectl/bin/tablectl install"),
    "no systemd": (dict(systemd=False), NoSystemd, "not run by systemd"),
    "as root": (dict(user="root"), BadUser, "not root"),
    "a bad name": (dict(user="a b"), BadUser, "--user NAME"),
    "nobody": (dict(user="kim"), NoUser, "sudo adduser kim"),
    "hidden": (dict(hidden="/root"), ProgramHidden, "/opt/tablectl"),
    "a program fails": (dict(fails="usermod"), CommandFailed, "it does"),
}


@pytest.mark.parametrize(("facts", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_every_refusal_says_what_to_do(
    tmp_path: Path, facts: dict[str, Any], error: type[DaemonError], words: str
) -> None:
    with pytest.raises(error) as caught:
        Run(tmp_path, here=True, **facts).install()
    assert words in str(caught.value)
    for lang in catalog.LANGUAGES:
        assert "{" not in sentence(caught.value, lang)
    assert catalog.known(caught.value.key)


@pytest.mark.report("B112")
def test_a_read_only_card_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise OSError(30, os.strerror(30))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(CannotWrite, match=r"tablectl.toml cannot be written: Read-only file system.*remount"):
        Run(tmp_path).install()
    monkeypatch.undo()
    shutil.rmtree(tmp_path / "etc", ignore_errors=True)
    (tmp_path / "etc").write_text("a file")
    with pytest.raises(CannotWrite):
        Run(tmp_path).install()


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_the_command_says_each_step(tmp_path: Path, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "--root", str(tmp_path), "--lang", lang, "--user", "kim"]) == 0
    out = capsys.readouterr().out
    assert "install." not in out.replace("`tablectl install`", "")
    assert out.count(str(tmp_path)) >= 4
    assert main(["install", "--root", str(tmp_path), "--uninstall", "--lang", lang]) == 0
    assert not (tmp_path / texts.UNIT).exists()


def test_the_user_is_whoever_said_sudo() -> None:
    assert console.service_user("pi") == "pi"
    assert console.service_user("root") == console.service_user("") == installer.OWN_USER
    (script, *rest) = console.program()
    assert Path(script).is_absolute()
    assert not rest or rest == ["-m", "tablectl"]


def test_a_mark_tells_whose_a_file_is() -> None:
    text = marked("a = 1\n", "a = @A@\n")
    assert is_untouched(text)
    assert not is_untouched(text + "\n")
    assert not is_untouched("a = 1\n")
    assert template_of(text) == template_of(marked("a = 2\n", "a = @A@\n")) != ""


def test_a_closed_folder_above_the_program_is_found(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    program = closed / "tablectl"
    program.touch()
    hidden = ThisSystem().hidden_folder(str(program), "nobody")
    assert hidden
    assert Path(hidden) in program.parents
    assert ThisSystem().hidden_folder(str(program), "root") == ""
    assert ThisSystem().old_record("no-such-user") == ""
