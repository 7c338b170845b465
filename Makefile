# GNU make 3.81 or newer and Python 3.11 or newer are all this needs. `make help` lists the targets.

VENV    := .venv
BIN     := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
DEV     := $(VENV)/.dev-installed
OUTSIDE := .venv-conformance
SERVERS := .node-servers
TESTS   := $(BIN)/python -m pytest --verbosity=0 -m mock
PIP     := $(BIN)/python -m pip --disable-pip-version-check --no-input
LOCK    := $(BIN)/uv --quiet pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
           --no-emit-index-url --no-strip-extras --no-config --custom-compile-command "make lock" --group build

# Where Python may not keep what it compiled, each of the many processes that start here compiles all of it anew.
unexport PYTHONDONTWRITEBYTECODE

SIZE    := 1000

.DEFAULT_GOAL := help
.PHONY: help install run test pictures real chaos scale check mutants hostile conformance format types imports lock mcp-conformance \
        node-servers samples reference site wheel clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1#\2/p' Makefile | awk -F'#' '{ printf "%-22s %s\n", $$1, $$2 }'

run: $(RUNTIME) ## set up, then start everything; more with ARGS="--folder ~/Documents --no-browser"
	@exec $(BIN)/document-locator up $(ARGS)

test: $(DEV) ## set up, then run the tests; fewer with ARGS="tests/unit -k period"
	$(TESTS) --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(ARGS) || \
	  { echo "Once more, alone: what failed beside the others"; $(TESTS) --last-failed --last-failed-no-failures none $(ARGS); }

real: $(DEV) ## ask real services and a real model, three hits each (ALLOW_REAL=1 and keys; skips what has none)
	$(BIN)/python -m pytest --verbosity=0 -m real tests/real $(ARGS)

chaos: $(DEV) ## strike crawls and servers with faults and hold what is left to account; more with ARGS="--seeds 50"
	@$(BIN)/python -m tests.chaos $(ARGS)

scale: $(DEV) ## the benchmarks whose figures grow, and a table of them beside their bars; the large form with SIZE=100000 (else 1000)
	$(BIN)/python -m benchmarks.scale --size $(SIZE)

check: $(DEV) format-check types imports test ## everything a commit must pass: format, lint, types, imports, tests, docs, lock

mutants: $(DEV) ## break the rules of money, deletion, branching and escaping and see that a test notices (ten minutes)
	@$(BIN)/python -m tests.mutation $(ARGS)

hostile: $(DEV) ## the long form of the attacks by names, contents and models (their short form is in make test)
	$(BIN)/python -m pytest --verbosity=0 -m "mock or large" tests/hostile tests/unit/test_live_answer.py \
	  tests/unit/test_masking.py tests/surfaces/test_page_markup.py $(ARGS)

conformance: $(OUTSIDE)/.installed ## LangChain's own tests over FinderLedge, and its stores over Chroma and FAISS (an environment of its own)
	$(OUTSIDE)/bin/python -m pytest --verbosity=0 -o asyncio_mode=auto -o asyncio_default_fixture_loop_scope=function \
	  --benchmark-disable tests/conformance tests/contracts/test_finderledge_stores.py $(ARGS)

install: $(RUNTIME) ## only set up the environment

format: $(DEV) ## format the code and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: format-check
format-check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(DEV) ## check the types
	$(BIN)/mypy

imports: $(DEV) ## check the layers (who may import whom)
	$(BIN)/lint-imports

lock: $(DEV) ## pin anew what pyproject.toml asks for (UPGRADE=--upgrade takes newer versions)
	$(LOCK) $(UPGRADE) --output-file requirements.lock
	$(LOCK) $(UPGRADE) --extra dev --constraints requirements.lock --output-file requirements-dev.lock
	$(LOCK) $(UPGRADE) --extra local --constraints requirements.lock --output-file requirements-local.lock
	$(LOCK) $(UPGRADE) --extra login --constraints requirements.lock --output-file requirements-login.lock
	$(LOCK) $(UPGRADE) --extra kubernetes --constraints requirements.lock --output-file requirements-kubernetes.lock
	$(LOCK) $(UPGRADE) --extra huggingface --constraints requirements.lock --output-file requirements-huggingface.lock
	$(LOCK) $(UPGRADE) tests/conformance/requirements.in --extra dev --extra langchain --extra chroma --extra faiss \
	  --constraints requirements-dev.lock --output-file tests/conformance/requirements.lock

mcp-conformance: $(DEV) ## try the MCP server with clients written by others (Node 22 or newer, and a network)
	@$(BIN)/python -m tests.outside.mcp_clients

node-servers: $(SERVERS)/.installed ## fetch what others wrote and tests run: two MCP servers and axe-core (npm)

samples: $(DEV) ## write the sample documents anew
	$(BIN)/python -m tests.builders.sample_company samples

pictures: $(DEV) ## take the pictures of the tour anew, from the running product (needs Chromium)
	$(BIN)/python -m tests.builders.pictures docs/pictures

reference: $(DEV) ## write the reference of commands anew, from the program
	$(BIN)/python -m tests.builders.command_reference docs

site: $(DEV) ## build the documentation as a site into build/site; broken links and pages outside the navigation fail
	$(BIN)/properdocs build --strict

wheel: $(DEV) ## build the wheel into dist/
	$(BIN)/python -m hatchling build --target wheel

clean: ## remove what was built (the environment and your index stay)
	rm -rf dist build mutants .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .screenshots
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

# The environment: pinned and hashed packages first, then this checkout on top without asking any package index.

$(BIN)/python:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python3.14 python; do \
	  if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "Making $(VENV) with $$("$$python" --version)"; exec "$$python" -m venv $(VENV); \
	  fi; \
	done; \
	echo "Python 3.11 or newer with its venv module is needed and none was found." >&2; \
	echo "Install one (Debian and Ubuntu: apt install python3-venv), or name it: make PYTHON=/path/to/python3.12 run" >&2; \
	exit 2

$(RUNTIME): requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing the packages of requirements.lock (once, a minute or two)"
	@$(PIP) install --quiet --require-hashes -r requirements.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation --no-index --editable .
	@touch $@

$(DEV): requirements-dev.lock $(RUNTIME)
	@echo "Installing the packages of requirements-dev.lock"
	@$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	@touch $@

$(SERVERS)/.installed: Makefile
	@mkdir -p $(SERVERS)
	@npm install --prefix $(SERVERS) --no-audit --no-fund --no-save --loglevel=error --fetch-retries=1 \
	  --fetch-retry-mintimeout=2000 \
	  slack-mcp-server@1.3.0 @modelcontextprotocol/server-filesystem@2026.8.31 axe-core@4.14.1
	@touch $@

$(OUTSIDE)/.installed: tests/conformance/requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing the packages of tests/conformance/requirements.lock into $(OUTSIDE)"
	@$(BIN)/python -m venv $(OUTSIDE)
	@$(OUTSIDE)/bin/python -m pip --disable-pip-version-check --no-input install --quiet --require-hashes \
	  -r tests/conformance/requirements.lock
	@$(OUTSIDE)/bin/python -m pip --disable-pip-version-check --no-input install --quiet --no-deps \
	  --no-build-isolation --no-index --editable .
	@touch $@
