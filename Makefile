# The whole workbench in a virtual environment of its own: nothing but Python 3.11 or later is needed.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test test-all lint docs pictures bench clean clean-kernels

demo: .venv/runtime  ## a hold'em river solved exactly and by CFR+, both proved
	$(BIN)/treeplex crosscheck examples/river.toml

test: .venv/development  ## the tests, without the slow ones
	$(BIN)/python -m pytest -n auto -m 'not slow' $(PYTEST)

test-all: .venv/development  ## every test; those against Gambit after make .venv/gambit
	$(BIN)/python -m pytest -n auto $(PYTEST)

lint: .venv/development  ## style, types and floors
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/development  ## the site, in build/docs; a warning or a dead link is an error
	rm -rf build/docs
	$(BIN)/python -m sphinx --builder html --conf-dir docs --doctree-dir build/doctrees \
		--fresh-env --fail-on-warning --keep-going --quiet . build/docs
	$(BIN)/python docs/check_links.py build/docs

pictures: .venv/runtime  ## the pictures of docs/GALLERY.md, by the commands that stand there
	$(BIN)/python docs/make_pictures.py

bench: .venv/runtime  ## every benchmark, beside its target
	$(BIN)/python -m benchmarks

.venv/python: 
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "treeplex needs Python 3.11 or later; try make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	touch $@

.venv/runtime: .venv/python pyproject.toml constraints.txt
	$(INSTALL) --editable .
	touch $@

.venv/development: .venv/runtime
	$(INSTALL) --editable '.[dev]'
	touch $@

.venv/gambit: .venv/development  ## compiles for minutes; without optimization for fewer
	CFLAGS=-O0 $(INSTALL) --editable '.[gambit]'
	touch $@

clean-kernels:  ## compiled kernels, which do not see changes in other files
	find . -name "*.nb[ic]" -delete

clean:
	rm -rf .venv build dist
	find . -name __pycache__ -prune -exec rm -rf {} +
