# Everything runs in .venv, which the first command makes. Needs only make and Python 3.11 or newer with venv;
# PYTHON=/path/to/python chooses another one (after make clean). LOCKED=1 takes the very versions of requirements-dev.txt.

VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/installed$(if $(LOCKED),-locked)
NATIVE := $(shell find native -type f 2>/dev/null)
ARGS   :=
PYTHONS :=
# The tests of a file stay together while they can, and share what they have made.
PARALLEL := -n auto --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help run test slow check bench speed ladder book puzzles keys site docs all setup clean

help:
	@echo 'make run         open the web laboratory'
	@echo 'make test        all tests              (ARGS="-k threats -x" goes to pytest)'
	@echo 'make slow        the tests that take minutes: every position of 4x4 by the plain solver, and the like'
	@echo 'make envs        the tests of the bridges to PettingZoo and Gymnasium and of files of labels, in an environment of their own'
	@echo 'make cluster     the tests of solving on a cluster, with Dask in an environment of its own'
	@echo 'make train       MaskablePPO learns 3x3, and is certified; make torchrl, make rllib: theirs (each brings torch)'
	@echo 'make check       style, types, doctests'
	@echo 'make bench       the benchmarks         (needs the native core)'
	@echo 'make speed       docs/reference/speed.md anew, from what the benchmarks saved'
	@echo 'make book        the opening of Connect Four, an hour or two; goes on where it was stopped   (BOOK=file)'
	@echo 'make puzzles     look for more puzzles, some minutes'
	@echo 'make keys        docs/reference/json.md anew, from the types of the answers'
	@echo 'make site        the documentation site, its links checked'
	@echo 'make docs        the same, and its examples run'
	@echo 'make all         what must pass before a change lands: check, test, site'
	@echo 'make coverage    what the tests run, and what they do not'
	@echo 'make soundness   what threats and pairings say, against strong solutions (an hour)'
	@echo 'make proofs      games proven, with certificates, and the table of them   (PROOFS=dir SECONDS=600; SMALL=yes: all up to 25 cells)'
	@echo 'make mutants     small faults in the rules and the checker, each of which a test must notice (hours)   (MODULE=check)'
	@echo 'make fuzz        any input to every entrance, ten minutes each   (TARGET=cli SECONDS=60)'
	@echo 'make faults      kill -9, full disks, little memory, bad clients   (FAULT=long; Linux, root)'
	@echo 'make sanitize    the native core under the address, undefined-behaviour and thread sanitizers'
	@echo 'make gpu         the solver on a GPU: its tests, and compute-sanitizer   (needs a GPU, CuPy, CUDA)'
	@echo 'make compilers   the native core by gcc, clang and for arm64, without a warning'
	@echo 'make dist        the sdist and the wheels, twice the same   (PYTHONS="python3.11 python3.13")'
	@echo 'make dist-check  install them as a stranger would, and run the tests against them   (SUITE="3.11 3.14")'
	@echo 'make extras      each extra of that wheel alone in an empty environment, and none'
	@echo 'make wheels      what cibuildwheel builds for Linux, macOS and Windows, as it reads the configuration'
	@echo 'make kaggle      real episodes with agents of noughts, in an environment of its own of about 1.6 GB'
	@echo 'make stubs       the types of the native core against the core itself'
	@echo 'make ladder      the engine against that of the last release, or of REV, until it is sure who is stronger'
	@echo 'make lock        requirements-dev.txt anew; make setup LOCKED=1 installs from it'
	@echo 'make setup       only make .venv; the command is then .venv/bin/noughts'
	@echo 'make clean       remove .venv and everything made'

run: setup
	@$(BIN)/noughts serve

test: setup
	@$(BIN)/python -m pytest -q $(PARALLEL) --maxprocesses 8 -m 'not slow' $(ARGS)

# Some take gigabytes: never more than two at a time.
slow: setup
	@$(BIN)/python -m pytest -q $(PARALLEL) --maxprocesses 2 -m slow tests $(ARGS)

