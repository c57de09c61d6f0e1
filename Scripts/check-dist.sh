#!/bin/sh
# Installs the output of `make dist` in minimal systems, and uses it there:
#   Scripts/check-dist.sh FOLDER FOLDER-OF-SYSTEMS
# The systems are Debian 12 and 13 as debootstrap makes them, without Swift or anything else that the program was built
# with. They are made once, and copied for each check. Needs root, and a mirror of Debian (MIRROR).
set -eu
if [ "${1:-}" != --confined ]; then
  [ "$(id -u)" -eq 0 ] || { echo "Only root can make and enter a system: sudo make check-dist" >&2; exit 1; }
  mkdir -p "$2"
  for suite in ${SUITES:-bookworm trixie}; do
    [ -e "$2/$suite/.complete" ] || {
      rm -rf "${2:?}/$suite"
      debootstrap --variant=minbase "$suite" "$2/$suite" "${MIRROR:-http://deb.debian.org/debian}" >"$2/$suite.log"
      touch "$2/$suite/.complete"
    }
    work=$(mktemp -d)
    status=0
    # The mounts and processes end with this command.
    unshare --mount --pid --fork --mount-proc sh "$0" --confined "$1" "$2/$suite" "$work" "$suite" || status=$?
    rm -rf "$work"
    [ "$status" -eq 0 ] || exit "$status"
  done
  exit 0
fi

dist=$2
work=$4
name=$5
root=$work/root
fail() { echo "check-dist: $name: $1" >&2; exit 1; }
say() { echo "$name: $1"; }

mount --make-rprivate /
cp -a "$3" "$root"
mount -t proc none "$root/proc"
mount --rbind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# A user who is not root.
echo 'ada:x:1000:1000::/home/ada:/bin/sh' >>"$root/etc/passwd"
mkdir -p "$root/home/ada"
chown 1000:1000 "$root/home/ada"

inside() { chroot "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_person() {
  chroot --userspec=1000:1000 "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/ada LC_ALL=C.UTF-8 ${term:+TERM=$term} "$@"
}

# Opens the screen in a terminal, waits until it shows a text, and quits: screen TERM TEXT PROGRAM
screen() {
  # A new socket for each screen: the server of the previous one may still be exiting.
  screens=$((${screens:-0} + 1))
  socket=$work/tmux$screens
  command="chroot --userspec=1000:1000 $root env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/ada LC_ALL=C.UTF-8 TERM=$1 $3; echo status \$?; read -r line"
  tmux -u -S "$socket" -f /dev/null new-session -d -x 100 -y 30 "$command"
  tries=0
  until tmux -S "$socket" capture-pane -p 2>/dev/null | grep -q "$2"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 200 ]; then
      tmux -S "$socket" capture-pane -p >&2 || :
      tmux -S "$socket" kill-server 2>/dev/null || :
      fail "TERM=$1 $3 does not show $2"
    fi
    sleep 0.05
  done
  tmux -S "$socket" capture-pane -p | sed -n "1,3s/^/$name:   |/p"
  tmux -S "$socket" send-keys q
  tries=0
  until tmux -S "$socket" capture-pane -p 2>/dev/null | grep -q '^status 0'; do
    tries=$((tries + 1))
    [ "$tries" -le 200 ] || { tmux -S "$socket" kill-server; fail "TERM=$1 $3 does not quit"; }
    sleep 0.05
  done
  tmux -S "$socket" kill-server 2>/dev/null || :
}

