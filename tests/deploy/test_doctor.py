"""The doctor: each thing that can be wrong is found, said in both languages, and has a command."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from protocols.errors import DriverBroken
from protocols.transports.listing import Found, Trouble
from tablectl.console.cli import main
from tablectl.console.doctor import line
from tablectl.console.doctor import main as doctor
from tablectl.daemon.sections import Device
from tablectl.deploy import texts
from tablectl.deploy.finding import INSTALL
from tablectl.deploy.machine import Account, Disk, Node, Unit, may
from tablectl.deploy.this_machine import ThisMachine, unit_of
from tablectl.locale import catalog
from tests.deploy.machines import BY_ID, STATE, TABLE, Change, FakeMachine, findings, port, sick

PI = Account("pi", 1000, frozenset({"pi", "dialout"}))
PLAIN = Account("pi", 1000, frozenset({"pi"}))
BROKEN = DriverBroken("import", "acme", "tablectl-acme", "ImportError: no")


def held(name: str, pid: int = 812) -> Change:
    return port(troubles=(Trouble("busy", {"pid": pid, "name": name}),))


def taken(name: str) -> Change:
    """Held by that program, so that the daemon cannot have it."""

    def change(machine: FakeMachine) -> None:
        held(name)(machine)
        machine.told = {"table": {"state": "backoff", "word": "busy"}}

    return change


def node(path: str, mode: int, uid: int = 0, group: str = "root") -> Change:
    return lambda machine: machine.nodes.update({path: Node(mode, uid, group)})


def gone(path: str) -> Change:
    return lambda machine: machine.files.pop(f"/{path}")


def link(word: str, **detail: Any) -> Change:
    return sick(told={"table": {"state": "refused", "word": word, "detail": detail}})


SWAPPED = {"sentence": "port.swapped", "port": BY_ID, "here": "table", "other": "keypad", "found": "K1"}

# what is wrong: the change, the check that finds it, words of the sentence, the command that mends it
PROBLEMS: dict[str, tuple[Change, str, str, str]] = {
    "python": (sick(version=(3, 9, 2)), "python", "3.9.2 is too old", "sudo apt install python3.11"),
    "under-voltage": (sick(bits=0x50005), "power", "under-voltage now", "vcgencmd get_throttled"),
    "under-voltage before": (sick(bits=0x50000), "power", "since the start", "vcgencmd get_throttled"),
    "clock": (sick(synchronised=False), "clock", "dates in the record", "sudo timedatectl set-ntp true"),
    "disk full": (sick(space=Disk("/", 9_000_000, 10, False)), "disk", "only 9 MB", "journalctl --vacuum"),
    "read-only": (
        sick(space=Disk("/", 9**10, 9**11, True)),
        "disk",
        "read-only",
        "sudo mount -o remount,rw /",
    ),
    "state": (node(str(STATE), 0o700, 0), "state", "pi may not write", f"sudo chown -R pi {STATE}"),
    "brltty": (sick(running=frozenset({"brltty"})), "braille", "Braille", "sudo apt remove brltty"),
    "group": (
        sick(accounts={"pi": PLAIN}),
        "group",
        "not in the group dialout",
        "sudo usermod -aG dialout pi",
    ),
    "unplugged": (sick(devices={}), "port", "not plugged in", "tablectl devices"),
    "twin": (port(troubles=(Trouble("twin"),)), "port", "two devices", "tablectl devices"),
    "group of the node": (
        node("/dev/ttyUSB0", 0o660, 0, "tty"),
        "permission",
        "belongs to the group tty",
        "sudo usermod -aG tty pi",
    ),
    "no permission": (node("/dev/ttyUSB0", 0o600), "permission", "udev rules give it", INSTALL),
    "busy": (taken("minicom"), "busy", "minicom (pid 812) holds", "sudo kill 812"),
    "modem manager at it": (
        taken("ModemManager"),
        "busy",
        "ModemManager",
        "sudo systemctl disable --now ModemManager",
    ),
    "brltty at it": (taken("brltty"), "busy", "brltty", "sudo apt remove brltty"),
    "asleep": (port(troubles=(Trouble("autosuspend", {"file": "/x"}),)), "sleep", "falls silent", INSTALL),
    "slow": (port(latency_ms=16), "latency", "up to 16 ms", INSTALL),
    "no rules": (gone("etc/udev/rules.d/60-tablectl.rules"), "rules", "no udev rules", INSTALL),
    "no service": (sick(service=Unit(False, "inactive", False)), "service", "not installed", INSTALL),
    "failed": (
        sick(service=Unit(True, "failed", True, "watchdog")),
        "service",
        "(watchdog)",
        "journalctl -u tablectl",
    ),
    "stopped": (
        sick(service=Unit(True, "inactive", True)),
        "service",
        "does not run",
        "systemctl start tablectl",
    ),
    "off": (
        sick(service=Unit(True, "active", False, "", 800)),
        "service",
        "not start",
        "systemctl enable tablectl",
    ),
    "silent": (link("board_silent"), "link", "the line is clean, nobody answers", "tablectl link status"),
    "swapped": (link("wrong_board", **SWAPPED), "swapped", "table, answers keypad", "tablectl link status"),
    "nothing recorded": (
        sick(unrecorded="No space left on device"),
        "record",
        "can record nothing (No space left on device)",
        "sudo systemctl restart tablectl",
    ),
    "a package no device uses": (
        sick(faults=[BROKEN]),
        "packages",
        "no device uses it",
        "pip uninstall tablectl-acme",
    ),
}


def wrong(change: Change | None = None, *devices: Device) -> list[tuple[str, str, str]]:
    """Check, sentence and command of each problem."""
    found = [finding for finding in findings(change, *devices) if finding.verdict == "problem"]
    return [(finding.check, line(finding, "en"), finding.mend) for finding in found]


def test_a_machine_that_is_well_has_nothing() -> None:
    assert {finding.verdict for finding in findings()} == {"ok"}
    checks = {finding.check for finding in findings()}
    assert {"python", "power", "clock", "disk", "state", "modem", "group", "port", "busy", "link"} <= checks


@pytest.mark.report("B022")
@pytest.mark.parametrize(("change", "check", "words", "mend"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_is_wrong_is_found_and_mended_by_a_command(
    change: Change, check: str, words: str, mend: str
) -> None:
    found = wrong(change)
    (mine,) = [one for one in found if one[0] == check]
    assert words in mine[1]
    assert mend in mine[2]
    assert mine[1].endswith(f" → {mine[2]}")
    others = [one for one in found if one[0] not in (check, "link") and one[2] != mine[2]]
    assert others == [], "and nothing else is blamed"


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_every_finding_has_words_in_both_languages(lang: str) -> None:
    changes = [
        None,
        *(change for change, *_ in PROBLEMS.values()),
        *(change for change, *_ in UNKNOWN.values()),
    ]
    for change in changes:
        for finding in findings(change):
            said = line(finding, lang)
            assert "doctor." not in said
            assert "{" not in said
            assert "\n" not in said
            if lang == "zh-Hans" and finding.verdict != "ok":
                assert any("\u4e00" <= sign <= "\u9fff" for sign in said)


UNKNOWN: dict[str, tuple[Change, str]] = {
    "no pi": (sick(bits=None), "power"),
    "no clock": (sick(synchronised=None), "clock"),
    "no disk": (sick(space=None), "disk"),
    "no systemd": (sick(service=None), "service"),
    "no daemon": (sick(told=None), "link"),
    "a node that went": (lambda machine: machine.nodes.pop("/dev/ttyUSB0"), "permission"),
}


@pytest.mark.parametrize(("change", "check"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_nobody_can_tell_is_not_called_wrong(change: Change, check: str) -> None:
    told = {finding.check: finding.verdict for finding in findings(change)}
    assert told[check] == "unknown"
    assert "problem" not in told.values()


def test_a_port_that_the_daemon_holds_is_not_busy() -> None:
    assert wrong(held("tablectl", pid=800)) == [], "by the service's pid"
    assert wrong(held("python3")) == [], "by what the daemon says of its link"


def test_modem_manager_is_harmless_behind_the_rules() -> None:
    running = frozenset({"ModemManager"})
    assert wrong(sick(running=running)) == []

    def unruled(machine: FakeMachine) -> None:
        machine.running = running
        machine.files.pop(f"/{texts.RULES}")

    assert {(check, mend) for check, _, mend in wrong(unruled)} == {("modem", INSTALL), ("rules", INSTALL)}
    found = wrong(sick(running=running), Device())
    assert ("modem", "sudo systemctl disable --now ModemManager") in {
        (check, mend) for check, _, mend in found
    }


def test_a_table_at_another_computer_needs_no_group_and_no_rules() -> None:
    def change(machine: FakeMachine) -> None:
        machine.accounts = {"pi": PLAIN}
        machine.running = frozenset({"ModemManager", "brltty"})
        machine.files.pop(f"/{texts.RULES}")

    assert wrong(change, Device(name="table", port="tcp:192.168.4.20:4000")) == []


def test_rules_that_a_person_wrote_are_theirs_and_old_ones_are_stale() -> None:
    other = (Device(name="table", port="usb:1209:7ab1:T1"),)

    def at_usb(machine: FakeMachine) -> None:
        machine.devices["usb:1209:7ab1:T1"] = Found("usb:1209:7ab1:T1", "/dev/bus/usb/001/002", place="1-1")
        machine.nodes["/dev/bus/usb/001/002"] = Node(0o664, 0, "dialout")

    assert [(check, mend) for check, _, mend in wrong(at_usb, *other)] == [("rules", INSTALL)]

    def mine(machine: FakeMachine) -> None:
        at_usb(machine)
        machine.files[f"/{texts.RULES}"] = "# mine\n"

    assert wrong(mine, *other) == []


def test_packages_that_the_drivers_need() -> None:
    panel = Device(name="table", driver="panel", port=BY_ID)
    usb = Device(name="table", port="usb:1209:7ab1")
    acme = Device(name="table", driver="acme", port=BY_ID)
    cases: list[tuple[Change, Device, str]] = [
        (sick(modules=frozenset()), panel, "pip install 'tablectl[panel]'"),
        (sick(modules=frozenset()), usb, "pip install pyusb"),
        (sick(libusb=False), usb, "sudo apt install libusb-1.0-0"),
        (sick(faults=[BROKEN]), acme, "pip install --upgrade --force-reinstall tablectl-acme"),
    ]
    for change, device, mend in cases:
        assert mend in {one[2] for one in wrong(change, device) if one[0] == "packages"}


def test_a_port_of_the_command_line_is_one_the_daemon_has() -> None:
    running = sick(told={"table": {"state": "online", "port": BY_ID}})
    (mine,) = [finding for finding in findings(running, Device()) if finding.check == "port"]
    assert mine.verdict == "ok"
    assert f"the running daemon has {BY_ID} for table" in line(mine, "en")
    assert [check for check, *_ in wrong(sick(told=None), Device()) if check == "port"] == ["port"]


@pytest.mark.report("B012")
def test_a_name_that_may_change_is_a_problem() -> None:
    def change(machine: FakeMachine) -> None:
        machine.devices["/dev/ttyUSB0"] = Found("/dev/ttyUSB0", "/dev/ttyUSB0", place="1-1.2")

    found = wrong(change, Device(name="table", port="/dev/ttyUSB0"))
    assert [(check, mend) for check, _, mend in found] == [("port", "tablectl devices")]
    assert "another device tomorrow" in found[0][1]


@pytest.mark.report("B023")
def test_a_device_that_is_put_to_sleep_without_a_rule_is_woken_by_hand() -> None:
    device = Device(name="table", port="/dev/ttyUSB0")

    def change(machine: FakeMachine) -> None:
        trouble = Trouble("autosuspend", {"file": "/sys/bus/usb/devices/1-1.2/power/control"})
        machine.devices["/dev/ttyUSB0"] = Found(
            "/dev/ttyUSB0", "/dev/ttyUSB0", place="1-1.2", troubles=(trouble,)
        )

    mends = {check: mend for check, _, mend in wrong(change, device)}
    assert mends["sleep"] == "echo on | sudo tee /sys/bus/usb/devices/1-1.2/power/control"


def test_the_account_looked_at_is_the_services() -> None:
    def change(machine: FakeMachine) -> None:
        machine.asks = "kim"
        machine.accounts = {"pi": PLAIN, "kim": PI}

    assert {check for check, *_ in wrong(change)} == {"group", "permission"}

    def by_hand(machine: FakeMachine) -> None:
        machine.files.pop(f"/{texts.UNIT}")
        machine.accounts = {}

    assert ("group", INSTALL) in {(check, mend) for check, _, mend in wrong(by_hand)}


@pytest.mark.parametrize(
    ("account", "mode", "allowed"),
    [
        (Account("root", 0, frozenset()), 0o000, True),
        (Account("a", 5, frozenset()), 0o600, True),
        (Account("b", 6, frozenset({"dialout"})), 0o660, True),
        (Account("b", 6, frozenset({"dialout"})), 0o640, False),
        (Account("b", 6, frozenset()), 0o660, False),
        (Account("a", 5, frozenset({"dialout"})), 0o066, False),
    ],
)
def test_rights_are_those_of_the_first_class_that_fits(account: Account, mode: int, allowed: bool) -> None:
    assert may(account, Node(mode, 5, "dialout")) is allowed


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "tablectl.toml"
    path.write_text(f'[[device]]\nname = "table"\nport = "{BY_ID}"\n[state]\ndir = "{STATE}"\n')
    return path


def asked(config: Path, **more: Any) -> Namespace:
    facts = {"lang": "en", "plain": True, "json": False, "port": None, "state_dir": None, "socket": None}
    return Namespace(config=str(config), **(facts | more))


def test_the_exit_code_says_whether_anything_is_wrong(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor(asked(config), FakeMachine()) == 0
    assert "Nothing is wrong." in capsys.readouterr().out
    assert doctor(asked(config), FakeMachine(bits=1, told=None)) == 1
    out = capsys.readouterr().out
    assert "✕ problem: under-voltage now" in out
    assert "? unknown: no daemon answers" not in out, "the service is active: another user's"
    assert "Wrong: 1." in out


def test_json_has_every_check(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(asked(config, json=True), FakeMachine(faults=[BROKEN])) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["ok"], said["problems"]) == (False, 1)
    (one,) = [check for check in said["checks"] if check["verdict"] == "problem"]
    assert set(one) == {"check", "verdict", "text", "mend", "facts"}
    assert "tablectl-acme" in one["facts"]["error"]


def test_a_mistake_in_the_configuration_is_one_problem_of_several(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text("[tabel]\n")
    assert doctor(asked(config), FakeMachine()) == 1
    out = capsys.readouterr().out
    assert "the configuration cannot be used: " in out
    assert f"→ sudoedit {config}" in out
    assert "Python 3.11.2" in out, "the rest is looked at all the same"


def test_this_machine_answers_every_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever this computer is, each question has an answer of its kind, and the command ends in 0 or 1."""
    machine = ThisMachine()
    assert machine.python() >= (3, 11)
    account = machine.account("root")
    assert account is not None
    assert account.uid == 0
    assert machine.account("no-such-user") is None
    assert machine.node("/") is not None
    assert machine.node(str(tmp_path / "none")) is None
    disk = machine.disk(str(tmp_path / "not/yet/there"))
    assert disk is not None
    assert 0 <= disk.free <= disk.size
    assert any(name.startswith(("python", "pytest")) for name in machine.processes())
    assert machine.is_clock_synchronised() in (True, False, None)
    assert machine.has_module("msgspec")
    assert not machine.has_module("no_such_module")
    assert machine.daemon(str(tmp_path / "sock")) is None
    assert machine.text(str(tmp_path / "none")) is None
    assert main(["doctor", "--json", "--state-dir", str(tmp_path)]) in (0, 1)
    assert json.loads(capsys.readouterr().out)["checks"]


