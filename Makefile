# The commands of this project. `make help` lists them.

SWIFT := $(shell command -v swift 2>/dev/null || ls /opt/swift/usr/bin/swift $$HOME/.local/share/swiftly/bin/swift 2>/dev/null | head -n 1)
SWIFT := $(if $(SWIFT),$(SWIFT),swift)
BUILD_PACKAGES := libncursesw5-dev libsqlite3-dev libicu-dev
# Loaded when a photo or a QR code is first shown; without them initials are shown instead of photos.
RUN_PACKAGES := libgdk-pixbuf-2.0-0 webp-pixbuf-loader libchafa0 libqrencode4
CHECK_PACKAGES := python3 python3-yaml
TEST_PACKAGES := $(BUILD_PACKAGES) $(CHECK_PACKAGES) $(RUN_PACKAGES) aerc curl khard mutt neomutt openssl php-cli php-sabre-dav php-sqlite3 \
  php-xml procps radicale slapd sqlite3 strace tmux vdirsyncer xandikos zbar-tools
FAULT_PACKAGES := faketime python3 sqlite3 strace tmux util-linux
ORDER_PACKAGES := binutils python3 valgrind
BENCH_PACKAGES := abook dbus evolution-data-server fzf gir1.2-ebook-1.2 gir1.2-ebookcontacts-1.2 gir1.2-edataserver-1.2 khard python3 \
  python3-gi python3-matplotlib sqlite3 vdirsyncer
SOURCES := Benchmarks/Package.swift Benchmarks/Sources Fuzz/Package.swift Fuzz/Sources Examples/Package.swift $(wildcard Examples/*/Sources) \
  Package.swift Sources Tests
PROGRAM := .build/release/addressbook
ORDER := Scripts/function-order/functions.txt
READ_ONLY := Scripts/read-only-data.ld
# A separate folder, so that a check does not invalidate the normal build.
CHECK_BUILD ?= .build-check
# The program is newer than all of its sources if this file is.
BUILT := .build/addressbook.built
PROGRAM_SOURCES := Makefile Package.swift $(ORDER) $(READ_ONLY) $(wildcard Scripts/icu-data/*) $(shell find Sources Resources/strings -type f)
COPYRIGHT := .build/copyright
DIST := .build/dist
DIST_PACKAGES := dpkg-dev xz-utils
CHECK_DIST_PACKAGES := debootstrap tmux
# The folder of the bare systems for `make check-dist`.
DEBIANS ?= .build/debian
# The modules with a DocC catalog.
DOCUMENTED := $(sort $(basename $(notdir $(wildcard Sources/*/*.docc))))
# These flags shorten the time to the first row. Generic types are referenced by function, not by name, whose lookup
# costs milliseconds at every start; the program's own symbols need not be exported. The compiler proves that closures
# of the main actor run there (Swift 6 mode), and the tests check it; a release does not check it again, hundreds of
# times per key. The C and C++ libraries are linked statically: finding and binding them took a fifth of the time to the
# first row. ICU is among them, so the order of a book does not change when a library is upgraded. The functions that
# an everyday session uses are next to each other: 50 MB of memory at 100,000 contacts need it
# (Documentation/Performance.md); `make order` records them.
HIDDEN_FLAGS := -disable-concrete-type-metadata-mangled-name-accessors -disable-dynamic-actor-isolation -function-sections
STATIC_LIBRARIES := libstdc++.a libgcc_s.a libsqlite3.a libncursesw.a libtinfo.a libicui18n.a libicuuc.a libicudata.a
LINK_FOLDER := .build/link
# ICU is in the program twice, in the system's version and in Foundation's. Two thirds of the data of each are never used.
ICU_DATA := $(LINK_FOLDER)/icu-data.o
# The commit, for --version.
COMMIT := $(LINK_FOLDER)/commit.o
# Position-independent, bound at the start, and with nothing writable that need not be, because the program reads what
# strangers wrote. Packed relocations, which glibc 2.36 reads, save 2.8 MB and the time that it costs
# (Documentation/Performance.md). The toolchain's lld can do all of this, unlike gold and GNU ld.
LINKER_FLAGS := -z now -z pack-relative-relocs -T $(READ_ONLY) -T $(LINK_FOLDER)/icu-data.ld --symbol-ordering-file=$(ORDER) --no-warn-symbol-ordering --no-export-dynamic -L$(LINK_FOLDER)
# Debugging information would be stripped anyway. Without it, a build takes a seventh less time, and has no paths: builds
# in two folders are the same. Only the length of the path remains, in the calls that withoutActuallyEscaping makes.
RELEASE_FLAGS := -c release -debug-info-format none --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld $(addprefix -Xlinker ,$(LINKER_FLAGS) $(ICU_DATA) $(COMMIT))
PREFIX := /usr/local
DESTDIR :=

