# The commands of this project. `make help` lists them.

SWIFT := $(shell command -v swift 2>/dev/null || ls /opt/swift/usr/bin/swift $$HOME/.local/share/swiftly/bin/swift 2>/dev/null | head -n 1)
SWIFT := $(if $(SWIFT),$(SWIFT),swift)
BUILD_PACKAGES := libncursesw5-dev libsqlite3-dev libicu-dev
TEST_PACKAGES := $(BUILD_PACKAGES) tmux sqlite3 python3
SOURCES := Package.swift Sources Tests
DEB_PACKAGES := dpkg-dev
PROGRAM := .build/release/addressbook
PREFIX := /usr/local
DESTDIR :=

.DEFAULT_GOAL := help
.PHONY: run build test check format bench clean help install deb check-install swift build-packages test-packages

run: build ## install what is missing, build a release and open the address book
	@$(PROGRAM)

build: swift build-packages ## build a release: .build/release/addressbook
	@$(SWIFT) build -c release --static-swift-stdlib --product addressbook

test: swift test-packages ## install what the tests need and run them
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

check: swift build-packages ## formatting, and a build in which a warning is an error
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	WARNINGS_AS_ERRORS=1 $(SWIFT) build --build-tests --scratch-path .build-check

format: swift ## bring the sources into the project's format
	$(SWIFT) format --in-place --recursive $(SOURCES)

install: $(PROGRAM) ## install below PREFIX=/usr/local (and DESTDIR=), with manual and completions
	@Scripts/install.sh $(PROGRAM) "$(DESTDIR)$(PREFIX)"

deb: build ## make a Debian package: .build/deb/addressbook_*.deb
	@Scripts/require-packages.sh $(DEB_PACKAGES)
	@Scripts/make-deb.sh $(PROGRAM) .build/deb

check-install: $(PROGRAM) test-packages ## install into a temporary folder and use the program without its sources
	@Scripts/check-install.sh $(PROGRAM)

clean: ## remove what was built
	rm -rf .build .build-check

help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  make %-13s %s\n", $$1, $$2 }'

# `make build` brings the program up to date; installing, perhaps as root without a toolchain, takes it as it is.
$(PROGRAM):
	@$(MAKE) build

swift:
	@Scripts/require-swift.sh $(SWIFT)

build-packages:
	@Scripts/require-packages.sh $(BUILD_PACKAGES)

test-packages:
	@Scripts/require-packages.sh $(TEST_PACKAGES)
