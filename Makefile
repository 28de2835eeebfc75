# The whole workbench in a virtual environment of its own: nothing but Python 3.11 or later is needed.
PYTHON ?= python3
BIN := .venv/bin
PARALLEL := -n auto --dist worksteal --max-worker-restart 0
WHEELS ?= $(HOME)/.cache/treeplex/wheels
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

COURSE ?= build/course
export PYTHONDONTWRITEBYTECODE :=  # else every process of a test compiles all sources again

.PHONY: demo course course-student test test-slow test-all gambit-if-built lint docs pictures bench clean clean-kernels

demo: .venv/runtime  ## a hold'em river solved exactly and by CFR+, both proved
	$(BIN)/treeplex crosscheck examples/river.toml

course: .venv/notebooks  ## the first notebook of the course, in JupyterLab
	$(BIN)/jupyter lab notebooks/01_kuhn_sequence_form.ipynb

course-student: .venv/python  ## the course without its solutions, and with them, in build/course
	$(BIN)/python notebooks/versions.py $(COURSE)

test: .venv/development  ## the tests that are not slow
	$(BIN)/python -m pytest $(PARALLEL) -o faulthandler_timeout=300 --tier default $(PYTEST)

test-slow: .venv/development  ## an eighth of the slow tests, the share SHARE modulo 8
	$(BIN)/python -m pytest $(PARALLEL) -o faulthandler_timeout=1000 --tier slow --share $(or $(SHARE),0) $(PYTEST)

test-all: .venv/development  ## every test; those against Gambit after make .venv/gambit
	$(BIN)/python -m pytest $(PARALLEL) $(PYTEST)

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

.venv/notebooks: .venv/runtime
	$(INSTALL) --editable '.[notebooks]'
	touch $@

.venv/development: .venv/runtime
	$(INSTALL) --editable '.[dev]'
	touch $@

.venv/gambit: .venv/development  ## compiles for minutes; without optimization for fewer
	CFLAGS=-O0 $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir $(WHEELS) --constraint constraints.txt pygambit
	$(MAKE) gambit-if-built

gambit-if-built: .venv/development  ## installs Gambit if this machine has compiled it before
	if ls $(WHEELS)/pygambit-*.whl >/dev/null 2>&1; then \
		$(INSTALL) --no-deps --no-index --find-links $(WHEELS) pygambit && touch .venv/gambit; fi

clean-kernels:  ## compiled kernels, which do not see changes in other files
	find . -name "*.nb[ic]" -delete

clean:
	rm -rf .venv build dist
	find . -name __pycache__ -prune -exec rm -rf {} +
