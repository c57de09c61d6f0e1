#!/bin/sh
# Succeeds if there is a toolchain of Swift 6.2 or later, as Package.swift needs; otherwise says how to get one.
set -u
swift=${1:-swift}
version=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\)\.\([0-9][0-9]*\).*/\1 \2/p' | head -n 1)
major=${version% *}
minor=${version#* }
if [ -n "$version" ] && { [ "$major" -gt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -ge 2 ]; }; }; then exit 0; fi
cat >&2 <<'TEXT'
addressbook needs a Swift toolchain, version 6.2 or newer, and none was found in PATH.

Get it for Debian 12 from https://www.swift.org/install/linux/ :
  curl -O https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz
  tar zxf swiftly-$(uname -m).tar.gz
  ./swiftly init
or unpack a toolchain into /opt/swift, then: export PATH=/opt/swift/usr/bin:$PATH
and run make again.
TEXT
exit 1
