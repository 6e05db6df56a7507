# balance: `make report` for a first look at Na Grunwald!, `make quick` and `make test` for tests, `make bench` for speed.
VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin

.PHONY: help report sample notebooks docs quick test test-all bench release versions lint warm clean
help:
	@echo "make report     set up, play data/experiments/first-look.toml, write reports/first-look/"
	@echo "make sample     write the sample report that stands in reports/sample/"
	@echo "make notebooks  open the notebooks in Jupyter"
	@echo "make docs       the pages of docs/ and the notebooks with their figures as a site, into docs/_build/"
	@echo "make quick      linters, then all tests but the slow ones"
	@echo "make test       linters, then the tests to pass before every commit"
	@echo "make test-all   linters, then every test; before a release"
	@echo "make bench      speed and memory, into docs/bench.json and docs/speed.md"
	@echo "make versions   the fast tests with the lowest versions of pyproject.toml, then with the newest"
	@echo "make release    wheel and sdist into dist/, checked and installed; uploads nothing"
	@echo "make lint       ruff, mypy and import-linter alone"
	@echo "make clean      remove the environment and what was played"

$(VENV)/.user: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.user
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,dask]'
	@touch $@

report: $(VENV)/.user
	@rm -rf runs/first-look
	$(BIN)/balance run data/experiments/first-look.toml --out runs/first-look
	$(BIN)/balance components runs/first-look --games 300
	$(BIN)/balance chances runs/first-look --games 600
	$(BIN)/balance report runs/first-look --out reports/first-look
	@echo "Open in a browser: $(CURDIR)/reports/first-look/index.html"

sample: $(VENV)/.user
	@rm -rf runs/sample reports/sample
	$(BIN)/balance run data/experiments/sample.toml --out runs/sample
	$(BIN)/balance report runs/sample --out reports/sample

notebooks: $(VENV)/.user
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[notebooks]'
	$(BIN)/jupyter lab notebooks

docs: $(VENV)/.user
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/python tools/notebooks
	$(BIN)/python -m sphinx -q -n -W --keep-going docs docs/_build
	@echo "Open in a browser: $(CURDIR)/docs/_build/index.html"

quick: $(VENV)/.dev lint
	$(BIN)/python -m pytest -n auto --dist loadscope -m "not slow and not long"

test: $(VENV)/.dev
	@$(MAKE) --no-print-directory --jobs 2 lint warm
	$(BIN)/python -m pytest -n auto --dist loadscope --durations=20 -m "not long"

test-all: $(VENV)/.dev lint
	$(BIN)/balance warm
	$(BIN)/python -m pytest -n auto --dist loadscope --durations=20

warm: $(VENV)/.dev
	$(BIN)/balance warm --profiles-only

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python tools/bench $(if $(AGAINST),--against $(AGAINST))

$(VENV)/.release: $(VENV)/.user
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[release]'
	@touch $@

release: $(VENV)/.release
	$(BIN)/python tools/release

versions: $(VENV)/.release
	$(BIN)/python tools/versions lowest
	$(BIN)/python tools/versions newest

clean:
	rm -rf $(VENV) runs build dist docs/_build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
