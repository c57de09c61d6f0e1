#!/bin/sh
# link-static.sh FOLDER COMPILER LIBRARY.a ...
#
# Puts links to static libraries into a folder that the linker searches first, so that it uses them instead of the
# shared ones. A library that is not available in static form is left out, and linked dynamically.
set -eu
folder=$1
compiler=$2
shift 2
mkdir -p "$folder"
command -v "$compiler" >/dev/null 2>&1 || compiler=cc
for library in "$@"; do
  # The functions of libgcc_s that unwind the stack are in a static library with another name.
  case $library in libgcc_s.a) name=libgcc_eh.a ;; *) name=$library ;; esac
  path=$("$compiler" -print-file-name="$name" 2>/dev/null || true)
  if [ -f "$path" ]; then ln -sf "$path" "$folder/$library"; else rm -f "$folder/$library"; fi
done
