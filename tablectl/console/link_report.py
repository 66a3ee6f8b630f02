"""The quality of a link in words, for `tablectl status` and `link status`. Pure: numbers in, lines out."""

from __future__ import annotations

from math import inf
from typing import Any

from tablectl.locale.catalog import known, text

RARE = {"events_lost": "view.link_events_lost", "peer_errors": "view.link_peer_errors"}
PORT_FAULTS = {
    "stalls": "view.link_port_stalls",
    "overflows": "view.link_port_overflows",
    "timeouts": "view.link_port_timeouts",
}
TOLD_WITHIN_PPM = 200  # a drift known less well is mostly jitter of the first minute
PERCENTILES = (("p50", 50), ("p90", 90), ("p99", 99))


def report(numbers: dict[str, Any], lang: str) -> list[str]:
    """What is known of one link, a line a subject; nothing is said of what is not known."""
    lines = [_obstacle(numbers, lang), _board(numbers, lang), *_wire(numbers, lang), _trips(numbers, lang)]
    lines += [_clock(numbers.get("clock") or {}, lang), _losses(numbers, lang)]
    return [line for line in lines if line]


def _obstacle(numbers: dict[str, Any], lang: str) -> str:
    """What keeps the port from being opened, by name and number, and what to do about it."""
    detail = numbers.get("detail") or {}
    key = detail.get("sentence") or f"port.{numbers.get('word')}"
    if numbers.get("state") == "online" or not detail.keys() & {"port", "driver"} or not known(key):
        return ""
    nameless = "pid" in detail and not detail["pid"]
    return text(f"{key}_by_somebody" if nameless else key, lang, **detail)


def _board(numbers: dict[str, Any], lang: str) -> str:
    port, serial = numbers.get("port", ""), numbers.get("serial", "")
    if not serial:
        return text("view.link_port", lang, port=port) if port else ""
    return text("view.link_board", lang, serial=serial, firmware=numbers.get("firmware"), port=port)


def _wire(numbers: dict[str, Any], lang: str) -> list[str]:
    if "frames_sent" not in numbers:
        return []
    sent, received = numbers["frames_sent"], numbers.get("frames_received", 0)
    retries, bad = numbers.get("retries", 0), numbers.get("crc_errors", 0)
    parts = [
        text("view.link_frames", lang, sent=sent, received=received),
        _often("view.link_retries", retries, sent, lang),
        _often("view.link_crc", bad, received + bad, lang),
    ]
    parts += [text(key, lang, count=numbers[name]) for name, key in RARE.items() if numbers.get(name)]
    faults = numbers.get("port_faults") or {}
    parts += [text(key, lang, count=faults[name]) for name, key in PORT_FAULTS.items() if faults.get(name)]
    return [" · ".join(parts)]


def _often(key: str, count: int, of: int, lang: str) -> str:
    """A count, and how often that is."""
    if not count:
        return text(key, lang)
    return text(f"{key}_often", lang, count=count, each=max(1, round(of / count)))


def _trips(numbers: dict[str, Any], lang: str) -> str:
    trips = numbers.get("round_trip_us") or {}
    parts = [
        text("view.link_percentile", lang, share=share, ms=f"{trips[name] / 1000:.1f}")
        for name, share in PERCENTILES
        if name in trips
    ]
    return text("view.link_trips", lang, percentiles=" · ".join(parts)) if parts else ""


def _clock(clock: dict[str, Any], lang: str) -> str:
    if not clock.get("ready"):
        return ""
    ms = f"{clock['uncertainty_us'] / 1000:.1f}"
    drift, wrong = clock.get("drift_ppb", 0) / 1000, clock.get("drift_uncertainty_ppb", inf) / 1000
    if wrong > TOLD_WITHIN_PPM:
        return text("view.link_clock_new", lang, ms=ms)
    key = "view.link_clock_fast" if drift >= 0 else "view.link_clock_slow"
    return text(key, lang, ms=ms, ppm=f"{abs(drift):.0f}", wrong=f"{wrong:.0f}")


def _losses(numbers: dict[str, Any], lang: str) -> str:
    if "losses_hour" not in numbers:
        return ""
    parts = [text("view.link_losses", lang, count=numbers["losses_hour"])]
    loss = numbers.get("last_loss") or {}
    if loss:
        parts.append(text("view.link_last", lang, word=loss["word"], ago=_ago(loss["seconds_ago"])))
    return " · ".join(parts)


def _ago(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
