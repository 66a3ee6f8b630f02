"""What the guest boots into, looked at from outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.guest import kernel, machine
from sim.guest.initramfs import CODE, UP, archive, script

MAGIC = b"070701"
HEAD = 110


def entries(data: bytes) -> dict[str, bytes]:
    found, at = {}, 0
    while True:
        assert data[at : at + 6] == MAGIC
        fields = [int(data[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        size, length = fields[6], fields[11]
        name = data[at + HEAD : at + HEAD + length - 1].decode()
        at += HEAD + length + (-(HEAD + length) % 4)
        if name == "TRAILER!!!":
            return found
        found[name] = data[at : at + size]
        at += size + (-size % 4)


def test_everything_is_in_it(tmp_path: Path) -> None:
    for name in ("busybox", "one.ko", "two.ko"):
        (tmp_path / name).write_bytes(name.encode() * 3)
    modules = [tmp_path / "two.ko", tmp_path / "one.ko"]
    found = entries(archive("the script", tmp_path / "busybox", modules))
    assert found["init"] == b"the script"
    assert found["modules/order"] == b"two.ko\none.ko"
    assert found["modules/one.ko"] == b"one.ko" * 3
    assert {"proc", "sys", "dev", "host"} <= set(found)


def test_the_script_tells_when_it_is_up_and_how_it_ended() -> None:
    text = script(["echo", "a b"], Path("/some where"), {"PATH": "/bin"})
    assert UP in text
    assert CODE in text
    assert "PATH=/bin" in text


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kernel.FOLDER, str(tmp_path))
    monkeypatch.setattr(kernel.shutil, "which", lambda tool: f"/bin/{tool}")
    assert "python -m sim.guest.kernel fetch" in kernel.lacking()
    with pytest.raises(kernel.GuestError):
        kernel.kernel()
    assert machine.main(["--", "true"]) == 2
    monkeypatch.setattr(kernel.shutil, "which", lambda tool: None)
    assert "apt-get install" in kernel.lacking()


def test_modules_are_loaded_behind_those_they_need(tmp_path: Path) -> None:
    paths = {}
    for name, needs in {"a": "b,c", "b": "c", "c": ""}.items():
        paths[name] = tmp_path / f"{name}.ko"
        paths[name].write_bytes(b"ELF\0depends=" + needs.encode() + b"\0rest")
    found = kernel.Kernel(tmp_path, paths).closure(["a", "built-in"])
    assert [path.stem for path in found] == ["c", "b", "a"]
