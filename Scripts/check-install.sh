#!/bin/sh
# Installs into a temporary folder, hides the build folder and the sources, and uses the installed program:
# Scripts/check-install.sh PROGRAM. The user's own files are not touched.
set -eu
if [ "${1:-}" != --hidden ]; then
  scripts=$(cd "$(dirname "$0")" && pwd)
  source=$(dirname "$scripts")
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' EXIT
  "$scripts/install.sh" "$1" "$stage/usr"
  cp "$0" "$stage/check.sh"
  if unshare --map-root-user --mount true 2>/dev/null; then
    unshare --map-root-user --mount sh -c 'mount -t tmpfs none "$1" && exec sh "$2" --hidden "$3"' \
      sh "$source" "$stage/check.sh" "$stage"
  else
    echo "The sources could not be hidden here; the program's words are checked to be the installed ones instead." >&2
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

"$program" --version | grep -q '^[0-9]' || fail "--version prints no version"
# The printed strings are those of the installed files.
sed -i 's|"Help/list" = .*|"Help/list" = "words of the installed program";|' \
  usr/share/addressbook/strings/en.lproj/Command.strings
"$program" --help | grep -q 'words of the installed program' || fail "--help does not read the installed words"
"$program" add --set family=安 --set given=琪 >/dev/null || fail "add fails"
"$program" list | grep -q 安琪 || fail "list does not show who was added"
LC_ALL=zh_CN.UTF-8 "$program" list | grep -q 姓名 || fail "list does not speak Chinese"

for page in man zh_CN; do
  [ "$page" = man ] && file=usr/share/man/man1/addressbook.1 || file=usr/share/man/zh_CN/man1/addressbook.1
  grep -q '^\.TH ADDRESSBOOK 1' "$file" || fail "$file is no manual page"
  if command -v groff >/dev/null 2>&1; then
    # Text without blanks cannot always be broken or adjusted; that is not a fault of the page.
    warnings=$(groff -man -Tutf8 -Kutf8 -wmac -z "$file" 2>&1 | grep -v ' line$' || :)
    [ -z "$warnings" ] || fail "groff says of $file: $warnings"
  fi
done
bash -n usr/share/bash-completion/completions/addressbook || fail "the bash completions are no script"
grep -q '^#compdef addressbook' usr/share/zsh/site-functions/_addressbook || fail "the zsh completions are none"
grep -q 'complete -c .*addressbook' usr/share/fish/vendor_completions.d/addressbook.fish ||
  fail "the fish completions are none"

tmux -u -S "$stage/tmux" -f /dev/null new-session -d -x 80 -y 24 "$program"
tries=0
until tmux -S "$stage/tmux" capture-pane -p 2>/dev/null | grep -q 安琪; do
  tries=$((tries + 1))
  if [ "$tries" -gt 500 ]; then
    tmux -S "$stage/tmux" kill-server 2>/dev/null || :
    fail "the screen does not open"
  fi
done
tmux -S "$stage/tmux" send-keys q
tmux -S "$stage/tmux" kill-server 2>/dev/null || :
echo "The installed program works without its sources and its build folder."