SENSOR, SUPPLY_ALARM = "sys/class/hwmon/hwmon1/name", "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
SUPPLY = {
    "firmware": ({"sys/devices/platform/soc/soc:firmware/get_throttled": "50005"}, 0x50005),
    "alarm": ({SENSOR: "rpi_volt", SUPPLY_ALARM: "1"}, 1),
    "no alarm": ({SENSOR: "rpi_volt", SUPPLY_ALARM: "0"}, 0),
    "other sensors": ({SENSOR: "coretemp"}, None),
}


@pytest.mark.parametrize(("files", "bits"), SUPPLY.values(), ids=SUPPLY)
def test_the_supply_is_read_wherever_a_pi_tells_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], bits: int | None
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, said in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{said}\n")
    assert ThisMachine(tmp_path).throttled() == bits
    tool = tmp_path / "vcgencmd"
    tool.write_text("#!/bin/sh\necho throttled=0x50000\n")
    tool.chmod(0o755)
    assert ThisMachine(tmp_path).throttled() == (0x50000 if bits is None else bits)


def test_what_systemctl_says_is_read() -> None:
    said = "LoadState=loaded\nActiveState=failed\nUnitFileState=enabled\nResult=watchdog\nMainPID=0"
    assert unit_of(said) == Unit(True, "failed", True, "watchdog", 0)
    assert unit_of("LoadState=not-found\nActiveState=inactive\nUnitFileState=") == Unit(
        False, "inactive", False
    )