.DEFAULT_GOAL := help
.PHONY: run build test soak check lint format bench order faults fuzz examples docs clean help install uninstall deb dist pictures check-install \
  check-dist swift build-packages run-packages test-packages

run: swift build-packages run-packages ## install what is missing, build quickly, without optimization, and open the address book
	$(SWIFT) build --product addressbook
	@.build/debug/addressbook

build: swift build-packages ## build a release: .build/release/addressbook
	@Scripts/link-static.sh $(LINK_FOLDER) $(dir $(SWIFT))clang $(STATIC_LIBRARIES)
	@Scripts/icu-data/trim.sh $(SWIFT) $(LINK_FOLDER)
	@Scripts/make-commit.sh $(SWIFT) $(COMMIT)
	@for file in $(ORDER) $(READ_ONLY) $(ICU_DATA) $(COMMIT); do [ ! $$file -nt $(PROGRAM) ] || rm -f $(PROGRAM); done # swift build does not notice a change
	@$(SWIFT) build $(RELEASE_FLAGS) $$(Scripts/known-flags.sh $(SWIFT) $(HIDDEN_FLAGS)) --product addressbook
	@Scripts/make-copyright.sh $(SWIFT) $(LINK_FOLDER) $(COPYRIGHT)
	@touch $(BUILT)

test: swift test-packages ## install what the tests need and run them
	$(SWIFT) build --build-tests
	Scripts/check-documents.py "$${ADDRESSBOOK_PROGRAM:-.build/debug/addressbook}"
	@Scripts/run-tests.sh $(SWIFT)

# The seed of each of these tests is printed, or is its argument.
SOAK := RANDOM_KEYS=200000 RESULTS_RANDOM_TRANSACTIONS=100000 DAMAGED_BOOKS=200 RANDOM_BYTES=10000000 SYNC_RACES=10000 SYNC_MACHINES=50
soak: swift test-packages ## run the random tests for a long time
	$(SWIFT) build --build-tests
	$(SOAK) $(SWIFT) test --skip-build --no-parallel --filter \
	  'RandomKeysTests|RandomRun|SalvageTests|InputDecoderTests|IndexPropertyTests|SyncPropertyTests|SyncRaceTests|TwoMachinesTests|SearchCacheTests|RandomEditsTests'

bench: build ## run the benchmarks (5 minutes), compared with other programs and SQLite; BENCH_PEOPLE="1000 1000000" sets the sizes, BENCH_PICTURE names a picture
	@Scripts/require-packages.sh $(BENCH_PACKAGES)
	$(SWIFT) build -c release --package-path Benchmarks
	@Benchmarks/bench.py $(PROGRAM) $(addprefix Benchmarks/.build/release/,search-benchmark results-benchmark objects-benchmark bare-insert)

order: build ## record which functions an everyday session uses, for the order of functions in the next release
	@Scripts/require-packages.sh $(ORDER_PACKAGES)
	@Scripts/function-order/record.py $(PROGRAM) >$(ORDER).new && mv $(ORDER).new $(ORDER)

faults: build ## test with full disks, kill -9, clock changes …: Documentation/Reliability.md; CASES="22 36" selects cases, POWERLOSS names a simulator
	@Scripts/require-packages.sh $(FAULT_PACKAGES)
	@ADDRESSBOOK_PROGRAM=$(CURDIR)/$(PROGRAM) Scripts/faults/run.py $(CASES)

