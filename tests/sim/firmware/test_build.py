"""The sources stand what can be asked of C: sanitizers, the analyser, no C library, a RAM budget."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sim.firmware.build import SANITIZERS, SOURCE, WARNINGS, compiler, library, run, sources

HERE = Path(__file__).parent
NOISE_BYTES = 40_000
HEADERS = {"stddef.h", "stdint.h", "stdbool.h"}  # those a bare compiler brings itself


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_sources_need_no_c_library(path: Path) -> None:
    wanted = set(re.findall(r"#include <(\S+)>", path.read_text(encoding="utf-8")))
    assert wanted <= HEADERS


def test_nothing_is_allocated_and_nothing_calls_itself() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sources())
    assert not re.search(r"\b(malloc|calloc|realloc|free|alloca|longjmp|goto)\b\s*\(?", text)


def test_the_analyser_finds_nothing(tmp_path: Path) -> None:
    cc = compiler()
    assert cc is not None
    if "Free Software Foundation" not in run([cc, "--version"]):
        pytest.skip("the analyser is gcc's")
    for path in sources():
        run([cc, *WARNINGS, "-fanalyzer", "-O1", f"-I{SOURCE}", "-c", path, "-o", tmp_path / "out.o"])


def test_noise_and_orders_touch_no_foreign_memory(tmp_path: Path) -> None:
    code = library(flags=("-O1", *SANITIZERS), cache=tmp_path)
    asan = run([str(compiler()), "-print-file-name=libasan.so"]).strip()
    done = subprocess.run(
        [sys.executable, "-m", "tests.sim.firmware.pound", str(code), str(NOISE_BYTES)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "LD_PRELOAD": asan, "ASAN_OPTIONS": "detect_leaks=0"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) > NOISE_BYTES / 100  # it answered, so it got far


@pytest.mark.skipif(shutil.which("cppcheck") is None, reason="cppcheck is not installed")
def test_cppcheck_finds_nothing() -> None:
    said = run(
        [
            "cppcheck",
            "--std=c99",
            "--enable=warning,performance,portability",
            "--error-exitcode=1",
            "--inline-suppr",
            "--quiet",
            f"-I{SOURCE}",
            SOURCE,
        ]
    )
    assert said == ""
