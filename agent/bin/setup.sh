# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Finds out what of bhlat's needs (needs.sh) a host lacks, and installs it. Sourced by bhlat and verify;
# the only place that calls a package manager.
#
# BHLAT_SETUP_ROOT is put before the fixed directories looked at here. For the launcher's tests only.

# Exit codes, the same as the Java agent's.
readonly EXIT_NOT_PERMITTED=3
readonly EXIT_CANNOT=4

# shellcheck source-path=SCRIPTDIR source=needs.sh
source "${BASH_SOURCE[0]%/*}/needs.sh"

say() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# find_missing NEED...: sets missing to the needs that this host does not meet.
find_missing() {
  local need
  missing=()
  for need in "$@"; do
    # A JDK brings its own java: one package, not two.
    if [[ $need == java && " ${missing[*]} " == *" jdk "* ]]; then
      continue
    fi
    meets "$need" || missing+=("$need")
  done
}

# find_manager: sets manager to apt-get or dnf, "" when this host has neither; and install, the
# command to put package names after.
find_manager() {
  manager=
  if hash apt-get 2>/dev/null; then
    manager=apt-get
    install=(apt-get install -y --no-install-recommends)
  elif hash dnf 2>/dev/null; then
    manager=dnf
    install=(dnf install -y --setopt=install_weak_deps=False)
  fi
}

# say_missing: one line for each missing need, with its package where packages are known.
say_missing() {
  local need package
  for need in "${missing[@]}"; do
    package=
    [[ -z $manager ]] || printf -v package '%-24s ' "$(package_of "$need")"
    say "  $package$(need_text "$need")"
  done
}

# ensure NEED...: returns when this host meets all of them. Installs what is missing as root, after
# saying it; exits with EXIT_CANNOT or EXIT_NOT_PERMITTED and the remedy where it may not or cannot.
# Name jdk before java and maven.
ensure() {
  local need command packages=()
  find_missing "$@"
  ((${#missing[@]})) || return 0
  find_manager
  if [[ -z $manager ]]; then
    say "missing on this host, which has neither apt-get nor dnf; install by hand:"
    say_missing
    exit "$EXIT_CANNOT"
  fi
  for need in "${missing[@]}"; do
    packages+=("$(package_of "$need")")
  done
  command="${install[*]} ${packages[*]}"
  [[ $manager != apt-get ]] || command="apt-get update && $command"
  if [[ ${BHLAT_NO_SETUP:-0} != 0 ]]; then
    say "missing, and installing is forbidden (--no-setup or BHLAT_NO_SETUP):"
    say_missing
    say "install them as root with: $command"
    exit "$EXIT_CANNOT"
  fi
  if (($(id -u) != 0)); then
    say "missing, and only root can install them:"
    say_missing
    say "run as root: $command"
    exit "$EXIT_NOT_PERMITTED"
  fi
  say "missing; installing with $manager, which may take minutes:"
  say_missing
  install_packages "${packages[@]}"
  check_installed "$@"
}

# check_installed NEED...: a package that is installed need not be new enough.
check_installed() {
  hash -r
  find_missing "$@"
  ((${#missing[@]})) || return 0
  say "still missing, though $manager installed its packages (are they too old?); install by hand:"
  say_missing
  exit "$EXIT_CANNOT"
}

# install_packages PACKAGE...: exits with the package manager's last words when it fails.
install_packages() {
  local log failed=false
  log=$(mktemp)
  hold_services "$@"
  install_now "$@" >"$log" 2>&1 </dev/null || failed=true
  release_services
  if $failed; then
    say "$manager failed; its last lines were:"
    tail -n 20 "$log" >&2
    rm -f "$log"
    say "repair what they name (network, package sources, disk space, a held lock); then start again,"
    say "or run: $command"
    exit "$EXIT_CANNOT"
  fi
  rm -f "$log"
}

# The lists of packages are fetched only when those at hand do not serve: none on a fresh machine,
# or so old that the mirror no longer has their packages. Waits for the unattended upgrades that a
# fresh machine begins with, and for another bhlat.
install_now() {
  local -x DEBIAN_FRONTEND=noninteractive
  if [[ $manager == apt-get ]]; then
    install+=(-o DPkg::Lock::Timeout=300)
    "${install[@]}" "$@" || { apt-get update && "${install[@]}" "$@"; }
  else
    "${install[@]}" "$@"
  fi
}

# Debian's prometheus package starts a server and enables it at boot. hold_services keeps it from
# starting by the policy file that Debian's maintainer scripts ask; release_services takes that file
# away and the service out of the boot. A policy of the host's own (containers have one) is left.
hold_services() {
  local policy=/usr/sbin/policy-rc.d
  held_policy='' held_service=''
  [[ $manager == apt-get && " $* " == *" prometheus "* ]] || return 0
  held_service=prometheus
  [[ ! -e $policy ]] || return 0
  held_policy=$policy
  trap release_services EXIT
  # shellcheck disable=SC2016 # $1 is the policy's own
  printf '%s\n' '#!/bin/sh' \
    '# Written by verify of bhlat while it installs packages; may be deleted afterwards.' \
    'case $1 in prometheus*) exit 101 ;; esac' >"$policy"
  chmod 755 "$policy"
}

release_services() {
  [[ -n $held_service ]] || return 0
  if [[ -n $held_policy ]]; then
    rm -f "$held_policy"
    trap - EXIT
  fi
  # Of systemd and of SysV init alike; the service is not there when installing it failed.
  if [[ -e /etc/init.d/$held_service ]] && ! update-rc.d "$held_service" disable >/dev/null; then
    say "cannot take the service $held_service out of the boot; do it by hand"
  fi
  held_service=
}
