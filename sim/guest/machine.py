"""Boots the guest and runs one command in it: ``python -m sim.guest.machine [--modules a,b] -- COMMAND…``.

One processor, software emulation, no KVM. Its time is jittery: never judge less than 50 ms there.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from sim.guest.compiled import NEVER, compiled
from sim.guest.initramfs import CODE, UP, archive, script
from sim.guest.kernel import GuestError, kernel

ROOT = ["virtio_pci", "9pnet_virtio", "9p"]  # to see this computer's files
ACCELERATOR = "tcg,thread=multi"
MEMORY_MB = 1024
# The timer of the board is the clock: a busy computer makes the kernel misjudge how fast a processor counts.
APPEND = "console=ttyS0 quiet panic=-1 mitigations=off clocksource=acpi_pm no_timer_check random.trust_cpu=on"
SHARE = "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"
INSIDE = "TABLECTL_INSIDE"  # set in a guest and nowhere else
PATIENCE_S = 1500.0  # on a computer that is busy with other things


def require_inside() -> None:
    """Before what changes the system it runs on. Raises ``GuestError`` outside a guest."""
    if INSIDE not in os.environ:
        raise GuestError(
            "this is done in a guest only: it would change the udev, or the users, of this computer"
        )


class Guest:
    """One running guest. ``lines`` takes what its console says."""

    def __init__(self, lines: Callable[[str], None]) -> None:
        self._lines = lines
        self._folder = Path(tempfile.mkdtemp(prefix="tablectl-guest-"))
        self._process: asyncio.subprocess.Process | None = None
        self.up = asyncio.Event()
        self.code: int | None = None

    async def boot(
        self,
        command: Sequence[str],
        modules: Sequence[str],
        devices: Sequence[str],
        imports: Sequence[str] = (),
    ) -> None:
        """Start it with these kernel modules and QEMU devices; the command runs as soon as it is up. What it
        ``imports`` is compiled here, which is quicker. Raises ``GuestError``."""
        linux = kernel()
        busybox = shutil.which("busybox")
        assert busybox is not None
        environment = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        environment |= {INSIDE: "1", NEVER: "1", "PYTHONUNBUFFERED": "1"} | compiled(imports)
        init = script(command, Path.cwd(), environment)
        files = self._folder / "initramfs"
        files.write_bytes(archive(init, Path(busybox), linux.closure([*ROOT, *modules])))
        self._process = await asyncio.create_subprocess_exec(
            "qemu-system-x86_64", "-accel", ACCELERATOR, "-M", "pc", "-m", str(MEMORY_MB), "-smp", "1",
            "-nodefaults", "-display", "none", "-no-reboot", "-serial", "stdio",
            "-kernel", str(linux.image), "-initrd", str(files), "-append", APPEND,
            "-virtfs", SHARE, *devices, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip

    async def wait(self) -> int:
        """Until it has powered off: the exit code of its command. Raises ``GuestError``."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(PATIENCE_S):
                async for raw in process.stdout:
                    self._heard(raw.decode(errors="replace").rstrip("\r\n"))
                await process.wait()
        except TimeoutError as late:
            raise GuestError(f"the guest did not end within {PATIENCE_S:.0f} s") from late
        finally:
            await self.close()
        if self.code is None:
            raise GuestError("the guest ended before its command did")
        return self.code

    def _heard(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == UP:
            self.up.set()
        elif word == CODE:
            self.code = int(rest)
        else:
            self._lines(line)

    async def close(self) -> None:
        """Pull its plug, if it still runs."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


async def run(
    command: Sequence[str],
    modules: Sequence[str],
    lines: Callable[[str], None] = lambda line: print(line, flush=True),
    imports: Sequence[str] = (),
) -> int:
    """Boot a guest for one command; its exit code. ``lines`` takes what it says. Raises ``GuestError``."""
    guest = Guest(lines)
    try:
        await guest.boot(command, modules, (), imports)
        return await guest.wait()
    finally:
        await guest.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command in a guest."""
    parser = argparse.ArgumentParser(prog="python -m sim.guest.machine", description=__doc__)
    parser.add_argument("--modules", default="", help="of the kernel, separated by commas")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    modules = [name for name in options.modules.split(",") if name]
    try:
        return asyncio.run(run(options.command, modules))
    except GuestError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
