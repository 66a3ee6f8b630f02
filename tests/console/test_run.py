"""``tablectl run`` before it runs: what the configuration must name right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.console.cli import main

HOUSE_RULES = 'id = "club"\nextends = "mcr"\nname = { zh = "会所", en = "Club" }\n'


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLECTL_LANG", "en")


def config(folder: Path, default: str) -> Path:
    path = folder / "tablectl.toml"
    path.write_text(f'[rules]\ndefault = "{default}"\nfiles = ["club.toml"]\n[state]\ndir = "state"\n')
    (folder / "club.toml").write_text(HOUSE_RULES)
    return path


def test_default_rules_nobody_knows_are_refused_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, "clubs")
    assert main(["run", "--config", str(path)]) == 2
    said = capsys.readouterr().err
    assert str(path) in said
    assert "clubs" in said
    assert "club" in said.split("Known are ")[1].split(". ")[0].split(", ")
    assert not (tmp_path / "state").exists()
