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
      pass=-Xlinker
      set -- -emit-executable -o "$work/empty" ;;
    *)
      pass=-Xfrontend
      set -- -typecheck ;;
  esac
  if "$compiler" "$@" $pass "$option" "$work/empty.swift" >/dev/null 2>&1; then
    case $pass in
      -Xlinker) printf -- '-Xlinker %s ' "$option" ;;
      *) printf -- '-Xswiftc -Xfrontend -Xswiftc %s ' "$option" ;;
    esac
  else
    echo "This toolchain has no option $option; built without it." >&2
  fi
done
