"""A moment of fuzzing in every run of the tests, without the fuzzer: `make fuzz` is the long one."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.fuzz.harnesses import CORPUS, HARNESSES, Harness
from tests.fuzz.mutation import inputs
from tests.fuzz.wire import INPUTS, feed, report

MUTATED = {
    "ruleset": 100,
    "host": 1000,
    "snapshot": 1000,
    "lines": 1000,
    "modbus": 1000,
    "usb": 150,
}  # a dear one gets fewer
OTHERS = 3000
SMALL = 64 * 1024  # bytes of a corpus
EVERY = pytest.mark.parametrize("harness", HARNESSES.values(), ids=HARNESSES)
WIRE = pytest.mark.parametrize(
    "harness",
    [pytest.param(harness, id=harness.name) for harness in HARNESSES.values() if harness.wire],
)


@EVERY
def test_the_corpus_is_handled(harness: Harness) -> None:
    for data in harness.corpus():
        harness.one(data)


@EVERY
def test_mutated_inputs_are_handled(harness: Harness) -> None:
    for data in islice(inputs(harness.corpus(), Random(harness.name)), MUTATED.get(harness.name, OTHERS)):
        harness.one(data)


@EVERY
def test_any_bytes_are_handled(harness: Harness) -> None:
    @settings(max_examples=50, deadline=None)
    @given(st.binary(max_size=200))
    @example(b"")
    @example(b"\0")
    @example(b"\xed\xa0\x80")
    def handled(data: bytes) -> None:
        harness.one(data)

    handled()


@EVERY
def test_a_corpus_stays_small(harness: Harness) -> None:
    kept = [path.stat().st_size for path in (CORPUS / harness.name).glob("*")]
    assert sum(kept) <= SMALL


@pytest.mark.long
@WIRE
def test_ten_million_inputs_from_the_wire(harness: Harness, capsys: pytest.CaptureFixture[str]) -> None:
    seconds = feed(harness, INPUTS)
    with capsys.disabled():
        print(f"\n{report(harness.name, INPUTS, seconds)}")
