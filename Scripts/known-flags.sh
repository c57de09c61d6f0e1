#!/bin/sh
# Prints those of the given options that this toolchain has, as options of `swift build`:
#   Scripts/known-flags.sh SWIFT OPTION…
# They are hidden options of the compiler, which come and go with versions. The program works without them, only a little
# slower.
set -eu
compiler=$(command -v "$1")
compiler=$(dirname "$(readlink -f "$compiler")")/swiftc
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/empty.swift"
for option in "$@"; do
  if "$compiler" -typecheck -Xfrontend "$option" "$work/empty.swift" >/dev/null 2>&1; then
    printf -- '-Xswiftc -Xfrontend -Xswiftc %s ' "$option"
  else
    echo "This toolchain has no option $option; built without it." >&2
  fi
done