def test_nothing_is_changed_by_looking(config: Path, tmp_path: Path) -> None:
    before = sorted(os.listdir(tmp_path))
    doctor(asked(config), FakeMachine())
    assert sorted(os.listdir(tmp_path)) == before
    assert TABLE.port == BY_ID


@pytest.mark.parametrize(
    ("rules", "verdict", "said"),
    [
        ('default = "club"\nfiles = ["club.toml"]', "ok", "club where nobody names one"),
        ('default = "clubs"\nfiles = ["club.toml"]', "problem", "the rules clubs, which are not known here"),
        ('files = ["gone.toml"]', "problem", "gone.toml"),
        ('files = ["wrong.toml"]', "problem", "discard_s"),
    ],
)
def test_the_rules_the_configuration_names_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: str, verdict: str, said: str
) -> None:
    name = 'extends = "mcr"\nname = { zh = "会所", en = "Club" }\n'
    (tmp_path / "club.toml").write_text(f'id = "club"\n{name}')
    (tmp_path / "wrong.toml").write_text(f'id = "wrong"\n{name}[turn]\ndiscrad_s = 20\n')
    (tmp_path / "tablectl.toml").write_text(f"[rules]\n{rules}\n")
    main(["doctor", "--json", "--lang", "en", "--config", str(tmp_path / "tablectl.toml")])
    [found] = [one for one in json.loads(capsys.readouterr().out)["checks"] if one["check"] == "rulesets"]
    assert found["verdict"] == verdict
    assert said in found["text"]
