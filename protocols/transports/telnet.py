"""The client's side of RFC 2217: a serial port at the other end of a telnet connection. No I/O.

A byte 255 (IAC) begins a command and is doubled where it is meant. The client offers COM-PORT-OPTION, wants
both ways binary and without go-aheads, and once the server agrees it sets speed and form of the port. It
never touches the modem lines, because an edge of DTR resets many a board.
"""

from __future__ import annotations

import struct

IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
BINARY, NO_GO_AHEAD, COM_PORT = 0, 3, 44
SET_BAUD, SET_DATA_BITS, SET_PARITY, SET_STOP_BITS, SET_CONTROL, PURGE = 1, 2, 3, 4, 5, 12
EIGHT, NO_PARITY, ONE_STOP_BIT, NO_FLOW_CONTROL, RECEIVED = 8, 1, 1, 1, 1
BAUD_SET = 101  # the server's answer to SET_BAUD
LONGEST = 512  # bytes kept of a command whose end has not come; none that means anything is as long
_ASKED = {BINARY, NO_GO_AHEAD}  # offered and wanted in the greeting, so an answer to them needs none
_OPTION_COMMANDS = {DO, DONT, WILL, WONT}


class Client:
    """One connection. ``agreed`` is True once the server has set the port's speed."""

    def __init__(self, baud: int) -> None:
        self.agreed = False
        self._baud = baud
        self._set = False
        self._rest = b""  # a command whose end has not come
        self._answered: set[tuple[int, int]] = set()

    def greeting(self) -> bytes:
        """What the client says first."""
        wanted = b"".join(bytes([IAC, WILL, option, IAC, DO, option]) for option in sorted(_ASKED))
        return wanted + bytes([IAC, WILL, COM_PORT])

    @staticmethod
    def escape(data: bytes) -> bytes:
        """Bytes for the port as they go over the connection."""
        return data.replace(b"\xff", b"\xff\xff")

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """Bytes of the port, and what to answer to the commands among them."""
        if not self._rest and IAC not in data:
            return data, b""
        data, self._rest = self._rest + data, b""
        out, answer, at = bytearray(), bytearray(), 0
        while (found := data.find(IAC, at)) >= 0:
            out += data[at:found]
            end = _end_of_command(data, found)
            if end is None:
                self._rest = _shortened(data[found:])
                return bytes(out), bytes(answer)
            if data[found + 1] == IAC:
                out.append(IAC)
            else:
                answer += self._obey(data[found + 1 : end])
            at = end
        return bytes(out + data[at:]), bytes(answer)

    def _obey(self, command: bytes) -> bytes:
        match command[0]:
            case 253 if command[1] == COM_PORT:  # DO
                if not self._set:
                    self._set = True
                    return self._settings()
            case 250:  # SB
                self.agreed = self.agreed or command[1:3] == bytes([COM_PORT, BAUD_SET])
            case 251 if command[1] == COM_PORT:  # WILL: some servers offer it as well
                return self._answer(WILL, COM_PORT, DO)
            case 253 | 251 if command[1] not in _ASKED:  # DO, WILL: what we have not asked for
                return self._answer(command[0], command[1], WONT if command[0] == DO else DONT)
            case _:
                pass
        return b""

    def _answer(self, verb: int, option: int, answer: int) -> bytes:
        """Once: an endless exchange of answers is an old telnet disease."""
        if (verb, option) in self._answered:
            return b""
        self._answered.add((verb, option))
        return bytes([IAC, answer, option])

    def _settings(self) -> bytes:
        parts = [
            struct.pack(">BI", SET_BAUD, self._baud),
            bytes([SET_DATA_BITS, EIGHT]),
            bytes([SET_PARITY, NO_PARITY]),
            bytes([SET_STOP_BITS, ONE_STOP_BIT]),
            bytes([SET_CONTROL, NO_FLOW_CONTROL]),
            bytes([PURGE, RECEIVED]),  # what the board said before we came is not for us
        ]
        return b"".join(bytes([IAC, SB, COM_PORT]) + self.escape(part) + bytes([IAC, SE]) for part in parts)


def _end_of_command(data: bytes, start: int) -> int | None:
    """Where the command that begins at ``start`` is over; None when its end has not come yet."""
    if start + 1 >= len(data):
        return None
    verb = data[start + 1]
    if verb in _OPTION_COMMANDS:
        return start + 3 if start + 3 <= len(data) else None
    if verb != SB:
        return start + 2
    at = start + 2
    while (at := data.find(IAC, at)) >= 0:
        if at + 1 >= len(data):
            return None
        if data[at + 1] == SE:
            return at + 2
        at += 2  # a doubled byte of the parameters
    return None


def _shortened(command: bytes) -> bytes:
    """An unfinished command; of one that never seems to end only what it is, and whether an IAC is open."""
    if len(command) <= LONGEST:
        return command
    awaited = bytes([IAC, SB, COM_PORT, BAUD_SET])
    head = awaited if command.startswith(awaited) else bytes([IAC, SB, 0, 0])
    open_ones = len(command) - len(command.rstrip(bytes([IAC])))
    return head + bytes([IAC]) * (open_ones % 2)