# The first steps of a new user, with the given program.
use() {
  program=$1
  rm -rf "$root/home/ada/.local" "$root/home/ada/.cache"
  version=$(as_person "$program" --version | head -n 1) || fail "$program does not start"
  say "$program --version: $version"
  as_person "$program" demo --contacts 200 --seed 7 >/dev/null || fail "demo fails"
  as_person "$program" add --set family=安 --set given=琪 --set 'email[work]=anqi@example.com' >/dev/null || fail "add fails"
  list=$(as_person "$program" list 安琪) || fail "list finds nobody"
  say "list 安琪: $(echo "$list" | tail -n 1)"
  query=$(as_person "$program" query anqi) || fail "query finds nobody"
  say "query anqi: $(echo "$query" | tail -n 1)"
  [ "$(as_person "$program" list --format jsonl | wc -l)" -eq 201 ] || fail "list does not print all 201 contacts"
  as_person env LC_ALL=zh_CN.UTF-8 "$program" list 安琪 | grep -q 姓名 || fail "list is not in Chinese"
  screen xterm-256color '201' "$program"
  # A terminal type without a description: the program uses that of a similar type, which is installed.
  screen xterm-nobody '201' "$program"
  # A type that nothing is known of is taken for xterm's.
  screen nobody '201' "$program"
  # Other distributions and locally installed terminals have their descriptions in other folders.
  # Debian 12 has them in /lib/terminfo, Debian 13 in /usr/share/terminfo.
  described=/usr/share/terminfo
  [ ! -e "$root/lib/terminfo/x/xterm-256color" ] || described=/lib/terminfo
  for place in /usr/lib/terminfo.other /usr/local/share/terminfo /run/current-system/sw/share/terminfo; do
    mkdir -p "$root$(dirname "$place")"
    mv "$root$described" "$root$place"
    if [ "$place" = /usr/lib/terminfo.other ]; then
      # script(1) is part of the minimal system, and gives the program a terminal of its own.
      message=$(as_person env TERM=xterm-256color timeout 30 script -qec "$program" /dev/null 2>&1 </dev/null) && fail "a screen opens without terminal descriptions"
      say "without terminal descriptions: $(echo "$message" | tr -d '\r' | tail -n 1)"
    else
      screen xterm-256color '201' "$program"
      say "terminal descriptions are found in $place"
    fi
    mv "$root$place" "$root$described"
  done
}

! inside sh -c 'command -v swift' >/dev/null 2>&1 || fail "this system has Swift"
find "$root/usr" -xdev | LC_ALL=C sort >"$work/before"

(cd "$dist" && sha256sum --quiet -c SHA256SUMS) || fail "the checksums are wrong"
mkdir "$root/opt/unpacked"
tar -xJf "$dist"/*.tar.xz -C "$root/opt/unpacked"
unpacked=/opt/unpacked/$(ls "$root/opt/unpacked")
use "$unpacked/bin/addressbook"
inside "$unpacked/install.sh" || fail "install.sh fails"
use addressbook
inside "$unpacked/install.sh" --remove || fail "install.sh --remove fails"
as_person sh -c 'command -v addressbook' >/dev/null && fail "install.sh --remove leaves the program"
find "$root/usr" -xdev ! -type d | LC_ALL=C sort >"$work/after"
left=$(LC_ALL=C comm -13 "$work/before" "$work/after")
[ -z "$left" ] || fail "install.sh --remove leaves $left"
say "the tarball works, installs, and is removed without a trace"

cp "$dist"/*.deb "$root/tmp/addressbook.deb"
inside apt-get -qq update || fail "apt cannot read the lists of packages"
inside apt-get -qq -y install /tmp/addressbook.deb >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2; fail "apt does not install the package"; }
say "$(inside dpkg-query -W -f '${Package} ${Version} ${Status}; Depends: ${Depends}; Built-Using: ${Built-Using}' addressbook)"
use /usr/bin/addressbook
id=$(as_person addressbook list 安琪 --format tsv | tail -n 1 | cut -f 1)
cp "$(dirname "$0")/../Tests/Fixtures/Images/jpeg-baseline.jpg" "$root/tmp/photo"
chmod 644 "$root/tmp/photo"
as_person addressbook photo set "$id" /tmp/photo || fail "a photo cannot be set"
as_person addressbook photo show "$id" | grep '▌' >/dev/null || fail "a photo is not shown"
say "a photo is decoded and shown as characters"
for file in share/man/man1/addressbook.1.gz share/man/zh_CN/man1/addressbook.1.gz share/man/man5/addressbook-config.5.gz \
  share/bash-completion/completions/addressbook share/zsh/vendor-completions/_addressbook \
  share/fish/vendor_completions.d/addressbook.fish share/doc/addressbook/copyright; do
  [ -s "$root/usr/$file" ] || fail "the package has no /usr/$file"
done
inside apt-get -qq -y purge addressbook >/dev/null 2>&1 || fail "the package cannot be purged"
[ ! -e "$root/usr/share/addressbook" ] && [ ! -e "$root/usr/bin/addressbook" ] || fail "the purged package leaves files"
[ -s "$root/home/ada/.local/share/addressbook/addressbook.db" ] || fail "purging the package removed the contacts"
say "the package installs with apt, works, and is purged"
