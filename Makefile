# The thin front door; the real build is CMake (see CMakePresets.json). `make` alone builds what users run,
# build/release/anorank.

MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
SETUP = sh scripts/setup.sh
BUILD = cmake --build
DEMO_OUT ?= demo

.PHONY: all demo page pictures site texts check check-full abi bench fuzz platforms dist dist-check lint format install coverage clean help

all:
	@$(SETUP) build
	@cmake --preset release > /dev/null
	@$(BUILD) --preset release -j $(JOBS)

demo: all ## build, find synthetic frauds in built-in data, repeat the paper's experiment
	@sh scripts/demo.sh build/release/anorank $(DEMO_OUT)

page: ## build/page/page.html: the same code in a browser, one file that needs no installation
	@$(SETUP) build page web
	@sh scripts/setup-web.sh
	@sh scripts/page.sh $(JOBS)

site: all ## build/site: the documentation as a site with search; needs no network
	@$(SETUP) site
	@/usr/bin/python3 scripts/site.py build/release/anorank build/site

pictures: all ## redraw the pictures of README.md and docs/report.md from real runs
	@$(SETUP) site
	@sh scripts/pictures.sh build/release/anorank

check: ## build and run the tests: the plain build, then library and fuzz corpora under address and undefined sanitizers
	@$(SETUP) build test python
	@sh scripts/setup-web.sh
	@sh scripts/check.sh $(JOBS)

check-full: ## everything under all sanitizers, threads too, and the simulations: an hour or more
	@$(SETUP) build test python page web site
	@sh scripts/setup-web.sh
	@sh scripts/check-full.sh $(JOBS)

abi: ## describe the binary interface as that of the release to come (VERSIONING.md)
	@$(SETUP) build test
	@cmake --preset dev > /dev/null
	@$(BUILD) --preset dev -j $(JOBS) --target anorank_shared
	@SOURCE="$(CURDIR)" LIBRARY="$(CURDIR)/build/dev/libanorank.so" sh tests/checks/check_abi.sh renew

bench: all ## speed and memory next to the peers, in one run
	@$(SETUP) bench python
	@$(BUILD) --preset release -j $(JOBS) --target benchmarks
	@sh bench/run.sh build/release

fuzz: ## each fuzzer for FUZZ_SECONDS (60)
	@$(SETUP) build fuzz
	@cmake --preset fuzz > /dev/null
	@$(BUILD) --preset fuzz -j $(JOBS)
	@sh scripts/fuzz.sh build/fuzz/tests $(or $(FUZZ_SECONDS),60)

platforms: ## build and test for other platforms (TARGETS="musl i386") and print the table of docs/platforms.md: hours
	@sh scripts/platforms.sh $(TARGETS)

dist: ## build/dist: source, static programs, packages for Debian, Python and npm, checksums
	@$(SETUP) build dist
	@JOBS=$(JOBS) sh scripts/dist.sh

dist-check: dist ## install, run, upgrade and remove what is in build/dist, and build it again: as root
	@$(SETUP) build test dist-check
	@JOBS=$(JOBS) sh scripts/dist-check.sh

lint: ## clang-format, clang-tidy and cppcheck: all clean
	@$(SETUP) build test lint
	@cmake --preset dev > /dev/null
	@sh scripts/lint.sh build/dev $(JOBS)

format: ## let clang-format rewrite the sources
	@$(SETUP) lint
	@git ls-files '*.c' '*.h' | xargs clang-format -i

install: all ## libraries, header, command line, manual pages, completions under PREFIX (/usr/local)
	@cmake --install build/release --prefix $(PREFIX)

coverage: ## line coverage of the tests
	@$(SETUP) build test coverage
	@cmake --preset coverage > /dev/null
	@$(BUILD) --preset coverage -j $(JOBS)
	@ctest --preset coverage
	@sh scripts/coverage.sh build/coverage

clean:
	rm -rf build $(DEMO_OUT)

texts: ## write the snapshot of all sentences again, after a change of wording
	@SOURCE=$(CURDIR) WRITE_TEXTS=1 sh tests/checks/check_errors.sh

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile
