#!/bin/sh
# Makes an object file with the commit of the sources, which `addressbook --version` prints: Scripts/make-commit.sh SWIFT
# OBJECT. Sources without git have none. The file is replaced only if the commit is another one.
set -eu
clang=$(dirname "$(readlink -f "$(command -v "$1")")")/clang
object=$2
root=$(cd "$(dirname "$0")/.." && pwd -P)
commit=
# Sources without git may lie in somebody else's repository.
if [ "$(git -C "$root" rev-parse --show-toplevel 2>/dev/null)" = "$root" ]; then
  commit=$(git -C "$root" describe --always --dirty --abbrev=12 --exclude='*')
fi
printf '%s\n' ".section .rodata" ".globl addressbook_commit" "addressbook_commit:" ".asciz \"$commit\"" \
  '.section .note.GNU-stack,"",%progbits' | "$clang" -x assembler -c - -o "$object.new"
cmp -s "$object.new" "$object" || cp "$object.new" "$object"
rm "$object.new"
