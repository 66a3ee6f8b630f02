"""What udev would say of a rules file, as far as its grammar goes (man 7 udev): our own reading of it.

`udevadm verify` says it with authority, where it is there (systemd 254 and newer).
"""

from __future__ import annotations

import re

PAIR = re.compile(r'([A-Z_]+)(\{[^}"]+\})?\s*(==|!=|\+=|-=|:=|=)\s*"((?:[^"\\]|\\.)*)"(?:,\s*|\s*$)')
MATCH = {"==", "!="}
SET = {"=", "+=", "-=", ":="}
KEYS = {  # key -> (operators, whether it has an attribute in braces)
    "ACTION": (MATCH, False), "DEVPATH": (MATCH, False), "KERNEL": (MATCH, False), "KERNELS": (MATCH, False),
    "SUBSYSTEM": (MATCH, False), "SUBSYSTEMS": (MATCH, False), "DRIVER": (MATCH, False),
    "DRIVERS": (MATCH, False), "ATTRS": (MATCH, True), "ATTR": (MATCH | {"="}, True),
    "ENV": (MATCH | SET, True), "TAG": (MATCH | SET, False), "TEST": (MATCH, False),
    "SYMLINK": (MATCH | SET, False), "GROUP": ({"=", ":="}, False), "MODE": ({"=", ":="}, False),
    "OWNER": ({"=", ":="}, False), "LABEL": ({"="}, False), "GOTO": ({"="}, False),
}  # fmt: skip


def mistakes(text: str) -> list[str]:
    """Each mistake with its line."""
    found, labels, jumps = [], set(), {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        at = 0
        while at < len(line):
            pair = PAIR.match(line, at)
            if pair is None:
                found.append(f"line {number}: no rule from “{line[at : at + 20]}” on")
                break
            at = pair.end()
            key, attribute, operator, value = pair.groups()
            allowed, braces = KEYS.get(key, (set(), False))
            if operator not in allowed:
                found.append(f"line {number}: {key} takes no {operator}")
            if bool(attribute) != braces:
                found.append(f"line {number}: {key} with {attribute}")
            if key == "LABEL":
                labels.add(value)
            if key == "GOTO":
                jumps[value] = number
            if key == "MODE" and not re.fullmatch(r"0[0-7]{3}", value):
                found.append(f"line {number}: mode {value}")
    return found + [f"line {number}: no label {name}" for name, number in jumps.items() if name not in labels]
