"""What the pages say is true: commands run, links lead somewhere, every hold is explained.

A fenced block is run when its first line says so: `sh run` in a home folder of its own, `sh table` beside a
daemon and a simulated table, in the order of the page. There ``# when …`` waits for that state of the hand,
and ``# exit N`` behind a command is its exit code. Every other `tablectl` line of a page must at least parse.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tablectl.console.parser import SPECS, parse
from tablectl.daemon.config import parse_config
from tablectl.daemon.history import verify
from tablectl.daemon.record import Chain, journal_body

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md"), ROOT / "protocols/atp/SPEC.md"])
LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"\s+# exit (\d+)$")
WHEN = {"# while they play": {"draw", "decide", "claims"}, "# when a win is declared": {"adjudication"}}
SPEED, SEED = 50, 36  # of the simulated table: the first hand is short, and won
LOOKS, HANDS = 200, 8  # before a wait is given up
DECISION_LINES = 50  # at most a page


class Block(NamedTuple):
    """A fenced block: what its first line says, and what is in it."""

    kind: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(*match) for match in FENCE.findall(page.read_text(encoding="utf-8"))]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


# ---- text ------------------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """What a link into a page may name: its headings, as a forge spells them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    for page in ROOT.glob("docs/**/*.md"):
        inside = str(page.relative_to(ROOT / "docs"))
        assert inside == "README.md" or f"({inside})" in index, inside


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/decisions/*.md")), ids=lambda page: page.stem)
def test_a_decision_has_context_choice_and_consequence_on_a_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Context", "Choice", "Consequence"]
    assert text.startswith(f"# {int(page.stem[:4])}. ")
    assert len(text.splitlines()) <= DECISION_LINES


def test_no_decision_number_is_used_twice_or_left_out() -> None:
    numbers = sorted(int(page.stem[:4]) for page in ROOT.glob("docs/decisions/*.md"))
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = sum(project["optional-dependencies"].values(), project["dependencies"])
    reasons = (ROOT / "docs/decisions/0005-dependencies.md").read_text(encoding="utf-8")
    for dependency in wanted:
        assert re.split(r"[<>=~ \[]", dependency)[0] in reasons


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_of_a_page_is_one(page: Path) -> None:
    for block in blocks(page):
        for line in block.text.splitlines() if block.kind.startswith("sh") else []:
            for words in tablectl_words(line):
                parse(words)


def tablectl_words(line: str) -> Iterator[list[str]]:
    """The arguments of each `tablectl` in a line of a shell."""
    for part in re.split(r"\||&&|>", line.partition(" # ")[0]):
        words = shlex.split(part)
        if words[:1] == ["tablectl"] and words[1:2] not in ([], ["--help"]):
            yield words[1:]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_named_in_a_sentence_exists(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    later = {"install"}  # said to come later
    firsts = {spec.split()[0] for spec in SPECS} | later
    for words in re.findall(r"`tablectl ([a-z][^`]*)`", text):
        first, *rest = words.split()
        assert first in firsts, words
        groups = [spec.split()[1] for spec in SPECS if spec.startswith(first + " ")]
        assert not groups or first in SPECS or (rest and rest[0].split("|")[0] in groups), words


def test_every_target_of_make_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        target
        for page in PAGES
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named
    assert named <= targets


def test_every_hold_has_a_row_for_the_referee() -> None:
    page = (ROOT / "docs/referee.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z ]+?)(?: (?:N|NAME))?` \|", page, re.MULTILINE)
    assert hold_names() | {"journal"} == set(rows)


def hold_names() -> set[str]:
    """The name of every hold the core puts, without its number or device, read from its source."""
    found = set()
    names = {"name": "link"}  # f"link {device}", put under a variable
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "tablectl/game").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=constant)], value=ast.Constant(value=str(said))):
                names[constant] = said
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="hold"), args=[ast.Constant(value=str(said)), *_]):
                found.add(said)
            case ast.Call(func=ast.Attribute(attr="hold"), args=[ast.Name(id=variable), *_]):
                found.add(names[variable])
            case ast.Call(func=ast.Attribute(attr="hold"), args=[ast.JoinedStr(values=[start, *_]), *_]):
                found.add(ast.literal_eval(start).strip())
    return found


def test_the_example_of_a_configuration_is_one() -> None:
    text = (ROOT / "docs/tablectl.toml").read_text(encoding="utf-8")
    assert parse_config(text, "tablectl.toml").device[0].port.startswith("/dev/serial/by-id/")
    assert text.rstrip() in (ROOT / "docs/config.md").read_text(encoding="utf-8")


def test_the_house_ruleset_of_the_page_is_one(tmp_path: Path) -> None:
    page = ROOT / "docs/rules.md"
    home = Home(tmp_path)
    (house,) = [block.text for block in blocks(page) if block.kind == "toml house"]
    (tmp_path / "house.toml").write_text(house, encoding="utf-8")
    (tmp_path / "wrong.toml").write_text(house.replace("discard_s = 20", "discrad_s = 20"), encoding="utf-8")
    for block in blocks(page):
        if block.kind in ("sh house", "sh wrong"):
            run(home, block)
    checked = home.run("tablectl rules check house.toml --json")
    changed = [f"{one['section']}.{one['field']}" for one in json.loads(checked.stdout)["changes"]]
    assert changed == [
        "turn.first_discard_s",
        "turn.discard_s",
        "claims.chow_s",
        "score.minimum",
        "session.time_s",
        "session.break_after",
    ]
    (wrong,) = [block.text for block in blocks(page) if block.kind == "text wrong"]
    assert home.run("tablectl rules check wrong.toml").stderr == wrong


# ---- the record -------------------------------------------------------------------------------------------


STRANGE = '张三\u2028\x7f\\"'


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a hand, and beside it the script of journal.md."""
    folder = tmp_path_factory.mktemp("journal")
    chain, lines = Chain(), []
    lines.append(chain.seal(journal_body("0" * 32, "test", {"mcr": "1" * 64})))
    for n in range(2, 9):
        command = {
            "kind": "command",
            "id": str(n),
            "actor": '张三\u2028\x7f\\"',
            "role": "chief",
            "name": "pause",
        }
        lines.append(chain.seal({"at": n, "unc": 0, "in": command, "out": {"outcome": "accepted"}}))
    (folder / "journal.jsonl").write_bytes(b"".join(lines))
    (folder / "journal.jsonl.head").write_text(json.dumps(chain.head._asdict()))
    (verify,) = [b.text for b in blocks(ROOT / "docs/journal.md") if b.kind == "python verify"]
    assert len(verify.splitlines()) <= 30
    (folder / "verify.py").write_text(verify, encoding="utf-8")
    return folder / "journal.jsonl"


def thirty_lines(journal: Path) -> tuple[int, str]:
    """Exit code of the script of journal.md, and what it says; it needs nothing of this project."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", journal.parent / "verify.py", journal],
        capture_output=True,
        text=True,
        timeout=30,
    )
    return done.returncode, done.stdout + done.stderr


def changed(lines: list[bytes]) -> list[bytes]:
    return [*lines[:4], lines[4].replace(b"chief", b"chieg"), *lines[5:]]


DAMAGE: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "changed": (changed, 5),
    "removed": (lambda lines: lines[:4] + lines[5:], 5),
    "doubled": (lambda lines: lines[:5] + lines[4:], 6),
    "swapped": (lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]], 5),
    "the first removed": (lambda lines: lines[1:], 1),
    "the last removed": (lambda lines: lines[:-1], 8),
    "cut off": (lambda lines: [*lines[:-1], lines[-1][:-20]], 8),
    "without its end": (lambda lines: [*lines[:-1], lines[-1][:-1]], 8),
    "empty": (lambda lines: [], 1),
}


def test_a_whole_record_passes_the_thirty_lines_of_the_page(journal: Path) -> None:
    code, said = thirty_lines(journal)
    assert (code, said.split()[:2]) == (0, ["8", "records,"])
    assert said.split()[-1].encode() in journal.read_bytes().splitlines()[-1]


@pytest.mark.parametrize("name", DAMAGE)
def test_the_thirty_lines_name_the_same_line_as_the_program(name: str, journal: Path, tmp_path: Path) -> None:
    damage, line = DAMAGE[name]
    lines = damage(journal.read_bytes().splitlines(keepends=True))
    for path in journal.parent.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    damaged = tmp_path / journal.name
    damaged.write_bytes(b"".join(lines))
    code, said = thirty_lines(damaged)
    assert code == 1
    assert f"line {line}" in said
    assert verify(damaged).bad_line == line


# ---- the picture ---------------------------------------------------------------------------------------


def draw(ansi: str, path: Path) -> ElementTree.Element:
    script = [sys.executable, str(ROOT / "docs/screenshot.py"), str(path)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(script, input=ansi.encode(), check=True, timeout=30, env=environ)
    return ElementTree.parse(path).getroot()


def test_a_screen_becomes_a_picture_cell_by_cell(tmp_path: Path) -> None:
    root = draw("\x1b[1m待出 <&>\x1b[0m │\n\x1b[31mred\x1b[39m ██▄\n", tmp_path / "screen.svg")
    texts = {text.text: text for text in root.findall(".//{*}text")}
    assert set(texts) == {"待出", "<&>", "red"}
    cell = float(texts["red"].attrib["textLength"]) / 3
    assert float(texts["待出"].attrib["textLength"]) == pytest.approx(4 * cell)
    assert float(texts["<&>"].attrib["x"]) - float(texts["待出"].attrib["x"]) == pytest.approx(
        5 * cell, abs=0.1
    )
    assert texts["待出"].attrib["font-weight"] == "bold"
    assert texts["red"].attrib["fill"] != texts["<&>"].attrib["fill"]
    shapes = [shape for shape in root.findall(".//{*}rect") if "height" in shape.attrib][1:]
    assert [round(float(shape.attrib["width"]) / cell) for shape in shapes] == [0, 2, 1]


def test_the_picture_of_the_front_page_is_well_formed() -> None:
    texts = [text.text for text in ElementTree.parse(ROOT / "docs/images/demo.svg").findall(".//{*}text")]
    assert {"discard", "online", "West"} <= set(texts)


# ---- commands ------------------------------------------------------------------------------------------


class Home:
    """A home folder with nothing in it but a `tablectl` on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        bin_ = folder / "bin"
        bin_.mkdir()
        for command, words in (("tablectl", "-m tablectl "), ("python", "")):
            script = bin_ / command
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
            script.chmod(0o755)
        keep = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "TABLECTL_"))}
        self.environ = {
            **keep,
            "HOME": str(folder),
            "USER": "kim",
            "PATH": f"{bin_}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "TABLECTL_LANG": "en",
        }

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a script of the shell to its end."""
        command = ["sh", "-c", line]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=self.folder, env=self.environ, timeout=60
        )

    def start(self, line: str) -> subprocess.Popen[str]:
        """Start a command; the process is the command itself."""
        pipe = subprocess.PIPE
        command = ["sh", "-c", f"exec {line} 2>>errors"]
        return subprocess.Popen(command, stdout=pipe, text=True, cwd=self.folder, env=self.environ)


def script(block: Block) -> str:
    """A block as a script that ends where a command does not end as the page says."""
    lines = ["set -e"]
    for line in block.text.splitlines():
        wanted = EXIT.search(line)
        lines.append(f"code=0; {EXIT.sub('', line)} || code=$?; test $code = {wanted[1]}" if wanted else line)
    return "\n".join(lines)


def run(home: Home, block: Block) -> None:
    """Run a block; it must end well, and without a traceback on the way."""
    done = home.run(script(block))
    assert done.returncode == 0, f"{block.text}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, block.text


def having(kind: str) -> list[Path]:
    """The pages with blocks of a kind."""
    return [page for page in PAGES if any(block.kind == kind for block in blocks(page))]


@pytest.mark.process
@pytest.mark.parametrize("page", having("sh run"), ids=name)
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    home = Home(tmp_path)
    for block in blocks(page):
        if block.kind == "sh run":
            run(home, block)


@pytest.fixture
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A home in which a daemon and a simulated table run."""
    home = Home(tmp_path_factory.mktemp("home"))
    serve = f"tablectl sim serve --endpoint pty:{home.folder}/table --seed {SEED} --speed {SPEED}"
    running = []
    for command in (serve, f"tablectl run --port {home.folder}/table"):
        process = home.start(command)
        running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ready"), (home.folder / "errors").read_text()
    wait(home, lambda state: state["links"].get("table", {}).get("state") == "online")
    yield home
    for process in reversed(running):
        process.terminate()
        process.communicate(timeout=20)


def wait(home: Home, seen: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Look again and again until the table shows it. On a busy computer orders may be late: say go on."""
    for _ in range(LOOKS):
        state: dict[str, Any] = json.loads(home.run("tablectl status --json").stdout)["state"]
        if seen(state):
            return state
        if state["holds"]:
            home.run("tablectl machine home; tablectl order retry; tablectl resume")
    raise AssertionError(state)


def wait_for_phase(home: Home, phases: set[str]) -> None:
    """Until the hand is in one of these; a hand that ended before, as hands do, is followed by another."""
    ends = {"adjudication", "closed", "void"}
    for _ in range(HANDS):
        hand = wait(home, lambda state: state["hand"]["phase"] in ends | phases)["hand"]
        if hand["phase"] in phases:
            return
        home.run("tablectl win confirm; tablectl hand start")
    raise AssertionError(hand)


@pytest.mark.process
@pytest.mark.parametrize("page", having("sh table"), ids=name)
def test_the_commands_of_a_page_run_at_a_table(page: Path, table: Home) -> None:
    for block in blocks(page):
        for line in block.text.splitlines() if block.kind == "sh table" else []:
            if line.startswith("# "):
                wait_for_phase(table, WHEN[line])
            else:
                run(table, Block("sh", line))
