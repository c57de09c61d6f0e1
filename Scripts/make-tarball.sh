#!/bin/sh
# Makes a tarball of the built program, its manual, completions and licenses, with a script to install them:
#   Scripts/make-tarball.sh PROGRAM COPYRIGHT FOLDER
# Prints the tarball's path.
set -eu
umask 022
program=$1
copyright=$2
folder=$3
scripts=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$scripts")
version=$(LC_ALL=C.UTF-8 "$program" --version | sed -n '1s/.* //p')
name=addressbook-$version-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$scripts/stage.sh" "$program" "$copyright" "$work/$name"
install -m 755 "$scripts/install.sh" "$work/$name/install.sh"
install -m 644 "$source"/README*.md "$source/CHANGELOG.md" "$work/$name/"
install -d "$work/$name/Documentation/Pictures"
install -m 644 "$source"/Documentation/*.md "$work/$name/Documentation/"
install -m 644 "$source"/Documentation/Pictures/*.svg "$work/$name/Documentation/Pictures/"
# Packed relocations need glibc 2.36.
glibc=$( (echo GLIBC_2.36; objdump -T "$work/$name/bin/addressbook") | grep -o 'GLIBC_[0-9.]*' | LC_ALL=C sort -u -V | tail -n 1)
sed -e "s/@VERSION@/$version/g" -e "s/@GLIBC@/${glibc#GLIBC_}/g" -e "s/@MACHINE@/$(uname -m)/g" "$scripts/INSTALL.in" >"$work/$name/INSTALL"

mkdir -p "$folder"
# Order, owner and times are fixed, so that the same sources make the same tarball.
date=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || date +%s)}
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$date" -cf - "$name" |
  xz -6 -T0 >"$folder/$name.tar.xz"
echo "$folder/$name.tar.xz"
