"""Names of any script, end to end, in a locale that knows none: config, commands, journal, log, pipe."""

from __future__ import annotations

import asyncio
import json
import signal

import pytest

from tests.process.rig import TABLECTL, Bench, watching

pytestmark = [pytest.mark.process, pytest.mark.report("B109")]

LOCALES = {
    "LANG=C": {"LANG": "C"},
    "LC_ALL=POSIX": {"LC_ALL": "POSIX"},
    "none at all": {},
}
NAMES = ("張三", "Zoë 🀄", "Ωμέγα", "🐉🌸")


@pytest.mark.parametrize("locale", LOCALES.values(), ids=LOCALES)
async def test_names_of_any_script_from_end_to_end(bench: Bench, locale: dict[str, str]) -> None:
    for name in ("LANG", "LC_ALL", "LC_CTYPE", "PYTHONUTF8", "PYTHONIOENCODING"):
        bench.environ.pop(name, None)
    bench.environ |= locale
    bench.state = bench.folder / "狀態"
    bench.config.write_text(f'[table]\nname = "東風 🀄"\n[state]\ndir = "{bench.state.name}"\n', "utf-8")
    await bench.table("--tiles", 136)
    words = ["run", "--config", str(bench.config), "--port", str(bench.port), "--socket", str(bench.socket)]
    daemon = await bench.start(*words)
    await daemon.says("ready")
    events = await watching(await bench.client(actor="裁判"))

    players = [word for n, name in enumerate(NAMES) for word in (f"--p{n}", name)]
    said = await bench.cli("session", "start", "--rules", "mcr-136", *players, "--actor", "李四")
    assert (said.code, said.err) == (0, "")
    assert (await bench.cli("hand", "start")).code == 0
    await events.event("event.done", operation="build")
    said = await bench.cli("pause", "--reason", "茶 🍵")
    assert said.code == 0

    status = (await bench.cli("status", "--json")).json["state"]
    assert [player["name"] for player in status["session"]["players"]] == list(NAMES)
    assert [hold["data"]["reason"] for hold in status["holds"]] == ["茶 🍵"]
    for lang in ("en", "zh-Hans"):
        said = await bench.cli("--lang", lang, "status", "--plain")
        assert (said.code, said.err) == (0, "")
        assert "茶 🍵" in said.out

    viewer = await bench.start("watch", "--json", "--since", 0, "--socket", bench.socket)
    held = json.loads(await viewer.says("event.held"))
    assert held["data"]["facts"]["reason"] == "茶 🍵"
    assert await viewer.end(signal.SIGINT) == 130

    assert await daemon.end() == 0
    journal = bench.state / "journal.jsonl"
    data = journal.read_bytes()
    for name in (*NAMES, "李四", "茶 🍵"):
        assert name.encode() in data
    shown = await bench.start("journal", "show", journal)
    assert await shown.ended() == 0
    assert "Traceback" not in shown.text("err")
    replayed = await bench.start("journal", "replay", journal)
    assert await replayed.ended() == 0
    assert "Traceback" not in daemon.text("err")
    assert '"reason": "茶 🍵"' in daemon.text("err")


async def test_a_terminal_that_cannot_show_it_gets_replacements(bench: Bench) -> None:
    await bench.daemon()
    player = ("--p0", NAMES[0])
    assert (await bench.cli("session", "start", *player)).code == 0
    assert (await bench.cli("hand", "start")).code == 0
    ascii_only = bench.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    for words in (["status", "--plain"], ["--lang", "zh", "status"], ["status", "--json"], ["hand", "start"]):
        said = await bench.cli(*words, env=ascii_only)
        assert said.code in (3, 5)
        assert "Traceback" not in said.err
        assert (said.out + said.err).isascii()
    assert (
        json.loads((await bench.cli("status", "--json", env=ascii_only)).out)["state"]["session"]["players"][
            0
        ]["name"]
        == NAMES[0]
    )  # JSON escapes what the terminal cannot show


async def test_a_python_that_is_forbidden_to_help_works_too(bench: Bench) -> None:
    """UTF-8 mode is switched off by hand in a C locale."""
    bench.environ |= {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    bench.state = bench.folder / "狀態"
    daemon = await bench.daemon()
    players = [word for n, name in enumerate(NAMES) for word in (f"--p{n}", name)]
    assert (await bench.cli("session", "start", *players)).code == 0
    status = (await bench.cli("status", "--json")).json["state"]
    assert [player["name"] for player in status["session"]["players"]] == list(NAMES)
    assert (await bench.cli("status", "--plain")).code == 5
    assert await daemon.end() == 0
    assert "Traceback" not in daemon.text("err")

    other = bench.beside()
    other.config.write_text('[state]\ndir = "房間"\n', "utf-8")
    words = ["run", "--config", other.config, "--port", other.port, "--socket", other.socket]
    daemon = await other.start(*words, env=bench.environ)
    await daemon.says("ready")
    assert (other.folder / "房間" / "journal.jsonl").exists()


async def test_bytes_that_are_no_text_are_replaced(bench: Bench) -> None:
    await bench.daemon()
    latin = await asyncio.create_subprocess_exec(
        *TABLECTL, "session", "start", "--p0", b"Zo\xeb", "--socket", str(bench.socket), env=bench.environ
    )
    assert await latin.wait() == 0
    status = (await bench.cli("status", "--json")).json["state"]
    assert status["session"]["players"][0]["name"] == "Zo\ufffd"
