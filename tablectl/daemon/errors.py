"""What can go wrong with the daemon's files, each with a text key, its fields and a sentence to act on.

``key`` and ``fields`` let any screen say it in its own language; ``str(error)`` is the English sentence.
"""

from __future__ import annotations

import errno
from typing import Any, ClassVar

FLAW_SENTENCES = {
    "journal.flaw.torn": "line {line} is cut off",
    "journal.flaw.not_a_record": "line {line} is not a record",
    "journal.flaw.hash": "line {line} was changed: it does not agree with its own hash",
    "journal.flaw.number": "line {line} holds record {found} where record {expected} belongs",
    "journal.flaw.previous": "line {line} does not follow the line before it: one of the two was rewritten",
    "journal.flaw.not_a_journal": "line {line} is not the first record of a journal",
    "journal.flaw.second_start": "line {line} begins a journal in the middle of one",
    "journal.flaw.newer_format": (
        "it was written by a newer tablectl (format {format}): install that version. This one reads up to "
        "format {known}"
    ),
    "journal.flaw.empty": "it is empty: line {line} is missing",
    "journal.flaw.tail_missing": "line {line} is missing: it ends after line {last} but was closed at {head}",
    "journal.flaw.head_differs": "line {line} is not what the journal was closed with",
}


class DaemonError(Exception):
    """Base: a text key, the fields of its sentence, and the exit code of a command that ends with it."""

    key: ClassVar[str]
    sentence: ClassVar[str]
    exit_code: ClassVar[int] = 1

    def __init__(self, **fields: Any) -> None:
        super().__init__(fields)
        self.fields = fields

    def __str__(self) -> str:
        return self.sentence.format(**self.fields)


class RecordUnfit(DaemonError):
    """A body that cannot be a record: a bug in whoever wrote it, or text that is not Unicode."""

    key = "journal.record_unfit"
    sentence = "record {n} cannot be written: {reason}"


class JournalClosed(DaemonError):
    """Something was appended after the journal was closed."""

    key = "journal.closed"
    sentence = "the journal {path} is closed: nothing can be recorded any more"


class JournalFailed(DaemonError):
    """The disk refused. Nothing after ``n`` is durable and nothing will be until the daemon starts again."""

    key = "journal.failed"
    sentence = (
        "the journal {path} cannot be written: {reason}. Everything up to record {n} is safe; the table is "
        "held. Mend or free the disk, then start the daemon again"
    )

    @property
    def reason(self) -> str:
        """What the system said."""
        return str(self.fields["reason"])


class JournalUnreadable(DaemonError):
    """The journal could not be opened."""

    key = "journal.unreadable"
    sentence = "the journal {path} cannot be opened: {reason}"


class JournalDiskFull(JournalUnreadable):
    """There is no room for what opening the journal has to write."""

    key = "journal.disk_full"
    sentence = (
        "the journal {path} cannot be opened: {reason}. Nothing is lost. Free space on its disk, then try "
        "again"
    )


class JournalNotFile(DaemonError):
    """What stands in the journal's place can hold none: a folder, a pipe, a device."""

    key = "journal.not_file"
    sentence = "{path} is a folder, pipe or device, so it cannot be a journal. Name a regular file"


class JournalNewer(DaemonError):
    """The journal is good, but in a format of the future."""

    key = "journal.newer"
    sentence = (
        "the journal {path} was written by a newer tablectl (format {format}): install that version. This "
        "one reads up to format {known}"
    )


class JournalDamaged(DaemonError):
    """The journal is damaged where it was durable: starting on it would lose acknowledged acts."""

    key = "journal.damaged"
    sentence = (
        "the journal {path} is damaged: {flaw}. Records up to {n} are good. `tablectl journal verify {path}` "
        "shows it; `tablectl journal repair {path}` keeps a copy, exports what can be read and goes on from "
        "record {n}"
    )


class JournalShort(DaemonError):
    """Something beside the journal proves that it once was longer."""

    key = "journal.short"
    sentence = (
        "the journal {path} ends at record {n}, but {witness} names record {expected}: the end is lost. Put "
        "the whole journal back, or accept the loss with `tablectl journal repair {path}`"
    )


class JournalTorn(DaemonError):
    """A note: the last write never finished, so nobody was told of it, and it was cut off."""

    key = "journal.torn"
    sentence = "the last write to {path} never finished: its {bytes} bytes are cut off and kept in {copy}"


class JournalBegunAnew(DaemonError):
    """A note: the journal was there and empty."""

    key = "journal.begun_anew"
    sentence = "the journal {path} was empty: it is begun anew"


class HeadDamaged(DaemonError):
    """A note: the file that says where the journal was closed cannot be read."""

    key = "head.damaged"
    sentence = "{path} is damaged: the end of the journal cannot be vouched for"


class ReplayFailed(DaemonError):
    """A record that was applied once cannot be applied again: another version, or a bug."""

    key = "journal.replay_failed"
    sentence = "record {n} cannot be replayed: {reason}"


class RulesMissing(DaemonError):
    """A session of the record is played by rules that are not known here."""

    key = "journal.rules_missing"
    sentence = (
        "the session that record {n} starts is played by the rules {rules}, which are not known here; known "
        "are {known}. Name their file: the daemon under `[rules] files` of its configuration, a command by "
        "`--rules`"
    )


