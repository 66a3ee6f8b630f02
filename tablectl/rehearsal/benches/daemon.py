"""A daemon to be measured: in a process of its own, or its settings for one in this process."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from tablectl.daemon.config import Settings
from tablectl.daemon.sections import Device
from tablectl.rehearsal.benches.lab import Lab


def settings_for(folder: Path, socket: Path, port: str = "") -> Settings:
    """A daemon's settings, nothing taken from this computer."""
    return Settings(
        source=None,
        table_name="bench",
        language="both",
        devices=(Device(port=port),) if port else (),
        socket=socket,
        rules="mcr",
        rules_files=(),
        state_dir=folder,
    )


async def daemon(stack: AsyncExitStack, lab: Lab, folder: Path, socket: Path, port: Path) -> int:
    """A daemon in a process of its own; returns its process id once it is ready."""
    config = folder / "tablectl.toml"
    config.write_text("")
    where = ["--port", str(port), "--state-dir", str(folder), "--socket", str(socket)]
    child = await lab.tablectl(stack, "daemon", "run", *where, "--config", str(config))
    await child.ready()
    return child.process.pid
