"""The daemon's configuration: a TOML file, what the command line overrides, and where things are by default.

Every key has a default, so no file is needed at all. ``Config`` is the file as written; ``Settings`` is what
the daemon works with: absolute paths, nothing left open.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from protocols.errors import AddressError
from protocols.panel.wiring import Wiring
from protocols.transports.address import parse
from tablectl.daemon.device_checks import check_devices
from tablectl.daemon.errors import (
    ConfigIsFolder,
    ConfigMissing,
    ConfigNotText,
    ConfigUnreadable,
    NoStateDir,
    PortAmbiguous,
    PortNoAddress,
    SocketPathTooLong,
)
from tablectl.daemon.lock import user_name
from tablectl.daemon.sections import Config, Device, Language
from tablectl.daemon.wiring import read_wiring
from tablectl.tomlfile import Document, convert

APP = "tablectl"
FILE_NAME = "tablectl.toml"
SYSTEM_FILE = Path("/etc") / APP / FILE_NAME
SOCKET_NAME = "api.sock"
SOCKET_PATH_LIMIT = 107  # bytes; the kernel's sun_path with its final zero


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says; None where it says nothing."""

    config: Path | None = None
    port: str | None = None
    state_dir: Path | None = None
    socket: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the daemon works with."""

    source: Path | None  # the file read, None for the defaults alone
    table_name: str
    language: Language
    devices: tuple[Device, ...]
    socket: Path
    rules: str
    rules_files: tuple[Path, ...]
    state_dir: Path
    wirings: Mapping[str, Wiring] = field(default_factory=dict)  # of the panels, by device

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.state_dir / "journal.jsonl"


def load_settings(overrides: Overrides, environ: Mapping[str, str]) -> Settings:
    """Find and read the file, apply the overrides. Raises ``TomlError`` or a ``ConfigError``."""
    source = overrides.config or _default_file(environ)
    config = read_config(source) if source else Config()
    base = source.parent if source else Path()
    state_dir = _state_dir(overrides, config, base, environ)
    socket = _socket(overrides, config, base, state_dir, environ)
    length = len(os.fsencode(socket))
    if length > SOCKET_PATH_LIMIT:
        raise SocketPathTooLong(path=str(socket), length=length, limit=SOCKET_PATH_LIMIT)
    return Settings(
        source=source,
        table_name=config.table.name,
        language=config.table.language,
        devices=_devices(overrides.port, config.device, source),
        socket=socket,
        rules=config.rules.default,
        rules_files=tuple(_path(file, base) for file in config.rules.files),
        state_dir=state_dir,
        wirings={
            device.name: read_wiring(_path(device.wiring, base))
            for device in config.device
            if device.driver == "panel"
        },
    )


def read_config(path: Path) -> Config:
    """The file at ``path``, checked."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ConfigMissing(path=str(path)) from error
    except IsADirectoryError as error:
        raise ConfigIsFolder(path=str(path)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigUnreadable(path=str(path), reason=reason, user=user_name()) from error
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise ConfigNotText(path=str(path), line=data.count(b"\n", 0, error.start) + 1) from error
    return parse_config(text, str(path))


def parse_config(text: str, source: str) -> Config:
    """The text of a file, checked. Raises ``TomlError``."""
    document = Document(text, source)
    config = convert(document.data, Config, (document,))
    check_devices(document, config.device)
    return config


def _default_file(environ: Mapping[str, str]) -> Path | None:
    """The first configuration file there is: the service's, the user's, the system's."""
    folders = [_first(environ.get("CONFIGURATION_DIRECTORY", ""))]
    config_home = _xdg(environ, "XDG_CONFIG_HOME", ".config")
    folders.append(config_home / APP if config_home else None)
    files = [folder / FILE_NAME for folder in folders if folder]
    return next((file for file in (*files, SYSTEM_FILE) if file.exists()), None)


def _state_dir(overrides: Overrides, config: Config, base: Path, environ: Mapping[str, str]) -> Path:
    if overrides.state_dir:
        return _path(str(overrides.state_dir), Path())
    if config.state.dir:
        return _path(config.state.dir, base)
    if service := _first(environ.get("STATE_DIRECTORY", "")):
        return service
    state_home = _xdg(environ, "XDG_STATE_HOME", ".local/state")
    if state_home is None:
        raise NoStateDir()
    return state_home / APP


def _socket(
    overrides: Overrides, config: Config, base: Path, state_dir: Path, environ: Mapping[str, str]
) -> Path:
    if overrides.socket:
        return _path(str(overrides.socket), Path())
    if config.api.socket:
        return _path(config.api.socket, base)
    if service := _first(environ.get("RUNTIME_DIRECTORY", "")):
        return service / SOCKET_NAME
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    # Two daemons of one user must not share a socket by default: beside their own state it is theirs.
    if Path(runtime).is_absolute() and not (overrides.state_dir or config.state.dir):
        return Path(runtime) / APP / SOCKET_NAME
    return state_dir / SOCKET_NAME


def _devices(port: str | None, devices: tuple[Device, ...], source: Path | None) -> tuple[Device, ...]:
    devices = devices or (Device(),)
    if port is None:
        return devices
    try:
        parse(port)
    except AddressError as error:
        raise PortNoAddress(port=port) from error
    if len(devices) > 1:
        names = ", ".join(device.name for device in devices)
        raise PortAmbiguous(port=port, devices=names, path=str(source))
    return (msgspec.structs.replace(devices[0], port=port),)


def _path(written: str, base: Path) -> Path:
    """File names are UTF-8 in any locale, from the file as from a command line that the locale could not
    read."""
    name = os.fsdecode(written.encode("utf-8", "surrogateescape"))
    return (base / os.path.expanduser(name)).absolute()


def _first(folders: str) -> Path | None:
    """The service manager's directories are absolute and separated by colons."""
    first = folders.split(":")[0]
    return Path(first) if first else None


def _xdg(environ: Mapping[str, str], name: str, default: str) -> Path | None:
    """A base directory; the standard says that a relative one is to be ignored."""
    folder = Path(environ.get(name, ""))
    if folder.is_absolute():
        return folder
    home = environ.get("HOME", "")
    return Path(home) / default if home else None
