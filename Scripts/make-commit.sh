#!/bin/sh
# Makes an object file with the commit of the sources, which `addressbook --version` prints: Scripts/make-commit.sh SWIFT
# OBJECT. Sources without git have none. The file is replaced only if the commit is another one.
set -eu
clang=$(dirname "$(readlink -f "$(command -v "$1")")")/clang
object=$2
commit=$(git -C "$(dirname "$0")" describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || :)
printf '%s\n' ".section .rodata" ".globl addressbook_commit" "addressbook_commit:" ".asciz \"$commit\"" \
  '.section .note.GNU-stack,"",%progbits' | "$clang" -x assembler -c - -o "$object.new"
cmp -s "$object.new" "$object" || cp "$object.new" "$object"
rm "$object.new"
