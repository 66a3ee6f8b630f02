"""The telnet layer of RFC 2217: the port's bytes out of any stream of commands, wherever it is cut."""

from __future__ import annotations

from protocols.transports.telnet import COM_PORT, DO, IAC, LONGEST, SB, SE, WILL, Client

BAUD = 115_200
MOST_ANSWERED = 4096  # bytes a client may ever answer: each option once, the settings once


def one(data: bytes) -> None:
    """Cut anywhere it reads the same; what it keeps and answers has an end; its own bytes come back."""
    cut = len(data) * data[0] // 255 if data else 0
    whole, parts = Client(BAUD), Client(BAUD)
    read, answered = whole.feed(data)
    first, again = parts.feed(data[:cut]), parts.feed(data[cut:])
    assert (first[0] + again[0], first[1] + again[1]) == (read, answered), "it depends on where it is cut"
    assert whole.agreed == parts.agreed
    assert len(read) <= len(data)
    assert len(answered) <= MOST_ANSWERED
    assert len(whole._rest) <= LONGEST, "an endless command fills the memory"
    assert whole.feed(data + data)[1].count(bytes([IAC, SB])) <= 6, "it sets the port again and again"
    assert Client(BAUD).feed(Client.escape(data)) == (data, b"")


def seeds() -> list[bytes]:
    """What servers say."""
    agree = bytes([IAC, DO, COM_PORT])
    baud_set = bytes([IAC, SB, COM_PORT, 101, 0, 1, 0xC2, 0, IAC, SE])
    return [
        agree + baud_set + b"bytes of the port\xff\xff",
        bytes([IAC, WILL, COM_PORT, IAC, DO, 1, IAC, WILL, 1]) * 2,
        bytes([IAC, SB, COM_PORT, 101, IAC, IAC, IAC, SE]) + b"x",
        bytes([IAC, SB, COM_PORT]) + bytes(40),
        bytes([IAC, 241, IAC, 249]) + b"nothing\xff",
        b"\xff\xff" * 8,
    ]
