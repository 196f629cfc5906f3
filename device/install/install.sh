#!/usr/bin/env bash
# Installs Schockauge from the checkout this file lies in. `install.sh --help` tells the rest.
#
#   /opt/schockauge/releases/NAME/.venv   a version with all it needs, written by root alone
#   /opt/schockauge/current               the one that runs; previous: the one before
#   /var/lib/schockauge                   settings, log, stills and clips: never deleted here
set -Eeuo pipefail

HOME_DIR=/opt/schockauge
STATE=/var/lib/schockauge
HUB_STATE=/var/lib/schockauge-hub
UNIT_DIR=/etc/systemd/system
COMMAND=/usr/local/bin/schockauge
LEAST_FREE_MB=1500
LEAST_MEMORY_MB=900
KEEP_RELEASES=3
PAGE_WAIT_S=120

PACKAGES=(python3 python3-venv ca-certificates systemd avahi-daemon libnss-mdns)
# Where they are offered (Raspberry Pi OS): its camera, and lamp and button.
PI_PACKAGES=(python3-picamera2 python3-gpiozero python3-lgpio)
HUB_PACKAGES=(mosquitto)
# What the program is made of; the rest of a checkout is tests and pictures.
PARTS=(rules vision web_ui device models requirements pyproject.toml README.md LICENSE)
# OpenVINO for x86-64 carries drivers for graphics and neural processors that nothing here asks for.
UNUSED=(libopenvino_intel_gpu_plugin.so libopenvino_intel_npu_plugin.so cache.json)

here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
source_dir=$(cd "$here/../.." && pwd)
dry_run='' table=yes hub='' name=schockauge keep_name='' wheels='' pip_config='' apt=yes
switch=yes action=install purge='' release=''

usage() {
  cat <<'HELP'
Install Schockauge on Raspberry Pi OS or Debian (Bookworm or Trixie, 64 bit).

usage: sudo device/install/install.sh [OPTION ...]

  --hub             install the hub of a tournament as well
  --hub-only        ... and no table
  --name NAME       name in the network: NAME.local (schockauge)
  --keep-name       leave the name in the network as it is
  --wheels DIR      take the Python packages from this folder instead of the internet
  --keep-pip-config ask the package index that this machine's pip is set up for
  --no-apt          install no Debian packages; they are there already
  --prepare         make the new version ready beside the running one, and stop there
  --uninstall       remove the program; settings, log and pictures stay in /var/lib
  --purge           with --uninstall: delete those, too, for good
  --dry-run         tell what would be done, and do nothing
  --help            this text

It may be run again at any time: what is done already is left alone, another version of the
checkout is installed beside the one that runs and takes its place at the end.

example:
  sudo device/install/install.sh
  sudo device/install/install.sh --name table-7
  sudo /opt/schockauge/current/install/install.sh --uninstall
HELP
}

# --- saying and doing ------------------------------------------------------------------------

doing='reading the options' advice='See install.sh --help.'

say() { printf '%s\n' "$*"; }

step() { # WHAT ADVICE: told before it is done; the advice when it fails
  doing=$1 advice=$2
  say "==> $doing"
}

fail() {
  printf 'install.sh: error: %s\n' "$1" >&2
  [ -z "${2-}" ] || printf '%s\n' "$2" >&2
  exit 1
}

stopped() { # in a part of its own the whole is told of it, and tells
  [ "$BASHPID" = "$$" ] || exit 1
  fail "it stopped while $doing." "$advice Then run install.sh again: what is done already is left alone."
}
trap stopped ERR

run() {
  if [ -n "$dry_run" ]; then say "    would run: $*"; else "$@"; fi
}

put() { # MODE FILE: writes what comes in, unless it stands there already
  local mode=$1 file=$2 text
  text=$(cat; printf x)
  text=${text%x}
  if [ -e "$file" ] && [ "$(cat "$file"; printf x)" = "${text}x" ]; then return; fi
  if [ -n "$dry_run" ]; then say "    would write: $file"; return; fi
  mkdir -p "$(dirname "$file")"
  printf '%s' "$text" >"$file.new"
  chmod "$mode" "$file.new"
  mv "$file.new" "$file"
}

systemd_runs() { [ -d /run/systemd/system ]; }

left_out() { say "    left out: $*"; }

work=$(mktemp -d -p /var/tmp schockauge-install.XXXXXX) # on the disk: /tmp may be memory
trap 'rm -rf "$work"' EXIT

# --- the steps -------------------------------------------------------------------------------

