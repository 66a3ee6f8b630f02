"""One file of an installation: written whole or not at all, and never over what a person changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from .errors import CannotWrite
from .marks import is_untouched, template_of

MODE = 0o644
Outcome = Literal["written", "renewed", "same", "kept", "beside", "removed", "absent"]


def put(path: Path, text: str, *, dry_run: bool = False) -> Outcome:
    """Write a marked text there. Raises ``CannotWrite``.

    A file a person changed stays: what is new for it goes beside it as ``.new``, if anything is.
    """
    try:
        before = _read(path)
        if before == text:
            return "same"
        if before is None or is_untouched(before):
            if not dry_run:
                _write(path, text)
            return "written" if before is None else "renewed"
        beside = path.with_name(path.name + ".new")
        if template_of(before) == template_of(text) or _read(beside) == text:
            return "kept"
        if not dry_run:
            _write(beside, text)
        return "beside"
    except OSError as error:
        raise CannotWrite(path=str(path), reason=error.strerror or str(error)) from error


def link(path: Path, target: Path, *, dry_run: bool = False) -> Outcome:
    """Make a link there, unless it is somebody else's file. Raises ``CannotWrite``."""
    try:
        there = path.readlink() if path.is_symlink() else None
        if there == target:
            return "same"
        if path.exists() and (there is None or there.name != target.name):
            return "kept"
        if not dry_run:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            part.unlink(missing_ok=True)
            part.symlink_to(target)
            part.replace(path)
        return "written" if there is None else "renewed"
    except OSError as error:
        raise CannotWrite(path=str(path), reason=error.strerror or str(error)) from error


def unlink(path: Path, target: Path, *, dry_run: bool = False) -> Outcome:
    """Remove the link to the target, and no other. Raises ``CannotWrite``."""
    try:
        if not path.is_symlink() or path.readlink() != target:
            return "kept" if path.exists() else "absent"
        if not dry_run:
            path.unlink()
        return "removed"
    except OSError as error:
        raise CannotWrite(path=str(path), reason=error.strerror or str(error)) from error


def remove(path: Path, *, dry_run: bool = False) -> Outcome:
    """Remove it, unless a person changed it. Raises ``CannotWrite``."""
    try:
        before = _read(path)
        if before is None:
            return "absent"
        if not is_untouched(before):
            return "kept"
        if not dry_run:
            path.unlink()
        return "removed"
    except OSError as error:
        raise CannotWrite(path=str(path), reason=error.strerror or str(error)) from error


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, MODE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fchmod(file.fileno(), MODE)
        os.fsync(file.fileno())
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
