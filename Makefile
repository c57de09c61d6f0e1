# The commands of this project. `make help` lists them.

SWIFT := $(shell command -v swift 2>/dev/null || ls /opt/swift/usr/bin/swift $$HOME/.local/share/swiftly/bin/swift 2>/dev/null | head -n 1)
SWIFT := $(if $(SWIFT),$(SWIFT),swift)
BUILD_PACKAGES := libncursesw5-dev libsqlite3-dev libicu-dev
# Loaded when a photo is first shown; without them initials are shown instead.
RUN_PACKAGES := libgdk-pixbuf-2.0-0 webp-pixbuf-loader libchafa0
TEST_PACKAGES := $(BUILD_PACKAGES) $(RUN_PACKAGES) aerc curl mutt neomutt openssl procps python3 radicale slapd sqlite3 strace \
  tmux vdirsyncer
FAULT_PACKAGES := faketime python3 sqlite3 strace tmux util-linux
BENCH_PACKAGES := abook fzf sqlite3 python3 vdirsyncer
SOURCES := Benchmarks/Package.swift Benchmarks/Sources Fuzz/Package.swift Fuzz/Sources Examples/Package.swift $(wildcard Examples/*/Sources) \
  Package.swift Sources Tests
PROGRAM := .build/release/addressbook
# A separate folder, so that a check does not touch the other build.
CHECK_BUILD ?= .build-check
DEB_PACKAGES := dpkg-dev
DOCUMENTED := ChangeLog ContactSearch ObjectGraph Pinyin ResultsController TerminalKit VCard
# These flags shorten the time to the first row. Generic types are referenced by function, not by name, whose lookup
# costs milliseconds at every start; the program's own symbols need not be exported; and the program is linked at a
# fixed address, like Go programs: otherwise 90,000 addresses are relocated at start. The C libraries that read
# untrusted data (photos) are still loaded at random addresses. The compiler proves that closures of the main actor run
# there (Swift 6 mode), and the tests check it; a release does not check it again, hundreds of times a key. The C and
# C++ libraries are linked statically: finding and binding them took a fifth of the time to the first row. With ICU
# among them, the order of a book does not change because a library was replaced.
STATIC_LIBRARIES := libstdc++.a libsqlite3.a libncursesw.a libtinfo.a libicui18n.a libicuuc.a libicudata.a
LINK_FOLDER := .build/link
RELEASE_FLAGS := -c release --static-swift-stdlib -Xlinker --no-export-dynamic -Xlinker -no-pie -Xlinker -L$(LINK_FOLDER) \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -Xfrontend -Xswiftc -disable-dynamic-actor-isolation
PREFIX := /usr/local
DESTDIR :=

.DEFAULT_GOAL := help
.PHONY: run build test check format bench faults fuzz examples docs clean help install deb check-install swift build-packages \
  run-packages test-packages

run: build run-packages ## install what is missing, build a release and open the address book
	@$(PROGRAM)

build: swift build-packages ## build a release: .build/release/addressbook
	@Scripts/link-static.sh $(LINK_FOLDER) $(dir $(SWIFT))clang $(STATIC_LIBRARIES)
	@$(SWIFT) build $(RELEASE_FLAGS) --product addressbook

# One test at a time: many of them need a thread, a process or a terminal to themselves.
test: swift test-packages ## install what the tests need and run them
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --no-parallel

bench: build ## run the benchmarks beside abook, fzf and SQLite; BENCH_PEOPLE="1000 1000000" sets the sizes
	@Scripts/require-packages.sh $(BENCH_PACKAGES)
	$(SWIFT) build -c release --package-path Benchmarks
	@Benchmarks/bench.py $(PROGRAM) $(addprefix Benchmarks/.build/release/,search-benchmark results-benchmark objects-benchmark bare-insert)

faults: build ## test with full disks, kill -9, clock changes …: Documentation/Reliability.md; CASES="22 36" selects cases, POWERLOSS names a simulator
	@Scripts/require-packages.sh $(FAULT_PACKAGES)
	@ADDRESSBOOK_PROGRAM=$(CURDIR)/$(PROGRAM) Scripts/faults/run.py $(CASES)

fuzz: swift build-packages ## fuzz the parsers: SECONDS=60 for each, TARGETS="vcard input" selects some
	@Scripts/fuzz.sh $(SWIFT) $(if $(SECONDS),$(SECONDS),60) $(TARGETS)

check: swift build-packages ## formatting, and a build in which a warning is an error
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	WARNINGS_AS_ERRORS=1 $(SWIFT) build --build-tests --scratch-path $(CHECK_BUILD)

format: swift ## format the sources
	$(SWIFT) format --in-place --recursive $(SOURCES)

examples: swift build-packages ## build the programs in Examples, run those that end by themselves and check their output
	$(SWIFT) build --package-path Examples
	@Scripts/check-examples.sh "$(CURDIR)/Examples/.build/debug"

docs: swift build-packages ## the documentation of the libraries that have a catalog: .build/docs; a broken link is an error
	@Scripts/require-packages.sh python3
	@for module in $(DOCUMENTED); do $(SWIFT) build --target $$module || exit 1; done
	@Scripts/make-docs.sh $(SWIFT) .build/docs $(DOCUMENTED)

install: $(PROGRAM) ## install below PREFIX=/usr/local (and DESTDIR=), with manual and completions
	@Scripts/install.sh $(PROGRAM) "$(DESTDIR)$(PREFIX)"

deb: build ## make a Debian package: .build/deb/addressbook_*.deb
	@Scripts/require-packages.sh $(DEB_PACKAGES)
	@Scripts/make-deb.sh $(PROGRAM) .build/deb

check-install: $(PROGRAM) test-packages ## install into a temporary folder and use the program without its sources
	@Scripts/check-install.sh $(PROGRAM)

clean: ## remove what was built
	rm -rf .build $(CHECK_BUILD) Benchmarks/.build Examples/.build Fuzz/.build

help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  make %-13s %s\n", $$1, $$2 }'

# `make build` brings the program up to date; installing, perhaps as root without a toolchain, uses it as it is.
$(PROGRAM):
	@$(MAKE) build

swift:
	@Scripts/require-swift.sh $(SWIFT)

build-packages:
	@Scripts/require-packages.sh $(BUILD_PACKAGES)

run-packages:
	@Scripts/require-packages.sh $(RUN_PACKAGES)

test-packages:
	@Scripts/require-packages.sh $(TEST_PACKAGES)