fuzz: swift build-packages ## fuzz the parsers: SECONDS=60 is the time for each, TARGETS="vcard input" selects some
	@Scripts/fuzz.sh $(SWIFT) $(if $(SECONDS),$(SECONDS),60) $(TARGETS)

check: lint examples docs ## check all that a release needs but the tests: lint, the examples, and the site of the documents

lint: swift build-packages ## check the documents and the formatting, and build with warnings as errors
	@Scripts/require-packages.sh $(CHECK_PACKAGES)
	Scripts/check-documents.py
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	WARNINGS_AS_ERRORS=1 $(SWIFT) build --build-tests --scratch-path $(CHECK_BUILD)

format: swift ## format the sources
	$(SWIFT) format --in-place --recursive $(SOURCES)

examples: swift build-packages ## build the programs in Examples, run those that end by themselves and check their output
	$(SWIFT) build --package-path Examples
	@Scripts/check-examples.sh "$(CURDIR)/Examples/.build/debug"

docs: swift build-packages ## make a site of the documents and the libraries' documentation: .build/docs; a broken link is an error
	@Scripts/require-packages.sh cmark-gfm python3
	@Scripts/make-site.sh .build/docs $(DOCUMENTED)
	@for module in $(DOCUMENTED); do $(SWIFT) build --target $$module || exit 1; done
	@Scripts/make-docs.sh $(SWIFT) .build/docs $(DOCUMENTED)

# Builds only what is stale, so that root needs no toolchain to install what a user has built.
install: $(BUILT) ## build what is stale, and install below PREFIX=/usr/local (and DESTDIR=), with manual and completions
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && Scripts/stage.sh $(PROGRAM) $(COPYRIGHT) "$$stage/tree" && \
	  TREE="$$stage/tree" Scripts/install.sh "$(DESTDIR)$(PREFIX)"

uninstall: ## remove what was installed below PREFIX=/usr/local (and DESTDIR=)
	@Scripts/install.sh --remove "$(DESTDIR)$(PREFIX)"

deb: $(BUILT) ## make a Debian package: .build/dist/addressbook_*.deb
	@Scripts/require-packages.sh $(DIST_PACKAGES)
	@Scripts/make-deb.sh $(PROGRAM) $(COPYRIGHT) $(LINK_FOLDER) $(DIST)

dist: deb ## make a tarball, the Debian package and their checksums: .build/dist
	@Scripts/make-tarball.sh $(PROGRAM) $(COPYRIGHT) $(DIST)
	@cd $(DIST) && sha256sum *.deb *.tar.xz >SHA256SUMS && echo "$(DIST)/SHA256SUMS"
	@echo "They are for $$(uname -m). For another machine, run make dist there: Documentation/Installing.md"

pictures: $(BUILT) ## draw the screen for the documents: Documentation/Pictures
	@Scripts/require-packages.sh faketime python3-rich tmux
	@Scripts/make-pictures.py $(PROGRAM) Documentation/Pictures

check-install: $(BUILT) test-packages ## install into a temporary folder, use the program without its sources, and remove it
	@Scripts/require-packages.sh fish zsh
	@Scripts/check-install.sh

check-dist: dist ## install the tarball and the package in bare Debian 12 and 13 (debootstrap; needs root and a mirror), and use the program there
	@Scripts/require-packages.sh $(CHECK_DIST_PACKAGES)
	@Scripts/check-dist.sh $(DIST) $(DEBIANS)

clean: ## remove what was built
	rm -rf .build $(CHECK_BUILD) Benchmarks/.build Examples/.build Fuzz/.build

help: ## show this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  make %-13s %s\n", $$1, $$2 }'

$(BUILT): $(PROGRAM_SOURCES)
	@$(MAKE) build

swift:
	@Scripts/require-swift.sh $(SWIFT)

build-packages:
	@Scripts/require-packages.sh $(BUILD_PACKAGES)

run-packages:
	@Scripts/require-packages.sh $(RUN_PACKAGES)

test-packages:
	@Scripts/require-packages.sh $(TEST_PACKAGES)
