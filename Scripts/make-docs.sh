#!/bin/sh
# Builds the documentation of library products from their comments and DocC catalogs. Warnings, such as a broken link
# or an undocumented parameter, are errors, and so is a public symbol without a comment. Needs a debug build and
# python3; everything else is part of the toolchain.
#   make-docs.sh SWIFT FOLDER MODULE…
set -eu
tools=$(dirname "$(readlink -f "$(command -v "$1")")")
folder=$2
shift 2
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
target=$("$tools/swift" -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p' | head -n 1)
mkdir -p "$folder"
# The C modules that the Swift modules import: those of system libraries, and those that the build has made maps for.
maps=
for source in Sources/C*; do
  for map in "$source/module.modulemap" ".build/debug/${source##*/}.build/module.modulemap"; do
    [ ! -f "$map" ] || maps="$maps -Xcc -fmodule-map-file=$map"
  done
done
for module in "$@"; do
  mkdir "$graphs/$module"
  "$tools/swift-symbolgraph-extract" -module-name "$module" -minimum-access-level public -target "$target" \
    -I .build/debug/Modules -I .build/checkouts/GRDB.swift/Sources/GRDBSQLite \
    $maps -output-dir "$graphs/$module"
  python3 - "$graphs/$module/$module.symbols.json" <<'END'
import json, sys
graph = json.load(open(sys.argv[1]))
# Symbols synthesized by the compiler cannot be documented: they have no location in the sources.
bare = [".".join(symbol["pathComponents"]) for symbol in graph["symbols"] if "docComment" not in symbol and "location" in symbol]
for name in sorted(set(bare)):
    print(f"{graph['module']['name']}: {name} has no comment", file=sys.stderr)
sys.exit(1 if bare else 0)
END
  "$tools/docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs/$module" \
    --warnings-as-errors --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --output-dir "$folder/$module"
  echo "$folder/$module: to read it, run a web server on that folder"
done
