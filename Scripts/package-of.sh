#!/bin/sh
# Prints the Debian package that a file belongs to: Scripts/package-of.sh FILE
set -eu
path=$(readlink -f "$1")
# With a merged /usr, a file has two names, and dpkg knows only one of them.
for name in "$path" "${path#/usr}" "/usr$path"; do
  package=$(dpkg -S "$name" 2>/dev/null | head -n 1 | sed 's/: .*//') || :
  if [ -n "$package" ]; then
    echo "$package"
    exit 0
  fi
done
echo "$1 is from no Debian package." >&2
exit 1
