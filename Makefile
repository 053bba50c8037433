# Everything runs in .venv, which the first command makes. Needs only make and Python 3.11 or newer with venv;
# PYTHON=/path/to/python chooses another one (after make clean).

VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/installed
NATIVE := $(shell find native -type f 2>/dev/null)
ARGS   :=

.DEFAULT_GOAL := help
.PHONY: help run test slow check bench setup clean

help:
	@echo 'make run      open the web laboratory'
	@echo 'make test     all tests              (ARGS="-k threats -x" goes to pytest)'
	@echo 'make slow     the tests that take minutes: every position of 4x4 by the plain solver, and the like'
	@echo 'make check    style, types, doctests'
	@echo 'make bench    the benchmarks         (needs the native core)'
	@echo 'make setup    only make .venv; the command is then .venv/bin/noughts'
	@echo 'make clean    remove .venv and everything made'

run: setup
	@$(BIN)/noughts serve

test: setup
	@$(BIN)/python -m pytest -q -n auto --maxprocesses 8 -m 'not slow' $(ARGS)

slow: setup
	@$(BIN)/python -m pytest -q -m slow tests $(ARGS)

check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict src
	$(BIN)/python -m pytest -q src $(wildcard README.md docs)

bench: export NOUGHTS_REQUIRE_NATIVE = 1
bench: setup
	@for script in benchmarks/[!_]*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

setup: $(STAMP)
	@$(BIN)/python -c 'from noughts import native; print("noughts:", native.status())'

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# The build tools go into .venv too (no build isolation): a second build then compiles only what changed.
BUILD_TOOLS = import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet

$(STAMP): pyproject.toml CMakeLists.txt $(NATIVE) | $(BIN)/python
	@echo 'noughts: getting the build tools'
	@$(PIP) cmake ninja $$($(BIN)/python -c '$(BUILD_TOOLS)')
	@echo 'noughts: building the core and getting the libraries (the first time takes a minute or two)'
	@$(PIP) --no-build-isolation --config-settings=build-dir=$(VENV)/build --editable '.[all,dev]'
	@touch $@

$(BIN)/python:
	@for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
	  $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  echo "noughts: making $(VENV) with $$($$python --version)"; \
	  exec $$python -m venv --clear $(VENV); \
	done; \
	echo 'noughts: needs Python 3.11 or newer with venv (Debian, Ubuntu: apt install python3-venv)' >&2; exit 1
