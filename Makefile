# make demo   install into .venv and run the built-in example
# make test   install what the tests need and run them all
# make test-stanza   the parser stanza, with models trained on the spot
# make fuzz   the fuzz tests at length: 3,000 inputs for every reader
# make lint   ruff and mypy
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: browser demo test test-stanza fuzz lint wheel clean

demo: $(VENV)/.core
	$(BIN)/synteval demo

test: $(VENV)/.dev browser
	$(BIN)/python -m pytest

# For the test of the report. Where it cannot be installed, that test is skipped and says so.
browser:
	@command -v chromedriver >/dev/null \
	    || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	         && apt-get install -y -qq --no-install-recommends chromium chromium-driver >/dev/null; } \
	    || echo "no browser could be installed"

# Stanza wants torch, so it has an environment of its own.
test-stanza:
	test -x .venv-stanza/bin/python || $(PYTHON) -m venv .venv-stanza
	.venv-stanza/bin/python -m pip --disable-pip-version-check install torch==2.13.0
	.venv-stanza/bin/python -m pip --disable-pip-version-check install -e '.[stanza]' pytest hypothesis
	OMP_NUM_THREADS=1 .venv-stanza/bin/python -m pytest tests/parsing/test_stanza.py

fuzz: $(VENV)/.dev
	SYNTEVAL_FUZZ=3000 $(BIN)/python -m pytest tests/fuzz

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

wheel: $(VENV)/.dev
	$(BIN)/python -m build --wheel

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(BIN)/python
	$(PIP) install -e .
	touch $@

$(VENV)/.dev: pyproject.toml tests/spacy-models.txt | $(BIN)/python
	$(PIP) install -e '.[dev]'
	$(PIP) install --no-deps --require-hashes -r tests/spacy-models.txt
	touch $(VENV)/.core $@

clean:
	rm -rf $(VENV) .venv-stanza build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
