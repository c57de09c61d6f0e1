#!/bin/sh
# Prints those of the given options that this toolchain has, as options of `swift build`:
#   Scripts/known-flags.sh SWIFT OPTION…
# An option that begins with one dash is a hidden one of the compiler, with two dashes one of the linker.
# Such options come and go with versions. The program works without them, only a little slower.
set -eu
compiler=$(command -v "$1")
compiler=$(dirname "$(readlink -f "$compiler")")/swiftc
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/empty.swift"
for option in "$@"; do
  case $option in
    --*)
      flag=-Xlinker
      set -- -o "$work/empty" -Xlinker ;;
    *)
      flag='-Xswiftc -Xfrontend -Xswiftc'
      set -- -typecheck -Xfrontend ;;
  esac
  if "$compiler" "$@" "$option" "$work/empty.swift" >/dev/null 2>&1; then
    printf -- '%s %s ' "$flag" "$option"
  else
    echo "This toolchain has no option $option; built without it." >&2
  fi
done
