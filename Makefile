# Two commands do all the set-up: `make demo` and `make test`. The environment is built once and again only
# when pyproject.toml or the lock changes. uv is used where it is on PATH, else python3 -m venv and pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
UV := $(shell command -v uv 2>/dev/null)
FUZZ_VENV := .venv-fuzz
FUZZ_STAMP := $(FUZZ_VENV)/.installed
ATHERIS := atheris==3.0.0
FUZZ_S ?= 600
ARGS ?=

.PHONY: demo test test-long matrix hil hil-tools mutants fuzz fuzz-wire lint types contract docs docs-check check bench lock clean

demo: $(STAMP)
	$(BIN)/tablectl demo $(ARGS)

# Real processes first and by themselves, for they live in real time; then all else side by side.
test: $(STAMP)
ifeq ($(strip $(ARGS)),)
	$(BIN)/pytest -m 'process and not long'
	$(BIN)/pytest -m 'not process and not long' -n auto --maxprocesses 8
else
	$(BIN)/pytest $(ARGS)
endif

test-long: $(STAMP)
	$(BIN)/pytest -m 'long or not long' --timeout 3600 $(ARGS)

# Every scenario at every endpoint, and 500 rounds of connecting at each, 20 in a guest; writes docs/hil.md.
matrix: $(STAMP)
	$(BIN)/python -m tablectl.rehearsal.scenarios --rounds 500 $(ARGS)

# The firmware on emulated microcontrollers and behind a real kernel; writes docs/hil.md. Installs nothing: what is
# missing is said.
hil: $(STAMP)
	$(BIN)/python -m tablectl.rehearsal.hardware $(ARGS)

# What that needs, on a Debian system: compilers, emulators, a kernel for the guest.
hil-tools: $(STAMP)
	.ci/hil-tools

# Faults planted in the firmware, one at a time: does the conformance suite notice?
mutants: $(STAMP)
	$(BIN)/python -m sim.firmware.mutants --json sim/firmware/mutants/outcomes.json $(ARGS) \
		--then $(BIN)/python -m pytest -q -x $(addprefix tests/sim/firmware/test_, \
		lockstep.py keys.py times.py boot.py faults.py motion.py)

# Coverage-guided, FUZZ_S seconds in all; the fuzzer lives in an environment of its own.
fuzz: $(FUZZ_STAMP)
	$(FUZZ_VENV)/bin/python -m tests.fuzz --seconds $(FUZZ_S) $(ARGS)

# Ten million random and mutated inputs for each decoder of the wire; prints how fast.
fuzz-wire: $(STAMP)
	$(BIN)/python -m tests.fuzz.wire $(ARGS)

lint: $(STAMP)
	$(BIN)/ruff check tablectl protocols sim tests docs/driver-template
	$(BIN)/ruff format --check tablectl protocols sim tests docs/driver-template

types: $(STAMP)
	$(BIN)/mypy

contract: $(STAMP)
	$(BIN)/lint-imports

docs: $(STAMP)
	$(BIN)/python -m protocols.atp.spec
	$(BIN)/python -m sim.firmware.generate
	$(BIN)/python docs/generate.py

docs-check: $(STAMP)
	$(BIN)/python -m protocols.atp.spec --check
	$(BIN)/python -m sim.firmware.generate --check
	$(BIN)/python docs/generate.py --check

check: lint types contract docs-check

bench: $(STAMP)
	$(BIN)/tablectl bench $(ARGS)

$(STAMP): pyproject.toml requirements.lock
ifdef UV
	uv venv --quiet --allow-existing $(VENV)
	uv pip install --quiet -p $(BIN)/python -r requirements.lock
	uv pip install --quiet -p $(BIN)/python --no-deps -e .
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
endif
	touch $@

$(FUZZ_STAMP): pyproject.toml requirements.lock Makefile
ifdef UV
	uv venv --quiet --allow-existing $(FUZZ_VENV)
	uv pip install --quiet -p $(FUZZ_VENV)/bin/python -r requirements.lock
	uv pip install --quiet -p $(FUZZ_VENV)/bin/python --no-deps $(ATHERIS) -e .
else
	$(PYTHON) -m venv $(FUZZ_VENV)
	$(FUZZ_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(FUZZ_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps $(ATHERIS) -e .
endif
	touch $@

lock:
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --extra dev \
		--custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) $(FUZZ_VENV) .fuzz .pytest_cache .mypy_cache .ruff_cache .hypothesis
