"""The kernel of the guest: a stock Debian package, unpacked into a folder of ours. Nothing is installed.

python -m sim.guest.kernel fetch     downloads it with the package manager (70 MB) and unpacks what is wanted
"""

from __future__ import annotations

import importlib.util
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sim.errors import SimError

META = "linux-image-amd64"  # always depends on the newest
FOLDER = "TABLECTL_GUEST"  # names the folder it is kept in
TOOLS = {"qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static"}
XZ = b"\xfd7zXZ\0"
DEPENDS = re.compile(rb"\0depends=([^\0]*)\0")


class GuestError(SimError):
    """The guest cannot be had here."""


def folder() -> Path:
    """Where kernel and modules are kept."""
    given = os.environ.get(FOLDER)
    return Path(given) if given else Path.home() / ".cache" / "tablectl" / "guest"


def lacking() -> str:
    """What keeps us from booting a guest; empty when nothing does."""
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            return f"{tool} is not installed (Debian: apt-get install {package})"
    if not (folder() / "vmlinux").exists():
        return "there is no kernel for the guest: python -m sim.guest.kernel fetch"
    return ""


def lacking_plug() -> str:
    """The same of plugging simulated devices into its USB, which takes a package."""
    if importlib.util.find_spec("usbip") is None:
        return "the package usbip is not installed: pip install tablectl[hil]"
    return lacking()


@dataclass(frozen=True, slots=True)
class Kernel:
    """An unpacked kernel."""

    image: Path
    modules: dict[str, Path]  # by name, with underscores

    def closure(self, names: list[str]) -> list[Path]:
        """Modules and what they depend on, in the order of loading. One that is not there is built in."""
        found: list[Path] = []

        def add(name: str) -> None:
            path = self.modules.get(name.replace("-", "_"))
            if path is None or path in found:
                return
            for depends in DEPENDS.findall(path.read_bytes()):
                for other in depends.decode().split(","):
                    add(other)
            found.append(path)

        for name in names:
            add(name)
        return found


def kernel() -> Kernel:
    """The kernel that was fetched. Raises ``GuestError``."""
    lack = lacking()
    if lack:
        raise GuestError(lack)
    modules = {path.stem.replace("-", "_"): path for path in (folder() / "modules").rglob("*.ko")}
    return Kernel(folder() / "vmlinux", modules)


def fetch() -> Path:
    """Download and unpack. Raises ``GuestError`` where the package manager cannot."""
    said = subprocess.run(["apt-cache", "depends", META], capture_output=True, text=True, check=False).stdout
    name = re.search(r"Depends: (linux-image-\S+)", said)
    if name is None:
        raise GuestError(f"the package manager knows no {META}: run apt-get update, on a Debian system")
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place) as work:
        done = subprocess.run(
            ["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", name[1]],
            cwd=work, capture_output=True, text=True, check=False,
        )  # fmt: skip
        packages = list(Path(work).glob("*.deb"))
        if done.returncode or not packages:
            raise GuestError(f"{name[1]} could not be downloaded: {done.stderr.strip()}")
        unpack(packages[0], place)
    return place


def unpack(package: Path, place: Path) -> None:
    """Keep of a kernel package the image, as an ELF that boots at once, and the modules."""
    with tempfile.TemporaryDirectory(dir=place) as work:
        subprocess.run(["dpkg-deb", "-x", str(package), work], check=True)
        packed = next(Path(work, "boot").glob("vmlinuz*")).read_bytes()
        image = lzma.LZMADecompressor().decompress(packed[packed.index(XZ) :])
        (place / "vmlinux").write_bytes(image)
        shutil.rmtree(place / "modules", ignore_errors=True)
        drivers = next(Path(work, "lib", "modules").iterdir()) / "kernel"
        wanted = ("drivers/usb", "drivers/virtio", "fs/9p", "net/9p", "drivers/net", "fs/netfs", "fs/fscache")
        for part in wanted:
            if (drivers / part).exists():
                shutil.copytree(drivers / part, place / "modules" / part)


if __name__ == "__main__":
    if sys.argv[1:] != ["fetch"]:
        sys.exit(__doc__)
    print(fetch())
