#!/bin/sh
# Installs those of the given Debian packages that are missing, and prints their names; does nothing if none is missing.
set -eu

missing=
for package in "$@"; do
  case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true) in
    "install ok installed") ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "These packages are missing, and there is no apt-get to install them with:$missing" >&2
  exit 1
fi
root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "Please run as root: apt-get update && apt-get install$missing" >&2
    exit 1
  fi
  root=sudo
fi
echo "Installing:$missing" >&2
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
$root apt-get update -qq >&2

# The servers of the tests must not start as services: neither now (invoke-rc.d asks this file) nor at the next boot.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap '$root rm -f $policy' EXIT
  printf '#!/bin/sh\nexit 101\n' | $root tee $policy >/dev/null
  $root chmod 755 $policy
fi
# shellcheck disable=SC2086
$root apt-get install -y -qq --no-install-recommends $missing >&2
for service in radicale slapd; do
  case " $missing " in
    *" $service "*) $root update-rc.d $service disable >&2 ;;
  esac
done
