"""Random and mutated inputs from a seed, quickly: what a fuzzer does without looking at coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

LONGEST = 600
TELLING = (0, 1, 2, 3, 0x7F, 0x80, 0xFE, 0xFF)


def inputs(seeds: Sequence[bytes], rng: Random) -> Iterator[bytes]:
    """Endless inputs: one in eight is random bytes, the others are seeds with up to three changes."""
    pick, bits, randbytes = rng.choice, rng.getrandbits, rng.randbytes
    while True:
        if not bits(3):
            yield randbytes(bits(6))
            continue
        data = bytearray(pick(seeds))
        for _ in range(1 + bits(2) % 3):
            _change(data, rng, seeds)
        yield bytes(data[:LONGEST])


def _change(data: bytearray, rng: Random, seeds: Sequence[bytes]) -> None:
    at, what = int(rng.random() * (len(data) + 1)), rng.getrandbits(3)
    if what < 2 and at < len(data):
        data[at] ^= 1 << rng.getrandbits(3)
    elif what == 2 and at < len(data):
        data[at] = TELLING[rng.getrandbits(3)]
    elif what == 3:
        data.insert(at, rng.getrandbits(8))
    elif what == 4:
        del data[at : at + 1 + rng.getrandbits(2)]
    elif what == 5:
        data[at:at] = data[at : at + rng.getrandbits(4)]
    elif what == 6:
        del data[at:]
    else:
        data[at:] = rng.choice(seeds)[-rng.getrandbits(5) :]
