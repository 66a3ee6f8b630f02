"""Writes the C that follows from the message dictionary, the vocabulary and the timing model.

python -m sim.firmware.generate            write it
python -m sim.firmware.generate --check    exit 1 when a file is stale
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from protocols.atp.dictionary import DICTIONARY
from protocols.vocabulary import Capability
from sim.firmware import declare

SOURCE = Path(__file__).with_name("src")
STDINT = "#include <stdint.h>"


def words() -> str:
    """words.h: what numbers mean."""
    sets = [declare.enum(prefix, kind) for prefix, kind in declare.ENUMS]
    return declare.header("words.h", STDINT, *sets, declare.flags("CAN", Capability))


def messages() -> str:
    """atp_messages.h: the messages, and the numbers of the wire."""
    rows = [declare.message(row) for row in DICTIONARY.messages if row.fields]
    return declare.header("atp_messages.h", STDINT, declare.timing(), declare.types(), *rows)


def codecs() -> str:
    """atp_messages.c: every message onto the wire and off it."""
    made = [
        declare.codec(row, sending) for row in DICTIONARY.messages if row.fields for sending in (True, False)
    ]
    return "\n\n".join([declare.MADE, '#include "atp_messages.h"\n\n#include "atp_fields.h"', *made]) + "\n"


def mechanism() -> str:
    """mechanism.h: times of the motions, and what each fault forbids."""
    return declare.header("mechanism.h", STDINT, declare.mechanism(), declare.blocking())


FILES = {
    "words.h": words,
    "atp_messages.h": messages,
    "atp_messages.c": codecs,
    "mechanism.h": mechanism,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write, or check, the generated files."""
    parser = argparse.ArgumentParser(prog="python -m sim.firmware.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is stale")
    options = parser.parse_args(arguments)
    stale = []
    for name, make in FILES.items():
        path, text = SOURCE / name, make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not options.check:
                path.write_text(text, encoding="utf-8")
    if stale:
        verdict = "stale, run `python -m sim.firmware.generate`" if options.check else "written"
        print(f"{', '.join(stale)}: {verdict}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
