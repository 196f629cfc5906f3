# Schockauge: everything a person types. Needs python3 (3.11 to 3.13, with venv) and make.
#
#   make demo [ARGS="--fast --once"]   the demo; ARGS go to `schockauge demo`
#   make test | lint | check | bench   tests; style, types, imports; both; the benchmark
#   make lab | test-lab                the laboratory's own environment; its smoke test
#   make sim                           adds the simulated table to .venv
#   make hub                           adds the hub of a tournament to .venv
#   make try-install [SUITE=bookworm]  installs the checkout in a fresh Debian and boots it (root)
#   make screens                       takes the pictures of the pages in docs/ (needs chromium)
#   make lock                          resolves requirements/*.lock anew
#   make clean                         removes the environments and caches

PYTHON ?= python3
ARGS ?=
# More words for the laboratory's `pip install torch`, for instance the index of CPU builds.
TORCH_ARGS ?=
# Debian's release in which `make try-install` tries it.
SUITE ?= trixie
# A newer solution is only looked for when asked: make lock UPGRADE=--upgrade
UPGRADE ?=

# The tests start the program hundreds of times; without what Python keeps of it, it compiles itself
# each time.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
LAB := .venv-lab
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
TORCH := torch==2.13.0

.DEFAULT_GOAL := help
.PHONY: help demo test lint check bench sim hub lab test-lab try-install screens lock clean
.SUFFIXES:
.DELETE_ON_ERROR:

help:
	@sed -n 's/^# \{0,1\}//; 1,12p' Makefile

demo: $(VENV)/.base
	$(VENV)/bin/schockauge demo $(ARGS)

bench: $(VENV)/.base
	$(VENV)/bin/schockauge bench $(ARGS)

# Four processes also on two cores: two leave a third of them idle, waiting for browsers and servers.
test: $(VENV)/.dev
	$(VENV)/bin/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder $(ARGS)

lint: $(VENV)/.dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

check: lint test

try-install:
	.ci/try-install $(SUITE)

screens: $(VENV)/.dev
	PYTHONPATH=tests $(VENV)/bin/python tests/tv_screens.py docs/tv
	PYTHONPATH=tests $(VENV)/bin/python tests/desk_screens.py docs/referee
	PYTHONPATH=tests $(VENV)/bin/python tests/statistics_screens.py docs/statistics
	PYTHONPATH=tests $(VENV)/bin/python tests/hall_screens.py docs/tournament
	PYTHONPATH=tests $(VENV)/bin/python tests/setup_screens.py docs/setup
	PYTHONPATH=tests $(VENV)/bin/python tests/page_screens.py docs/pages
	PYTHONPATH=tests $(VENV)/bin/python tests/hall_page_screens.py docs/pages
	PYTHONPATH=tests $(VENV)/bin/python tests/readme_screen.py docs/dashboard.webp

sim: $(VENV)/.sim

hub: $(VENV)/.hub

lab: $(LAB)/.lab

test-lab: $(LAB)/.lab
	$(LAB)/bin/python -m pytest tests_lab $(ARGS)

# --- environments: a stamp each, so the second time is quick ------------------------------------

define check_python
@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' || { \
  echo 'make: error: $(PYTHON) is missing or not 3.11 to 3.13; name one: make PYTHON=python3.11' >&2; \
  exit 1; }
@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
  echo 'make: error: $(PYTHON) has no venv; on Debian: apt-get install python3-venv' >&2; exit 1; }
endef

$(VENV)/bin/python:
	$(check_python)
	$(PYTHON) -m venv $(VENV)

# OpenVINO's wheel for x86-64 carries drivers for graphics and neural processors: 60 MB that nothing
# here asks for (vision/runtime.py names the CPU).
UNUSED := libopenvino_intel_gpu_plugin.so libopenvino_intel_npu_plugin.so cache.json

$(VENV)/.base: requirements/base.lock pyproject.toml | $(VENV)/bin/python
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes -r requirements/base.lock
	cd $(VENV)/lib/python3*/site-packages/openvino/libs && rm -f $(UNUSED)
	$(VENV)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.lock $(VENV)/.base
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes -r requirements/dev.lock
	@touch $@

$(VENV)/.sim: requirements/sim.lock $(VENV)/.base
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes -r requirements/sim.lock
	@touch $@

$(VENV)/.hub: requirements/hub.lock $(VENV)/.base
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes -r requirements/hub.lock
	@touch $@

# The laboratory. Three things a plain `pip install .[train]` gets wrong:
# * ultralytics asks for opencv-python beside our headless build: train.lock is complete without
#   it, so it is installed with --no-deps and pip never hears of the wish.
# * torch comes in builds that no single hash can name (CPU, CUDA). It is therefore not in the
#   lock but asked for by version, after all else: where pip knows a CPU build of that version
#   (a local wheel, TORCH_ARGS="--index-url ..."), that one wins and no nvidia package follows;
#   elsewhere it is the registry's CUDA build, which cannot be imported without the libraries that
#   the second command then fetches.
# * torchvision's compiled operators do not load beside a CPU torch; the laboratory brings the one
#   it needs itself (models/lab).
$(LAB)/.lab: requirements/train.lock requirements/dev.lock pyproject.toml
	$(check_python)
	test -x $(LAB)/bin/python || $(PYTHON) -m venv $(LAB)
	$(LAB)/bin/python $(PIP_INSTALL) --require-hashes --no-deps -r requirements/train.lock
	$(LAB)/bin/python $(PIP_INSTALL) --require-hashes --no-deps -r requirements/dev.lock
	$(LAB)/bin/python $(PIP_INSTALL) --no-deps $(TORCH_ARGS) $(TORCH)
	$(LAB)/bin/python -c 'import torch' 2>/dev/null || \
	  $(LAB)/bin/python $(PIP_INSTALL) $(TORCH_ARGS) $(TORCH)
	$(LAB)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

# --- the lock: pinned, hashed, no addresses inside, good for 3.11-3.13, x86-64 and aarch64 -------

COMPILE := $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-emit-index-url --no-header --no-annotate $(UPGRADE) \
  pyproject.toml requirements/build.in

lock: $(VENV)/.dev
	$(COMPILE) -o requirements/base.lock
	$(COMPILE) -c requirements/base.lock --extra dev -o requirements/dev.lock
	$(COMPILE) -c requirements/base.lock --extra hub -o requirements/hub.lock
	$(COMPILE) -c requirements/base.lock --extra pi -o requirements/pi.lock
	$(COMPILE) -c requirements/base.lock --extra sim -o requirements/sim.lock
	$(COMPILE) -c requirements/dev.lock --extra train \
	  --overrides requirements/overrides.in --no-emit-package torch -o requirements/train.lock
	PYTHONPATH=tests $(VENV)/bin/python tests/aarch64_wheels.py requirements/aarch64.json

clean:
	rm -rf $(VENV) $(LAB) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache \
	  .import_linter_cache .hypothesis
