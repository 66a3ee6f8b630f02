"""The thirty lines of docs/seat-draw.md come to the seats the engine came to, and catch a false secret."""

from __future__ import annotations

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.game.evening import SECRET, Evening

PAGE = Path(__file__).parents[2] / "docs/seat-draw.md"
PLAYERS = ("p0", "p1", "p2", "p3")


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (code,) = re.findall(r"^```python check\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(code.splitlines()) <= 30
    path = tmp_path_factory.mktemp("page") / "check.py"
    path.write_text(code, encoding="utf-8")
    return path


def run(check: Path, *words: object) -> subprocess.CompletedProcess[str]:
    script = [sys.executable, "-I", "-S", str(check), *map(str, words)]
    return subprocess.run(script, capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize("stages", [1, 2], ids=["first stage", "second stage"])
def test_anybody_can_check_a_draw(check: Path, stages: int) -> None:
    t = Evening("ccm", hands=1, stages=stages, draw=stages == 1)
    if stages == 2:
        t.play("S")
    t.chance()
    for at, player in enumerate(PLAYERS):
        t.ok("seat contribute", player=player, number=1000 + at)
    (told,) = t.published("event.draw_revealed")
    earlier = [",".join(order) for order in told["earlier"]]
    assert len(earlier) == stages - 1
    done = run(check, told["secret"], told["commitment"], *told["numbers"], *earlier)
    assert done.stdout.split()[-4:] == t.seats


def test_another_secret_is_found_out(check: Path) -> None:
    done = run(check, "another", sha256(SECRET.encode()).hexdigest(), 1, 2, 3, 4)
    assert done.returncode == 1
    assert "not the one" in done.stderr
