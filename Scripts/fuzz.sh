#!/usr/bin/env bash
# Fuzzes the code that reads untrusted input, with libFuzzer and the address sanitizer. `make fuzz` runs this.
#   Scripts/fuzz.sh SWIFT SECONDS [TARGET…]
# The corpus is kept in .build/fuzz. An input that reveals a bug is minimized and kept in .build/fuzz/findings: write a
# test for it, and add it to Tests/Fixtures/Fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=$1 seconds=$2
shift 2
targets=${*:-vcard json jcard jscontact csv ldif abook template mail predicate search configuration picture input}
fixtures=$PWD/Tests/Fixtures
# Crashes are expected: do not spend minutes on a report of each.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:symbolize=0:allocator_may_return_null=1

runtime=$(find "$(dirname "$(dirname "$(readlink -f "$(command -v "$swift")")")")/lib/clang" \
  -name "libclang_rt.fuzzer_no_main-$(uname -m).a" | head -n 1)
if [ -z "$runtime" ]; then
  echo "This toolchain has no libFuzzer (libclang_rt.fuzzer_no_main)." >&2
  exit 1
fi
# The flags that -sanitize=fuzzer stands for; that option would also add a main function.
env -u WARNINGS_AS_ERRORS "$swift" build -c release --package-path Fuzz --product fuzz --sanitize address \
  -Xswiftc -sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp,indirect-calls \
  -Xlinker "$runtime" >&2
program=$PWD/Fuzz/.build/release/fuzz

corpora() {
  case $1 in
    vcard) echo "$fixtures/VCard/derived" "$fixtures/VCard/hostile" ;;
    picture) echo "$fixtures/Images" ;;
  esac
  [ ! -d "$fixtures/Fuzz/$1" ] || echo "$fixtures/Fuzz/$1"
}

status=0
for target in $targets; do
  learned=.build/fuzz/$target findings=.build/fuzz/findings/$target log=.build/fuzz/$target.log
  mkdir -p "$learned" "$findings"
  export FUZZ_TARGET=$target
  dictionary=Fuzz/Dictionaries/$target.dict
  # shellcheck disable=SC2046
  if nice "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
    $([ ! -f "$dictionary" ] || echo "-dict=$dictionary") -artifact_prefix="$findings/" "$learned" $(corpora "$target") \
    >"$log" 2>&1 </dev/null; then
    found="no finding"
  else
    status=1
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    reason=$(grep -aE -m 1 "Fatal error|ERROR:|ALARM" "$log" || tail -n 1 "$log")
    found="finding: ${reason:0:200}"
    if [ -n "$input" ]; then
      small=$findings/small-$(basename "$input")
      nice "$program" -minimize_crash=1 -max_total_time=30 -exact_artifact_path="$small" "$input" >/dev/null 2>&1 </dev/null || true
      [ -s "$small" ] || cp "$input" "$small"
      found="$found; $small"
    fi
  fi
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log" | tail -n 1)
  echo "$target: ${runs:-?} inputs in $seconds s, ${speed:-?} a second, $found"
done
exit $status
