#!/bin/sh
# Puts the files to install below a folder, as they will be below the prefix: Scripts/stage.sh PROGRAM COPYRIGHT FOLDER.
# The program generates the manual and the completions itself. One of the files is the list of all files, from which
# Scripts/install.sh installs and removes them.
set -eu
umask 022
program=$1
copyright=$2
target=$3
source=$(cd "$(dirname "$0")/.." && pwd)

rm -rf "$target"
install -d "$target/bin"
install -m 755 -s "$program" "$target/bin/addressbook"
languages=$(cd "$source/Resources/strings" && ls -d ./*.lproj)
for language in $languages; do
  install -d "$target/share/addressbook/strings/$language"
  install -m 644 "$source/Resources/strings/$language/"*.strings "$target/share/addressbook/strings/$language/"
done
install -d "$target/share/doc/addressbook"
install -m 644 "$copyright" "$target/share/doc/addressbook/copyright"

# Writes the output of the staged program in a language to a file, which is removed on failure.
made_by_program() {
  install -d "$(dirname "$target/$2")"
  made_language=$1 made_file=$target/$2
  shift 2
  LC_ALL=$made_language "$target/bin/addressbook" "$@" >"$made_file" || { rm -f "$made_file"; exit 1; }
  chmod 644 "$made_file"
}
for language in $languages; do
  # man looks for the language of a locale, and for a region that stands for the script.
  case $language in
    ./en.lproj) locale=C folder=share/man ;;
    ./zh-Hans.lproj) locale=zh_CN folder=share/man/zh_CN ;;
    ./zh-Hant.lproj) locale=zh_TW folder=share/man/zh_TW ;;
    *) locale=$(basename "$language" .lproj) folder=share/man/$locale ;;
  esac
  made_by_program "$locale.UTF-8" "$folder/man1/addressbook.1" manual
  made_by_program "$locale.UTF-8" "$folder/man5/addressbook-config.5" manual config
done
made_by_program C.UTF-8 share/bash-completion/completions/addressbook completions bash
made_by_program C.UTF-8 "${ZSH_COMPLETIONS:-share/zsh/site-functions}/_addressbook" completions zsh
made_by_program C.UTF-8 share/fish/vendor_completions.d/addressbook.fish completions fish

list=share/addressbook/files
(cd "$target" && : >"$list" && find bin share -type f | LC_ALL=C sort >"$list")