class RulesChanged(DaemonError):
    """The session in play began by other rules than have their name here."""

    key = "journal.rules_changed"
    sentence = (
        "the session that record {n} starts was played by the rules {rules} as they were then; by those of "
        "today it would go on as another game. Put back the file, or the version of this program, that it "
        "was begun with; to begin anew, move the state folder away"
    )


class SnapshotDamaged(DaemonError):
    """A note: the snapshot cannot be read, so the whole journal is replayed."""

    key = "snapshot.damaged"
    sentence = "the snapshot {path} is damaged; the whole journal is replayed instead"


class SnapshotForeign(DaemonError):
    """A note: the snapshot belongs to another journal, so the whole journal is replayed."""

    key = "snapshot.foreign"
    sentence = "the snapshot {path} is not of this journal; the whole journal is replayed instead"


class StateDirBusy(DaemonError):
    """Another daemon works on this state directory."""

    key = "state.busy"
    sentence = (
        "another daemon (pid {pid}) already uses the state directory {path}. Stop that one first, or give "
        "this one its own with --state-dir"
    )


class StateDirUnusable(DaemonError):
    """The state directory cannot be made, or not be used by this user."""

    key = "state.unusable"
    sentence = (
        "the state directory {path} cannot be used: {reason}. Give the user {user} the right to write there, "
        "or choose another with --state-dir"
    )


class ConfigError(DaemonError):
    """Base of what is wrong with the configuration as a file; what is wrong *in* it is a ``TomlError``."""

    exit_code = 2


class ConfigMissing(ConfigError):
    """The file given by ``--config`` is not there."""

    key = "config.missing"
    sentence = "there is no configuration file {path}. Check the path; without --config the defaults are used"


class ConfigIsFolder(ConfigError):
    """A folder was given where a file belongs."""

    key = "config.is_folder"
    sentence = "{path} is a folder, not a configuration file. Name the file in it"


class ConfigUnreadable(ConfigError):
    """The file is there and cannot be read."""

    key = "config.unreadable"
    sentence = (
        "the configuration file {path} cannot be read: {reason}. Give the user {user} the right to read it"
    )


class ConfigNotText(ConfigError):
    """The file is not UTF-8 text."""

    key = "config.not_text"
    sentence = "{path}, line {line}: this is not UTF-8 text. Save the file as UTF-8"


class WiringUnreadable(ConfigError):
    """The wiring file of a panel is not there or cannot be read."""

    key = "config.wiring_unreadable"
    sentence = (
        "the wiring file {path} cannot be read: {reason}. `tablectl panel learn` writes one; the path is "
        "relative to the configuration file"
    )


class WiringNotText(ConfigError):
    """The wiring file is not UTF-8 text."""

    key = "config.wiring_not_text"
    sentence = "{path} is not UTF-8 text. Save the file as UTF-8"


class NoModbus(ConfigError):
    """A panel is configured, and what speaks Modbus is not installed."""

    key = "config.no_modbus"
    sentence = "a panel needs pymodbus, which is not installed: run `pip install 'tablectl[panel]'`"


class PortAmbiguous(ConfigError):
    """``--port`` was given, and there is more than one device it could belong to."""

    key = "config.port_ambiguous"
    sentence = "--port {port} could mean any of the devices {devices}: set the port in {path} instead"


class PortNoAddress(ConfigError):
    """``--port`` names no port."""

    key = "config.port_address"
    sentence = (
        "--port {port} names no port. Write a path, usb:VID:PID[:SERIAL] or tty:VID:PID[:SERIAL] (four "
        "hex digits each), tcp:HOST:PORT or rfc2217:HOST:PORT"
    )


class SocketPathTooLong(ConfigError):
    """The operating system cannot hold the path of the Unix socket."""

    key = "config.socket_path_too_long"
    sentence = (
        "the socket path {path} has {length} bytes; at most {limit} are possible. Choose a shorter one with "
        "--socket"
    )


class NoStateDir(ConfigError):
    """Nothing says where the state belongs."""

    key = "config.no_state_dir"
    sentence = "there is no home folder to keep the state in. Say where it belongs with --state-dir"


class RulesUnreadable(ConfigError):
    """A rules file named by the configuration cannot be read."""

    key = "config.rules_unreadable"
    sentence = (
        "the rules file {path} of `[rules] files` cannot be read: {reason}. Correct the path or the file"
    )


class RulesUnknown(ConfigError):
    """`[rules] default` names a rule system there is not."""

    key = "config.rules_unknown"
    sentence = (
        "{path}: `[rules] default` names the rules {rules}, which are not known here. Known are {known}. "
        "Correct the name, or name the file they are in under `[rules] files`"
    )


def unreadable(path: object, error: OSError) -> JournalUnreadable:
    """The error for what the system refused while the journal at ``path`` was opened or repaired."""
    kind = JournalDiskFull if error.errno in (errno.ENOSPC, errno.EDQUOT) else JournalUnreadable
    return kind(path=str(path), reason=error.strerror or str(error))
