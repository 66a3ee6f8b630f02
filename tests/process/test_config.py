"""What is wrong with the configuration is said with its line, why, and what was probably meant; exit 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.process.rig import Bench

pytestmark = pytest.mark.process

GOOD = """[table]
name = "Tisch 東"

[[device]]
name = "table"
port = "/nowhere"
"""

BAD: dict[str, tuple[str, tuple[str, ...]]] = {
    "an unknown key": (GOOD + "baudd = 9600\n", ("line 7", "device[0].baudd", "baud")),
    "an unknown section": ('[table]\n\n[[devise]]\nport = "x"\n', ("line 3", "devise", "device")),
    "an unknown key in a section": ('[api]\nsokket = "x"\n', ("line 2", "api.sokket", "socket")),
    "an unknown value": (GOOD + "baud = 115201\n", ("line 7", "baud", "115200")),
    "a driver nobody has": (GOOD + 'driver = "atq"\n', ("line 7", "driver", "atp")),
    "a language nobody speaks": ('[table]\nlanguage = "zh-hans"\n', ("line 2", "language", "zh-Hans")),
    "a number for a text": ("[table]\nname = 7\n", ("line 2", "table.name")),
    "a text for a number": (GOOD + 'baud = "fast"\n', ("line 7", "baud")),
    "an empty text": ('# hello\n[table]\n\nname = ""\n', ("line 4", "table.name")),
    "no TOML": ("[table]\nname = \n", ("line 2",)),
    "no end of a text": ('[table]\nname = "x\n', ("line 2",)),
    "one name twice": (GOOD + '\n[[device]]\nname = "table"\nport = "/else"\n', ("line 9", "line 4")),
    "a section twice": ("[table]\n[table]\n", ("line 2",)),
    "a list for a section": ("table = [1]\n", ("line 1", "table")),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_bad_configuration_is_said_with_its_line(bench: Bench, name: str, lang: str) -> None:
    content, words = BAD[name]
    bench.config.write_text(content, "utf-8")
    daemon = await bench.start("--lang", lang, *bench.daemon_words())
    assert await daemon.ended() == 2
    assert daemon.lines["out"] == []
    [sentence] = daemon.lines["err"]
    assert str(bench.config) in sentence
    assert all((word.replace("line", "第") if lang == "zh" else word) in sentence for word in words)
    assert not bench.state.exists()  # nothing was begun


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no configuration file"),
        (b'[table]\nname = "\xff"\n', "line 2: this is not UTF-8 text"),
        (b"\xff\xfe[\x00", "line 1: this is not UTF-8 text"),
    ],
)
async def test_a_file_that_cannot_be_read(bench: Bench, content: bytes | None, words: str) -> None:
    bench.config.unlink()
    if content is not None:
        bench.config.write_bytes(content)
    daemon = await bench.start(*bench.daemon_words())
    assert await daemon.ended() == 2
    assert words in daemon.text("err")


async def test_a_folder_and_a_closed_file(bench: Bench) -> None:
    for config, words in ((bench.folder, "is a folder"), (bench.folder / "closed" / "x", "no configuration")):
        daemon = await bench.start(*bench.daemon_words(config=config))
        assert await daemon.ended() == 2
        assert words in daemon.text("err")


@pytest.mark.parametrize("options", [{"prot": "/x"}, {"state_dirr": "/x"}, {"sockett": "/x"}])
async def test_an_unknown_option_of_the_daemon(bench: Bench, options: dict[str, str]) -> None:
    daemon = await bench.start(*bench.daemon_words(**options))
    assert await daemon.ended() == 2
    meant = {"prot": "--port", "state_dirr": "--state-dir", "sockett": "--socket"}[next(iter(options))]
    assert meant in daemon.lines["err"][-1]


async def test_a_socket_path_that_cannot_be(bench: Bench) -> None:
    daemon = await bench.start(*bench.daemon_words(socket="/tmp/" + "x" * 200))
    assert await daemon.ended() == 2
    assert "107" in daemon.text("err")


async def test_two_devices_and_one_port_option(bench: Bench) -> None:
    bench.config.write_text('[[device]]\nname = "a"\nport = "/a"\n[[device]]\nname = "b"\nport = "/b"\n')
    daemon = await bench.start(*bench.daemon_words())
    assert await daemon.ended() == 2
    assert "a, b" in daemon.text("err")


async def test_a_state_directory_that_cannot_be_used(bench: Bench) -> None:
    (bench.folder / "file").write_text("")
    daemon = await bench.start(*bench.daemon_words(state_dir=bench.folder / "file" / "state"))
    assert await daemon.ended() == 1
    assert "cannot be used" in daemon.text("err")
    assert "--state-dir" in daemon.text("err")


async def test_a_damaged_journal_is_not_gone_on_with(bench: Bench) -> None:
    daemon = await bench.daemon()
    await bench.cli("session", "start")
    await daemon.end()
    journal = Path(bench.state / "journal.jsonl")
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], lines[1].replace(b"missing", b"busy", 1), *lines[2:]]))
    again = await bench.start(*bench.daemon_words())
    assert await again.ended() == 1
    sentence = again.lines["err"][-1]
    assert "line 2 was changed" in sentence
    assert "journal repair" in sentence
    said = await bench.start("journal", "verify", journal)
    assert await said.ended() == 1
    assert "line 2" in said.text("out")
