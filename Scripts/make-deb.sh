#!/bin/sh
# Makes a Debian package of the built program:
#   Scripts/make-deb.sh PROGRAM COPYRIGHT FOLDER-OF-STATIC-LIBRARIES FOLDER
# Prints the package's path. dpkg-shlibdeps finds the dependencies from the libraries that the program uses.
set -eu
umask 022
program=$1
copyright=$2
libraries=$3
folder=$4
scripts=$(cd "$(dirname "$0")" && pwd)
# The date of all files, so that the same sources make the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$scripts" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
version=$(LC_ALL=C.UTF-8 "$program" --version | sed -n '1s/.* //p')
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/addressbook
mkdir -p "$work/debian" "$root/DEBIAN"
chmod 755 "$root"

ZSH_COMPLETIONS=share/zsh/vendor-completions "$scripts/stage.sh" "$program" "$copyright" "$root/usr"
# Not needed: dpkg keeps its own list of files.
rm "$root/usr/share/addressbook/files"
doc=$root/usr/share/doc/addressbook
# A Debian system has the text of this license, and a changelog of another form than ours.
sed '/^ *TERMS AND CONDITIONS FOR USE, REPRODUCTION/,/^ *END OF TERMS AND CONDITIONS/c\
   The terms are in /usr/share/common-licenses/Apache-2.0.' "$doc/copyright" >"$work/copyright"
cat "$work/copyright" >"$doc/copyright"
maintainer="${DEBFULLNAME:-The addressbook authors} <${DEBEMAIL:-addressbook@localhost}>"
cat <<CHANGELOG | gzip -9n >"$doc/changelog.gz"
addressbook ($version) unstable; urgency=medium

  * What is new is in CHANGELOG.md of the source.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG
sed -i '1{/^#!/d}' "$root/usr/share/bash-completion/completions/addressbook"
mkdir -p "$root/usr/share/lintian/overrides"
cat >"$root/usr/share/lintian/overrides/addressbook" <<'OVERRIDES'
# ncurses is linked statically: loading it would delay the first screen.
addressbook: embedded-library *ncurses*
# A package that is built from a clone has no maintainer unless DEBEMAIL names one.
addressbook: bogus-mail-host *
addressbook: bogus-mail-host-in-debian-changelog *
OVERRIDES
find "$root/usr/share/man" -name '*.[1-8]' -exec gzip -9n {} +

printf 'Source: addressbook\nPackage: addressbook\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$root/usr/bin/addressbook" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "dpkg-shlibdeps found no libraries" >&2; exit 1; }
# The source packages of the libraries that are linked statically.
built_using=$(for library in "$libraries"/*.a; do
  [ ! -e "$library" ] || dpkg-query -W -f '${source:Package} (= ${source:Version})\n' "$("$scripts/package-of.sh" "$library")"
done | LC_ALL=C sort -u | paste -s -d , - | sed 's/,/, /g')
size=$(du -sk "$root/usr" | cut -f 1)
# The recommended and suggested libraries are loaded when they are first needed, so dpkg-shlibdeps does not see them.
# Debian 12 and 13 have different names for some.
cat >"$root/DEBIAN/control" <<CONTROL
Package: addressbook
Version: $version
Section: utils
Priority: optional
Architecture: $architecture
Installed-Size: $size
Depends: $depends
Recommends: libchafa0t64 | libchafa0, libgdk-pixbuf-2.0-0, libqrencode4
Suggests: webp-pixbuf-loader, libldap2 | libldap-2.5-0, ncurses-term, vdirsyncer, xdg-utils
${built_using:+Built-Using: $built_using
}Maintainer: $maintainer
Description: address book for the terminal
 A full-screen address book that can also be used from the command line. It
 opens at once with a million contacts, finds Chinese names by pinyin, and
 completes addresses in mutt, neomutt and aerc. It reads and writes vCards.
 Recent changes and deletions can be undone, even after a restart. Changes by
 other programs are shown as they happen.
CONTROL
(cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k 2 >DEBIAN/md5sums)
mkdir -p "$folder"
package=$folder/addressbook_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
