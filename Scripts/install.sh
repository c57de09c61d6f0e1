#!/bin/sh
# Installs addressbook below a folder, or removes it. This script is beside the folders bin and share:
#   ./install.sh [PREFIX]             installs; PREFIX is /usr/local by default
#   ./install.sh --remove [PREFIX]    removes the files that were installed
# Neither touches your contacts, which are in your home folder.
set -eu
umask 022
remove=
if [ "${1:-}" = --remove ]; then
  remove=1
  shift
fi
prefix=${1:-/usr/local}
case $prefix in
  -*) sed -n '/^[^#]/q; s/^# //p' "$0" >&2; exit 2 ;;
esac
list=share/addressbook/files

# Removes the files on the list of what was installed, and the folders that are only for addressbook.
remove_installed() {
  # Never a file outside the prefix, whatever the list says.
  while IFS= read -r file; do
    case $file in
      */../* | ../* | /*) echo "The list of installed files is not valid: $prefix/$list" >&2; exit 3 ;;
      bin/* | share/*) rm -f "$prefix/$file" ;;
    esac
  done <"$prefix/$list"
  for folder in "$prefix"/share/addressbook/strings/*.lproj "$prefix/share/addressbook/strings" \
    "$prefix/share/addressbook" "$prefix/share/doc/addressbook"; do
    rmdir "$folder" 2>/dev/null || :
  done
}

if [ -n "$remove" ]; then
  if [ ! -f "$prefix/$list" ]; then
    echo "addressbook is not installed below $prefix." >&2
    exit 1
  fi
  remove_installed
  echo "Removed addressbook from $prefix. Your contacts are still where they were."
  exit 0
fi

source=${TREE:-$(cd "$(dirname "$0")" && pwd)}
if ! mkdir -p "$prefix" || [ ! -w "$prefix" ]; then
  echo "$prefix cannot be written to. Run this as root, or install for yourself: $0 ~/.local" >&2
  exit 3
fi
# Remove the files of an earlier version, because this one may not have all of them.
[ ! -f "$prefix/$list" ] || remove_installed
while IFS= read -r file; do
  mode=644
  case $file in
    bin/*) mode=755 ;;
  esac
  mkdir -p "$prefix/$(dirname "$file")"
  # Replace a running program instead of writing to it. A link in the place of a file is replaced too, whatever it
  # leads to.
  new=$(mktemp "$prefix/$file.XXXXXX")
  { cp "$source/$file" "$new" && chmod "$mode" "$new" && mv -fT "$new" "$prefix/$file"; } || { rm -f "$new"; exit 3; }
done <"$source/$list"
echo "Installed $prefix/bin/addressbook, with its manual and completions."