# What only those need who train agents: an environment that sees all of .venv, and has the extras `envs` and `parquet`
# besides, and what reads files of labels.
ENVS := $(VENV)/envs
.PHONY: envs

envs: setup $(ENVS)/installed
	@SDL_VIDEODRIVER=dummy $(ENVS)/bin/python -m pytest -q -o 'addopts=-ra --doctest-glob=*.md' \
	  tests/test_bridge_pettingzoo.py tests/test_bridge_gymnasium.py \
	  tests/test_labels.py::test_parquet_holds_what_json_lines_hold tests/test_export.py \
	  tests/test_labels.py::test_the_lines_of_the_card_load_it \
	  tests/test_hardening_fuzz.py::test_an_environment_that_does_not_follow_the_rules_is_found \
	  $(wildcard docs/how-to/train-with-*.md) $(ARGS)

SITE = import sysconfig; print(sysconfig.get_path("purelib"))

$(ENVS)/installed: requirements-envs.txt | $(STAMP)
	@echo 'noughts: getting PettingZoo, Gymnasium and what reads files of labels'
	@$(BIN)/python -m venv --clear $(ENVS)
	@echo "import site; site.addsitedir('$$($(BIN)/python -c '$(SITE)')')" \
	  > "$$($(ENVS)/bin/python -c '$(SITE)')/noughts-beside.pth"
	@$(ENVS)/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps --requirement $<
	@touch $@

# What only those need who solve on a cluster: Dask, a store like S3's; again an environment that sees all of .venv.
CLUSTER := $(VENV)/cluster
.PHONY: cluster

cluster: setup $(CLUSTER)/installed
	@$(CLUSTER)/bin/python -m pytest -q -o 'addopts=-ra --doctest-glob=*.md' tests/test_cluster.py \
	  $(wildcard docs/how-to/solve-on-a-cluster.md) $(ARGS)

$(CLUSTER)/installed: requirements-cluster.txt | $(STAMP)
	@echo 'noughts: getting Dask, and what stands in for S3'
	@$(BIN)/python -m venv --clear $(CLUSTER)
	@echo "import site; site.addsitedir('$$($(BIN)/python -c '$(SITE)')')" \
	  > "$$($(CLUSTER)/bin/python -c '$(SITE)')/noughts-beside.pth"
	@$(CLUSTER)/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps --requirement $<
	@touch $@

# Training brings CUDA's torch from PyPI, gigabytes of it: never in CI, and each in an environment of its own.
.PHONY: train torchrl rllib

train: PACKAGES = stable-baselines3 sb3-contrib
train: EXAMPLE = maskable_ppo.py
torchrl: PACKAGES = torchrl pettingzoo
torchrl: EXAMPLE = torchrl_specs.py
rllib: PACKAGES = 'ray[rllib]' torch pettingzoo
rllib: EXAMPLE = rllib_pettingzoo.py

train torchrl rllib: setup
	@test -f $(VENV)/$@/installed || { $(BIN)/python -m venv --clear $(VENV)/$@ && \
	  echo "import site; site.addsitedir('$$($(BIN)/python -c '$(SITE)')')" \
	    > "$$($(VENV)/$@/bin/python -c '$(SITE)')/noughts-beside.pth" && \
	  $(VENV)/$@/bin/python -m pip --disable-pip-version-check install $(PACKAGES) && touch $(VENV)/$@/installed; }
	@$(VENV)/$@/bin/python examples/training/$(EXAMPLE) $(ARGS)

check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict src hardening
	$(BIN)/python -m pytest -q src $(wildcard README.md docs)

bench: export NOUGHTS_REQUIRE_NATIVE = 1
bench: setup
	@for script in benchmarks/[!_]*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

speed: setup
	@$(BIN)/python benchmarks/_speed.py

