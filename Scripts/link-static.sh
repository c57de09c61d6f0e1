#!/bin/sh
# link-static.sh FOLDER COMPILER LIBRARY.a ...
#
# Puts links to the static forms of libraries into a folder that the linker looks into first, so that it takes them in place of
# the shared ones. One that this system does not have is left out, and linked shared.
set -eu
folder=$1
compiler=$2
shift 2
mkdir -p "$folder"
command -v "$compiler" >/dev/null 2>&1 || compiler=cc
for library in "$@"; do
  path=$("$compiler" -print-file-name="$library" 2>/dev/null || true)
  if [ -f "$path" ]; then ln -sf "$path" "$folder/$library"; else rm -f "$folder/$library"; fi
done
