"""The quality of a link in words."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.console.link_report import report
from tablectl.locale import catalog

KNOWN: dict[str, Any] = {
    "device": "table",
    "port": "/dev/serial/by-id/usb-table",
    "state": "online",
    "serial": "A7",
    "firmware": "1.2",
    "frames_sent": 1000,
    "frames_received": 980,
    "retries": 20,
    "crc_errors": 20,
    "events_lost": 0,
    "losses_hour": 2,
    "last_loss": {"word": "line_noise", "seconds_ago": 3725},
    "round_trip_us": {"min": 900, "p50": 4200, "p90": 6000, "p99": 9900},
    "clock": {"ready": True, "uncertainty_us": 450, "drift_ppb": -12_400, "drift_uncertainty_ppb": 31_000},
}


def test_every_number_has_its_word() -> None:
    assert report(KNOWN, "en") == [
        "board A7, firmware 1.2, at /dev/serial/by-id/usb-table",
        "frames 1000 sent, 980 received · retries 20 (1 in 50) · CRC errors 20 (1 in 50)",
        "round trip 50 % within 4.2 ms · 90 % within 6.0 ms · 99 % within 9.9 ms",
        "board clock known to ±0.5 ms, drift 12 ppm slow (±31)",
        "reconnects in the last hour 2 · last one 1:02:05 ago: line noise: check cable, plugs and earth",
    ]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({}, []),
        ({"port": "/dev/x"}, ["port /dev/x"]),
        ({"frames_sent": 0}, ["frames 0 sent, 0 received · no retries · no CRC errors"]),
        (
            {"frames_sent": 1, "retries": 9},
            ["frames 1 sent, 0 received · retries 9 (1 in 1) · no CRC errors"],
        ),
        ({"clock": {"ready": False}}, []),
        (
            {"clock": {**KNOWN["clock"], "drift_uncertainty_ppb": 500_000}},
            ["board clock known to ±0.5 ms, drift not measured yet"],
        ),
        (
            {"frames_sent": 5, "port_faults": {"stalls": 2, "overflows": 1, "timeouts": 3}},
            [
                "frames 5 sent, 0 received · no retries · no CRC errors · "
                "USB stalls cleared 2 · USB overflows 1 · USB writes not taken 3"
            ],
        ),
        (
            {
                "word": "forbidden",
                "detail": {
                    "port": "usb:1209:7ab1",
                    "vid": "1209",
                    "pid": "7ab1",
                    "sentence": "port.forbidden_usb",
                },
            },
            [
                "no permission to open usb:1209:7ab1: name it in the configuration and run "
                "`sudo tablectl install`, which writes the udev rule for it. By hand that is "
                '`SUBSYSTEM=="usb", ATTR{idVendor}=="1209", ATTR{idProduct}=="7ab1", GROUP="dialout"` in '
                "/etc/udev/rules.d/61-table.rules; be a member of dialout, and plug the board in again"
            ],
        ),
        (
            {"frames_sent": 5, "events_lost": 3, "peer_errors": 1},
            [
                "frames 5 sent, 0 received · no retries · no CRC errors · "
                "EVENTS LOST 3 · errors said by the board 1"
            ],
        ),
        ({"losses_hour": 0, "last_loss": {}}, ["reconnects in the last hour 0"]),
    ],
    ids=[
        "nothing",
        "a port",
        "no frames",
        "more retries than frames",
        "no clock",
        "a young clock",
        "faults of a bus",
        "no right to a bus",
        "losses",
        "never lost",
    ],
)
def test_what_is_not_known_is_left_out(numbers: dict[str, Any], said: list[str]) -> None:
    assert report(numbers, "en") == said


def test_chinese_says_as_much() -> None:
    chinese = report(KNOWN, "zh-Hans")
    assert len(chinese) == len(report(KNOWN, "en"))
    assert catalog.text("link.line_noise", "zh-Hans") in chinese[-1]