# The engine of this checkout against another revision's: make ladder REV=v0.1.0 ELO=20 SECONDS=0.2
ladder: REV ?= $(shell git describe --tags --abbrev=0 2>/dev/null || git rev-parse HEAD~1)
ladder: setup
	@$(BIN)/python benchmarks/_ladder.py $(REV) --sprt $(or $(ELO),20) --seconds $(or $(SECONDS),0.2) $(ARGS)

puzzles: setup
	@$(BIN)/python hardening/puzzles.py

book: setup
	@$(BIN)/python hardening/book.py $(BOOK)

# The examples in the pages are tests like any other, so `make test` runs them too; the site alone needs the docs tools.
docs: site
	@$(BIN)/python -m pytest -q README.md docs tests/test_docs.py tests/test_examples.py
	@echo 'noughts: the site is at docs/_build/html/index.html'

keys: setup
	@$(BIN)/python docs/site/json_reference.py

site: keys $(VENV)/docs-tools
	@$(BIN)/python -m sphinx -q -W --keep-going -E -d docs/_build/doctrees docs docs/_build/html
	@$(BIN)/python docs/site/links.py docs/_build/html

all: check test site

# The last results of these stand in docs/quality.md.
.PHONY: coverage soundness proofs mutants fuzz faults

coverage: setup
	@$(BIN)/python -m pytest -q $(PARALLEL) --maxprocesses 8 -m 'not slow' --cov --cov-report=term $(ARGS) || \
	  { $(if $(ARGS),,$(BIN)/python hardening/record.py coverage '**failed**: a test, or too little was run';) exit 1; }
	@$(if $(ARGS),,$(BIN)/python hardening/record.py coverage \
	  "$$($(BIN)/python -m coverage report --format=total) % of the lines and branches of the Python code")

soundness: setup
	@$(BIN)/python hardening/soundness.py $(ARGS)

proofs: setup
	@$(BIN)/python hardening/proofs.py $(or $(PROOFS),proofs) --seconds $(or $(SECONDS),600) $(if $(SMALL),--small) $(ARGS)

mutants: setup $(VENV)/mutants-tools
	@$(BIN)/python hardening/mutants.py $(MODULE) $(ARGS)

fuzz: setup $(ENVS)/installed
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(PIP) atheris 2>/dev/null || \
	  echo 'noughts: atheris cannot be had here: inputs are changed without regard to what they reach'
	@$(ENVS)/bin/python hardening/fuzz.py $(TARGET) --seconds $(or $(SECONDS),600) --record

faults: setup $(CLUSTER)/installed
	@$(BIN)/python hardening/faults.py $(FAULT) --record

# The release: docs/how-to/release.md. PYTHONS="python3.11 python3.13" chooses those to build with and to check.
.PHONY: dist dist-check extras wheels stubs lock

dist: setup $(VENV)/release-tools
	@$(BIN)/python hardening/dist.py build $(PYTHONS)

dist-check: setup $(VENV)/release-tools
	@$(BIN)/python hardening/dist.py check $(PYTHONS) $(if $(SUITE),--suite='$(SUITE)') --pytest='$(ARGS)'

extras: setup $(VENV)/release-tools
	@$(BIN)/python hardening/extras.py $(PYTHONS)

wheels: setup $(VENV)/release-tools
	@$(BIN)/python hardening/wheels.py

stubs: setup
	@$(BIN)/python hardening/stubs.py

lock: setup $(VENV)/release-tools
	@$(BIN)/python -c '$(BUILD_TOOLS)' | tr ' ' '\n' | $(BIN)/uv pip compile --quiet --no-config --system-certs --universal \
	  --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make lock' --upgrade \
	  --extra all --extra dev --group docs --group release pyproject.toml - --output-file requirements-dev.txt
	@$(BIN)/uv pip compile --quiet --no-config --system-certs --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --custom-compile-command 'make lock' --upgrade --constraint requirements-dev.txt \
	  --extra envs --extra parquet --group readers pyproject.toml --output-file requirements-envs.txt
	@$(BIN)/uv pip compile --quiet --no-config --system-certs --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --custom-compile-command 'make lock' --upgrade \
	  --extra cluster --group cluster pyproject.toml --output-file requirements-cluster.txt

