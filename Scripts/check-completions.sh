#!/bin/sh
# Presses Tab in real shells, with the completions of an installed program: Scripts/check-completions.sh PREFIX [SHELL…]
set -eu
prefix=$1
shift
work=$(mktemp -d)
trap 'tmux -S "$work/tmux" kill-server 2>/dev/null || :; rm -rf "$work" 2>/dev/null || :' EXIT
PATH=$prefix/bin:$PATH
HOME=$work
unset XDG_CONFIG_HOME XDG_DATA_HOME TMUX 2>/dev/null || :
export PATH HOME
fail() {
  tmux -S "$work/tmux" capture-pane -p >&2 || :
  echo "check-completions: $1" >&2
  exit 1
}

# Waits until the screen shows a text.
shows() {
  tries=0
  until tmux -S "$work/tmux" capture-pane -p 2>/dev/null | grep -qF -- "$1"; do
    tries=$((tries + 1))
    [ "$tries" -le 200 ] || return 1
    sleep 0.05
  done
}

# completes SHELL TYPED EXPECTED: types a text and Tab, and waits for the expected text.
completes() {
  tmux -S "$work/tmux" send-keys C-u
  tmux -S "$work/tmux" send-keys -l "$2"
  shows "$2" || fail "$1 does not echo $2"
  tmux -S "$work/tmux" send-keys Tab
  shows "$3" || { tmux -S "$work/tmux" send-keys Tab; shows "$3"; } || fail "$1 does not complete “$2” to “$3”"
  tmux -S "$work/tmux" send-keys C-c
  tmux -S "$work/tmux" send-keys -l 'clear'
  tmux -S "$work/tmux" send-keys Enter
  shows 'ready>' || fail "$1 shows no prompt"
}

for shell in ${*:-bash zsh fish}; do
  case $shell in
    bash)
      printf 'PS1="ready> "\n. "%s/share/bash-completion/completions/addressbook"\n' "$prefix" >"$work/rc"
      command="bash --rcfile $work/rc -i" ;;
    zsh)
      printf 'PS1="ready> "\nfpath=(%s/share/zsh/site-functions $fpath)\nautoload -U compinit\ncompinit -D -u\n' "$prefix" >"$work/.zshrc"
      command="zsh -d -i" ;;
    fish)
      mkdir -p "$work/.config/fish"
      printf 'function fish_prompt; echo -n "ready> "; end\nset -g fish_greeting\nsource %s/share/fish/vendor_completions.d/addressbook.fish\n' \
        "$prefix" >"$work/.config/fish/config.fish"
      command="fish -i" ;;
    *) fail "no test for $shell" ;;
  esac
  tmux -u -S "$work/tmux" -f /dev/null new-session -d -x 100 -y 30 "env LC_ALL=C.UTF-8 $command"
  shows 'ready>' || fail "$shell does not start"
  completes "$shell" 'addressbook expo' 'addressbook export'
  completes "$shell" 'addressbook export --spl' 'addressbook export --split'
  completes "$shell" 'addressbook trash resto' 'addressbook trash restore'
  completes "$shell" 'addressbook completions fi' 'addressbook completions fish'
  completes "$shell" 'addressbook export --format jc' 'addressbook export --format jcard'
  tmux -S "$work/tmux" kill-server
  until ! tmux -S "$work/tmux" list-sessions >/dev/null 2>&1; do sleep 0.05; done
  rm -f "$work/tmux"
  echo "$shell completes commands, options and values."
done
