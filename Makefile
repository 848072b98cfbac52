# Everything a contributor needs. `make` alone lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PIP    := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip --quiet
SOURCES := gm tests $(wildcard bench migrations)
TESTFLAGS ?= -n 2

.PHONY: help setup run test lint format bench browser lock audit wheel clean

help: ## Show this list
	@echo "Kolokol, a Gamesmaster for postal Russian Civil War"
	@echo
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1|\2/' | column -t -s '|' 2>/dev/null \
		|| grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST)
	@echo
	@echo "New here? 'make run' plays a demonstration, 'make test' checks everything."

setup: $(STAMP) ## Make .venv and install the locked dependencies (instant when nothing changed)

$(STAMP): pyproject.toml constraints/dev.txt
	@test -n "$(PYTHON)" || { echo "Kolokol needs Python 3.11 or newer; no python3 was found."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Kolokol needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Try: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Installing into $(VENV) with $$($(PYTHON) -V) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --require-hashes --requirement constraints/dev.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

run: setup ## Play a demonstration campaign on this machine
	@$(BIN)/gm demo

test: setup ## Run every check: ruff, mypy, vulture, pytest
	@$(MAKE) --no-print-directory lint $(if $(wildcard tests/browser),browser)
	@$(BIN)/python -m pytest $(TESTFLAGS)

lint: setup ## Check style, types, and that no code is left unused
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/mypy
	@$(BIN)/vulture

format: setup ## Sort imports, apply safe fixes and format the code
	@$(BIN)/ruff check --fix $(SOURCES)
	@$(BIN)/ruff format $(SOURCES)

bench: $(VENV)/.bench ## Measure speed and print the figures
	@$(BIN)/python -m bench

$(VENV)/.bench: $(STAMP) constraints/bench.txt
	@$(PIP) install --require-hashes --requirement constraints/bench.txt
	@touch $@

browser: ## Get Debian's chromium for the browser tests, where that is possible
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null; then \
		echo "chromium is here"; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null \
			&& echo "chromium installed"; \
	elif [ "$${CI:-}" = true ]; then \
		echo "No chromium, and it cannot be installed here: the browser tests cannot run."; exit 1; \
	else \
		echo "No chromium found: the browser tests did not run (install the package 'chromium' to run them)."; \
	fi

lock: setup ## Pin what pyproject.toml newly asks for (all anew: make lock UPGRADE=--upgrade)
	@test -x $(BIN)/uv || $(PIP) install uv
	@$(LOCK) $(UPGRADE) --extra dev --output-file constraints/dev.txt >/dev/null
	@$(LOCK) --constraint constraints/dev.txt --output-file constraints/run.txt >/dev/null
	@$(LOCK) $(UPGRADE) --extra dev --extra bench --constraint constraints/dev.txt --output-file constraints/bench.txt >/dev/null
	@$(MAKE) --no-print-directory setup

# Pins and hashes only: no header, no index addresses, nothing of the machine that made them.
LOCK := $(BIN)/uv pip compile --quiet pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links

audit: ## Look up known vulnerabilities of what is pinned (needs the network)
	@test -x $(VENV)-audit/bin/pip-audit || { $(PYTHON) -m venv $(VENV)-audit && $(VENV)-audit/bin/pip install --quiet pip-audit; }
	@$(VENV)-audit/bin/pip-audit --require-hashes --disable-pip --strict --requirement constraints/run.txt

wheel: setup ## Build a wheel into dist/
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .

clean: ## Remove the virtual environment and everything that was built
	@rm -rf $(VENV) $(VENV)-audit dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find gm tests -name __pycache__ -type d -prune -exec rm -rf {} +
