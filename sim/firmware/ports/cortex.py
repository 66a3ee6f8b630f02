"""The firmware on an emulated Cortex-M3: QEMU as a process of its own, the plant at its second line.

    board = await Cortex.boot(elf, PinBoard(plant), host=tcp(4000))

``host`` is what QEMU calls a character device: a TCP port, a socket, a pty.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from sim.errors import SimError
from sim.firmware.ports.bus import PinBoard, PinLine

EMULATOR = "qemu-system-arm"
MACHINE = "lm3s6965evb"
BOOT_S = 20.0  # a busy computer starts programs slowly


class EmulatorError(SimError):
    """The emulator is missing or has ended."""


def lacking() -> str:
    """What keeps us from emulating; empty when nothing does."""
    if shutil.which(EMULATOR) is None:
        return f"{EMULATOR} is not installed (Debian: apt-get install qemu-system-arm)"
    return ""


def tcp(port: int) -> str:
    """The host's line on a TCP port of this computer; it may hang up and call again."""
    return f"socket,id=host,host=127.0.0.1,port={port},server=on,wait=off,nodelay=on"


class Cortex:
    """One running microcontroller. ``reset`` switches it off and on, ``close`` off."""

    def __init__(self, elf: Path, pins: PinBoard, host: str) -> None:
        self._elf = elf
        self._pins = pins
        self._host = host
        self._folder = Path(tempfile.mkdtemp(prefix="tablectl-pins-"))
        self._server: asyncio.Server | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._booted = asyncio.Event()

    @classmethod
    async def boot(cls, elf: Path, pins: PinBoard, host: str) -> Cortex:
        """Switch one on. Raises ``EmulatorError``."""
        lack = lacking()
        if lack:
            raise EmulatorError(lack)
        board = cls(elf, pins, host)
        loop = asyncio.get_running_loop()
        board._server = await loop.create_unix_server(
            lambda: PinLine(pins, board._booted.set), board._folder / "pins"
        )
        await board.power_on()
        return board

    async def power_on(self) -> None:
        """Run; returns when the firmware has asked for its settings, which is nearly its first act."""
        self._booted.clear()
        self._process = await asyncio.create_subprocess_exec(
            EMULATOR, "-M", MACHINE, "-display", "none", "-monitor", "none", "-kernel", str(self._elf),
            "-chardev", self._host, "-serial", "chardev:host",
            "-chardev", f"socket,id=pins,path={self._folder / 'pins'}", "-serial", "chardev:pins",
            stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            async with asyncio.timeout(BOOT_S):
                await self._booted.wait()
        except TimeoutError as late:
            await self.power_off()
            raise EmulatorError(f"{EMULATOR} did not start the firmware in {BOOT_S:.0f} s") from late

    async def power_off(self) -> None:
        """The power is gone."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def close(self) -> None:
        """Switch off for good."""
        await self.power_off()
        if self._server is not None:
            self._server.close()
        shutil.rmtree(self._folder, ignore_errors=True)
