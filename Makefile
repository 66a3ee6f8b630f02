# Two commands do all the set-up: `make demo` and `make test`. The environment is built once and again only
# when pyproject.toml or the lock changes. uv is used where it is on PATH, else python3 -m venv and pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
UV := $(shell command -v uv 2>/dev/null)
ARGS ?=

.PHONY: demo test test-long lint types contract docs docs-check check bench lock clean

demo: $(STAMP)
	$(BIN)/tablectl demo $(ARGS)

test: $(STAMP)
	$(BIN)/pytest $(ARGS)

test-long: $(STAMP)
	$(BIN)/pytest -m 'long or not long' --timeout 3600 $(ARGS)

lint: $(STAMP)
	$(BIN)/ruff check tablectl protocols sim tests
	$(BIN)/ruff format --check tablectl protocols sim tests

types: $(STAMP)
	$(BIN)/mypy

contract: $(STAMP)
	$(BIN)/lint-imports

docs: $(STAMP)
	$(BIN)/python -m protocols.atp.spec
	$(BIN)/python docs/generate.py

docs-check: $(STAMP)
	$(BIN)/python -m protocols.atp.spec --check
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

lock:
	uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --extra dev \
		--custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
