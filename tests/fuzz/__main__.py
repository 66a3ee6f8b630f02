"""Coverage-guided fuzzing with atheris: ``python -m tests.fuzz --seconds 600``.

Each harness runs in a process of its own, because libFuzzer ends the one it runs in; the time is shared out.
Inputs that reach new code go into ``.fuzz/NAME``; ``--keep`` merges a small choice of them into the corpus
of the repository. An input that breaks something is named, kept as ``.fuzz/crash-NAME-…``, and ends this
with code 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

WORK = Path(".fuzz")
LONGEST = 1024  # bytes of an input
KEPT_LONGEST = 512
KEPT_MOST = 40  # inputs of one corpus


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("names", nargs="*", help="harnesses; all if none is named")
    parser.add_argument("--seconds", type=int, default=600, help="for all together; 0 = only --keep")
    parser.add_argument("--keep", action="store_true", help="merge what was found into the corpus")
    parser.add_argument("--child", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        _child(asked.child[0], asked.child[1:])
        return 0
    from tests.fuzz.harnesses import HARNESSES

    names = asked.names or list(HARNESSES)
    each = max(1, asked.seconds // len(names))
    broken = [name for name in names if asked.seconds and not _fuzz(name, each)]
    if asked.keep:
        for name in names:
            _keep(name)
    if asked.seconds:
        print(f"{len(names)} decoders fuzzed, {len(broken)} broken {' '.join(broken)}".rstrip())
    return 1 if broken else 0


def _fuzz(name: str, seconds: int) -> bool:
    """Fuzz one; True if nothing broke."""
    from tests.fuzz.harnesses import CORPUS, HARNESSES

    found = WORK / name
    found.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(HARNESSES[name].seeds()):
        (found / f"seed-{number}").write_bytes(data)
    kept = CORPUS / name
    kept.mkdir(parents=True, exist_ok=True)
    print(f"-- {name}: {seconds} s", flush=True)
    return _libfuzzer(
        name,
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        f"-artifact_prefix={WORK}/crash-{name}-",
        "-timeout=10",
        "-rss_limit_mb=1024",
        "-print_final_stats=1",
        "-verbosity=0",
        str(found),
        str(kept),
    )


def _libfuzzer(name: str, *options: str) -> bool:
    command = [sys.executable, "-m", "tests.fuzz", "--child", name, *options]
    return subprocess.run(command, check=False).returncode == 0


def _keep(name: str) -> None:
    """The smallest inputs that reach all that was reached, as far as there is room."""
    from tests.fuzz.harnesses import CORPUS

    with tempfile.TemporaryDirectory() as folder:
        _libfuzzer(name, "-set_cover_merge=1", "-verbosity=0", folder, str(CORPUS / name), str(WORK / name))
        chosen = sorted(Path(folder).iterdir(), key=lambda path: (path.stat().st_size, path.name))
        for old in (CORPUS / name).iterdir():
            old.unlink()
        for path in [path for path in chosen if path.stat().st_size <= KEPT_LONGEST][:KEPT_MOST]:
            (CORPUS / name / path.name).write_bytes(path.read_bytes())


def _child(name: str, options: list[str]) -> None:
    """The process that is libFuzzer."""
    import atheris

    with atheris.instrument_imports(include=["protocols", "tablectl"]):
        from tests.fuzz.harnesses import HARNESSES

    again = f"{sys.executable} -m tests.fuzz --child {name}"  # a merge starts itself anew, through a shell
    atheris.Setup([again, *options], HARNESSES[name].one)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