# Real episodes at Kaggle's own environments, which are large and pin old versions: in a place of their own.
.PHONY: kaggle

kaggle: setup $(VENV)/kaggle/installed
	@for player in level-4 mcts rules; do \
	  $(BIN)/python -c "from noughts.bridges.kaggle import write_submission; \
	    write_submission('$(VENV)/kaggle/$$player.tar.gz', '$$player')" && \
	  $(VENV)/kaggle/bin/python hardening/kaggle_episodes.py $(VENV)/kaggle/$$player.tar.gz \
	    $(VENV)/kaggle/$$player.json || \
	  { $(BIN)/python hardening/record.py kaggle "**failed**: $$player"; exit 1; }; done
	@$(BIN)/python hardening/record.py kaggle "$$($(BIN)/python -c 'import json, pathlib; \
	  files = sorted(pathlib.Path("$(VENV)/kaggle").glob("*.json")); \
	  played = [asked for file in files for asked in json.loads(file.read_text()).values()]; \
	  print(f"{len(played)} real episodes with {len(files)} submissions, {sum(map(len, played))} questions answered")')"

$(VENV)/kaggle/installed: | $(BIN)/python
	@echo 'noughts: getting kaggle_environments, about 1.6 GB'
	@$(BIN)/python -m venv $(VENV)/kaggle
	@$(VENV)/kaggle/bin/python -m pip --disable-pip-version-check install --quiet kaggle_environments==1.33.2
	@touch $@

# The native core under the sanitizers, and by every compiler that we support.
.PHONY: sanitize compilers gpu

sanitize: setup
	@$(BIN)/python hardening/sanitize.py $(ARGS)

gpu: setup
	@$(BIN)/python hardening/gpu.py

compilers: setup
	@$(BIN)/python hardening/compilers.py

setup: $(STAMP)
	@$(BIN)/python -c 'from noughts import native; print("noughts:", native.status())'

clean:
	rm -rf $(VENV) build dist docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage*
	@find src tests benchmarks hardening -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# The build tools go into .venv too (no build isolation): a second build then compiles only what changed.
BUILD_TOOLS = import tomllib; print("cmake", "ninja", *tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet
EDITABLE = --no-build-isolation --config-settings=build-dir=$(VENV)/build --editable

$(VENV)/installed: pyproject.toml CMakeLists.txt $(NATIVE) | $(BIN)/python
	@echo 'noughts: getting the build tools'
	@$(PIP) $$($(BIN)/python -c '$(BUILD_TOOLS)')
	@echo 'noughts: building the core and getting the libraries (the first time takes a minute or two)'
	@$(PIP) $(EDITABLE) '.[all,dev]'
	@touch $@

$(VENV)/installed-locked: requirements-dev.txt pyproject.toml CMakeLists.txt $(NATIVE) | $(BIN)/python
	@echo 'noughts: getting the tools and libraries that requirements-dev.txt names'
	@$(PIP) --require-hashes --no-deps --requirement requirements-dev.txt
	@echo 'noughts: building the core'
	@$(PIP) --no-index $(EDITABLE) '.[all,dev]'  # nothing but what is there now: a stale lock file fails here
	@touch $(VENV)/installed $@

# A group of tools that only some need: .venv/docs-tools, .venv/release-tools, .venv/mutants-tools.
TOOLS = import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["$*"])

$(VENV)/%-tools: pyproject.toml | $(STAMP)
	@$(PIP) $$($(BIN)/python -c '$(TOOLS)')
	@touch $@

$(BIN)/python:
	@for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
	  $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  echo "noughts: making $(VENV) with $$($$python --version)"; \
	  exec $$python -m venv --clear $(VENV); \
	done; \
	echo 'noughts: needs Python 3.11 or newer with venv (Debian, Ubuntu: apt install python3-venv)' >&2; exit 1
