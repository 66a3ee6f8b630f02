"""Driver packages as pip would have left them in a folder, without pip: a module and its metadata."""

from __future__ import annotations

from pathlib import Path

from protocols.plugin import GROUP


def install(folder: Path, package: str, code: str, **drivers: str) -> Path:
    """Put a package there that offers drivers: name = what in its one module it leads to."""
    module = package.replace("-", "_")
    (folder / f"{module}.py").write_text(code)
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    entries = "".join(f"{name} = {module}:{what}\n" for name, what in drivers.items())
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{entries}")
    return folder