check_machine() {
  step 'looking at this machine' 'Mend what is said above.'
  [ "$(id -u)" -eq 0 ] || fail 'it needs root.' 'Type: sudo device/install/install.sh'
  local machine
  machine=$(dpkg --print-architecture 2>/dev/null) ||
    fail 'this is no Debian and no Raspberry Pi OS.' 'Elsewhere: make demo, or docs/install.md.'
  case $machine in
    arm64 | amd64) ;;
    *) fail "this system is made for $machine, expected arm64 (or amd64)." \
      'Write Raspberry Pi OS (64-bit) onto the card; the 32-bit one has no package of the model runtime.' ;;
  esac
  local free_mb memory_mb
  free_mb=$(df -Pm / | awk 'NR == 2 { print $4 }')
  [ "$free_mb" -ge "$LEAST_FREE_MB" ] ||
    fail "the disk has $free_mb MB free, expected $LEAST_FREE_MB." 'Use a card of 16 GB or more.'
  memory_mb=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo 2>/dev/null || echo 0)
  [ "${memory_mb:-0}" -ge "$LEAST_MEMORY_MB" ] ||
    say "    beware: ${memory_mb:-0} MB of memory; a table wants $LEAST_MEMORY_MB or more."
  [ "$(date +%Y)" -ge 2026 ] ||
    fail "the clock says $(date +%F)." 'Connect to the internet and wait a minute, or: sudo date -s "2026-01-31 20:00"'
  # shellcheck source=/dev/null
  say "    $(. /etc/os-release && printf '%s' "$PRETTY_NAME"), $machine, $free_mb MB free, $memory_mb MB of memory"
}

apt_get() {
  DEBIAN_FRONTEND=noninteractive run apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
    -o Dpkg::Use-Pty=0 "$@"
}

install_packages() {
  step 'installing Debian packages' 'Check the network (ping deb.debian.org) and the date.'
  if [ -z "$apt" ]; then left_out 'as --no-apt asks'; return; fi
  local wanted=("${PACKAGES[@]}") missing=() package
  apt_get update
  if [ -n "$table" ] && [ "$(dpkg --print-architecture)" = arm64 ]; then
    for package in "${PI_PACKAGES[@]}"; do
      if [ -n "$(apt-cache madison "$package" 2>/dev/null)" ]; then wanted+=("$package"); else
        left_out "$package, which this system does not offer (Raspberry Pi OS does)"
      fi
    done
  fi
  [ -z "$hub" ] || wanted+=("${HUB_PACKAGES[@]}")
  for package in "${wanted[@]}"; do
    dpkg-query -Wf '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then say '    all there already'; return; fi
  say "    ${missing[*]}"
  apt_get install -y --no-install-recommends "${missing[@]}" >/dev/null
  if [[ " ${missing[*]} " == *' mosquitto '* ]]; then # the hub starts its own, with its own lists
    run systemctl --quiet disable mosquitto
    if systemd_runs; then run systemctl stop mosquitto; fi
  fi
}

read_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --hub) hub=yes ;;
      --hub-only) hub=yes table='' ;;
      --name) name=${2-} && shift ;;
      --keep-name) keep_name=yes ;;
      --wheels) wheels=$(readlink -f "${2-}") && shift ;;
      --keep-pip-config) pip_config=yes ;;
      --no-apt) apt='' ;;
      --prepare) switch='' ;;
      --uninstall) action=uninstall ;;
      --purge) purge=yes ;;
      --dry-run) dry_run=yes ;;
      --help | -h) usage && exit 0 ;;
      *) usage >&2 && printf 'install.sh: error: there is no option %s.\n' "$1" >&2 && exit 2 ;;
    esac
    shift
  done
  [ -z "$wheels" ] || [ -d "$wheels" ] || {
    printf 'install.sh: error: --wheels is "%s", expected a folder.\n' "$wheels" >&2
    exit 2
  }
  [[ $name =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] || {
    printf 'install.sh: error: --name is "%s", expected small letters, digits and hyphens.\n' "$name" >&2
    exit 2
  }
}

read_options "$@"
# shellcheck source=device/install/release.sh
. "$here/release.sh"
# shellcheck source=device/install/system.sh
. "$here/system.sh"
# A hub or table that is there already goes on with the new version.
[ ! -e "$UNIT_DIR/schockauge-hub.service" ] || hub=yes
[ ! -e "$UNIT_DIR/schockauge.service" ] || table=yes
check_machine
if [ "$action" = uninstall ]; then uninstall && exit 0; fi
install_packages
check_python
make_release
make_state
check_release
if [ -z "$switch" ]; then say "Ready, not switched to: $release" && exit 0; fi
switch_over
install_units
name_in_network
wait_for_page
tell_end
