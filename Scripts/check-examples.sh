#!/bin/sh
# Runs the built examples that end by themselves, and compares their output with expected.txt. UPDATE_EXPECTED=1
# updates it.
#   check-examples.sh FOLDER-OF-PROGRAMS
set -eu
cd "$(dirname "$0")/../Examples"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for expected in */expected.txt; do
  name=${expected%/*}
  # User defaults are stored below HOME.
  HOME=$work "$1/$name" >"$work/output" || { cat "$work/output"; echo "$name failed" >&2; exit 1; }
  [ -z "${UPDATE_EXPECTED:-}" ] || cp "$work/output" "$expected"
  diff -u "$expected" "$work/output" || { echo "$name prints something other than $expected" >&2; exit 1; }
  echo "$name prints what it should"
done
