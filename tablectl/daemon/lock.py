"""One daemon on a state directory: a lock that the system frees when its holder dies, however it dies.

The lock is the kernel's, on an open file; the pid in the file is only for the sentence. A left-over file of
a dead daemon therefore means nothing and stays where it is.
"""

from __future__ import annotations

import fcntl
import os
from getpass import getuser
from pathlib import Path
from types import TracebackType

from tablectl.daemon.errors import StateDirBusy, StateDirUnusable
from tablectl.daemon.filelayer import PRIVATE

FILE_NAME = "lock"
PRIVATE_FOLDER = 0o700  # hidden tiles are in there


class StateLock:
    """Holds the state directory from construction to ``release`` (or the end of a ``with``).

    Makes the directory where needed and makes it private. Raises ``StateDirBusy`` naming the pid of the
    holder, ``StateDirUnusable`` naming what is missing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            if folder.stat().st_mode & 0o777 != PRIVATE_FOLDER:
                folder.chmod(PRIVATE_FOLDER)
            self._file = os.open(folder / FILE_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
        except (OSError, ValueError) as error:  # ValueError: a name the locale cannot write
            raise self._unusable(error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.truncate(self._file, 0)
            os.write(self._file, b"%d\n" % os.getpid())
        except BlockingIOError as error:
            holder = os.read(self._file, 32).decode("ascii", "replace").strip()
            self.release()
            raise StateDirBusy(path=str(folder), pid=holder or "unknown") from error
        except OSError as error:
            self.release()
            raise self._unusable(error) from error

    def release(self) -> None:
        """Let another daemon have it. Safe to repeat."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> StateLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _unusable(self, error: Exception) -> StateDirUnusable:
        reason = getattr(error, "strerror", None) or str(error)
        return StateDirUnusable(path=str(self.folder), reason=reason, user=user_name())


def user_name() -> str:
    """Who runs this, by name, or by number where the name is unknown."""
    try:
        return getuser()
    except (KeyError, OSError):
        return str(os.getuid())
