#!/bin/sh
# Runs the tests that `swift build --build-tests` built: Scripts/run-tests.sh SWIFT
# Each part below has a process of its own, and as many run at once as there are cores. In a process the tests run one
# after the other, because many use the state of the process (signals, the terminal, the environment). Their output is
# shown as it comes, then which tests were skipped and why, and which failed.
set -u
# The parts that take longest come first. Tests that add fields to the table of fields need a process of their own.
parts='EndToEndTests AddressBookModelTests others AddressBookTUITests NewFieldTests'

if [ $# -eq 3 ]; then # one part: run-tests.sh SWIFT FOLDER PART
  case $3 in
  others) which=--skip modules="^($(echo "$parts" | tr ' ' '|'))\\." ;;
  *) which=--filter modules="^$3\\." ;;
  esac
  [ "$3" != NewFieldTests ] || export NEW_FIELDS=1
  {
    "$1" test --skip-build --ignore-lock --no-parallel "$which" "$modules" 2>&1 || touch "$2/failed"
  } | tee "$2/$3"
  exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# All parts end when this is interrupted.
trap 'trap "" TERM; kill 0; exit 130' INT TERM
echo "$parts" | tr ' ' '\n' | xargs -P "$(nproc)" -I '{}' sh "$0" "$1" "$work" '{}'

skipped=$(cd "$work" && grep -ahE '(Test|Suite) .* skipped' $parts | sed 's/^[^A-Za-z]*//')
if [ -n "$skipped" ]; then
  printf '\nSkipped:\n%s\n' "$skipped"
else
  printf '\nNo test was skipped.\n'
fi
if [ -e "$work/failed" ]; then
  printf '\nFailed:\n'
  (cd "$work" && grep -ahE -A 3 '✘ Test .* (recorded an issue|failed)|^error: ' $parts | tail -n 100)
fi
for part in $parts; do
  grep -ahE 'Test run with [0-9]+ tests' "$work/$part" | tail -n 1
done
[ ! -e "$work/failed" ]
