#!/bin/sh
# Runs the tests that `swift build --build-tests` built: Scripts/run-tests.sh SWIFT
# They run in two processes, and one after the other in each, because many use the state of the process (signals, the
# terminal, the environment). The output of the first half is shown as it runs, then that of the second half, then which
# tests were skipped and why, and which failed. Tests that add fields to the table of fields come last, in a process of
# their own.
set -u
swift=$1
# The tests of the first half take about half of the time. New modules belong to the second half.
first='^(EndToEndTests|AddressBookTUITests|ResultsControllerTests|ObjectGraphTests)\.'
fields='^NewFieldTests\.'
work=$(mktemp -d)
other=
# Both halves end when this is interrupted.
trap '[ -z "$other" ] || kill "$other" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

"$swift" test --skip-build --ignore-lock --no-parallel --skip "$first" --skip "$fields" >"$work/second" 2>&1 &
other=$!
{
  "$swift" test --skip-build --ignore-lock --no-parallel --filter "$first" 2>&1
  echo $? >"$work/status"
} | tee "$work/first"
wait "$other"
status=$?
other=
cat "$work/second"
[ "$(cat "$work/status")" -eq 0 ] || status=$(cat "$work/status")
NEW_FIELDS=1 "$swift" test --skip-build --ignore-lock --no-parallel --filter "$fields" >"$work/fields" 2>&1 || status=$?
cat "$work/fields"

skipped=$(grep -ahE '(Test|Suite) .* skipped' "$work/first" "$work/second" "$work/fields" | sed 's/^[^A-Za-z]*//')
if [ -n "$skipped" ]; then
  printf '\nSkipped:\n%s\n' "$skipped"
else
  printf '\nNo test was skipped.\n'
fi
if [ "$status" -ne 0 ]; then
  printf '\nFailed:\n'
  grep -ahE -A 3 '✘ Test .* (recorded an issue|failed)' "$work/first" "$work/second" "$work/fields" | tail -n 100
fi
for half in first second fields; do
  grep -ahE 'Test run with [0-9]+ tests' "$work/$half" | tail -n 1
done
exit "$status"
