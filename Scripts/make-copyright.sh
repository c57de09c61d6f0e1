#!/bin/sh
# Collects the licenses of the program and of everything that is linked into it:
#   Scripts/make-copyright.sh SWIFT FOLDER-OF-STATIC-LIBRARIES FILE
# The licenses of Swift packages are in their checkouts; those of C and C++ libraries are in their Debian packages.
set -eu
swift=$1
libraries=$2
file=$3
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$(dirname "$file")"

# part HEADING FILE: prints a heading and the text of a file.
part() {
  printf '\n%s\n%s\n\n' "==============================================================================" "$1"
  cat "$2"
}

{
  cat <<'TEXT'
addressbook is free software under the MIT license, the first one below. The program contains the libraries that are
listed after it, each under its own license. Its table of pinyin readings is made from data of ICU and of Unicode's
Unihan database, which are under the license of icu.
TEXT
  part "addressbook" "$source/LICENSE"

  found=0
  for license in "$source"/.build/checkouts/*/LICENSE*; do
    [ -f "$license" ] || continue
    name=$(basename "$(dirname "$license")")
    part "$name, $(git -C "$(dirname "$license")" describe --tags 2>/dev/null || echo 'a version without a tag')" "$license"
    found=$((found + 1))
  done
  [ "$found" -gt 0 ] || { echo "There are no checkouts of packages to take licenses from." >&2; exit 1; }

  toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v "$swift")")")")
  license=$toolchain/share/swift/LICENSE.txt
  [ -f "$license" ] || { echo "The Swift toolchain has no license: $license" >&2; exit 1; }
  version=$("$swift" --version 2>/dev/null | sed -n 's/.*(\(swift-[^)]*\)).*/\1/p' | head -n 1)
  part "The Swift runtime, its standard library, Foundation and libdispatch, ${version:-of the toolchain}
(Foundation contains a copy of ICU of its own; for its license see icu.)" "$license"

  # Two libraries of one package, or of one source, have one license.
  seen=" "
  for library in "$libraries"/*.a; do
    [ -e "$library" ] || continue
    if ! command -v dpkg-query >/dev/null 2>&1; then
      printf '\n%s: for the license, see the package of this distribution.\n' "$(basename "$library")"
      continue
    fi
    package=$("$source/Scripts/package-of.sh" "$library")
    name=$(dpkg-query -W -f '${source:Package}' "$package")
    case $seen in *" $name "*) continue ;; esac
    seen="$seen$name "
    part "$name, $(dpkg-query -W -f '${source:Version}' "$package")" "/usr/share/doc/${package%%:*}/copyright"
  done
} >"$file.new"
mv "$file.new" "$file"
