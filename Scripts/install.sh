#!/bin/sh
# Installs the program below a prefix: Scripts/install.sh PROGRAM TARGET, where TARGET is $DESTDIR$PREFIX.
# The program generates the manual and the completions itself.
set -eu
umask 022
program=$1
target=$2
source=$(cd "$(dirname "$0")/.." && pwd)

install -d "$target/bin"
install -m 755 -s "$program" "$target/bin/addressbook"
for language in en zh-Hans; do
  install -d "$target/share/addressbook/strings/$language.lproj"
  install -m 644 "$source/Resources/strings/$language.lproj/"*.strings \
    "$target/share/addressbook/strings/$language.lproj/"
done
install -d "$target/share/doc/addressbook"
install -m 644 "$source/LICENSE" "$target/share/doc/addressbook/copyright"

# Writes the output of the installed program in a language to a file, which is removed on failure.
made_by_program() {
  install -d "$(dirname "$target/$2")"
  made_language=$1 made_file=$target/$2
  shift 2
  LC_ALL=$made_language "$target/bin/addressbook" "$@" >"$made_file" || { rm -f "$made_file"; exit 1; }
  chmod 644 "$made_file"
}
made_by_program C.UTF-8 share/man/man1/addressbook.1 manual
made_by_program zh_CN.UTF-8 share/man/zh_CN/man1/addressbook.1 manual
made_by_program C.UTF-8 share/bash-completion/completions/addressbook completions bash
made_by_program C.UTF-8 "${ZSH_COMPLETIONS:-share/zsh/site-functions}/_addressbook" completions zsh
made_by_program C.UTF-8 share/fish/vendor_completions.d/addressbook.fish completions fish
