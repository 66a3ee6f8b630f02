"""Builds the firmware for microcontrollers. Installs nothing: what is missing is said by name.

python -m sim.firmware.ports.build [cortex_m3] [avr] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.firmware.build import SIMULATED, SOURCE, WARNINGS, BuildError, run, sources

HERE = Path(__file__).parent
RAM_BYTES = 4096  # without the stack
COMMON = ("-Os", "-ffunction-sections", "-fdata-sections", "-ffreestanding", "-fno-common", "-g")


@dataclass(frozen=True, slots=True)
class Target:
    """A microcontroller: its tools, and the packages they come in."""

    name: str
    prefix: str
    machine: tuple[str, ...]
    link: tuple[str, ...]
    package: str


TARGETS = {
    "cortex_m3": Target(
        "cortex_m3",
        "arm-none-eabi-",
        ("-mcpu=cortex-m3", "-mthumb"),
        ("-nostdlib", "-T", str(HERE / "cortex_m3" / "link.ld")),
        "gcc-arm-none-eabi",
    ),
    "avr": Target(
        "avr", "avr-", ("-mmcu=atmega1284p", "-DF_CPU=16000000UL"), (), "gcc-avr avr-libc binutils-avr"
    ),
}


@dataclass(frozen=True, slots=True)
class Image:
    """A built firmware and what it takes, in bytes."""

    elf: Path
    flash: int
    ram: int


def missing(target: Target) -> str:
    """What keeps us from building for it; empty when nothing does."""
    if shutil.which(f"{target.prefix}gcc") is None:
        return f"{target.prefix}gcc is not installed (Debian: apt-get install {target.package})"
    return ""


def build(name: str, folder: Path) -> Image:
    """Build for the target of that name. Raises ``BuildError``, also when it needs more RAM than agreed."""
    target = TARGETS[name]
    lack = missing(target)
    if lack:
        raise BuildError(lack)
    folder.mkdir(parents=True, exist_ok=True)
    elf = folder / f"tablectl-{name}.elf"
    files = [*sources(), HERE / "main.c", *sorted((HERE / name).glob("*.c"))]
    include = [f"-I{SOURCE}", f"-I{HERE}", f"-I{HERE / name}"]
    linking: list[str | Path] = [*target.link, "-Wl,--gc-sections", "-o", elf, *files, "-lgcc"]
    run([f"{target.prefix}gcc", *target.machine, *WARNINGS, *COMMON, SIMULATED, *include, *linking])
    text, data, bss = map(int, re.findall(r"\d+", run([f"{target.prefix}size", elf]).splitlines()[1])[:3])
    image = Image(elf, text + data, data + bss)
    if image.ram > RAM_BYTES:
        raise BuildError(f"the {name} image takes {image.ram} bytes of RAM, {RAM_BYTES} are allowed")
    return image


def main(arguments: Sequence[str] | None = None) -> int:
    """Build what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m sim.firmware.ports.build", description=__doc__)
    parser.add_argument("target", nargs="*", help=f"of {sorted(TARGETS)}; none = all")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "tablectl-firmware")
    options = parser.parse_args(arguments)
    failed = False
    for name in options.target or sorted(TARGETS):
        try:
            image = build(name, options.out)
        except BuildError as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = True
        else:
            print(f"{name}: {image.elf}, {image.flash} bytes of flash, {image.ram} bytes of RAM")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
