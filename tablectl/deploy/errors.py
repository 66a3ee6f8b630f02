"""What can keep an installation from being made, each with a sentence to act on."""

from __future__ import annotations

from tablectl.daemon.errors import DaemonError


class NotRoot(DaemonError):
    """The system's folders are root's."""

    key = "install.not_root"
    sentence = (
        "writing to {path} is only for root: run `sudo {program} install`, or give --root DIR to look at "
        "what it writes"
    )


class NoSystemd(DaemonError):
    """Another program runs the services of this computer."""

    key = "install.no_systemd"
    sentence = (
        "this computer is not run by systemd, so no service can be installed. Let your own service manager "
        "start `{program} run`, or give --root DIR to get the files"
    )


class CannotWrite(DaemonError):
    """The system refused a file."""

    key = "install.cannot_write"
    sentence = (
        "{path} cannot be written: {reason}. If the card is read-only, make it writable for this "
        "(`sudo mount -o remount,rw /`, or switch the overlay off) and run it again"
    )


class BadUser(DaemonError):
    """The daemon is not to be root, and a name is a name."""

    key = "install.bad_user"
    sentence = "the service cannot run as {user}: give --user NAME with a user who is not root"


class NoUser(DaemonError):
    """A user was named who does not exist."""

    key = "install.no_user"
    sentence = "there is no user {user}: create one with `sudo adduser {user}`, or leave --user out"


class ProgramHidden(DaemonError):
    """The service's user could not even start it."""

    key = "install.program_hidden"
    sentence = (
        "{user} may not enter {folder}, and the program lies in there ({program}): install tablectl where "
        "everybody may read, such as /opt/tablectl, or give --user NAME with its owner"
    )


class CommandFailed(DaemonError):
    """A program of the system did not do what it was asked."""

    key = "install.command_failed"
    sentence = "`{command}` failed: {reason}. Run it by hand, then `tablectl install` again"
