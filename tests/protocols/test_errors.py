"""Errors: a key a translation can be found by, fields, and a sentence that says what to do."""

from __future__ import annotations

import pytest

from protocols.errors import (
    PortBusy,
    PortForbidden,
    PortGone,
    PortMissing,
    PortUnusable,
    ProtocolError,
    TransportError,
)

PORT = "/dev/ttyUSB0"
CASES = [
    (PortMissing(PORT), "port.missing", "Plug the board in"),
    (PortBusy(PORT, 812, "ModemManager"), "port.busy", "pid 812 (ModemManager)"),
    (PortBusy(PORT), "port.busy", "another program"),
    (PortForbidden(PORT, "dialout"), "port.forbidden", "usermod -aG dialout"),
    (PortUnusable(PORT, "not a tty"), "port.unusable", "not a tty"),
    (PortGone(PORT, "EIO"), "port.gone", "Check the cable"),
]


@pytest.mark.parametrize(("error", "key", "words"), CASES, ids=lambda value: getattr(value, "key", None))
def test_error_says_where_why_and_what_to_do(error: ProtocolError, key: str, words: str) -> None:
    assert isinstance(error, TransportError)
    assert error.key == key
    assert words in str(error)
    assert PORT in str(error)
    assert error.fields["port"] == PORT


def test_no_two_causes_share_a_sentence() -> None:
    assert len({str(error) for error, _, _ in CASES}) == len(CASES)
