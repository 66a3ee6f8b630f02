"""What the guest boots into: busybox, a few modules and a script that changes into this computer's files."""

from __future__ import annotations

import base64
import io
import os
import shlex
import stat
from collections.abc import Sequence
from pathlib import Path

UP, CODE = "GUEST-UP", "GUEST-CODE"  # what the script says on the console
FOLDERS = ("bin", "proc", "sys", "dev", "host", "modules")

# The files of this computer are mounted read-only; what a program must write it writes to /run, in memory.
INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin; export PATH=/bin
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev
for module in $(cat /modules/order); do insmod /modules/$module || echo "no module $module"; done
echo 3 > /proc/sys/kernel/printk
mount -t 9p -o trans=virtio,version=9p2000.L,msize=1048576,cache=loose,ro host /host || poweroff -f
for each in proc sys dev; do mount --move /$each /host/$each; done
mkdir -p /host/dev/pts /host/dev/shm
mount -t devpts none /host/dev/pts; mount -t tmpfs none /host/run; mount -t tmpfs none /host/dev/shm
ifconfig lo up
echo "{up} $(cut -d' ' -f1 /host/proc/uptime)"
echo {command} | base64 -d > /host/run/command
chroot /host /usr/bin/env -i {environment} HOME=/run TMPDIR=/run sh /run/command
echo "{code} $?"
poweroff -f
"""


def script(command: Sequence[str], where: Path, environment: dict[str, str]) -> str:
    """The init script that runs one command in the folder ``where``."""
    line = f"cd {shlex.quote(str(where))} && exec {shlex.join(command)}\n"
    return INIT.format(
        up=UP,
        code=CODE,
        command=base64.b64encode(line.encode()).decode(),
        environment=" ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items()),
    )


def archive(init: str, busybox: Path, modules: Sequence[Path]) -> bytes:
    """All of it as the kernel unpacks it (cpio, newc)."""
    out = io.BytesIO()
    entries = [(name, stat.S_IFDIR | 0o755, b"") for name in FOLDERS]
    entries.append(("bin/busybox", stat.S_IFREG | 0o755, busybox.read_bytes()))
    entries.append(("init", stat.S_IFREG | 0o755, init.encode()))
    order = "\n".join(path.name for path in modules)
    entries.append(("modules/order", stat.S_IFREG | 0o644, order.encode()))
    entries += [(f"modules/{path.name}", stat.S_IFREG | 0o644, path.read_bytes()) for path in modules]
    for number, (name, mode, data) in enumerate(entries, 1):
        _entry(out, name, mode, data, number)
    _entry(out, "TRAILER!!!", 0, b"", 0)
    return out.getvalue()


def _entry(out: io.BytesIO, name: str, mode: int, data: bytes, number: int) -> None:
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    out.write(b"070701" + b"".join(b"%08X" % field for field in fields) + os.fsencode(name) + b"\0")
    out.write(b"\0" * (-out.tell() % 4))
    out.write(data)
    out.write(b"\0" * (-out.tell() % 4))
