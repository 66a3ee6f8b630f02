"""Compiles the firmware for this computer, as a library a test can step. Installs nothing.

The library is kept under a name made of sources and flags, so it is compiled once for all tests of a run.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from sim.errors import SimError

HERE = Path(__file__).parent
SOURCE = HERE / "src"
OTHER_SOURCE = "TABLECTL_FIRMWARE_SOURCE"  # names a folder to be compiled instead: one with a fault in it
HOSTED = HERE / "hosted"
WARNINGS = (
    "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wsign-conversion", "-Wshadow",
    "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wundef", "-Wcast-qual", "-Wvla", "-Wswitch-default",
    "-Wpointer-arith", "-Wwrite-strings",
)  # fmt: skip
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
SIMULATED = "-DIDENTITY_MORE=CAN_SIMULATED"  # a plant is a table made of software
TIMEOUT = 60.0


class BuildError(SimError):
    """The firmware could not be compiled."""


def compiler() -> str | None:
    """The C compiler of this computer: ``$CC``, else gcc or cc. None where there is none."""
    wanted = [os.environ.get("CC", ""), "gcc", "cc"]
    return next((found for name in wanted if name and (found := shutil.which(name))), None)


def sources(folder: Path = SOURCE) -> list[Path]:
    """The C files of the firmware, without any port."""
    return sorted(folder.glob("*.c"))


def run(command: Sequence[str | Path]) -> str:
    """Run a tool; what it said. Raises ``BuildError`` with its complaint."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    if done.returncode:
        raise BuildError(f"{' '.join(words[:1])} failed:\n{done.stderr or done.stdout}")
    return done.stdout + done.stderr


def source() -> Path:
    """Where the sources lie."""
    return Path(os.environ.get(OTHER_SOURCE, SOURCE))


def library(
    folder: Path | None = None, *, flags: Sequence[str] = ("-O2",), cache: Path | None = None
) -> Path:
    """The firmware as a shared library, made of the sources in ``folder`` (ours) and the hosted port.

    Raises ``BuildError`` where no compiler is or the sources do not compile without a warning.
    """
    cc = compiler()
    folder = folder or source()
    if cc is None:
        raise BuildError("no C compiler: install gcc (Debian: apt-get install gcc libc6-dev)")
    files = [*sources(folder), *sorted(HOSTED.glob("*.c"))]
    headers = [*sorted(folder.glob("*.h")), *sorted(HOSTED.glob("*.h"))]
    strict = () if OTHER_SOURCE in os.environ else WARNINGS  # a planted fault shall be run, not warned of
    words = [cc, *strict, *flags, SIMULATED, "-fPIC", f"-I{folder}", f"-I{HOSTED}"]
    place = cache or Path(tempfile.gettempdir()) / f"tablectl-firmware-{os.getuid()}"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    common = b"".join(path.read_bytes() for path in headers)
    objects = [_object(words, path, common, place) for path in files]
    made = place / f"firmware-{_digest(*map(str, objects))}.so"
    if not made.exists():
        part = made.with_suffix(_own_suffix())
        run([cc, *flags, "-shared", *objects, "-o", part])
        os.replace(part, made)
    return made


def _object(words: Sequence[str], path: Path, common: bytes, place: Path) -> Path:
    """One compiled file, kept under a name made of all it depends on but the folder it lies in."""
    kept = [word for word in words if not word.startswith("-I")]
    made = place / f"{path.stem}-{_digest(*kept, common, path.read_bytes())}.o"
    if not made.exists():
        part = made.with_suffix(_own_suffix())
        run([*words, "-c", path, "-o", part])
        os.replace(part, made)
    return made


def _own_suffix() -> str:
    """Of a file nobody else writes, be it another process or another thread."""
    return f".{os.getpid()}-{threading.get_ident()}"


def _digest(*parts: str | bytes) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(part.encode() if isinstance(part, str) else part)
    return found.hexdigest()[:16]
