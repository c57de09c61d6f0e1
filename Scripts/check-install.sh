#!/bin/sh
# Installs into a temporary folder, hides the build folder and the sources, uses the installed program, and removes it:
# Scripts/check-install.sh. The user's own files are not touched.
set -eu
if [ "${1:-}" != --hidden ]; then
  scripts=$(cd "$(dirname "$0")" && pwd)
  source=$(dirname "$scripts")
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' EXIT
  cd "$source"
  fail() { echo "check-install: $1" >&2; exit 1; }
  would_build() { "${MAKE:-make}" --no-print-directory --dry-run "$@" install DESTDIR="$stage" | grep -- "--product addressbook" >/dev/null; }
  # A program that is up to date is not built again, so that root needs no toolchain; an outdated one is.
  would_build && fail "make install builds a program that is up to date"
  for changed in Sources/addressbook/main.swift Resources/strings/en.lproj/Command.strings Package.swift; do
    would_build --what-if="$changed" || fail "make install does not build after a change of $changed"
  done
  # Twice: the second installation replaces the first.
  for _ in 1 2; do "${MAKE:-make}" --no-print-directory install DESTDIR="$stage" PREFIX=/usr >/dev/null; done
  [ "$(stat -c %a "$stage/usr/bin/addressbook")" = 755 ] || fail "the program is not executable by all"
  "${MAKE:-make}" --no-print-directory install DESTDIR="$stage/other" PREFIX=/opt/addressbook >/dev/null
  echo kept >"$stage/other/opt/addressbook/share/man/man1/other.1"
  "${MAKE:-make}" --no-print-directory uninstall DESTDIR="$stage/other" PREFIX=/opt/addressbook >/dev/null
  left=$(cd "$stage/other" && find . ! -type d)
  [ "$left" = ./opt/addressbook/share/man/man1/other.1 ] || fail "make uninstall leaves or removes too much: $left"
  [ ! -e "$stage/other/opt/addressbook/share/addressbook" ] || fail "make uninstall leaves its folders"
  "${MAKE:-make}" --no-print-directory uninstall DESTDIR="$stage/other" PREFIX=/opt/addressbook >/dev/null 2>&1 &&
    fail "make uninstall removes what is not installed"
  # The usage is the header of the script, without its other comments.
  usage=$("$scripts/install.sh" --help 2>&1) && fail "install.sh accepts an unknown option"
  [ "$(printf '%s\n' "$usage" | wc -l)" = 4 ] || fail "install.sh prints more or less than its usage: $usage"
  # A list of files that leads out of the prefix is refused.
  mkdir -p "$stage/odd/share/addressbook"
  printf 'bin/../../usr/bin/addressbook\n' >"$stage/odd/share/addressbook/files"
  "$scripts/install.sh" --remove "$stage/odd" 2>/dev/null && fail "a list of files leads out of the prefix"
  [ -x "$stage/usr/bin/addressbook" ] || fail "a list of files led out of the prefix"
  cd /
  cp "$scripts/check-completions.sh" "$stage/"
  cp "$scripts/check-install.sh" "$stage/check.sh"
  if unshare --map-root-user --mount true 2>/dev/null; then
    unshare --map-root-user --mount sh -c 'mount -t tmpfs none "$1" && exec sh "$2" --hidden "$3"' \
      sh "$source" "$stage/check.sh" "$stage"
  else
    echo "The sources cannot be hidden here; the check only shows that the program reads the installed strings." >&2
    sh "$stage/check.sh" --hidden "$stage"
  fi
  exit 0
fi

stage=$2
cd "$stage"
fail() { echo "check-install: $1" >&2; exit 1; }
program=$stage/usr/bin/addressbook
export HOME="$stage/home" ADDRESSBOOK_FILE="$stage/book.db" LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME TMUX || :
mkdir -p "$HOME"

"$program" --version | grep -q '^addressbook [0-9]' || fail "--version prints no version"
# The program prints the strings of the installed files.
sed -i 's|"Help/list" = .*|"Help/list" = "words of the installed program";|' \
  usr/share/addressbook/strings/en.lproj/Command.strings
"$program" --help | grep -q 'words of the installed program' || fail "--help does not read the installed strings"
"$program" add --set family=安 --set given=琪 >/dev/null || fail "add fails"
"$program" list | grep -q 安琪 || fail "list does not show the added contact"
LC_ALL=zh_CN.UTF-8 "$program" list | grep -q 电话 || fail "list is not in Simplified Chinese"
LC_ALL=zh_TW.UTF-8 "$program" list | grep -q 電話 || fail "list is not in Traditional Chinese"

for folder in usr/share/man usr/share/man/zh_CN usr/share/man/zh_TW; do
  [ -s "$folder/man1/addressbook.1" ] && [ -s "$folder/man5/addressbook-config.5" ] || fail "$folder has not both manual pages"
done
find usr/share/man -name 'addressbook*' | while IFS= read -r file; do
  grep -Eq '^\.TH "?ADDRESSBOOK(\\-CONFIG)?"? [15]' "$file" || fail "$file is not a manual page"
  if command -v groff >/dev/null 2>&1; then
    # Text without blanks cannot always be broken or adjusted; that is not a fault of the page.
    warnings=$(groff -man -Tutf8 -Kutf8 -wmac -z "$file" 2>&1 | grep -v ' line$' || :)
    [ -z "$warnings" ] || fail "groff says of $file: $warnings"
  fi
done
bash -n usr/share/bash-completion/completions/addressbook || fail "the bash completions are not a valid script"
grep -q '^#compdef addressbook' usr/share/zsh/site-functions/_addressbook || fail "the zsh completions are not completions"
grep -q 'complete -c .*addressbook' usr/share/fish/vendor_completions.d/addressbook.fish ||
  fail "the fish completions are not completions"
sh "$stage/check-completions.sh" "$stage/usr"

tmux -u -S "$stage/tmux" -f /dev/null new-session -d -x 80 -y 24 "$program"
tries=0
until tmux -S "$stage/tmux" capture-pane -p 2>/dev/null | grep -q 安琪; do
  tries=$((tries + 1))
  if [ "$tries" -gt 500 ]; then
    tmux -S "$stage/tmux" kill-server 2>/dev/null || :
    fail "the screen does not open"
  fi
  sleep 0.05
done
tmux -S "$stage/tmux" send-keys q
tmux -S "$stage/tmux" kill-server 2>/dev/null || :
echo "The installed program works without its sources and its build folder."
