# Two commands do all the set-up: `make demo` and `make test`. The environment is built once and again only
# when pyproject.toml or the lock changes. uv is used where it is on PATH, else python3 -m venv and pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
UV := $(shell command -v uv 2>/dev/null)
ARGS ?=

.PHONY: demo test test-long lint types contract docs docs-check check bench clean

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

$(STAMP): pyproject.toml $(wildcard uv.lock)
ifdef UV
	uv sync --quiet --frozen --extra dev --python-preference only-system || \
		(uv venv --quiet --allow-existing $(VENV) && uv pip install --quiet -p $(BIN)/python -e '.[dev]')
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
endif
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
