# Everything a contributor needs. `make` alone lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV   := .venv
BIN    := $(VENV)/bin
# The newest Python that really runs and can make a virtual environment; a version manager's shim may only pretend.
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	"$$p" -c 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v "$$p"; break; }; \
	done)
PIP    := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip --quiet
INSTALL := $(BIN)/python constraints/install.py
SOURCES := gm tests constraints $(wildcard bench migrations)
TESTFLAGS ?= -n 5 --dist worksteal
PREFIX ?= $(HOME)/.local
# Compiled modules are kept, whatever the shell says: the tests start hundreds of processes, and compiling everything anew
# would take each of them a second or two.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup install tools run test lint format bench tournament browser servers kills mailboxes lock audit wheel clean

help: ## Show this list
	@echo "Kolokol, a Gamesmaster for postal Russian Civil War"
	@echo
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1|\2/' | column -t -s '|' 2>/dev/null \
		|| grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST)
	@echo
	@echo "New here? 'make run' plays a demonstration, 'make test' checks everything."

setup: $(VENV)/.run ## Make .venv with what it needs to run (instant when nothing changed)

$(VENV)/.run: pyproject.toml constraints/build.txt constraints/uv.txt constraints/run.txt
	@test -n "$(PYTHON)" || { echo "Kolokol needs Python 3.11 or newer with venv (on Debian: python3-venv)." \
		"None was found; try: make PYTHON=/path/to/python3.13"; exit 1; }
	@echo "Installing into $(VENV) with $$($(PYTHON) -V) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv --without-pip $(VENV)
	@$(INSTALL) constraints/build.txt constraints/run.txt
	@touch $@

install: setup ## Put gm on your path: a link in ~/.local/bin, or PREFIX=/usr/local
	@mkdir -p "$(PREFIX)/bin"
	@ln -sf "$(CURDIR)/$(BIN)/gm" "$(PREFIX)/bin/gm"
	@echo "$(PREFIX)/bin/gm"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo "Add $(PREFIX)/bin to your PATH." ;; esac

tools: $(VENV)/.installed ## Add what tests and checks need

$(VENV)/.installed: $(VENV)/.run constraints/dev.txt
	@echo "Adding the tools ..."
	@$(INSTALL) constraints/dev.txt
	@touch $@

run: setup ## Play a demonstration campaign on this machine
	@$(BIN)/gm demo

test: tools ## Run every check: ruff, mypy, vulture, pytest
	@$(MAKE) --no-print-directory lint $(if $(wildcard tests/browser),browser) servers
	@$(BIN)/python -m pytest $(TESTFLAGS)

lint: tools ## Check style, types, and that no code is left unused
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/mypy
	@$(BIN)/vulture

format: tools ## Sort imports, apply safe fixes and format the code
	@$(BIN)/ruff check --fix $(SOURCES)
	@$(BIN)/ruff format $(SOURCES)

bench: $(VENV)/.bench ## Measure speed and print the figures
	@$(BIN)/python -m bench

tournament: setup ## Play 200 games a style and print how strong the stand-ins are (half an hour)
	@$(BIN)/gm laboratory --games 200 --one commander --trials 24
	@$(BIN)/gm laboratory --games 200 --style random --one fanatic

$(VENV)/.bench: $(VENV)/.installed constraints/bench.txt
	@$(INSTALL) constraints/bench.txt
	@touch $@

browser: ## Get Debian's chromium for the browser tests, where that is possible
	@if command -v chromium-headless-shell >/dev/null; then \
		echo "chromium-headless-shell is here"; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null; then \
		echo "chromium-headless-shell installed"; \
	elif command -v chromium >/dev/null || command -v chromium-browser >/dev/null; then \
		echo "chromium is here"; \
	elif [ "$${CI:-}" = true ]; then \
		echo "No chromium, and it cannot be installed here: the browser tests cannot run."; exit 1; \
	else \
		echo "No chromium found: the browser tests did not run (install the package 'chromium-headless-shell' to run them)."; \
	fi

servers: ## Get Debian's Dovecot and Postfix for the tests with real mail servers, where that is possible
	@export PATH="$$PATH:/usr/sbin"; \
	if command -v dovecot >/dev/null && command -v postfix >/dev/null; then \
		echo "dovecot and postfix are here"; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
			dovecot-imapd dovecot-lmtpd postfix >/dev/null && echo "dovecot and postfix installed"; \
	elif [ "$${CI:-}" = true ]; then \
		echo "No dovecot or postfix, and they cannot be installed here: the tests of the doors cannot run."; exit 1; \
	else \
		echo "No dovecot or postfix found: tests with real mail servers did not run (install dovecot-imapd, dovecot-lmtpd, postfix)."; \
	fi

kills: setup servers ## Kill the running service thirty times under load, on both engines (some minutes)
	@KILLS=30 $(BIN)/python -m pytest tests/doors/test_killed.py

mailboxes: tools servers ## Write the mailboxes of tests/month anew after a change of wording
	@GOLDEN=write $(BIN)/python -m pytest -q -p no:cacheprovider tests/month

lock: setup ## Pin what pyproject.toml newly asks for (all anew: make lock UPGRADE=--upgrade)
	@$(LOCK) pyproject.toml $(UPGRADE) --extra dev --output-file constraints/dev.txt >/dev/null
	@$(LOCK) pyproject.toml --constraint constraints/dev.txt --output-file constraints/run.txt >/dev/null
	@$(LOCK) pyproject.toml $(UPGRADE) --extra dev --extra bench --constraint constraints/dev.txt --output-file constraints/bench.txt >/dev/null
	@$(LOCK) --group build --constraint constraints/dev.txt --output-file constraints/build.txt >/dev/null
	@$(LOCK) --group uv $(UPGRADE) --output-file constraints/uv.txt >/dev/null
	@$(MAKE) --no-print-directory tools

# Pins and hashes only: no header, no index addresses, nothing of the machine that made them.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links

audit: ## Look up known vulnerabilities of what is pinned (needs the network)
	@test -x $(VENV)-audit/bin/pip-audit || { $(PYTHON) -m venv $(VENV)-audit && $(VENV)-audit/bin/pip install --quiet pip-audit; }
	@$(VENV)-audit/bin/pip-audit --require-hashes --disable-pip --strict --requirement constraints/run.txt

wheel: setup ## Build a wheel into dist/
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .

clean: ## Remove the virtual environment and everything that was built
	@rm -rf $(VENV) $(VENV)-audit dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find gm tests -name __pycache__ -type d -prune -exec rm -rf {} +
