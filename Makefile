# Everything a newcomer needs. `make` alone lists the targets.
SHELL := /bin/sh
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up
BENCH_STAMP := $(VENV)/.set-up-bench
REQUIREMENTS := .ci/requirements
OUT := bench/out

# Small matrices: more BLAS threads only make them wait for each other.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help setup demo test check servers format bench docs api lock clean

help:  ## List the targets
	@sed -n 's/^\([a-z]*\):.*##  *\(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

setup: $(STAMP)  ## Make .venv with every pinned package; nothing to do, no network, when it is current

$(STAMP): pyproject.toml .ci/setup $(REQUIREMENTS)/dev.txt
	.ci/setup $(REQUIREMENTS)/dev.txt
	@touch $@

$(BENCH_STAMP): $(STAMP) $(REQUIREMENTS)/bench.txt
	.ci/setup $(REQUIREMENTS)/bench.txt
	@touch $@

demo: setup  ## Remember a conversation that ships with the project, ask it questions, replay it
	$(BIN)/siltstone demo

test: setup check servers  ## Check, then run the whole test suite, on real servers too
	$(BIN)/python -m pytest $(ARGS)

check: setup  ## Lint, format, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo

servers: setup  ## Fetch the servers that store tests start (Linux on x86-64)
	.ci/servers

format: setup  ## Mend what the linter can mend, and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH_STAMP)  ## Measure retrieval and latency and draw the plots: make bench DATA=path/to/locomo
	@test -n "$(DATA)" || { echo "bench: say where the LoCoMo files lie: make bench DATA=path/to/locomo" >&2; exit 2; }
	@mkdir -p $(OUT)
	$(BIN)/python bench/retrieval/locomo.py --data "$(DATA)" --json $(OUT)/locomo.json
	$(BIN)/python bench/latency.py --json $(OUT)/latency.json
	$(BIN)/python bench/plots.py --locomo $(OUT)/locomo.json --latency $(OUT)/latency.json --out $(OUT)

docs: setup  ## Write the reference pages from the code
	$(BIN)/python docs/generate.py

api: setup  ## Record the public API as it is now
	$(BIN)/python tests/guards/api_text.py

lock: setup  ## Pin the newest releases, with the hashes of all their files and no address (needs the network)
	.ci/lock

clean:  ## Remove the environment and everything that tools left behind
	rm -rf $(VENV) .ci/cache build dist $(OUT) .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
