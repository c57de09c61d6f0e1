#!/bin/sh
# Makes the documentation of a library product from its comments and its DocC catalogue; a warning, such as a broken link
# or a parameter without a word, is an error. Needs a debug build, and nothing that does not come with the toolchain.
#   make-docs.sh SWIFT MODULE FOLDER
set -eu
tools=$(dirname "$(readlink -f "$(command -v "$1")")")
module=$2
folder=$3
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
"$tools/swift-symbolgraph-extract" -module-name "$module" -minimum-access-level public \
  -target "$("$tools/swift" -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p' | head -n 1)" \
  -I .build/debug/Modules -I .build/checkouts/GRDB.swift/Sources/GRDBSQLite -output-dir "$graphs"
mkdir -p "$folder"
"$tools/docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs" --warnings-as-errors \
  --fallback-display-name "$module" --fallback-bundle-identifier "$module" --output-dir "$folder/$module"
echo "$folder/$module: to read it, docc preview or a web server on that folder"
