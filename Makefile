# Every target does its own set-up in .venv; all that a machine needs is Python 3.11+ and make.
# The only thing taken from the network is packages, from the registry that pip is configured for.

PYTHON ?= python3
# Test processes side by side.
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Where PYTHONDONTWRITEBYTECODE is set, every start would compile every module that it loads.
COMPILE := $(BIN)/python -m compileall -q src
# Directories that the type checker reads besides src and tests, where they hold Python.
ADAPTERS := $(patsubst %/,%,$(sort $(dir $(wildcard acceptance/*.py benchmarks/*.py conformance/*.py))))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: compiled conformance-mcp help demo test lint format docs bench acceptance clean

help: ## Show the targets.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile

demo: $(VENV)/.installed compiled ## Watch a fresh process retrieve an instruction, and refuse it in every way it can be spoilt.
	@$(BIN)/upheld demo

test: lint ## Everything that CI runs: formatting, lint, types, layers, tests with branch coverage.
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term $(PYTEST_ARGS)

lint: $(VENV)/.test ## The checks of `make test` that run no test.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict src tests $(ADAPTERS)
	$(BIN)/lint-imports

format: $(VENV)/.test ## Rewrite the code into the project's form, and mend what ruff can mend safely.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

docs: $(VENV)/.docs ## Build the documentation into site/.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

conformance-mcp: $(VENV)/.test compiled ## Run the official MCP conformance suite and Inspector over the server (needs npm).
	$(BIN)/python -m conformance.protocol.run

bench: $(VENV)/.mcp compiled ## Run the benchmarks, beside other memories too; write tables and curves to docs/benchmarks.md.
	@set -e; for script in $(filter-out %/bench_scale.py,$(wildcard benchmarks/bench_*.py)); do \
	  echo "== $$script"; $(BIN)/python $$script; done
	@echo "== benchmarks/bench_scale.py"; $(BIN)/python benchmarks/bench_scale.py --write
	@echo "== benchmarks/mcp/at_size.py"; $(BIN)/python benchmarks/mcp/at_size.py --into $(VENV)/peers --write

acceptance: $(VENV)/.mcp compiled ## Real agent clients from npm, against a scripted model on loopback (up to 15 minutes).
	@$(BIN)/python -m acceptance $(ACCEPTANCE_ARGS)

compiled: $(VENV)/.installed
	@$(COMPILE)

clean: ## Remove everything that these targets made.
	rm -rf $(VENV) site build dist htmlcov .coverage .coverage.* .hypothesis \
	  .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find src tests benchmarks acceptance -name __pycache__ -prune -exec rm -rf {} +

# --- the environment ---------------------------------------------------------------------------------------------
# pip is brought up to date first: --group needs 25.1, and older versions write console scripts that import `re`,
# which every start of `upheld` then pays for.

$(VENV)/.venv:
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	  "Upheld needs Python 3.11 or newer, and $(PYTHON) is " + sys.version.split()[0] + ": try make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV) || { echo "if venv is missing here: apt install python3-venv (Debian, Ubuntu)" >&2; exit 1; }
	@$(PIP) install --upgrade "pip>=25.1"
	@touch $@

$(VENV)/.installed: $(VENV)/.venv pyproject.toml
	@echo "installing upheld into $(VENV)"
	@$(PIP) install -e .
	@$(COMPILE)
	@touch $@

$(VENV)/.test: $(VENV)/.installed
	@echo "installing the test and lint tools into $(VENV)"
	@$(PIP) install --group test --group lint
	@touch $@

$(VENV)/.mcp: $(VENV)/.installed
	@$(PIP) install -e '.[mcp]'
	@touch $@

$(VENV)/.docs: $(VENV)/.installed
	@echo "installing the documentation tools into $(VENV)"
	@$(PIP) install --group docs
	@touch $@
