#!/bin/sh
# Prints those of the given hidden compiler options that this compiler has, as options of `swift build`:
#   Scripts/known-flags.sh SWIFT OPTION…
# Hidden options come and go with versions. The program works without them, only a little slower.
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
    echo "This compiler has no option $option; built without it." >&2
  fi
done
