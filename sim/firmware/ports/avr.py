"""The firmware on an emulated ATmega1284P, cycle by cycle, in lockstep: what ``lockstep.Firmware`` is to the
hosted build. The emulator is avr8js, run by node as a process of its own.

Where avr8js lies is said by ``TABLECTL_AVR8JS`` (its folder in a ``node_modules``); else it is looked for
where ``make hil-tools`` puts it, and below the working folder.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

from sim.errors import SimError
from sim.firmware.build import BuildError, run
from sim.firmware.lockstep import Inputs
from sim.firmware.ports.build import build
from sim.firmware.ports.bus import packed
from sim.mechanism.tiles import FULL

RUNNER = Path(__file__).with_name("avr") / "runner.mjs"
PLACE = "TABLECTL_AVR8JS"
MODULE = Path("dist", "cjs", "index.js")
VERSION = "0.21.1"
TOOLS = Path.home() / ".cache" / "tablectl"
EXCHANGE_US = 2000  # main.c: between two looks at the pins
_HEAD, _ANSWER = struct.Struct("<Q"), struct.Struct("<IH")
_KEPT = struct.Struct("<IB")  # struct settings of port.h


class AvrError(SimError):
    """The emulated microcontroller is missing or has ended."""


def emulator() -> Path | None:
    """The module of avr8js, None where there is none."""
    given = os.environ.get(PLACE)
    usual = [place / "node_modules" / "avr8js" for place in (TOOLS, Path.cwd())]
    modules = [folder / MODULE for folder in ([Path(given)] if given else usual)]
    return next((module for module in modules if module.exists()), None)


def lacking() -> str:
    """What keeps us from emulating; empty when nothing does."""
    if shutil.which("node") is None:
        return "node is not installed (Debian: apt-get install nodejs)"
    if emulator() is None:
        return (
            f"avr8js is not there: make hil-tools; or npm install avr8js@{VERSION}, {PLACE} naming its folder"
        )
    if shutil.which("avr-gcc") is None:
        return "avr-gcc is not installed (Debian: apt-get install gcc-avr avr-libc)"
    return ""


class AvrChip:
    """A chip with its image and its EEPROM; ``boot`` gives a running one."""

    def __init__(self, profile: int = FULL) -> None:
        """``profile``: tiles of a set, as its maker has set it."""
        lack = lacking()
        if lack:
            raise AvrError(lack)
        self._folder = Path(tempfile.mkdtemp(prefix="tablectl-avr-"))
        image = build("avr", self._folder)
        self._flash = self._folder / "flash.bin"
        try:
            run(["avr-objcopy", "-O", "binary", "-j", ".text", "-j", ".data", image.elf, self._flash])
        except BuildError as error:
            raise AvrError(str(error)) from error
        self._eeprom = self._folder / "eeprom.bin"
        self._eeprom.write_bytes(_KEPT.pack(0, profile))
        self.flash, self.ram = image.flash, image.ram

    def boot(self, inputs: Inputs, boot_count: int, profile: int) -> Avr:
        """Switch it on. It counts its boots and keeps its profile by itself."""
        return Avr(self._flash, self._eeprom, inputs)

    def close(self) -> None:
        """Throw it away."""
        shutil.rmtree(self._folder, ignore_errors=True)


class Avr:
    """One boot, stepped by hand."""

    profile = 0  # its EEPROM knows

    def __init__(self, flash: Path, eeprom: Path, inputs: Inputs) -> None:
        module = emulator()
        assert module is not None
        self._process = subprocess.Popen(
            ["node", str(RUNNER), str(flash), str(eeprom), str(module)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._now_us = 0
        self._said = b""
        self._inputs = packed(inputs)
        self._coming = bytearray()
        self.outputs = 0
        self.due_us = 0

    def receive(self, now_us: int, data: bytes) -> None:
        """The line brought bytes; they arrive at the speed of the UART from now on."""
        self._coming += data

    def step(self, now_us: int, inputs: Inputs) -> int:
        """Run up to ``now_us`` with the pins as they were, then show these."""
        if now_us > self._now_us or self._coming:
            self._run(max(now_us, self._now_us))
        self._inputs = packed(inputs)
        self.due_us = now_us + EXCHANGE_US
        return self.outputs

    def _run(self, until_us: int) -> None:
        coming, self._coming = bytes(self._coming), bytearray()
        question = _HEAD.pack(until_us) + self._inputs + struct.pack("<H", len(coming)) + coming
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(question)
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise AvrError("the emulator has ended") from error
        self.outputs, length = _ANSWER.unpack(self._read(_ANSWER.size))
        self._said += self._read(length)
        self._now_us = until_us

    def _read(self, size: int) -> bytes:
        assert self._process.stdout is not None
        data = self._process.stdout.read(size)
        if len(data) != size:
            raise AvrError("the emulator has ended")
        return data

    def transmit(self) -> bytes:
        """What has left its UART."""
        said, self._said = self._said, b""
        return said

    def close(self) -> None:
        """Switch it off."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
